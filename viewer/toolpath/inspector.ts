/**
 * The right column: what is wrong with the selected step, what it is, and where the arm is at the
 * cursor; the zones and everything found. The text twin of the scene.
 */
import { limits } from '../../contract/limits.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { createTool, type Tool } from '../../physics/kinematics/tool.ts';
import { button, element, setAttribute } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { decimal, degrees } from '../panels/value-text.ts';
import { codeWords } from './finding-words.ts';
import { moveIcon } from './move-icons.ts';
import type { PlanPanel } from './plan-panel.ts';
import { programRows } from './program-rows.ts';
import type { ToolpathStore, ToolpathView } from './toolpath-store.ts';
import { tipOf } from './track.ts';
import { createStretchMoment, type Finding, sampleWay, stretchAt } from './way.ts';
import { zoneWords } from './zone-words.ts';

const moment = createStretchMoment();

const KINDS: Readonly<Record<string, string>> = {
  joint_space: 'Joint',
  linear: 'Linear',
  spline: 'Spline',
  wait: 'Wait',
  output: 'Output',
  restart: 'Restart',
  blocked: 'Cannot be made',
};

function fact(name: string, ...value: readonly (Node | string)[]): HTMLElement {
  const told = element('dd', {}, ...value);
  return element('div', { class: 'fact' }, element('dt', {}, name), told);
}

function unit(words: string): HTMLElement {
  return element('span', { class: 'unit' }, words);
}

function section(words: string, end: string, ...body: readonly Node[]): HTMLElement {
  const head = element(
    'header',
    { class: 'section-head' },
    element('h2', {}, words),
    element('span', { class: 'age' }),
    element('span', { class: 'end' }, end),
  );
  return element('section', { class: 'panel', 'aria-label': words }, head, ...body);
}

/** The error or warning to show in full: the one looked at, else that of the selected step. */
function shownFinding({ finding, opened, selected }: ToolpathView): Finding | null {
  return finding ?? opened?.findings.find(({ at }) => at === selected) ?? null;
}

function findingCard({ kind, code, message }: Finding): HTMLElement {
  return element(
    'div',
    { class: `card card-${kind}`, role: 'alert' },
    icon(kind === 'error' ? 'warn' : 'fault'),
    element(
      'div',
      {},
      element('b', {}, `${codeWords(code)}.`),
      element('p', {}, message),
      element('code', {}, code),
    ),
  );
}

/** Number of a row among the actions, as people count them. */
function stepNumber({ opened, selected }: ToolpathView): number {
  const rows = opened ? programRows(opened.toolpath).filter(({ branch }) => !branch) : [];
  return rows.findIndex(({ at }) => at === selected) + 1;
}

function stepSection(view: ToolpathView): HTMLElement | null {
  const { opened, way, selected, cursor_s } = view;
  const row = opened && programRows(opened.toolpath).find(({ at }) => at === selected);
  if (!way || !row) return null;
  const stretch = way.stretches[stretchAt(way, cursor_s)];
  const own = stretch?.at === selected ? stretch : undefined;
  const from = own ? `${decimal(own.start_s, 2)} to ` : '';
  const to = own ? `${decimal(own.start_s + own.duration_s, 2)} s` : '';
  const glyph = moveIcon(row.kind);
  const kind = own ? KINDS[own.kind]! : row.kind.charAt(0).toUpperCase() + row.kind.slice(1);
  const facts = [
    fact('Step', ...(glyph ? [glyph, ' '] : []), kind),
    fact(glyph ? 'To' : 'What', row.words),
    ...(row.aside ? [fact('Mode', row.aside)] : []),
    ...(own?.cell.length ? [fact('Cell', own.cell.map((cell) => cell + 1).join(', '))] : []),
  ];
  const number = stepNumber(view);
  const finding = shownFinding(view);
  const title = number > 0 ? `Step ${number}` : 'Branch';
  const card = finding ? [findingCard(finding)] : [];
  return section(title, from + to, ...card, element('dl', {}, ...facts));
}

/** The joint that is nearest to one of its limits, and how far it is (rad). */
function nearestLimit(joints: Float64Array): { joint: number; spare_rad: number } {
  const spare = Array.from(joints, (q, j) =>
    Math.min(q - JOINT_MIN_RAD[j]!, JOINT_MAX_RAD[j]! - q),
  );
  const spare_rad = Math.min(...spare);
  return { joint: spare.indexOf(spare_rad), spare_rad };
}

function cursorSection({ opened, way, cursor_s }: ToolpathView, tool: Tool): HTMLElement | null {
  if (!way || !opened) return null;
  sampleWay(way, cursor_s, moment);
  const tip = tipOf(moment.joints, tool).map((value) => decimal(value * 1000, 1));
  const angles = Array.from(moment.joints, (q) => decimal(degrees(q), 1));
  const { track } = way;
  const i = track.times_s.findIndex((time) => time >= cursor_s);
  const speed = decimal((track.speeds[Math.max(i, 0)] ?? 0) * 1000, 0);
  const { joint, spare_rad } = nearestLimit(moment.joints);
  return section(
    'At the cursor',
    `${decimal(cursor_s, 2)} s`,
    element(
      'dl',
      {},
      fact('Tool', `x ${tip[0]}  y ${tip[1]}  z ${tip[2]}`, unit('mm')),
      fact('Speed', speed, unit('mm/s')),
      fact('Joints', angles.slice(0, 3).join('  ')),
      fact('', angles.slice(3).join('  '), unit('°')),
      fact('Closest', `J${joint + 1}  ${decimal(degrees(spare_rad), 0)}`, unit('° from limit')),
    ),
  );
}

function zoneSection({ opened }: ToolpathView): HTMLElement | null {
  const zones = opened?.toolpath.metadata.avoidance_zones ?? [];
  if (zones.length === 0) return null;
  const rows = zones.map((zone) => element('li', { class: 'zone-row' }, ...zoneWords(zone)));
  return section(
    'Zones',
    `${zones.length} of ${limits.avoidance_zones}`,
    element('ul', {}, ...rows),
  );
}

function findingsSection(view: ToolpathView, store: ToolpathStore): HTMLElement | null {
  const { opened, finding } = view;
  if (!opened || opened.findings.length === 0) return null;
  const rows = opened.findings.map((found) => {
    const row = button(
      {
        class: `finding finding-${found.kind}`,
        'aria-current': found === finding ? 'true' : undefined,
      },
      () => store.look(found),
      icon(found.kind === 'error' ? 'warn' : 'fault'),
      element('span', {}, codeWords(found.code)),
      element('code', {}, found.at),
    );
    return row;
  });
  return section('Found', 'E for the next', ...rows);
}

function problemSection({ problems, origin }: ToolpathView): HTMLElement | null {
  if (problems.length === 0) return null;
  const rows = problems.map(({ path, problem }) =>
    element('li', {}, element('code', {}, path || '/'), element('p', {}, problem)),
  );
  const title = `${origin?.name ?? 'This file'} cannot be shown`;
  return section(title, '', element('ul', { class: 'problems', role: 'alert' }, ...rows));
}

function noteSection({ opened }: ToolpathView): HTMLElement | null {
  if (!opened || opened.notes.length === 0) return null;
  const rows = opened.notes.map((note) => element('li', {}, note));
  return section('Brought to format 2', '', element('ul', { class: 'notes' }, ...rows));
}

/** The inspector of the open toolpath. */
export function createInspector(store: ToolpathStore): PlanPanel {
  const step = element('div');
  const cursor = element('div');
  const rest = element('div');
  const panel = element(
    'aside',
    { class: 'plan-inspector', 'aria-label': 'Step' },
    step,
    cursor,
    rest,
  );
  let tool = createTool();
  const fill = (target: HTMLElement, ...parts: readonly (Node | null)[]): void => {
    target.replaceChildren(...parts.filter((part) => part !== null));
  };
  return {
    element: panel,
    update(view, before) {
      if (view.opened !== before?.opened)
        tool = createTool(view.opened?.toolpath.metadata.tcp_config);
      const moved = view.cursor_s !== before?.cursor_s || view.way !== before?.way;
      const chosen = view.selected !== before?.selected || view.finding !== before?.finding;
      if (moved || chosen) {
        fill(step, stepSection(view));
        fill(cursor, cursorSection(view, tool));
      }
      if (chosen || view.opened !== before?.opened || view.problems !== before?.problems) {
        fill(
          rest,
          problemSection(view),
          findingsSection(view, store),
          zoneSection(view),
          noteSection(view),
        );
      }
      setAttribute(panel, 'aria-busy', view.busy ? 'true' : undefined);
    },
  };
}
