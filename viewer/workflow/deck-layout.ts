/**
 * Positions of a workcell's nests, computed from the arm's grip poses: metres, with the direction
 * of the plate. Also the lines between the tasks of the chart. Reads the definition leniently,
 * because it may be wrong elsewhere. Pure.
 */
import type { RunDetails, RunLimit } from '../../contract/types.ts';
import { createPoseReader, FLANGE_TOOL } from '../../physics/kinematics/forward.ts';

/** Footprint and height of a microplate (m), ANSI/SLAS. */
export const PLATE_M = { x: 0.12776, y: 0.08548, z: 0.01435 } as const;

export interface Nest {
  readonly instrument_id: string;
  readonly slot: number;
  /** Position where the tool tip grips (m). */
  readonly at_m: readonly [number, number, number];
  /** Direction of the plate's long side about the vertical (rad). */
  readonly turn_rad: number;
}

export interface Instrument {
  readonly id: string;
  readonly name: string;
}

export interface Deck {
  /** All instruments except those of type transport, in the definition's order. */
  readonly instruments: readonly Instrument[];
  /** Empty if the definition has no poses. */
  readonly nests: readonly Nest[];
}

type Loose = Readonly<Record<string, unknown>>;

function object(value: unknown): Loose {
  return value !== null && typeof value === 'object' ? (value as Loose) : {};
}

function joints(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length !== 6) return null;
  return value.every((angle) => typeof angle === 'number') ? value : null;
}

const readPose = createPoseReader();

function nestAt(instrument_id: string, slot: number, grip: readonly number[]): Nest {
  const pose = readPose(grip, FLANGE_TOOL);
  return {
    instrument_id,
    slot,
    at_m: [pose[9]!, pose[10]!, pose[11]!],
    turn_rad: Math.atan2(pose[3]!, pose[0]!),
  };
}

/** The deck of a definition. */
export function deckOf(definition: unknown): Deck {
  const listed = object(object(definition)['workcell'])['instruments'];
  const all = (Array.isArray(listed) ? listed : []).map(object);
  const isArm = (one: Loose) => one['type'] === 'transport';
  const instruments = all.flatMap((one): Instrument[] => {
    const { id, name } = one;
    if (isArm(one) || typeof id !== 'string') return [];
    return [{ id, name: typeof name === 'string' && name ? name : id }];
  });
  const arm = object(object(all.find(isArm))['config']);
  const nests = Object.entries(object(arm['stations'])).flatMap(([id, slots]) =>
    Object.entries(object(slots)).flatMap(([slot, station]) => {
      const grip = joints(object(station)['grip']);
      return grip ? [nestAt(id, Number(slot), grip)] : [];
    }),
  );
  return { instruments, nests };
}

/** What an operator can do about a failed task. */
export type Resolution = 'retry' | 'complete' | 'skip';

/** What a definition allows after a failure of a task; everything where the task is not known. */
export function resolutionsOf(definition: unknown, task_id: string): readonly Resolution[] {
  const task = object(object(object(definition)['workflow'])['tasks'])[task_id];
  if (task === undefined) return ['retry', 'complete', 'skip'];
  const given = object(object(task)['available_failure_actions']);
  const { retry = true, complete_manually: complete = true, ignore: skip = false } = given;
  const allowed = { retry, complete, skip };
  return (['retry', 'complete', 'skip'] as const).filter((one) => allowed[one] === true);
}

/** Starting locations of the labware in a definition. */
export function startingPlaces(
  definition: unknown,
): { labware_id: string; instrument_id: string | null; slot: number | null }[] {
  const listed = object(object(definition)['workflow'])['labware'];
  return (Array.isArray(listed) ? listed : []).map(object).flatMap(({ id, starting_location }) => {
    const { instrument, slot } = object(starting_location);
    if (typeof id !== 'string' || typeof instrument !== 'string') return [];
    return [
      { labware_id: id, instrument_id: instrument, slot: typeof slot === 'number' ? slot : null },
    ];
  });
}

/** The nest of a location, if the arm has a pose for it. */
export function nestOf(deck: Deck, instrument_id: string | null, slot: number | null): Nest | null {
  const fits = (nest: Nest) => nest.instrument_id === instrument_id && nest.slot === slot;
  return deck.nests.find(fits) ?? null;
}

/** A line between two bars: what waits for what, and limits of time. */
export interface GanttLink {
  readonly kind: 'dependency' | 'limit';
  readonly from: string;
  readonly to: string;
  /** Whether the line begins and ends at the end of its bar. */
  readonly fromEnd: boolean;
  readonly toEnd: boolean;
  /** State of a limit in the run; empty for others. */
  readonly state: RunLimit['state'] | 'late' | '';
  readonly text: string;
}

function limitText({ constraint_id, max_s, slack_s, state }: RunLimit): string {
  if (state === 'broken') return `${constraint_id}: broken`;
  const most = max_s === null ? '' : `at most ${Math.round(max_s)} s`;
  return slack_s === null ? most : `${most}, slack ${Math.round(slack_s)} s`;
}

/** The dependencies and limits of a definition, which may be wrong elsewhere. */
export function ganttLinks(definition: unknown, run: RunDetails | null): GanttLink[] {
  const workflow = object(object(definition)['workflow']);
  const states = new Map(run?.limits.map((one) => [one.constraint_id, one]));
  const links: GanttLink[] = [];
  const rest = { fromEnd: true, toEnd: false, state: '', text: '' } as const;
  for (const [id, value] of Object.entries(object(workflow['tasks']))) {
    const task = object(value);
    const sources = Object.values(object(task['labware_sources'])).map(
      (source) => object(source)['source_task'],
    );
    const listed = Array.isArray(task['dependencies']) ? task['dependencies'] : [];
    for (const from of new Set([...sources, ...listed])) {
      if (typeof from !== 'string') continue;
      links.push({ kind: 'dependency', from: `task/${from}`, to: `task/${id}`, ...rest });
    }
  }
  const limits = workflow['time_constraints'];
  for (const one of Array.isArray(limits) ? limits.map(object) : []) {
    const [fromSide, toSide] = String(one['type']).split('_to_');
    const limit = states.get(String(one['id']));
    const isLate = limit !== undefined && limit.state !== 'void' && (limit.slack_s ?? 0) < 0;
    const most = one['max_duration'];
    links.push({
      kind: 'limit',
      from: `task/${String(one['start_task_id'])}`,
      to: `task/${String(one['end_task_id'])}`,
      fromEnd: fromSide === 'end',
      toEnd: toSide === 'end',
      state: isLate && limit.state !== 'broken' ? 'late' : (limit?.state ?? ''),
      text: limit ? limitText(limit) : typeof most === 'number' ? `at most ${most} s` : '',
    });
  }
  return links;
}
