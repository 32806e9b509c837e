/** Random poses and moves for motion tests, the same on every run. */

import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { createLineBy } from '../kinematics/cartesian-line.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { type Tool, toolPoseAt } from '../kinematics/tool.ts';
import { createToolMotion, toolMotion } from '../kinematics/tool-motion.ts';
import { createTracker, startTracking, trackTo } from '../kinematics/tracking.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import { ARM_LIMITS } from './limits.ts';
import { type MotionCaps, toolOf } from './motion-caps.ts';
import type { Segment } from './segment.ts';
import { createProfilePoint, sampleProfile, type TimeProfile } from './time-profile.ts';

/** A pose anywhere within the joint limits (rad). */
export function randomPose(random: () => number): Float64Array {
  return Float64Array.from(JOINT_MIN_RAD, (low, j) => low + (JOINT_MAX_RAD[j]! - low) * random());
}

/** A linear move that the arm can follow: the line is tracked from a random pose. */
export function randomLinearMove(
  random: () => number,
  tool: Tool,
): { start: Float64Array; end: Float64Array } {
  for (;;) {
    const start = randomPose(random);
    const end = lineEnd(random, start, tool);
    if (end) return { start, end };
  }
}

/**
 * Joints at the end of a random line of the tool from `start`, or null where the arm cannot follow.
 */
export function lineEnd(random: () => number, start: Float64Array, tool: Tool) {
  const size = 0.05 + 0.25 * random();
  const turns = random() < 0.5 ? 0 : 0.6;
  const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5];
  const scale = size / Math.sqrt(x * x + y * y + z * z);
  const turn = [turns * (random() - 0.5), turns * (random() - 0.5), turns * (random() - 0.5)];
  const line = createLineBy(toolPoseAt(start, tool), [x * scale, y * scale, z * scale], turn);
  const tracker = createTracker(line, tool, MODEL_RANGE);
  startTracking(tracker, start, 0);
  return trackTo(tracker, 1) === 'arrived' ? Float64Array.from(tracker.q) : null;
}

/** Worst ratio of each rate of a segment to the arm's own limits, by differences of setpoints. */
export interface WorstRatios {
  velocity: number;
  acceleration: number;
  jerk: number;
  tool_speed: number;
  tool_acceleration: number;
}

/** Differences setpoints emitted every `period_s`, from a second of rest before and after. */
export function differenceSegment(
  { path, profile }: Pick<Segment, 'path' | 'profile'>,
  period_s: number,
  caps: MotionCaps,
): WorstRatios {
  const tool = toolOf(caps);
  const rows = emitRows(path, profile, period_s);
  const places = rows.map((q) => toolPoseAt(q, tool).subarray(9, 12));
  const worst = { velocity: 0, acceleration: 0, jerk: 0, tool_speed: 0, tool_acceleration: 0 };
  for (let i = 3; i < rows.length; i++) {
    for (let j = 0; j < 6; j++) {
      const [a, b, c, d] = [rows[i - 3]![j]!, rows[i - 2]![j]!, rows[i - 1]![j]!, rows[i]![j]!];
      const v = Math.abs(d - c) / period_s;
      const acceleration = Math.abs(d - 2 * c + b) / period_s ** 2;
      const jerk = Math.abs(d - 3 * c + 3 * b - a) / period_s ** 3;
      worst.velocity = Math.max(worst.velocity, v / ARM_LIMITS.velocity_rad_s[j]!);
      worst.acceleration = Math.max(
        worst.acceleration,
        acceleration / ARM_LIMITS.acceleration_rad_s2[j]!,
      );
      worst.jerk = Math.max(worst.jerk, jerk / ARM_LIMITS.jerk_rad_s3[j]!);
    }
    const [b, c, d] = [places[i - 2]!, places[i - 1]!, places[i]!];
    const speed = Math.hypot(d[0]! - c[0]!, d[1]! - c[1]!, d[2]! - c[2]!) / period_s;
    const change = Math.hypot(...[0, 1, 2].map((k) => d[k]! - 2 * c[k]! + b[k]!)) / period_s ** 2;
    worst.tool_speed = Math.max(worst.tool_speed, speed / caps.tool_speed_m_s);
    worst.tool_acceleration = Math.max(
      worst.tool_acceleration,
      change / ARM_LIMITS.tool_acceleration_m_s2,
    );
  }
  return worst;
}

/**
 * Largest speed of the tool point (share of the cap), from the rates of path and profile at
 * `samples` times: a difference of setpoints would level a short peak.
 */
export function largestToolSpeed(
  { path, profile }: Pick<Segment, 'path' | 'profile'>,
  caps: MotionCaps,
  samples: number,
): number {
  const [point, sample] = [createProfilePoint(), createPathSample()];
  const [frames, motion, zeros] = [createFrames(), createToolMotion(), new Float64Array(6)];
  let most = 0;
  for (let i = 0; i <= samples; i++) {
    sampleProfile(profile, (profile.duration_s * i) / samples, point);
    samplePath(path, point.s, sample);
    forward(sample.q, frames);
    const rates = sample.q1.map((rate) => rate * point.v);
    toolMotion(frames, rates, zeros, caps.tool_offset_m, motion);
    most = Math.max(most, Math.hypot(motion[0]!, motion[1]!, motion[2]!));
  }
  return most / caps.tool_speed_m_s;
}

/** Joints every `period_s`, at rest for three periods before and after. */
function emitRows(path: JointPath, profile: TimeProfile, period_s: number): Float64Array[] {
  const point = createProfilePoint();
  const sample = createPathSample();
  const rows: Float64Array[] = [];
  for (let i = -3; i * period_s < profile.duration_s + 4 * period_s; i++) {
    sampleProfile(profile, Math.max(0, i * period_s), point);
    samplePath(path, point.s, sample);
    rows.push(Float64Array.from(sample.q));
  }
  return rows;
}
