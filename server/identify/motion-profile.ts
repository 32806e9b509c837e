/** The profile of a straight motion under a timing, and its alignment with the samples. */

import { doubleSLimits } from '../../physics/motion/double-s.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
} from '../../physics/motion/time-profile.ts';
import { profileOfLaw } from '../../physics/motion/timing-laws.ts';
import { crossing, type Motion, spanOf } from './motions.ts';

/** The profile of a straight motion under a timing, without limits of the tool. */
export function profileOfMotion(
  { travel }: Pick<Motion, 'travel'>,
  timing: MotionTiming,
): TimeProfile {
  return profileOfLaw(timing, 0, doubleSLimits(travel, timing));
}

const SPAN_STEP_S = 0.002;

/** The span of a profile from 0 to 1, between the same marks (s). */
export function profileSpan(profile: TimeProfile): number {
  const count = Math.ceil(profile.duration_s / SPAN_STEP_S) + 1;
  const t_s = Float64Array.from({ length: count + 1 }, (_, i) => i * SPAN_STEP_S);
  const s = t_s.map((t) => {
    sampleProfile(profile, t, point);
    return point.s;
  });
  return spanOf(t_s, s);
}
const point = createProfilePoint();

/** Share of the mean speed at which friction has its sign. */
const SLIDING_SHARE = 0.05;
/** Largest lag of a joint behind its setpoint that friction explains (rad). */
const LAG_MAX_RAD = 0.004;

/**
 * Shifts a profile in time onto the samples of a motion, and lets it lag by a constant angle while
 * it moves, as servos do against friction. Returns the start (s, of the capture) and writes the
 * residuals (rad, of the joint with the longest travel).
 */
export function alignProfile(
  motion: Motion,
  profile: TimeProfile,
  residuals: Float64Array,
): number {
  const { t_s, s, reach_rad } = motion;
  const slow = SLIDING_SHARE / profile.duration_s;
  const most = LAG_MAX_RAD / reach_rad;
  // The middle of the motion is the best first guess.
  let from_s = crossing(t_s, s, 0.5) - profile.duration_s / 2;
  let lag = 0;
  for (let round = 0; round < 6; round++) {
    let [vv, vg, gg, ev, eg] = [0, 0, 0, 0, 0];
    for (let i = 0; i < t_s.length; i++) {
      sampleProfile(profile, t_s[i]! - from_s, point);
      const { v } = point;
      const g = v / Math.sqrt(v * v + slow * slow);
      const error = point.s - lag * g - s[i]!;
      residuals[i] = reach_rad * error;
      vv += v * v;
      vg += v * g;
      gg += g * g;
      ev += error * v;
      eg += error * g;
    }
    const determinant = vv * gg - vg * vg;
    if (round === 5 || !(determinant > 1e-9 * vv * gg)) break;
    from_s += (ev * gg - eg * vg) / determinant;
    lag = Math.min(Math.max(lag + (eg * vv - ev * vg) / determinant, -most), most);
  }
  return from_s;
}
