/** The six joints: position on a gauge with a common scale, position and velocity. */

import type { Snapshot } from '../../contract/types.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import {
  createFrames,
  createTool,
  forward,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../../physics/kinematics/forward.ts';
import { fixedAxisAngles } from '../../physics/math/rotation.ts';
import { element, heading, type Panel, setAttribute, setText } from './element.ts';
import { angleText, decimal, degrees, runTimeText } from './value-text.ts';

/** Range of all gauges: half a turn in each direction. */
const SPAN_RAD = Math.PI;
/** Distance to a limit below which the value is marked as a warning. */
const NEAR_LIMIT_RAD = (3 * Math.PI) / 180;

interface JointRow {
  readonly element: HTMLElement;
  show(position_rad: number, velocity_deg_s: number): void;
}

function percent(angle_rad: number): string {
  return `${((angle_rad + SPAN_RAD) / (2 * SPAN_RAD)) * 100}%`;
}

function gauge(joint: number): { element: HTMLElement; mark: HTMLElement } {
  const range = element('span', { class: 'gauge-range' });
  range.style.left = percent(JOINT_MIN_RAD[joint]!);
  range.style.right = `calc(100% - ${percent(JOINT_MAX_RAD[joint]!)})`;
  const zero = element('span', { class: 'gauge-zero' });
  const mark = element('span', { class: 'gauge-mark' });
  return { element: element('span', { class: 'gauge' }, range, zero, mark), mark };
}

function jointRow(joint: number): JointRow {
  const { element: bar, mark } = gauge(joint);
  const position = element('span', { class: 'number' });
  const velocity = element('span', { class: 'number quiet' });
  const low = decimal(degrees(JOINT_MIN_RAD[joint]!), 0);
  const high = decimal(degrees(JOINT_MAX_RAD[joint]!), 0);
  const row = element(
    'div',
    { class: 'joint', title: `Joint ${joint + 1}: limits ${low}° to ${high}°` },
    element('b', {}, `J${joint + 1}`),
    bar,
    element('span', { class: 'value' }, position, element('span', { class: 'unit' }, '°')),
    element('span', { class: 'value' }, velocity, element('span', { class: 'unit' }, '°/s')),
  );
  return {
    element: row,
    show(position_rad, velocity_deg_s) {
      mark.style.left = percent(position_rad);
      setText(position, angleText(position_rad));
      setText(velocity, decimal(velocity_deg_s, 1));
      const margin_rad = Math.min(
        position_rad - JOINT_MIN_RAD[joint]!,
        JOINT_MAX_RAD[joint]! - position_rad,
      );
      setAttribute(row, 'data-near-limit', margin_rad < NEAR_LIMIT_RAD);
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
      const { snapshot } = shown.view;
      if (!snapshot) return;
      const positions = snapshot['servos.telemetry.position'];
      const velocities = snapshot['servos.telemetry.velocity'];
      for (const [j, row] of rows.entries()) row.show(positions[j]!, velocities[j]!);
    },
  };
}

/** Pose of the tool tip in the base frame (mm, degrees) and its speed; the scene as text. */

/** Time step of the numeric derivative: large enough for the precision, small for any motion. */
const DERIVATIVE_STEP_S = 1e-4;
const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;

/** Forward kinematics to the tool point with preallocated buffers. */
function createPoseReader() {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  return (joints: readonly number[], tool: Tool): Float64Array => {
    forward(joints, frames);
    toolPose(frames, tool, pose);
    return pose;
  };
}

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
  const table = element(
    'table',
    {},
    element(
      'tr',
      {},
      element('th', { class: 'readout-name', scope: 'row' }, 'Tool at base'),
      ...NAMES.map((name) => element('th', { scope: 'col' }, name)),
    ),
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
      const tool = createTool(view.loaded?.toolpath.metadata.tcp_config);
      setText(speed, decimal(tipSpeed(view.snapshot, tool, read) * 1000, 0));
      const pose = read(view.snapshot['servos.telemetry.position'], tool);
      const position = Array.from(pose.subarray(9, 12), (value) => decimal(value * 1000, 1));
      const angles = fixedAxisAngles(pose).map((angle) => decimal(degrees(angle), 1));
      for (const [i, text] of [...position, ...angles].entries()) setText(values[i]!, text);
      run.hidden = view.runStarted_ms === null;
      if (view.runStarted_ms !== null)
        setText(time, runTimeText((now_ms - view.runStarted_ms) / 1000));
    },
  };
}
