/**
 * Motions of constant-jerk phases in one dimension: time profiles composed of such phases; the
 * double-S; and the closed-form brake from any speed and acceleration to rest, the common last step
 * of the stops and the emergency stop: jerk to the braking acceleration, hold it, jerk back to
 * zero. Stops on the path brake s, an emergency stop brakes each joint by itself. Times in seconds,
 * s without unit.
 */

import { cbrt } from '../math/portable.ts';
import { allocateArrays, type Numbers } from '../math/rotation.ts';

/**
 * Time profile s(t) of a path: piecewise cubic, plain data like the path. Double-S profiles,
 * filtered TOPP-RA profiles, stops and resumes share this form, so trajectory player, trajectory
 * reply and viewer sample every motion alike.
 */

/** s(t) = c0 + c1 u + c2 u^2 + c3 u^3 with u = t - knots_s[i] on piece i; four numbers a piece. */
export interface TimeProfile {
  readonly duration_s: number;
  /** Start times of the pieces and, last, the duration (s). */
  readonly knots_s: Float64Array;
  readonly coefficients: Float64Array;
}

/** Allocates a zeroed profile with that many pieces. */
export function createProfile(duration_s: number, pieces: number): TimeProfile {
  const [knots_s, coefficients] = allocateArrays([pieces + 1, 4 * pieces]);
  return { duration_s, knots_s: knots_s!, coefficients: coefficients! };
}

/** s and its first three derivatives with respect to time at one moment. */
export interface ProfilePoint {
  s: number;
  v: number;
  a: number;
  j: number;
}

export function createProfilePoint(): ProfilePoint {
  return { s: 0, v: 0, a: 0, j: 0 };
}

/** Writes s(t) and its derivatives to `out`; at rest before the start and after the end. */
export function sampleProfile(profile: TimeProfile, t_s: number, out: ProfilePoint): void {
  time[0] = t_s;
  sampleProfileAt(profile, time, out);
}

const time = new Float64Array(1);

/**
 * As `sampleProfile`, with the time in `at[0]` (s): V8 puts a number that is passed to a call on
 * the heap unless it inlines the call, and the control loop must not allocate.
 */
export function sampleProfileAt(profile: TimeProfile, at: Float64Array, out: ProfilePoint): void {
  const t_s = at[0]!;
  const { knots_s, duration_s } = profile;
  const pieces = knots_s.length - 1;
  const over = t_s >= duration_s || pieces < 1;
  let low = over ? pieces - 1 : 0;
  let high = over || t_s <= 0 ? low : pieces - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (knots_s[middle]! <= t_s) low = middle;
    else high = middle - 1;
  }
  const u = (over ? duration_s : t_s < 0 ? 0 : t_s) - knots_s[low]!;
  const c = profile.coefficients;
  const first = 4 * low;
  out.s = c[first]! + u * (c[first + 1]! + u * (c[first + 2]! + u * c[first + 3]!));
  out.v = c[first + 1]! + u * (2 * c[first + 2]! + u * 3 * c[first + 3]!);
  out.a = 2 * c[first + 2]! + u * 6 * c[first + 3]!;
  out.j = 6 * c[first + 3]!;
  if (over || t_s < 0) rest(out);
}

function rest(out: ProfilePoint): void {
  out.v = 0;
  out.a = 0;
  out.j = 0;
}

/** Dilates a profile: `factor` times slower (factor > 1) or faster; rates scale exactly. */
export function dilateProfile(profile: TimeProfile, factor: number): TimeProfile {
  const c = profile.coefficients;
  const dilated = createProfile(profile.duration_s * factor, c.length / 4);
  const { knots_s, coefficients } = dilated;
  const first = 1 / factor;
  const second = first / factor;
  const third = second / factor;
  for (let i = 0; i < c.length; i += 4) {
    coefficients[i] = c[i]!;
    coefficients[i + 1] = c[i + 1]! * first;
    coefficients[i + 2] = c[i + 2]! * second;
    coefficients[i + 3] = c[i + 3]! * third;
  }
  for (let i = 0; i < knots_s.length; i++) knots_s[i] = profile.knots_s[i]! * factor;
  return dilated;
}

/** The time at which a profile reaches `s` (s), by bisection; profiles never run backwards. */
export function timeAtPosition(profile: TimeProfile, s: number): number {
  const point = createProfilePoint();
  let low = 0;
  let high = profile.duration_s;
  for (let halvings = 0; halvings < 60; halvings++) {
    const middle = (low + high) / 2;
    sampleProfile(profile, middle, point);
    if (point.s < s) low = middle;
    else high = middle;
  }
  return high;
}

/** Jerk at the onset, jerk at the release and maximum deceleration; all above zero. */
export interface BrakeShape {
  readonly onset: number;
  readonly release: number;
  readonly a: number;
}

/**
 * A brake: durations of its three phases (s), jerk of the first and of the last, distance to rest.
 */
export interface BrakePhases {
  readonly onset_s: number;
  readonly hold_s: number;
  readonly release_s: number;
  readonly onset_jerk: number;
  readonly release_jerk: number;
  readonly duration_s: number;
  readonly distance: number;
}

/**
 * The brake of that shape from speed `v` and acceleration `a`, or null when it would pass through
 * rest and return: the motion then already brakes harder than the release can end in time.
 */
export function brake(
  from: { readonly v: number; readonly a: number },
  shape: BrakeShape,
): BrakePhases | null {
  const { v, a } = from;
  if (a < -shape.a) return easeThenBrake(v, a, shape);
  const { onset, release } = shape;
  const rise = v + (a * a) / (2 * onset);
  if (!(rise >= 0)) return null;
  const peak = Math.sqrt((rise * 2 * onset * release) / (onset + release));
  if (peak < -a) return null;
  if (peak <= shape.a) {
    return brakeOfPhases(from, {
      onset_jerk: -onset,
      onset_s: (a + peak) / onset,
      hold_s: 0,
      release_jerk: release,
      release_s: peak / release,
    });
  }
  const hold_s =
    (rise - (shape.a * shape.a) / 2 / onset - (shape.a * shape.a) / 2 / release) / shape.a;
  return brakeOfPhases(from, {
    onset_jerk: -onset,
    onset_s: (a + shape.a) / onset,
    hold_s: Math.max(0, hold_s),
    release_jerk: release,
    release_s: shape.a / release,
  });
}

/**
 * Brakes a motion that decelerates harder than the shape: eases to the shape's deceleration first.
 */
function easeThenBrake(v: number, a: number, shape: BrakeShape): BrakePhases | null {
  const { onset, release } = shape;
  const left = v - (a * a - shape.a * shape.a) / (2 * onset);
  const hold_s = (left - (shape.a * shape.a) / (2 * release)) / shape.a;
  if (!(hold_s >= 0)) return null;
  return brakeOfPhases(
    { v, a },
    {
      onset_jerk: onset,
      onset_s: (0 - shape.a - a) / onset,
      hold_s,
      release_jerk: release,
      release_s: shape.a / release,
    },
  );
}

/** Completes the phases of a brake with their duration and distance. */
function brakeOfPhases(
  from: { readonly v: number; readonly a: number },
  phases: Omit<BrakePhases, 'duration_s' | 'distance'>,
): BrakePhases {
  const { v, a } = from;
  const { onset_jerk, onset_s, hold_s, release_jerk, release_s } = phases;
  const first = onset_s * (v + onset_s * (a / 2 + (onset_s * onset_jerk) / 6));
  const a1 = a + onset_jerk * onset_s;
  const v1 = v + onset_s * (a + (onset_jerk * onset_s) / 2);
  const second = hold_s * (v1 + (hold_s * a1) / 2);
  const v2 = v1 + hold_s * a1;
  const third = release_s * (v2 + release_s * (a1 / 2 + (release_s * release_jerk) / 6));
  return {
    onset_s,
    hold_s,
    release_s,
    onset_jerk,
    release_jerk,
    duration_s: onset_s + hold_s + release_s,
    distance: first + second + third,
  };
}

/** Phases for `profileOfPhases`. */
export function phasesOfBrake(stop: BrakePhases): {
  readonly durations_s: readonly number[];
  readonly jerks: readonly number[];
} {
  return {
    durations_s: [stop.onset_s, stop.hold_s, stop.release_s],
    jerks: [stop.onset_jerk, 0, stop.release_jerk],
  };
}

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
  durations_s: readonly number[],
  jerks: readonly number[],
  end_s?: number,
): TimeProfile {
  let pieces = 1;
  let duration_s = 0;
  for (const d of durations_s) {
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

/**
 * Double-S profile: the fastest rest-to-rest motion over a distance under limits of speed,
 * acceleration and jerk, in closed form with seven phases of constant jerk. Exact for straight
 * joint lines.
 */

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
