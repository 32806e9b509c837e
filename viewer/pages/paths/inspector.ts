/**
 * The right column of the Paths page: the selected step and its finding, the arm at the cursor,
 * zones and all findings. It is the text alternative of the scene.
 */

import { limits } from '../../../contract/limits.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { type ArmRange, MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import { createTool, type Tool } from '../../../physics/kinematics/tool.ts';
import type { Finding } from '../../toolpath/finding.ts';
import { findingIcon } from '../../toolpath/finding.ts';
import { moveIcon } from '../../toolpath/move-icon.ts';
import { toolTipAt } from '../../toolpath/path-samples.ts';
import type { PlacedProblem } from '../../toolpath/problem-lines.ts';
import { findingText, problemText } from '../../toolpath/problem-text.ts';
import { programRows } from '../../toolpath/program-rows.ts';
import { type RemedyActions, remedyParts } from '../../toolpath/remedy-parts.ts';
import { createTrajectoryPoint, sampleTimedPath, segmentAt } from '../../toolpath/timed-path.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { zoneRow } from '../../toolpath/zone-row.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { decimal, degrees } from '../../ui/value-text.ts';

const trajectoryPoint = createTrajectoryPoint();

/** Problems come by check; the page lists them as the file has their places. */
const IN_ORDER = new Intl.Collator('en', { numeric: true });

const KINDS: Readonly<Record<string, string>> = {
  joint_space: 'Joint',
  linear: 'Linear',
  spline: 'Spline',
  wait: 'Wait',
  output: 'Output',
  restart: 'Restart',
  blocked: 'Infeasible',
};

function definitionRow(name: string, ...value: readonly (Node | string)[]): HTMLElement {
  const content = element('dd', {}, ...value);
  return element('div', { class: 'fact' }, element('dt', {}, name), content);
}

function unit(text: string): HTMLElement {
  return element('span', { class: 'unit' }, text);
}

function section(text: string, end: string, ...body: readonly Node[]): HTMLElement {
  const head = element(
    'header',
    { class: 'section-head' },
    element('h2', {}, text),
    element('span', { class: 'age' }),
    element('span', { class: 'end' }, end),
  );
  return element('section', { class: 'panel', 'aria-label': text }, head, ...body);
}

/** The finding shown in full: the one chosen, otherwise that of the selected step. */
function shownFinding({ finding, opened, selected }: ToolpathView): Finding | null {
  return finding ?? opened?.findings.find(({ at }) => at === selected) ?? null;
}

function findingCard({ kind, code, message }: Finding, more: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: `card card-${kind}`, role: 'alert' },
    findingIcon(kind),
    element(
      'div',
      {},
      element('b', {}, `${motionErrorText(code)}.`),
      element('p', {}, findingText(message)),
      ...more,
      element('code', {}, code),
    ),
  );
}

/** Each row of the program as it is called, "Step 4" from 1 or "Branch", by its pointer. */
function stepTitles({ opened }: ToolpathView): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  let number = 0;
  for (const { at, branch } of opened ? programRows(opened.toolpath) : []) {
    if (!branch) number += 1;
    titles.set(at, branch ? 'Branch' : `Step ${number}`);
  }
  return titles;
}

function stepSection(view: ToolpathView, actions: RemedyActions): HTMLElement | null {
  const { opened, path, selected, cursor_s } = view;
  const row = opened && programRows(opened.toolpath).find(({ at }) => at === selected);
  if (!path || !row) return null;
  const segment = path.segments[segmentAt(path, cursor_s)];
  const own = segment?.at === selected ? segment : undefined;
  const from = own ? `${decimal(own.start_s, 2)} to ` : '';
  const to = own ? `${decimal(own.start_s + own.duration_s, 2)} s` : '';
  const glyph = moveIcon(row.kind);
  const kind = own ? KINDS[own.kind]! : row.kind.charAt(0).toUpperCase() + row.kind.slice(1);
  const rows = [
    definitionRow('Step', ...(glyph ? [glyph, ' '] : []), kind),
    definitionRow(glyph ? 'To' : 'What', row.text),
    ...(row.detail ? [definitionRow('Mode', row.detail)] : []),
    ...(own?.cell.length
      ? [definitionRow('Cell', own.cell.map((cell) => cell + 1).join(', '))]
      : []),
  ];
  const finding = shownFinding(view);
  const title = stepTitles(view).get(row.at) ?? 'Branch';
  const card = finding ? [findingCard(finding, remedyParts(view, finding, actions))] : [];
  return section(title, from + to, ...card, element('dl', {}, ...rows));
}

/** The joint closest to one of its limits, and the distance (rad). */
function nearestLimit(
  { min_rad, max_rad }: ArmRange,
  joints: Float64Array,
): { joint: number; spare_rad: number } {
  const spare = Array.from(joints, (q, j) => Math.min(q - min_rad[j]!, max_rad[j]! - q));
  const spare_rad = Math.min(...spare);
  return { joint: spare.indexOf(spare_rad), spare_rad };
}

function cursorSection(view: ToolpathView, tool: Tool): HTMLElement | null {
  const { opened, path, cursor_s, jointRange } = view;
  if (!path || !opened) return null;
  sampleTimedPath(path, cursor_s, trajectoryPoint);
  const tip = toolTipAt(trajectoryPoint.joints, tool).map((value) => decimal(value * 1000, 1));
  const angles = Array.from(trajectoryPoint.joints, (q) => decimal(degrees(q), 1));
  const { samples } = path;
  const i = samples.times_s.findIndex((time) => time >= cursor_s);
  const speed = decimal((samples.speeds[Math.max(i, 0)] ?? 0) * 1000, 0);
  const { joint, spare_rad } = nearestLimit(jointRange ?? MODEL_RANGE, trajectoryPoint.joints);
  return section(
    'At the cursor',
    `${decimal(cursor_s, 2)} s`,
    element(
      'dl',
      {},
      definitionRow('Tool', `x ${tip[0]}  y ${tip[1]}  z ${tip[2]}`, unit('mm')),
      definitionRow('Speed', speed, unit('mm/s')),
      definitionRow('Joints', angles.slice(0, 3).join('  ')),
      definitionRow('', angles.slice(3).join('  '), unit('°')),
      definitionRow(
        'Closest',
        `${jointName(joint)}  ${decimal(degrees(spare_rad), 0)}`,
        unit('° from limit'),
      ),
    ),
  );
}

function zoneSection({ opened }: ToolpathView): HTMLElement | null {
  const zones = opened?.toolpath.metadata.avoidance_zones ?? [];
  if (zones.length === 0) return null;
  const rows = zones.map((zone) => element('li', { class: 'zone-row' }, ...zoneRow(zone)));
  return section(
    'Zones',
    `${zones.length} of ${limits.avoidance_zones}`,
    element('ul', {}, ...rows),
  );
}

function findingsSection(view: ToolpathView, store: ToolpathStore): HTMLElement | null {
  const { opened, finding } = view;
  if (!opened || opened.findings.length === 0) return null;
  const titles = stepTitles(view);
  const rows = opened.findings.map((found) => {
    const row = button(
      {
        class: `finding finding-${found.kind}`,
        'aria-current': found === finding ? 'true' : undefined,
      },
      () => store.chooseFinding(found),
      findingIcon(found.kind),
      element('span', {}, motionErrorText(found.code)),
      element('span', { class: 'sub', title: found.at }, titles.get(found.at) ?? ''),
    );
    return row;
  });
  return section('Findings', 'E: next', ...rows);
}

/** What stands in place of findings where there are none, too: what was looked at. */
function checkedSection({ opened }: ToolpathView): HTMLElement | null {
  const checked = opened?.checkedAgainst ?? [];
  if (checked.length === 0) return null;
  return section('Checked against', '', element('p', { class: 'sub' }, checked.join(', ')));
}

/** "Line 12, /waypoints/3/joints"; the pointer alone of what has no lines. */
function placeText({ line, path }: PlacedProblem): string {
  return line === undefined ? path : `Line ${line}, ${path}`;
}

function problemSection({ problems, origin }: ToolpathView): HTMLElement | null {
  if (problems.length === 0) return null;
  const sorted = problems.toSorted((a, b) => IN_ORDER.compare(a.path, b.path));
  const rows = sorted.map((one) =>
    element(
      'li',
      {},
      element('p', {}, problemText(one, null).text),
      ...(one.path ? [element('code', {}, placeText(one))] : []),
    ),
  );
  const title = `${origin ? `“${origin.name}”` : 'This file'} cannot be shown`;
  return section(title, '', element('ul', { class: 'problems', role: 'alert' }, ...rows));
}

function noteSection({ opened }: ToolpathView): HTMLElement | null {
  if (!opened || opened.notes.length === 0) return null;
  const rows = opened.notes.map((note) => element('li', {}, note));
  return section('Migrated to format 2', '', element('ul', { class: 'notes' }, ...rows));
}

/** Creates the inspector of the open toolpath; a remedy is drawn beside it, and applied. */
export function createInspector(
  store: ToolpathStore,
  actions: Omit<RemedyActions, 'choose'>,
): ToolpathPanel {
  const remedies = { ...actions, choose: (finding: Finding) => store.chooseFinding(finding) };
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
      const moved = view.cursor_s !== before?.cursor_s || view.path !== before?.path;
      const chosen =
        view.selected !== before?.selected ||
        view.finding !== before?.finding ||
        view.remedy !== before?.remedy;
      if (moved || chosen) {
        fill(step, stepSection(view, remedies));
        fill(cursor, cursorSection(view, tool));
      }
      if (chosen || view.opened !== before?.opened || view.problems !== before?.problems) {
        fill(
          rest,
          problemSection(view),
          findingsSection(view, store),
          checkedSection(view),
          zoneSection(view),
          noteSection(view),
        );
      }
      setAttribute(panel, 'aria-busy', view.busy ? 'true' : undefined);
    },
  };
}
