/**
 * Double-S candidate for the timing of a path: bounds the path's derivatives by their maxima and
 * searches speeds and accelerations of a double-S.
 */

import { doubleS, doubleSDuration, type ScalarLimits } from './double-s.ts';
import { boundsOf, type PathBounds } from './path-bounds.ts';
import type { RateCheck } from './rate-check.ts';
import type { TimeProfile } from './time-profile.ts';

/** Ratio of successive trial speeds. */
const SPEED_STEP = 0.9;
const SPEED_STEPS = 30;
const ACCELERATION_STEPS = 8;
/** Joint travel below which a path counts as straight (rad). */
export const STRAIGHT_RAD = 1e-3;

/** The shortest double-S from `from_s` to 1 whose worst-case rates keep the limits. */
export function bestDoubleS(check: RateCheck, from_s: number): TimeProfile {
  const bounds = straightened(boundsOf(check.grid), 1 - from_s);
  // On a straight line acceleration does not use jerk, so the largest is the best.
  const steps = check.path.kind === 'line' ? 1 : ACCELERATION_STEPS;
  let v = speedLimit(check, bounds);
  let best: ScalarLimits | null = null;
  let best_s = Number.POSITIVE_INFINITY;
  // No double-S is shorter than the distance at its top speed.
  for (let n = 0; n < SPEED_STEPS && (1 - from_s) / v < best_s; n++) {
    const most = accelerationLimit(check, bounds, v);
    for (let k = 0; k < steps && most > 0; k++) {
      const a = (most * (ACCELERATION_STEPS - k)) / ACCELERATION_STEPS;
      const candidate = { v, a, j: jerkLimit(check, bounds, v, a) };
      if (!(candidate.j > 0)) continue;
      const duration_s = doubleSDuration(1 - from_s, candidate);
      if (duration_s < best_s) {
        best = candidate;
        best_s = duration_s;
      }
    }
    v *= SPEED_STEP;
  }
  return doubleS(from_s, 1, best ?? gentlest(check, bounds));
}

/**
 * Limits for a path whose curvature leaves no margin at any trial speed; normalisation speeds the
 * profile up afterwards.
 */
function gentlest(check: RateCheck, bounds: PathBounds): ScalarLimits {
  const straight = { ...bounds, q2: new Float64Array(6), q3: new Float64Array(6), p2: 0 };
  const v = speedLimit(check, bounds);
  return {
    v,
    a: accelerationLimit(check, straight, 0),
    j: jerkLimit(check, straight, 0, 0),
  };
}

/** Ignores the curvature of the shortest paths, where it is below rounding. */
function straightened(bounds: PathBounds, length: number): PathBounds {
  const travel = Math.max(...bounds.q1) * length;
  if (travel >= STRAIGHT_RAD) return bounds;
  return { ...bounds, q2: new Float64Array(6), q3: new Float64Array(6), p2: 0 };
}

function speedLimit(check: RateCheck, bounds: PathBounds): number {
  let v = check.tool_speed_m_s / bounds.p1;
  for (let j = 0; j < 6; j++) v = Math.min(v, check.limits.velocity_rad_s[j]! / bounds.q1[j]!);
  return v;
}

function accelerationLimit(check: RateCheck, bounds: PathBounds, v: number): number {
  let a = (check.limits.tool_acceleration_m_s2 - bounds.p2 * v * v) / bounds.p1;
  for (let j = 0; j < 6; j++) {
    const margin = check.limits.acceleration_rad_s2[j]! - bounds.q2[j]! * v * v;
    if (bounds.q1[j]! > 0 || margin < 0) a = Math.min(a, margin / bounds.q1[j]!);
  }
  return a;
}

function jerkLimit(check: RateCheck, bounds: PathBounds, v: number, a: number): number {
  let most = Number.POSITIVE_INFINITY;
  for (let j = 0; j < 6; j++) {
    const taken = bounds.q3[j]! * v * v * v + 3 * bounds.q2[j]! * v * a;
    const margin = check.limits.jerk_rad_s3[j]! - taken;
    if (bounds.q1[j]! > 0 || margin < 0) most = Math.min(most, margin / bounds.q1[j]!);
  }
  return most;
}
