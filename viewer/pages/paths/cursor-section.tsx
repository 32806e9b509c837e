import { useComputed } from '@preact/signals';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { type ArmRange, MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import { createTool } from '../../../physics/kinematics/tool.ts';
import { toolTipAt } from '../../toolpath/path-samples.ts';
import { createTrajectoryPoint, sampleTimedPath } from '../../toolpath/timed-path.ts';
import { Fact } from '../../ui/fact.tsx';
import { decimal, degrees } from '../../ui/value-text.ts';
import { InspectorSection } from './inspector-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';

const point = createTrajectoryPoint();

/** The joint closest to one of its limits, and the distance (rad). */
function nearestLimit(
  { min_rad, max_rad }: ArmRange,
  joints: Float64Array,
): { joint: number; spare_rad: number } {
  const spare = Array.from(joints, (q, j) => Math.min(q - min_rad[j]!, max_rad[j]! - q));
  const spare_rad = Math.min(...spare);
  return { joint: spare.indexOf(spare_rad), spare_rad };
}

/** Where the arm is at the cursor, and how fast: the text alternative of the scene. */
export function CursorSection({ context: { store, cursor_s } }: PathsPanelProps) {
  const { opened, jointRange } = store.shown;
  const path = store.shown.path.value;
  const tool = useComputed(() => createTool(opened.value?.toolpath.metadata.tcp_config)).value;
  if (!path || !opened.value) return null;
  const now_s = cursor_s.value;
  sampleTimedPath(path, now_s, point);
  const { joints } = point;
  const tip = toolTipAt(joints, tool).map((value) => decimal(value * 1000, 1));
  const angles = Array.from(joints, (q) => decimal(degrees(q), 1));
  const { samples } = path;
  const i = samples.times_s.findIndex((time) => time >= now_s);
  const speed = decimal((samples.speeds[Math.max(i, 0)] ?? 0) * 1000, 0);
  const { joint, spare_rad } = nearestLimit(jointRange.value ?? MODEL_RANGE, joints);
  return (
    <InspectorSection name="At the cursor" end={`${decimal(now_s, 2)} s`}>
      <dl>
        <Fact name="Tool" unit="mm">
          {`x ${tip[0]}  y ${tip[1]}  z ${tip[2]}`}
        </Fact>
        <Fact name="Speed" unit="mm/s">
          {speed}
        </Fact>
        <Fact name="Joints">{angles.slice(0, 3).join('  ')}</Fact>
        <Fact name="" unit="°">
          {angles.slice(3).join('  ')}
        </Fact>
        <Fact name="Closest" unit="° from limit">
          {`${jointName(joint)}  ${decimal(degrees(spare_rad), 0)}`}
        </Fact>
      </dl>
    </InspectorSection>
  );
}
