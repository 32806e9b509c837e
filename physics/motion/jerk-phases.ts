/**
 * Time profiles put together from phases of constant jerk: the common last step of the double-S,
 * the stop and the joint stop. Times in seconds, s without unit.
 */
import type { TimeProfile } from './time-profile.ts';

/** Where a profile starts. */
export interface PhaseStart {
  readonly s: number;
  readonly v: number;
  readonly a: number;
}

/**
 * The profile that starts at `start` and runs through phases of jerk `jerks[i]` for
 * `durations_s[i]`; phases without duration are left out. It ends at rest: the last piece, of no
 * duration, holds `end_s`, so that the end is met to the last bit.
 */
export function profileOfPhases(
  start: PhaseStart,
  durations_s: readonly number[],
  jerks: readonly number[],
  end_s?: number,
): TimeProfile {
  const knots = [0];
  const coefficients: number[] = [];
  let { s, v, a } = start;
  let t = 0;
  for (let i = 0; i < durations_s.length; i++) {
    const d = durations_s[i]!;
    if (!(d > 0)) continue;
    const j = jerks[i]!;
    coefficients.push(s, v, a / 2, j / 6);
    s += d * (v + d * (a / 2 + (d * j) / 6));
    v += d * (a + (d * j) / 2);
    a += d * j;
    t += d;
    knots.push(t);
  }
  coefficients.push(end_s ?? s, 0, 0, 0);
  knots.push(t);
  return {
    duration_s: t,
    knots_s: Float64Array.from(knots),
    coefficients: Float64Array.from(coefficients),
  };
}

/** The profile of no motion: at rest at `s`, of no duration. */
export function restProfile(s: number): TimeProfile {
  return profileOfPhases({ s, v: 0, a: 0 }, [], [], s);
}
