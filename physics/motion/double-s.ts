/**
 * Double-S profile: the fastest rest-to-rest motion over a distance under limits of speed,
 * acceleration and jerk, in closed form with seven phases of constant jerk. Exact for straight
 * joint lines.
 */
import { cbrt } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { profileOfPhases } from './jerk-phases.ts';
import type { TimeProfile } from './time-profile.ts';

/** Limits of ds/dt and its first two derivatives (1/s, 1/s², 1/s³); all above zero. */
export interface ScalarLimits {
  readonly v: number;
  readonly a: number;
  readonly j: number;
}

/** Lengths of the phases: jerk ramp, constant acceleration, cruise (s). */
interface Phases {
  readonly ramp_s: number;
  readonly hold_s: number;
  readonly cruise_s: number;
}

function phasesOf(distance: number, { v, a, j }: ScalarLimits): Phases {
  const reaches_a = v * j >= a * a;
  const ramp_s = reaches_a ? a / j : Math.sqrt(v / j);
  const hold_s = reaches_a ? Math.max(0, v / a - ramp_s) : 0;
  const cruise_s = distance / v - 2 * ramp_s - hold_s;
  if (cruise_s >= 0) return { ramp_s, hold_s, cruise_s };
  const full_ramp_s = a / j;
  if (distance >= 2 * a * full_ramp_s * full_ramp_s) {
    const half = full_ramp_s / 2;
    const rise_s = Math.sqrt(half * half + distance / a) - half;
    return { ramp_s: full_ramp_s, hold_s: Math.max(0, rise_s - full_ramp_s), cruise_s: 0 };
  }
  return { ramp_s: cbrt(distance / (2 * j)), hold_s: 0, cruise_s: 0 };
}

/** Duration of the double-S over `distance` (s). */
export function doubleSDuration(distance: number, limits: ScalarLimits): number {
  const { ramp_s, hold_s, cruise_s } = phasesOf(distance, limits);
  return 4 * ramp_s + 2 * hold_s + cruise_s;
}

/** The double-S from rest at `from_s` to rest at `to_s` (> `from_s`). */
export function doubleS(from_s: number, to_s: number, limits: ScalarLimits): TimeProfile {
  const { ramp_s, hold_s, cruise_s } = phasesOf(to_s - from_s, limits);
  const j = limits.j;
  return profileOfPhases(
    { s: from_s, v: 0, a: 0 },
    [ramp_s, hold_s, ramp_s, cruise_s, ramp_s, hold_s, ramp_s],
    [j, 0, -j, 0, -j, 0, j],
    to_s,
  );
}

/** The limits of s for a straight joint line with this travel (rad). */
export function doubleSLimits(
  travel: Numbers,
  limits: {
    readonly velocity_rad_s: Numbers;
    readonly acceleration_rad_s2: Numbers;
    readonly jerk_rad_s3: Numbers;
  },
): ScalarLimits {
  const infinity = Number.POSITIVE_INFINITY;
  const out = { v: infinity, a: infinity, j: infinity };
  for (let k = 0; k < 6; k++) {
    const distance = Math.abs(travel[k]!);
    out.v = Math.min(out.v, limits.velocity_rad_s[k]! / distance);
    out.a = Math.min(out.a, limits.acceleration_rad_s2[k]! / distance);
    out.j = Math.min(out.j, limits.jerk_rad_s3[k]! / distance);
  }
  return out;
}
