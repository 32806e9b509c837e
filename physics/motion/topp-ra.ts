/**
 * TOPP-RA: the fastest speed along a path under velocity and acceleration limits, ignoring jerk, by
 * reachability analysis over a grid. x = (ds/dt)² and u = d²s/dt² at each node form a linear
 * program of two variables; Newton on the gap between the upper and lower lines of u, which is
 * concave and piecewise linear, finds its largest x. The result is the lower bound of every
 * duration and the start of the jerk-limited timing.
 */
import { allocateArrays } from '../math/array-allocation.ts';
import type { MotionLimits } from './limits.ts';
import type { TimingGrid, ToolGrid } from './timing-grid.ts';

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
