/**
 * Candidates for the timing of a path, of which time-path.ts takes the shortest. `bestDoubleS`
 * bounds the path's derivatives by their maxima and searches speeds and accelerations of a
 * double-S. The other candidate is the fastest speed that ignores jerk (TOPP-RA), filtered so that
 * its jerk is bounded.
 */
import { allocateArrays } from '../math/rotation.ts';
import {
  createProfile,
  doubleS,
  doubleSDuration,
  type ScalarLimits,
  type TimeProfile,
} from './jerk-phases.ts';
import type { MotionLimits, RateCheck } from './limits.ts';
import { boundsOf, type PathBounds, type TimingGrid, type ToolGrid } from './timing-grid.ts';

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

/**
 * TOPP-RA: the fastest speed along a path under velocity and acceleration limits, ignoring jerk, by
 * reachability analysis over a grid. x = (ds/dt)² and u = d²s/dt² at each node form a linear
 * program of two variables; Newton on the gap between the upper and lower lines of u, which is
 * concave and piecewise linear, finds its largest x. The result is the lower bound of every
 * duration and the start of the jerk-limited timing.
 */

/** Rows of one node: six joints, or the worst joint of a straight line, and the tool last. */
const CURVE_ROWS = 7;
const LINE_ROWS = 2;

/**
 * Limits of the path as a linear program: |u + beta x| <= alpha for each row of each node, x <= cap
 * for each node.
 */
export interface SpeedRows {
  readonly s: Float64Array;
  readonly rows_per_node: number;
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  readonly cap: Float64Array;
}

/** Factors of the limits at each node; below 1 where the motion slows down. */
export interface LocalShares {
  readonly acceleration: Float64Array;
  readonly speed_square: Float64Array;
}

/** Shares of the tool's acceleration along and across its path; 0.8² + 0.6² = 1. */
const TANGENTIAL_SHARE = 0.8;
const NORMAL_SHARE = 0.6;
/** Curvature below which the tool's path counts as straight, as a share of its speed. */
const STRAIGHT_SHARE = 1e-6;
/** A row weaker than this share of the strongest of its node limits x only. */
const WEAK_ROW = 1e-9;

function createRows(s: Float64Array, rows_per_node: number): SpeedRows {
  const size = rows_per_node * s.length;
  const [alpha, beta, cap] = allocateArrays([size, size, s.length]);
  alpha!.fill(Number.POSITIVE_INFINITY);
  cap!.fill(Number.POSITIVE_INFINITY);
  return { s, rows_per_node, alpha: alpha!, beta: beta!, cap: cap! };
}

/** The rows of a path; `tool_speed_m_s` is the cap of the tool. */
export function createSpeedRows(
  grid: TimingGrid,
  limits: MotionLimits,
  tool_speed_m_s: number,
): SpeedRows {
  const rows = createRows(grid.s, CURVE_ROWS);
  for (let i = 0; i < grid.s.length; i++) putJointRows(rows, grid, limits, i);
  putToolRows(rows, grid, limits, tool_speed_m_s);
  return rows;
}

/** The rows of a straight joint line, whose joints give the same limits of s everywhere. */
export function createLineRows(
  tool: ToolGrid,
  joints: { readonly v: number; readonly a: number },
  limits: MotionLimits,
  tool_speed_m_s: number,
): SpeedRows {
  const rows = createRows(tool.s, LINE_ROWS);
  rows.cap.fill(square(joints.v));
  for (let i = 0; i < rows.alpha.length; i += LINE_ROWS) rows.alpha[i] = joints.a;
  putToolRows(rows, tool, limits, tool_speed_m_s);
  return rows;
}

function putToolRows(
  rows: SpeedRows,
  grid: ToolGrid,
  limits: MotionLimits,
  tool_speed_m_s: number,
): void {
  const curved = isCurved(grid);
  const tool = {
    speed: tool_speed_m_s,
    tangential: limits.tool_acceleration_m_s2 * (curved ? TANGENTIAL_SHARE : 1),
    normal: limits.tool_acceleration_m_s2 * (curved ? NORMAL_SHARE : 1),
  };
  for (let i = 0; i < grid.s.length; i++) putToolRow(rows, grid, i, tool);
}

function putJointRows(rows: SpeedRows, grid: TimingGrid, limits: MotionLimits, i: number): void {
  let strongest = 0;
  for (let j = 0; j < 6; j++) {
    const rate = Math.abs(grid.q1[6 * i + j]!) / limits.acceleration_rad_s2[j]!;
    strongest = Math.max(strongest, rate);
  }
  for (let j = 0; j < 6; j++) {
    const q1 = grid.q1[6 * i + j]!;
    const q2 = grid.q2[6 * i + j]!;
    const most = limits.acceleration_rad_s2[j]!;
    if (q1 !== 0) lowerCap(rows, i, square(limits.velocity_rad_s[j]! / q1));
    if (Math.abs(q1) / most > WEAK_ROW * strongest) {
      rows.alpha[CURVE_ROWS * i + j] = most / Math.abs(q1);
      rows.beta[CURVE_ROWS * i + j] = q2 / q1;
    } else if (q2 !== 0) lowerCap(rows, i, most / Math.abs(q2));
  }
}

interface ToolLimits {
  readonly speed: number;
  readonly tangential: number;
  readonly normal: number;
}

function putToolRow(rows: SpeedRows, grid: ToolGrid, i: number, limits: ToolLimits): void {
  const { p1, p2 } = grid;
  const k = 3 * i;
  const speed2 = square(p1[k]!) + square(p1[k + 1]!) + square(p1[k + 2]!);
  const bend2 = square(p2[k]!) + square(p2[k + 1]!) + square(p2[k + 2]!);
  if (!(speed2 > 0)) {
    if (bend2 > 0) lowerCap(rows, i, limits.normal / Math.sqrt(bend2));
    return;
  }
  lowerCap(rows, i, square(limits.speed) / speed2);
  const along = p1[k]! * p2[k]! + p1[k + 1]! * p2[k + 1]! + p1[k + 2]! * p2[k + 2]!;
  const at = rows.rows_per_node * (i + 1) - 1;
  rows.alpha[at] = limits.tangential / Math.sqrt(speed2);
  rows.beta[at] = along / speed2;
  const across = Math.sqrt(Math.max(0, bend2 - (along * along) / speed2));
  if (across > STRAIGHT_SHARE * Math.sqrt(speed2)) lowerCap(rows, i, limits.normal / across);
}

function isCurved(grid: ToolGrid): boolean {
  const { p1, p2 } = grid;
  for (let k = 0; k < p1.length; k += 3) {
    const x = p1[k + 1]! * p2[k + 2]! - p1[k + 2]! * p2[k + 1]!;
    const y = p1[k + 2]! * p2[k]! - p1[k]! * p2[k + 2]!;
    const z = p1[k]! * p2[k + 1]! - p1[k + 1]! * p2[k]!;
    const speed2 = square(p1[k]!) + square(p1[k + 1]!) + square(p1[k + 2]!);
    if (Math.sqrt(x * x + y * y + z * z) > STRAIGHT_SHARE * speed2) return true;
  }
  return false;
}

function lowerCap(rows: SpeedRows, i: number, cap: number): void {
  if (cap < rows.cap[i]!) rows.cap[i] = cap;
}

function square(x: number): number {
  return x * x;
}

/** Upper and lower bound of u at one x, with the slopes of the active lines. */
const bound = { upper: 0, upper_slope: 0, lower: 0, lower_slope: 0 };

/** Largest and smallest u at node `i` for `x`, with x + 2 width u held within [0, next]. */
function boundsAt(
  rows: SpeedRows,
  i: number,
  share: number,
  x: number,
  next: number,
  width: number,
): void {
  const slope = 0.5 / width;
  let upper = (next - x) * slope;
  let upper_slope = -slope;
  let lower = -x * slope;
  let lower_slope = -slope;
  const { alpha, beta, rows_per_node } = rows;
  const end = rows_per_node * (i + 1);
  for (let k = end - rows_per_node; k < end; k++) {
    const margin = alpha[k]! * share;
    const tilt = beta[k]! * x;
    if (margin - tilt < upper) {
      upper = margin - tilt;
      upper_slope = -beta[k]!;
    }
    if (-margin - tilt > lower) {
      lower = -margin - tilt;
      lower_slope = -beta[k]!;
    }
  }
  bound.upper = upper;
  bound.upper_slope = upper_slope;
  bound.lower = lower;
  bound.lower_slope = lower_slope;
}

const NEWTON_MAX = 24;
/** Gap that counts as closed, as a share of the bounds. */
const CLOSED = 1e-12;

/** Largest x at node `i` from which some x of the next node up to `next` is reachable. */
function largestSpeed(
  rows: SpeedRows,
  i: number,
  shares: LocalShares | null,
  next: number,
  width: number,
): number {
  const share = shares ? shares.acceleration[i]! : 1;
  let x = rows.cap[i]! * (shares ? shares.speed_square[i]! : 1);
  if (!(x < Number.MAX_VALUE)) x = FASTEST;
  for (let n = 0; n < NEWTON_MAX; n++) {
    boundsAt(rows, i, share, x, next, width);
    const gap = bound.upper - bound.lower;
    if (gap >= -CLOSED * (Math.abs(bound.upper) + Math.abs(bound.lower))) return x;
    const lower = x - gap / (bound.upper_slope - bound.lower_slope);
    if (!(lower < x)) return x;
    x = Math.max(0, lower);
  }
  return x;
}

/** Value of x where neither velocity nor tool limit it (1/s²). */
const FASTEST = 1e12;

/**
 * Writes x = (ds/dt)² of the fastest rest-to-rest motion at each node to `x`. `shares` scales the
 * limits of the rows node by node. No allocation.
 */
export function solveSpeeds(rows: SpeedRows, shares: LocalShares | null, x: Float64Array): void {
  const { s } = rows;
  const last = s.length - 1;
  x[last] = 0;
  for (let i = last - 1; i > 0; i--) {
    x[i] = largestSpeed(rows, i, shares, x[i + 1]!, s[i + 1]! - s[i]!);
  }
  x[0] = 0;
  for (let i = 0; i < last; i++) {
    const width = s[i + 1]! - s[i]!;
    const share = shares ? shares.acceleration[i]! : 1;
    boundsAt(rows, i, share, x[i]!, x[i + 1]!, width);
    x[i + 1] = Math.max(0, Math.min(x[i + 1]!, x[i]! + 2 * width * bound.upper));
  }
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
