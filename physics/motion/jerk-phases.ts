/**
 * Motions of constant-jerk phases in one dimension, as time profiles. Times in seconds, s without
 * unit.
 */
import type { Numbers } from '../math/vector.ts';
import { createProfile, type TimeProfile } from './time-profile.ts';

/** State at the start of a profile. */
export interface PhaseStart {
  readonly s: number;
  readonly v: number;
  readonly a: number;
}

/**
 * The profile that starts at `start` and runs through phases of jerk `jerks[i]` for
 * `durations_s[i]`; omits phases without duration. It ends at rest: the last piece, of no duration,
 * holds `end_s`, so the end is exact.
 */
export function profileOfPhases(
  start: PhaseStart,
  durations_s: Numbers,
  jerks: Numbers,
  end_s?: number,
): TimeProfile {
  let pieces = 1;
  let duration_s = 0;
  for (let i = 0; i < durations_s.length; i++) {
    const d = durations_s[i]!;
    if (!(d > 0)) continue;
    pieces++;
    duration_s += d;
  }
  const profile = createProfile(duration_s, pieces);
  const { knots_s, coefficients } = profile;
  let { s, v, a } = start;
  let t = 0;
  let piece = 0;
  for (let i = 0; i < durations_s.length; i++) {
    const d = durations_s[i]!;
    if (!(d > 0)) continue;
    const j = jerks[i]!;
    coefficients[4 * piece] = s;
    coefficients[4 * piece + 1] = v;
    coefficients[4 * piece + 2] = a / 2;
    coefficients[4 * piece + 3] = j / 6;
    s += d * (v + d * (a / 2 + (d * j) / 6));
    v += d * (a + (d * j) / 2);
    a += d * j;
    t += d;
    knots_s[++piece] = t;
  }
  coefficients[4 * piece] = end_s ?? s;
  knots_s[piece + 1] = t;
  return profile;
}

/** Profile at rest at `s`, of no duration or of a given one. */
export function restProfile(s: number, duration_s = 0): TimeProfile {
  return profileOfPhases({ s, v: 0, a: 0 }, [duration_s], [0], s);
}
