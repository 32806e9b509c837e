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

/** Lengths of the seven phases, from `findPhases` (s): nothing is allocated for a candidate. */
const phases_s = new Float64Array(7);
const RAMP = 0;
const HOLD = 1;
const CRUISE = 3;
/** Jerk of each phase, as a share of the limit. */
const JERKS = [1, 0, -1, 0, -1, 0, 1] as const;
const jerks = new Float64Array(7);
const start = { s: 0, v: 0, a: 0 };

/** Writes the phases over `distance` to `phases_s`: jerk ramps, constant accelerations, cruise. */
function findPhases(distance: number, { v, a, j }: ScalarLimits): void {
  const reaches_a = v * j >= a * a;
  let ramp_s = reaches_a ? a / j : Math.sqrt(v / j);
  let hold_s = reaches_a ? Math.max(0, v / a - ramp_s) : 0;
  let cruise_s = distance / v - 2 * ramp_s - hold_s;
  if (!(cruise_s >= 0)) {
    cruise_s = 0;
    ramp_s = a / j;
    if (distance >= 2 * a * ramp_s * ramp_s) {
      const half = ramp_s / 2;
      const rise_s = Math.sqrt(half * half + distance / a) - half;
      hold_s = Math.max(0, rise_s - ramp_s);
    } else {
      ramp_s = cbrt(distance / (2 * j));
      hold_s = 0;
    }
  }
  phases_s[0] = ramp_s;
  phases_s[1] = hold_s;
  phases_s[2] = ramp_s;
  phases_s[3] = cruise_s;
  phases_s[4] = ramp_s;
  phases_s[5] = hold_s;
  phases_s[6] = ramp_s;
}

/** Duration of the double-S over `distance` (s). */
export function doubleSDuration(distance: number, limits: ScalarLimits): number {
  findPhases(distance, limits);
  return 4 * phases_s[RAMP]! + 2 * phases_s[HOLD]! + phases_s[CRUISE]!;
}

/** The double-S from rest at `from_s` to rest at `to_s` (> `from_s`). */
export function doubleS(from_s: number, to_s: number, limits: ScalarLimits): TimeProfile {
  findPhases(to_s - from_s, limits);
  for (let i = 0; i < 7; i++) jerks[i] = JERKS[i]! * limits.j;
  start.s = from_s;
  return profileOfPhases(start, phases_s, jerks, to_s);
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
