/** Pose of the tool tip in the base frame (mm, degrees) and its speed; the scene as text. */
import type { Snapshot } from '../../../contract/types.generated.ts';
import { createPoseReader, createTool, type Tool } from '../../../physics/kinematics/tool.ts';
import { fixedAxisAngles } from '../../../physics/math/rotation.ts';
import type { Panel } from '../../shell/panel.ts';
import { element, setText } from '../../ui/element.ts';
import { decimal, degrees, runTimeText } from '../../ui/value-text.ts';

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
