/**
 * Samples a way for plots and lines: joints, rates, tool point and tool speed. Apart from the
 * preview because it is the part whose size must be bounded whatever the toolpath lasts.
 */
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { POSE_SIZE, type Tool, toolPose } from '../../physics/kinematics/tool.ts';
import { createToolMotion, toolMotion } from '../../physics/motion/tool-motion.ts';
import { createStretchMoment, type Stretch, sampleStretch, type Track } from './way.ts';

const PERIOD_S = 0.01;
const SAMPLES_MAX = 40_000;

const frames = createFrames();
const pose = new Float64Array(POSE_SIZE);
const motion = createToolMotion();
const still = new Float64Array(6);
const moment = createStretchMoment();

/** How many samples each stretch has: at least its two ends. */
function counts(stretches: readonly Stretch[]): number[] {
  const moving_s = stretches.reduce((sum, { duration_s }) => sum + duration_s, 0);
  const period_s = Math.max(PERIOD_S, moving_s / SAMPLES_MAX);
  return stretches.map(({ kind, duration_s }) =>
    kind === 'wait' || kind === 'output' || duration_s === 0
      ? 2
      : Math.max(Math.ceil(duration_s / period_s), 2) + 1,
  );
}

/** Where the tool point is for joint angles (m). */
export function tipOf(joints: ArrayLike<number>, tool: Tool): [number, number, number] {
  forward(joints, frames);
  toolPose(frames, tool, pose);
  return [pose[9]!, pose[10]!, pose[11]!];
}

/** Samples the stretches of a way, in order. */
export function trackOf(stretches: readonly Stretch[], tool: Tool): Track {
  const each = counts(stretches);
  const count = each.reduce((sum, one) => sum + one, 0);
  const track: Track = {
    count,
    times_s: new Float64Array(count),
    joints: new Float32Array(6 * count),
    velocities: new Float32Array(6 * count),
    tips: new Float32Array(3 * count),
    speeds: new Float32Array(count),
    stretches: new Uint32Array(count),
  };
  let at = 0;
  for (const [index, stretch] of stretches.entries()) {
    for (let i = 0; i < each[index]!; i++, at++) {
      const time_s = (stretch.duration_s * i) / (each[index]! - 1);
      sampleStretch(stretch, time_s, moment);
      write(track, at, tool);
      track.times_s[at] = stretch.start_s + time_s;
      track.stretches[at] = index;
    }
  }
  return track;
}

function write(track: Track, at: number, tool: Tool): void {
  track.joints.set(moment.joints, 6 * at);
  track.velocities.set(moment.velocities, 6 * at);
  track.tips.set(tipOf(moment.joints, tool), 3 * at);
  toolMotion(frames, moment.velocities, still, tool.offset_m, motion);
  track.speeds[at] = Math.hypot(motion[0]!, motion[1]!, motion[2]!);
}
