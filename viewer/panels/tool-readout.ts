/** Pose of the tool tip in the base frame (mm, degrees) and its speed; the scene as text. */
import type { Snapshot } from '../../contract/types.ts';
import {
  createFrames,
  createTool,
  forward,
  POSE_SIZE,
  type Tool,
  toolPose,
} from '../../physics/kinematics/forward.ts';
import { fixedAxisAngles } from '../../physics/math/rotation.ts';
import { element, setText } from './element.ts';
import type { Panel } from './panel.ts';
import { decimal, degrees, runTimeText } from './value-text.ts';

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
