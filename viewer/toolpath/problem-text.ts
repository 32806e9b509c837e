/**
 * What is wrong with a toolpath in the words and units of the page, and where: a problem of the
 * check has a JSON pointer, and numbers in m and m/s, as the file has them. Pure.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { decimal, degrees } from '../ui/value-text.ts';
import { programRows } from './program-rows.ts';
import { waypointName } from './waypoint-name.ts';

/** What a problem is at: a step of the program by its pointer, a zone by its index, or neither. */
export type ProblemPlace =
  | { readonly kind: 'step'; readonly at: string }
  | { readonly kind: 'zone'; readonly index: number }
  | null;

export interface ProblemText {
  readonly text: string;
  readonly place: ProblemPlace;
}

/** Names of fields that the forms call something else. */
const FIELDS: Readonly<Record<string, string>> = {
  position: 'corner',
  dimensions: 'size',
  orientation: 'turn',
  avoid: 'rule',
  tcp_config: 'tool',
  offsets: 'tip',
  rotations: 'tip rotation',
  default_max_speed: 'default speed',
  max_speed: 'speed',
  z_offset: 'height above the cell',
};
const LENGTHS =
  /^\/metadata\/(avoidance_zones\/\d+\/(position|dimensions)|tcp_config\/(offsets|radius))/;
const HEIGHTS = /\/z_offset$/;
const SPEEDS = /speed$/;
/** A limit in a problem, and a pointer to a step. */
const LIMIT = /^(must be (?:at least|at most|above)) (-?\d[\d.e+-]*)$/;
/** A reference to a waypoint that there is not; the field that has it says nothing more. */
const NO_WAYPOINT = /^(names waypoint -?[\d.e+-]+), which does not exist: .*$/;
/** A reference to a routine that there is not. */
const NO_ROUTINE = /^names the routine '(.*)', which does not exist in routines$/;
/** Angles in a finding; the first of two limits has no unit. */
const ANGLES = /(-?\d+\.\d+)(?: to (-?\d+\.\d+))? rad(?![/\w])/g;
/** An action of the timeline itself, or of a routine. */
const LISTED = /^\/(?:timeline|routines\/(\d+)\/timeline)\/(\d+)/;
const POINTER = /\/(?:timeline|routines)[\w/]*/g;
const GROUPED = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });

function unitAt(path: string): string {
  if (LENGTHS.test(path) || HEIGHTS.test(path)) return 'mm';
  return SPEEDS.test(path) ? 'mm/s' : '';
}

/** The pointer of the step that contains a place; empty outside of the program. */
function stepAt(path: string, toolpath: Toolpath | null): { at: string; number: number } | null {
  const rows = toolpath ? programRows(toolpath).filter(({ branch }) => !branch) : [];
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const number = rows.findIndex((row) => row.at === at) + 1;
    if (number > 0) return { at, number };
  }
  return null;
}

function fieldText(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && !/^\d+$/.test(name));
  return names.map((name) => FIELDS[name] ?? name.replaceAll('_', ' ')).join(' ');
}

/** What the pointer starts with in words, and the rest of it. */
function ownerOf(path: string, toolpath: Toolpath | null) {
  const [, list = '', index = ''] = /^\/(?:metadata\/)?(\w+)(?:\/(\d+))?/.exec(path) ?? [];
  const number = Number(index);
  if (list === 'avoidance_zones' && index) {
    const zone = toolpath?.metadata.avoidance_zones?.[number];
    const rest = path.slice(`/metadata/avoidance_zones/${index}`.length);
    const place: ProblemPlace = { kind: 'zone', index: number };
    return { owner: `Zone ${zone ? `“${zone.name}”` : number + 1}`, rest, place };
  }
  if (list === 'waypoints' && index) {
    const name = toolpath ? waypointName(toolpath, number) : `Waypoint ${number + 1}`;
    return { owner: name, rest: path.slice(`/waypoints/${index}`.length), place: null };
  }
  const step = stepAt(path, toolpath);
  if (step) {
    const place: ProblemPlace = { kind: 'step', at: step.at };
    return { owner: `Step ${step.number}`, rest: path.slice(step.at.length), place };
  }
  // Of a file that cannot be read, the rows are not known.
  const [listed, routine, action] = LISTED.exec(path) ?? [];
  if (listed) {
    const list = routine ? `routine ${Number(routine) + 1}` : 'the timeline';
    const owner = `Step ${Number(action) + 1} of ${list}`;
    return { owner, rest: path.slice(listed.length), place: null };
  }
  if (path === '/timeline') return { owner: 'The program', rest: '', place: null };
  return { owner: 'The toolpath', rest: path.replace(/^\/metadata/, ''), place: null };
}

/** The message of a finding with its angles in degrees, as the page has them everywhere else. */
export function findingText(message: string): string {
  // A finding has more than four decimals where fewer do not tell an angle from its limit.
  const decimals = (text: string) => {
    const given = text.length - text.indexOf('.') - 1;
    return given > 4 ? given - 1 : 1;
  };
  const angle = (text: string) => `${decimal(degrees(Number(text)), decimals(text))}°`;
  return message.replace(ANGLES, (_, first: string, second?: string) =>
    second === undefined ? angle(first) : `${angle(first)} to ${angle(second)}`,
  );
}

/** A problem as a sentence; `toolpath` names what it is at, where it can be read. */
export function problemText({ path, problem }: Problem, toolpath: Toolpath | null): ProblemText {
  const { owner, rest, place } = ownerOf(path, toolpath);
  const [, what, limit] = LIMIT.exec(problem) ?? [];
  const unit = unitAt(path);
  const scaled = Number(limit) * (unit ? 1000 : 1);
  const said = what ? `${what} ${GROUPED.format(scaled)}${unit && ` ${unit}`}` : problem;
  const named = said.replace(POINTER, (pointer) => {
    const step = stepAt(pointer, toolpath);
    return step ? `step ${step.number}` : pointer;
  });
  if (NO_WAYPOINT.test(problem)) {
    const text = problem.replace(NO_WAYPOINT, '$1, which the toolpath does not have.');
    return { text: `${owner} ${text}`, place };
  }
  if (NO_ROUTINE.test(problem)) {
    const text = problem.replace(
      NO_ROUTINE,
      'calls routine “$1”, which the toolpath does not have.',
    );
    return { text: `${owner} ${text}`, place };
  }
  const field = fieldText(rest);
  return { text: `${owner}${field && `, ${field},`} ${named}.`, place };
}
