/**
 * Converts a speed curve of bounded acceleration to a profile of bounded jerk: the moving average
 * of ds/dt over a window. Closed form on the knots of the curve, without resampling. The profile
 * starts and ends at rest without acceleration and never runs backwards.
 */
import { allocateArrays } from '../math/array-allocation.ts';
import { createProfile, type TimeProfile } from './time-profile.ts';

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
