/** Pose of the tool tip in the base frame (mm, degrees) and its speed; the scene as text. */
import { useMemo } from 'preact/hooks';
import type { Snapshot } from '../../../contract/types.generated.ts';
import { createPoseReader, createTool, type Tool } from '../../../physics/kinematics/tool.ts';
import { fixedAxisAngles } from '../../../physics/math/rotation.ts';
import { decimal, degrees, runTimeText } from '../../ui/value-text.ts';
import type { LivePanelProps } from './live-state.ts';

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

/** The boxes of the readout, for the tool of the loaded toolpath. */
export function ToolReadout({ live }: LivePanelProps) {
  const read = useMemo(createPoseReader, []);
  const { view, now_ms } = live.texts.value;
  const { snapshot, sim, runStarted_ms } = view;
  const config = view.loaded?.toolpath.metadata.tcp_config;
  const tool = useMemo(() => createTool(config), [config]);
  const pose = snapshot && read(snapshot['servos.telemetry.position'], tool);
  const values = pose && [
    ...Array.from(pose.subarray(9, 12), (value) => value * 1000),
    ...fixedAxisAngles(pose).map(degrees),
  ];
  // The panel of the run has the time of a twin; the clock of this page is not the twin's.
  const run_ms = sim === null && runStarted_ms !== null ? now_ms - runStarted_ms : null;
  return (
    <>
      <div class="glass readout">
        <table>
          <tr>
            <th class="readout-name" scope="row">
              {/* A tool that is not known, or that there is none of, has no pose. */}
              <span>{snapshot && (config ? 'Tool' : 'Flange')}</span>
              <span class="readout-frame"> at base</span>
            </th>
            {NAMES.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
          <tr>
            <th class="readout-name" scope="row">
              mm, °
            </th>
            {NAMES.map((name, i) => (
              <td key={name}>{values && decimal(values[i]!, 1)}</td>
            ))}
          </tr>
        </table>
      </div>
      <div class="glass speed">
        <span>
          <span class="number">
            {snapshot && decimal(tipSpeed(snapshot, tool, read) * 1000, 0)}
          </span>
          <i>mm/s</i>
        </span>
        <span class="readout-run" hidden={run_ms === null}>
          <span class="number">{run_ms !== null && runTimeText(run_ms / 1000)}</span>
          <i>run time</i>
        </span>
      </div>
    </>
  );
}
