/**
 * Double-S profile: the fastest rest-to-rest motion over a distance under limits of speed,
 * acceleration and jerk, in closed form with seven phases of constant jerk. Exact for straight
 * joint lines. For any other path, `bestDoubleS` bounds the path's derivatives by their maxima and
 * searches speeds and accelerations; its result is the first candidate of the timing. Also: the
 * filter that bounds the jerk of a speed curve.
 */
import { cbrt } from '../math/portable.ts';
import { allocateArrays, type Numbers } from '../math/rotation.ts';
import { createProfile, profileOfPhases, type TimeProfile } from './jerk-phases.ts';
import type { RateCheck } from './rate-check.ts';
import { boundsOf, type PathBounds } from './timing-grid.ts';

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

/**
 * Converts a speed curve of bounded acceleration to a profile of bounded jerk: the moving average
 * of ds/dt over a window. Closed form on the knots of the curve, without resampling. The profile
 * starts and ends at rest without acceleration and never runs backwards.
 */

/** A motion of constant acceleration between knots: times (s), s and ds/dt at each knot. */
export interface SpeedCurve {
  readonly t: Float64Array;
  readonly s: Float64Array;
  readonly v: Float64Array;
  /** d²s/dt² after each knot. */
  readonly a: Float64Array;
  /** Integral of s over time up to each knot. */
  readonly area: Float64Array;
}

/** Allocates a curve over the given s, by default in its own arrays. */
export function createSpeedCurve(nodes: Float64Array, allocate = allocateArrays): SpeedCurve {
  const n = nodes.length;
  const [t, v, a, area] = allocate([n, n, n, n]);
  return { t: t!, s: nodes, v: v!, a: a!, area: area! };
}

/** Minimum speed at which an interval between two nodes at rest is crossed (1/s). */
const CREEP = 1e-6;

/** Fills the curve from x = (ds/dt)² at its nodes; returns its duration (s). No allocation. */
export function traceSpeeds(curve: SpeedCurve, x: Float64Array): number {
  const { t, s, v, a, area } = curve;
  const last = s.length - 1;
  for (let i = 0; i <= last; i++) v[i] = Math.sqrt(x[i]!);
  t[0] = 0;
  area[0] = 0;
  for (let i = 0; i < last; i++) {
    const dt = (2 * (s[i + 1]! - s[i]!)) / Math.max(CREEP, v[i]! + v[i + 1]!);
    a[i] = (v[i + 1]! - v[i]!) / dt;
    t[i + 1] = t[i]! + dt;
    area[i + 1] = area[i]! + dt * (s[i]! - s[0]! + dt * (v[i]! / 2 + (dt * a[i]!) / 6));
  }
  a[last] = 0;
  return t[last]!;
}

/** State of the unfiltered motion: s - s_0, ds/dt, d²s/dt², integral of s. */
interface Reading {
  i: number;
  s: number;
  v: number;
  a: number;
  area: number;
}

/** Evaluates the curve at `t`, which must not decrease between calls; at rest outside. */
function readCurve(curve: SpeedCurve, t: number, out: Reading): void {
  const last = curve.t.length - 1;
  while (out.i < last && curve.t[out.i + 1]! <= t) out.i++;
  const i = out.i;
  const u = t - curve.t[i]!;
  if (u < 0) {
    out.s = 0;
    out.v = 0;
    out.a = 0;
    out.area = 0;
    return;
  }
  const v = i === last ? 0 : curve.v[i]!;
  const a = curve.a[i]!;
  const s = curve.s[i]! - curve.s[0]!;
  out.s = s + u * (v + (u * a) / 2);
  out.v = v + u * a;
  out.a = a;
  out.area = curve.area[i]! + u * (s + u * (v / 2 + (u * a) / 6));
}

/**
 * The curve averaged over `window_s`: s(t) = (area(t) - area(t - window)) / window, piecewise cubic
 * on the knots of both. Longer than the curve by the window.
 */
export function filterCurve(curve: SpeedCurve, window_s: number): TimeProfile {
  const n = curve.t.length;
  const last = curve.t[n - 1]! + window_s;
  const profile = createProfile(last, 2 * n);
  const { knots_s: knots, coefficients } = profile;
  mergeKnots(curve.t, window_s, knots);
  const ahead: Reading = { i: 0, s: 0, v: 0, a: 0, area: 0 };
  const behind: Reading = { i: 0, s: 0, v: 0, a: 0, area: 0 };
  const first = curve.s[0]!;
  for (let k = 0; k < 2 * n - 1; k++) {
    // Evaluated half-way into the piece, where the curve's pieces are unambiguous.
    const t = knots[k]!;
    const half = (knots[k + 1]! - t) / 2;
    readCurve(curve, t + half, ahead);
    readCurve(curve, t + half - window_s, behind);
    putPiece(coefficients, k, half, {
      s: first + (ahead.area - behind.area) / window_s,
      v: (ahead.s - behind.s) / window_s,
      a: (ahead.v - behind.v) / window_s,
      j: (ahead.a - behind.a) / window_s,
    });
  }
  // Keeps rounding from moving the start.
  coefficients[0] = first;
  coefficients[1] = 0;
  coefficients[2] = 0;
  // The last piece has no duration and holds the exact end.
  coefficients[4 * (2 * n - 1)] = curve.s[n - 1]!;
  return profile;
}

/** Writes the cubic with the given values half-way, in powers from the start of the piece. */
function putPiece(
  out: Float64Array,
  k: number,
  half: number,
  at: { readonly s: number; readonly v: number; readonly a: number; readonly j: number },
): void {
  out[4 * k] = at.s - half * (at.v - half * (at.a / 2 - (half * at.j) / 6));
  out[4 * k + 1] = at.v - half * (at.a - (half * at.j) / 2);
  out[4 * k + 2] = (at.a - half * at.j) / 2;
  out[4 * k + 3] = at.j / 6;
}

/** Merges the knots of the curve with the same knots one window later; the last one twice. */
function mergeKnots(t: Float64Array, window_s: number, out: Float64Array): void {
  const n = t.length;
  let i = 0;
  let k = 0;
  for (let m = 0; m < 2 * n; m++) {
    const late = k < n ? t[k]! + window_s : Number.POSITIVE_INFINITY;
    out[m] = i < n && t[i]! <= late ? t[i++]! : t[k++]! + window_s;
  }
  out[2 * n] = out[2 * n - 1]!;
}
