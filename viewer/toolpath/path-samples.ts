/**
 * Samples of joints, velocities, tool point and tool speed along a path, bounded in number for any
 * duration. Pure.
 */
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { POSE_SIZE, type Tool, toolPose } from '../../physics/kinematics/tool.ts';
import { toolSpeed_m_s } from '../../physics/kinematics/tool-motion.ts';
import {
  createTrajectoryPoint,
  type PathSamples,
  sampleSegment,
  type TimedSegment,
} from './timed-path.ts';

const PERIOD_S = 0.01;
const SAMPLES_MAX = 20_000;

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);
const tip = new Float64Array(3);
const trajectoryPoint = createTrajectoryPoint();

/** Number of samples of each segment; at least its two ends. */
function counts(segments: readonly TimedSegment[]): number[] {
  const moving_s = segments.reduce((sum, { duration_s }) => sum + duration_s, 0);
  const period_s = Math.max(PERIOD_S, moving_s / SAMPLES_MAX);
  return segments.map(({ kind, duration_s }) =>
    kind === 'wait' || kind === 'output' || duration_s === 0
      ? 2
      : Math.max(Math.ceil(duration_s / period_s), 2) + 1,
  );
}

/** Tool point for joint angles (m). */
export function toolTipAt(joints: ArrayLike<number>, tool: Tool): [number, number, number] {
  forward(joints, frames);
  toolPose(frames, tool, pose);
  return [pose[9]!, pose[10]!, pose[11]!];
}

/** Samples the segments of a path, in order. */
export function samplePathSegments(segments: readonly TimedSegment[], tool: Tool): PathSamples {
  const each = counts(segments);
  const count = each.reduce((sum, one) => sum + one, 0);
  const samples: PathSamples = {
    count,
    times_s: new Float64Array(count),
    joints: new Float32Array(6 * count),
    velocities: new Float32Array(6 * count),
    tips: new Float32Array(3 * count),
    speeds: new Float32Array(count),
    segmentIndex: new Uint32Array(count),
  };
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    for (let i = 0; i < each[index]!; i++, at++) {
      const time_s = (segment.duration_s * i) / (each[index]! - 1);
      sampleSegment(segment, time_s, trajectoryPoint);
      write(samples, at, tool);
      samples.times_s[at] = segment.start_s + time_s;
      samples.segmentIndex[at] = index;
    }
  }
  return samples;
}

function write({ joints, velocities, tips, speeds }: PathSamples, at: number, tool: Tool): void {
  const { joints: angles, velocities: rates } = trajectoryPoint;
  for (let j = 0; j < 6; j++) {
    joints[6 * at + j] = angles[j]!;
    velocities[6 * at + j] = rates[j]!;
  }
  forward(angles, frames);
  toolPose(frames, tool, pose);
  for (let k = 0; k < 3; k++) {
    tip[k] = pose[9 + k]!;
    tips[3 * at + k] = tip[k]!;
  }
  speeds[at] = toolSpeed_m_s(frames, rates, tip);
}
