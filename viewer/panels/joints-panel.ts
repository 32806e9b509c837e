/**
 * The readings of the Live page: the six joints (position on a gauge with a common scale, position
 * and velocity), the tool tip, and inputs and outputs.
 */
import type { Snapshot } from '../../contract/types.ts';
import { type ArmRange, MODEL_RANGE } from '../../physics/arm/arm-model.ts';
import { createPoseReader, createTool, type Tool } from '../../physics/kinematics/forward.ts';
import { fixedAxisAngles } from '../../physics/math/rotation.ts';
import type { Commands } from '../link/commands.ts';
import {
  button,
  element,
  heading,
  type Panel,
  type Shown,
  setAttribute,
  setText,
} from './element.ts';
import { busyText } from './motion-bar.ts';
import { angleText, decimal, degrees, runTimeText } from './value-text.ts';

/** Range of all gauges: half a turn in each direction. */
const SPAN_RAD = Math.PI;
/** Distance to a limit below which the value is marked as a warning. */
const NEAR_LIMIT_RAD = (3 * Math.PI) / 180;

interface JointRow {
  readonly element: HTMLElement;
  /** Shows the limits of the joint (rad). */
  limit(low_rad: number, high_rad: number): void;
  show(position_rad: number, velocity_deg_s: number): void;
  move(position_rad: number): void;
}

/** The place on a gauge, in percent of its width. */
function percent(angle_rad: number): number {
  return ((angle_rad + SPAN_RAD) / (2 * SPAN_RAD)) * 100;
}

function jointRow(joint: number): JointRow {
  const range = element('span', { class: 'gauge-range' });
  const mark = element('span', { class: 'gauge-mark' });
  const zero = element('span', { class: 'gauge-zero' });
  const bar = element('span', { class: 'gauge' }, range, zero, mark);
  let [low, high] = [0, 0];
  const position = element('span', { class: 'number' });
  const velocity = element('span', { class: 'number quiet' });
  const row = element(
    'div',
    { class: 'joint' },
    element('b', {}, `J${joint + 1}`),
    bar,
    element('span', { class: 'value' }, position, element('span', { class: 'unit' }, '°')),
    element('span', { class: 'value' }, velocity, element('span', { class: 'unit' }, '°/s')),
  );
  return {
    element: row,
    limit(low_rad, high_rad) {
      [low, high] = [low_rad, high_rad];
      range.style.left = `${percent(low)}%`;
      range.style.right = `${100 - percent(high)}%`;
      const [from, to] = [low, high].map((angle) => `${decimal(degrees(angle), 0)}°`);
      row.title = `Joint ${joint + 1}: limits ${from} to ${to}`;
    },
    move(position_rad) {
      mark.style.transform = `translateX(${percent(position_rad).toFixed(2)}cqw)`;
    },
    show(position_rad, velocity_deg_s) {
      setText(position, angleText(position_rad));
      setText(velocity, decimal(velocity_deg_s, 1));
      const spare_rad = Math.min(position_rad - low, high - position_rad);
      setAttribute(row, 'data-near-limit', spare_rad < NEAR_LIMIT_RAD);
    },
  };
}

/** The panel with one row per joint. */
export function createJointsPanel(): Panel {
  const head = heading(
    'Joints',
    element('span', { class: 'column' }, 'position'),
    element('span', { class: 'column narrow' }, 'velocity'),
  );
  const rows = [0, 1, 2, 3, 4, 5].map(jointRow);
  let shownRange: ArmRange | null = null;
  const showRange = (range: ArmRange): void => {
    if (range === shownRange) return;
    shownRange = range;
    for (const [j, row] of rows.entries()) row.limit(range.min_rad[j]!, range.max_rad[j]!);
  };
  showRange(MODEL_RANGE);
  const panel = element(
    'section',
    { class: 'panel joints', 'data-tab': 'joints', 'aria-label': 'Joints' },
    head.element,
    ...rows.map((row) => row.element),
  );
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      showRange(shown.view.sim?.jointRange ?? MODEL_RANGE);
      const positions = shown.view.snapshot?.['servos.telemetry.position'] ?? [];
      const velocities = shown.view.snapshot?.['servos.telemetry.velocity'] ?? [];
      for (const [j, position] of positions.entries()) rows[j]!.show(position, velocities[j]!);
    },
    move({ view }) {
      const positions = view.snapshot?.['servos.telemetry.position'] ?? [];
      for (const [j, position] of positions.entries()) rows[j]!.move(position);
    },
  };
}

/** Pose of the tool tip in the base frame (mm, degrees) and its speed; the scene as text. */

/** Time step of the numeric derivative: large enough for the precision, small for any motion. */
const DERIVATIVE_STEP_S = 1e-4;
const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;

/** Speed of the tip (m/s): numeric derivative along the joint velocities. */
function tipSpeed(
  snapshot: Snapshot,
  tool: Tool,
  read: ReturnType<typeof createPoseReader>,
): number {
  const positions = snapshot['servos.telemetry.position'];
  const velocities = snapshot['servos.telemetry.velocity'];
  const [before, after] = [-0.5, 0.5].map((half) => {
    const time_s = half * DERIVATIVE_STEP_S;
    const moved = positions.map((p, j) => p + (time_s * velocities[j]! * Math.PI) / 180);
    return read(moved, tool).slice(9, 12);
  }) as [Float64Array, Float64Array];
  return Math.hypot(...before.map((value, i) => value - after[i]!)) / DERIVATIVE_STEP_S;
}

/** Creates the readout for the tool of the loaded toolpath. */
export function createToolReadout(): Panel {
  const read = createPoseReader();
  const values = NAMES.map(() => element('td'));
  const what = element('span');
  const frame = element('span', { class: 'readout-frame' }, ' at base');
  const name = element('th', { class: 'readout-name', scope: 'row' }, what, frame);
  const table = element(
    'table',
    {},
    element('tr', {}, name, ...NAMES.map((name) => element('th', { scope: 'col' }, name))),
    element('tr', {}, element('th', { class: 'readout-name', scope: 'row' }, 'mm, °'), ...values),
  );
  const speed = element('span', { class: 'number' });
  const time = element('span', { class: 'number' });
  const run = element('span', { class: 'readout-run' }, time, element('i', {}, 'run time'));
  const chip = element(
    'div',
    { class: 'glass speed' },
    element('span', {}, speed, element('i', {}, 'mm/s')),
    run,
  );
  const box = element(
    'div',
    { class: 'readouts' },
    element('div', { class: 'glass readout' }, table),
    chip,
  );
  return {
    element: box,
    update({ view, now_ms }) {
      if (!view.snapshot) return;
      const config = view.loaded?.toolpath.metadata.tcp_config;
      const tool = createTool(config);
      // A tool that is not known, or that there is none of, has no pose.
      setText(what, config ? 'Tool' : 'Flange');
      setText(speed, decimal(tipSpeed(view.snapshot, tool, read) * 1000, 0));
      const pose = read(view.snapshot['servos.telemetry.position'], tool);
      const position = Array.from(pose.subarray(9, 12), (value) => decimal(value * 1000, 1));
      const angles = fixedAxisAngles(pose).map((angle) => decimal(degrees(angle), 1));
      for (const [i, text] of [...position, ...angles].entries()) setText(values[i]!, text);
      // The panel of the run has the time of a twin; the clock of this page is not the twin's.
      run.hidden = view.runStarted_ms === null || view.sim !== null;
      if (view.runStarted_ms !== null)
        setText(time, runTimeText((now_ms - view.runStarted_ms) / 1000));
    },
  };
}

/** Inputs and outputs of base and tool; digital outputs are switches. */

type Refresh = (shown: Shown, snapshot: Snapshot) => void;
interface IoCell {
  readonly element: HTMLElement;
  readonly refresh: Refresh;
}

type DigitalInput = 'd0' | 'd1' | 'd2' | 'd3' | 'ee_d0' | 'ee_d1';
type AnalogKey = 'a0' | 'a1' | 'ee_a0' | 'ee_a1';

function lamp(key: DigitalInput, label: string): IoCell {
  const state = element('span', { class: 'sr-only' });
  const cell = element(
    'div',
    { class: 'io-cell' },
    element('span', {}, label),
    element('span', { class: 'lamp' }),
    state,
  );
  return {
    element: cell,
    refresh: (_shown, snapshot) => {
      const on = snapshot['global.inputs'][key];
      setAttribute(cell, 'data-on', on);
      setText(state, on ? 'on' : 'off');
    },
  };
}

function toggle(key: DigitalInput, label: string, commands: Commands): IoCell {
  let on = false;
  const cell = button(
    { class: 'io-cell io-switch', role: 'switch', 'aria-label': `Output ${label}` },
    () => void commands.setOutput(key, !on),
    element('span', {}, label),
    element('span', { class: 'switch' }),
  );
  return {
    element: cell,
    refresh: ({ view }, snapshot) => {
      on = snapshot['global.outputs'][key];
      setAttribute(cell, 'data-on', on);
      setAttribute(cell, 'aria-checked', on ? 'true' : 'false');
      const busy = busyText(view);
      setAttribute(cell, 'disabled', busy !== '');
      setAttribute(cell, 'title', busy || undefined);
    },
  };
}

function analog(side: 'global.inputs' | 'global.outputs', key: AnalogKey, label: string): IoCell {
  const number = element('span', { class: 'number' });
  const unit = element('span', { class: 'unit' });
  const value = element('span', { class: 'value' }, number, unit);
  const cell = element('div', { class: 'io-cell wide' }, element('span', {}, label), value);
  return {
    element: cell,
    refresh: (_shown, snapshot) => {
      const values: Readonly<Record<string, unknown>> = { ...snapshot[side] };
      const current = values[`${key}_mode`] === 'current';
      setText(number, decimal(Number(values[key]), current ? 1 : 2));
      setText(unit, current ? 'mA' : 'V');
    },
  };
}

function group(title: string, cells: readonly IoCell[]): HTMLElement {
  const grid = element('div', { class: 'io-grid' }, ...cells.map((cell) => cell.element));
  return element('div', { class: 'io-group' }, element('h3', {}, title), grid);
}

/** The panel; its switches send commands. */
export function createIoPanel(commands: Commands): Panel {
  const base = ['d0', 'd1', 'd2', 'd3'] as const;
  const tool = ['ee_d0', 'ee_d1'] as const;
  const inputs = [
    ...base.map((key) => lamp(key, key)),
    analog('global.inputs', 'a0', 'a0'),
    analog('global.inputs', 'a1', 'a1'),
  ];
  const outputs = [
    ...base.map((key) => toggle(key, key, commands)),
    analog('global.outputs', 'a0', 'a0'),
    analog('global.outputs', 'a1', 'a1'),
  ];
  const toolCells = [
    ...tool.map((key, i) => lamp(key, `i${i}`)),
    ...tool.map((key, i) => toggle(key, `o${i}`, commands)),
    analog('global.inputs', 'ee_a0', 'a0'),
    analog('global.inputs', 'ee_a1', 'a1'),
  ];
  const head = heading('Inputs and outputs');
  const panel = element(
    'section',
    { class: 'panel io', 'data-tab': 'io', 'aria-label': 'Inputs and outputs' },
    head.element,
    group('Base inputs', inputs),
    group('Base outputs', outputs),
    group('Tool', toolCells),
  );
  const cells = [...inputs, ...outputs, ...toolCells];
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      const { snapshot } = shown.view;
      if (snapshot) for (const cell of cells) cell.refresh(shown, snapshot);
    },
  };
}
