/**
 * Joints that brake to rest by themselves, as fast as the limits of each allow: the shortest stop,
 * which leaves the path.
 */

import type { Numbers } from '../math/vector.ts';
import { brake, phasesOfBrake } from './brake.ts';
import { profileOfPhases, restProfile } from './jerk-phases.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import { type MotionLimits, PROTECTIVE_LIMITS } from './limits.ts';
import { createProfilePoint, sampleProfile, type TimeProfile } from './time-profile.ts';

/** The joints of a motion `time_s` after its start (rad, rad/s, rad/s²). */
export function jointStateAt(path: JointPath, profile: TimeProfile, time_s: number) {
  const at = createProfilePoint();
  const sampled = createPathSample();
  sampleProfile(profile, time_s, at);
  samplePath(path, at.s, sampled);
  const { q, q1, q2 } = sampled;
  return {
    position: Float64Array.from(q),
    velocity: q1.map((rate) => rate * at.v),
    acceleration: q1.map((rate, joint) => rate * at.a + q2[joint]! * at.v * at.v),
  };
}

/**
 * The stop of each joint by itself (rad), as fast as its limits allow: from joint positions (rad),
 * velocities (rad/s) and accelerations (rad/s²), within the acceleration and jerk of `limits`; an
 * acceleration beyond them is eased by the jerk limit. A stopped joint rests at its profile's end.
 */
export function jointStops(
  position: Numbers,
  velocity: Numbers,
  acceleration: Numbers,
  limits: MotionLimits = PROTECTIVE_LIMITS,
): TimeProfile[] {
  return Array.from({ length: 6 }, (_, j) =>
    stopJoint(
      { q: position[j]!, v: velocity[j]!, a: acceleration[j]! },
      limits.acceleration_rad_s2[j]!,
      limits.jerk_rad_s3[j]!,
    ),
  );
}

/** Joint state. */
interface JointState {
  readonly q: number;
  readonly v: number;
  readonly a: number;
}

/**
 * Brakes toward the side to which releasing the acceleration alone would leave the joint moving: a
 * joint that brakes too hard for its speed reverses once, as little as its jerk allows.
 */
function stopJoint({ q, v, a }: JointState, a_most: number, j_most: number): TimeProfile {
  if (v === 0 && a === 0) return restProfile(q);
  const side = v + (a * Math.abs(a)) / (2 * j_most) < 0 ? -1 : 1;
  const shape = { onset: j_most, release: j_most, a: a_most };
  const stop = brake({ v: side * v, a: side * a }, shape);
  const { durations_s, jerks } = stop ? phasesOfBrake(stop) : release(side * a, j_most);
  return profileOfPhases(
    { s: q, v, a },
    durations_s,
    jerks.map((jerk) => side * jerk),
  );
}

/** Releases the remaining acceleration; rounding leaves no margin for the closed form. */
function release(a: number, j_most: number) {
  return { durations_s: [Math.abs(a) / j_most], jerks: [a < 0 ? j_most : -j_most] };
}
