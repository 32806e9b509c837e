/**
 * Timing grid of a path: at each node over s the derivatives of the joints and of the tool point by
 * s. Built once for a path and tool and used by every solve. Also: the rates of joints at any point
 * of a path.
 */
import {
  createFrames,
  createToolMotion,
  forward,
  LINEAR_ACCELERATION,
  toolMotion,
} from '../kinematics/forward.ts';
import { allocateArrays, length3 } from '../math/rotation.ts';
import type { ProfilePoint } from './jerk-phases.ts';
import type { MotionLimits } from './limits.ts';
import {
  createPathSample,
  intervalOf,
  type JointLine,
  type JointPath,
  type PathTable,
  samplePath,
} from './segment.ts';

/** Nodes and first two derivatives of the tool point, three numbers a node (m per unit of s). */
export interface ToolGrid {
  readonly s: Float64Array;
  readonly p1: Float64Array;
  readonly p2: Float64Array;
}

/** The tool's grid with the derivatives of the joints, six a node. */
export interface TimingGrid extends ToolGrid {
  readonly path: JointPath;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
  /** Bounds of |p'| and |p''| on each interval, for the cubics between its nodes. */
  readonly bounds: Float64Array;
}

/**
 * Nodes per radian of summed joint travel. No derivative of the tool position by that travel
 * exceeds the arm's reach; between nodes p' has an error of 3e-6 of its maximum, p'' of 4e-5.
 */
const NODES_PER_RAD = 5;
const LINE_NODES_MIN = 6;
const LINE_NODES_MAX = 300;
/** Minimum number of nodes of a table's rest. */
const REST_NODES_MIN = 40;
/** A first interval shorter than this share of the next is merged with it. */
const SHORT_INTERVAL = 0.1;

/** The last grid: a path is often timed under another cap right after the first. */
const latest = { grid: null as TimingGrid | null, from_s: 0, tool_offset_m: [0, 0, 0] };

/** `createTimingGrid` with a cache for consecutive requests of the same path and tool. */
export function gridFor(
  path: JointPath,
  from_s: number,
  tool_offset_m: readonly number[],
): TimingGrid {
  const { grid } = latest;
  const same_tool = latest.tool_offset_m.every((value, k) => value === tool_offset_m[k]);
  if (grid?.path === path && latest.from_s === from_s && same_tool) return grid;
  latest.grid = createTimingGrid(path, from_s, tool_offset_m);
  latest.from_s = from_s;
  latest.tool_offset_m = [...tool_offset_m];
  return latest.grid;
}

/** The grid of `path` from `from_s` to 1; `tool_offset_m` is the tool point in the flange frame. */
export function createTimingGrid(
  path: JointPath,
  from_s: number,
  tool_offset_m: readonly number[],
): TimingGrid {
  const s = path.kind === 'line' ? lineNodes(path, from_s) : tableNodes(path.s, from_s);
  return gridAt(path, s, tool_offset_m);
}

/** The grid with nodes at the ascending positions `s`. */
export function gridAt(
  path: JointPath,
  s: Float64Array,
  tool_offset_m: readonly number[],
): TimingGrid {
  const n = s.length;
  const [q1, q2, q3, p1, p2, bounds] = allocateArrays([6 * n, 6 * n, 6 * n, 3 * n, 3 * n, 2 * n]);
  const grid: TimingGrid = {
    path,
    s,
    q1: q1!,
    q2: q2!,
    q3: q3!,
    p1: p1!,
    p2: p2!,
    bounds: bounds!,
  };
  fillGrid(grid, tool_offset_m);
  for (let i = 0; i < s.length - 1; i++) boundTool(grid, i);
  return grid;
}

function lineNodes(
  path: { readonly start: Float64Array; readonly end: Float64Array },
  from_s: number,
): Float64Array {
  let travel = 0;
  for (let j = 0; j < 6; j++) travel += Math.abs(path.end[j]! - path.start[j]!);
  const wanted = Math.ceil(NODES_PER_RAD * travel * (1 - from_s));
  const n = Math.min(LINE_NODES_MAX, Math.max(LINE_NODES_MIN, wanted));
  const nodes = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) nodes[i] = from_s + ((1 - from_s) * i) / n;
  nodes[n] = 1;
  return nodes;
}

/** Nodes of the table beyond `from_s`, starting with `from_s` itself; at least REST_NODES_MIN. */
function tableNodes(nodes: Float64Array, from_s: number): Float64Array {
  if (from_s <= nodes[0]!) return nodes;
  let first = intervalOf(nodes, from_s) + 1;
  const last = nodes.length - 1;
  const width = nodes[Math.min(first + 1, last)]! - nodes[first]!;
  if (first < last && nodes[first]! - from_s < SHORT_INTERVAL * width) first++;
  const parts = Math.max(1, Math.ceil(REST_NODES_MIN / (last - first + 1)));
  const s = [from_s];
  for (let i = first; i <= last; i++) {
    const start = s[s.length - 1]!;
    for (let k = 1; k < parts; k++) s.push(start + ((nodes[i]! - start) * k) / parts);
    s.push(nodes[i]!);
  }
  return Float64Array.from(s);
}

const frames = createFrames();
const tool = createToolMotion();
const sample = createPathSample();

function fillGrid(grid: TimingGrid, tool_offset_m: readonly number[]): void {
  for (let i = 0; i < grid.s.length; i++) {
    samplePath(grid.path, grid.s[i]!, sample);
    for (let j = 0; j < 6; j++) {
      grid.q1[6 * i + j] = sample.q1[j]!;
      grid.q2[6 * i + j] = sample.q2[j]!;
      grid.q3[6 * i + j] = sample.q3[j]!;
    }
    forward(sample.q, frames);
    toolMotion(frames, sample.q1, sample.q2, tool_offset_m, tool);
    for (let k = 0; k < 3; k++) {
      grid.p1[3 * i + k] = tool[k]!;
      grid.p2[3 * i + k] = tool[LINEAR_ACCELERATION + k]!;
    }
  }
}

/** Largest contribution of the end slopes to a cubic between two values: 4/27 each. */
const SLOPE_SHARE = 4 / 27;

function boundTool({ s, p1, p2, bounds }: TimingGrid, i: number): void {
  const width = s[i + 1]! - s[i]!;
  const k = 3 * i;
  const bend0 = length3(p2[k]!, p2[k + 1]!, p2[k + 2]!);
  const bend1 = length3(p2[k + 3]!, p2[k + 4]!, p2[k + 5]!);
  const speed0 = length3(p1[k]!, p1[k + 1]!, p1[k + 2]!);
  const speed1 = length3(p1[k + 3]!, p1[k + 4]!, p1[k + 5]!);
  const rise = length3(p1[k + 3]! - p1[k]!, p1[k + 4]! - p1[k + 1]!, p1[k + 5]! - p1[k + 2]!);
  const speed = Math.max(speed0, speed1) + SLOPE_SHARE * width * (bend0 + bend1);
  bounds[2 * i] = ROUNDING * speed;
  bounds[2 * i + 1] = ROUNDING * ((1.5 * rise) / width + Math.max(bend0, bend1));
}

/** Refines the tool grid to at least that many intervals, by cubic Hermite between the nodes. */
export function refineTool(grid: ToolGrid, intervals: number): ToolGrid {
  const coarse = grid.s.length - 1;
  const parts = Math.ceil(intervals / coarse);
  const n = parts * coarse + 1;
  const [s, p1, p2] = allocateArrays([n, 3 * n, 3 * n]);
  const fine: ToolGrid = { s: s!, p1: p1!, p2: p2! };
  for (let i = 0; i < n; i++) {
    const from = Math.min(coarse - 1, Math.floor(i / parts));
    interpolateTool(grid, from, (i - from * parts) / parts, fine, i);
  }
  return fine;
}

function interpolateTool(grid: ToolGrid, i: number, t: number, fine: ToolGrid, k: number): void {
  const width = grid.s[i + 1]! - grid.s[i]!;
  const u = 1 - t;
  const h1 = (3 - 2 * t) * t * t;
  fine.s[k] = t === 1 ? grid.s[i + 1]! : grid.s[i]! + t * width;
  for (let x = 0; x < 3; x++) {
    const at = 3 * i + x;
    const rise = grid.p1[at + 3]! - grid.p1[at]!;
    const b0 = grid.p2[at]!;
    const b1 = grid.p2[at + 3]!;
    fine.p1[3 * k + x] = grid.p1[at]! + h1 * rise + t * u * width * (u * b0 - t * b1);
    fine.p2[3 * k + x] = (6 * t * u * rise) / width + u * (1 - 3 * t) * b0 + t * (3 * t - 2) * b1;
  }
}

/** Largest derivatives over the grid: per joint, and of the tool point. */
export interface PathBounds {
  readonly q1: Float64Array;
  readonly q2: Float64Array;
  readonly q3: Float64Array;
  readonly p1: number;
  readonly p2: number;
}

export function boundsOf(grid: TimingGrid): PathBounds {
  return {
    q1: largestPerJoint(grid.q1),
    q2: largestPerJoint(grid.q2),
    q3: largestPerJoint(grid.q3),
    p1: largestLength(grid.p1),
    p2: largestLength(grid.p2),
  };
}

function largestPerJoint(values: Float64Array): Float64Array {
  const out = new Float64Array(6);
  for (let i = 0; i < values.length; i += 6) {
    for (let j = 0; j < 6; j++) out[j] = Math.max(out[j]!, Math.abs(values[i + j]!));
  }
  return out;
}

function largestLength(vectors: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    const x = vectors[i]!;
    const y = vectors[i + 1]!;
    const z = vectors[i + 2]!;
    worst = Math.max(worst, x * x + y * y + z * z);
  }
  return Math.sqrt(worst);
}

/**
 * Joint part of the rate check, optimised for scanning: caches the polynomial coefficients of
 * recent path intervals with bounds of their rates, so most samples need no evaluation of single
 * joints. Values equal those of samplePath.
 */

/** Largest ratio of each rate to its limit at one moment; 1 is at the limit. */
export interface RateRatios {
  velocity: number;
  acceleration: number;
  jerk: number;
  /** Jerk without the contribution of the profile's own jerk. */
  path_jerk: number;
}

/** A path with its inverse limits, and the interval of the last sample. */
export interface JointRates {
  readonly path: JointPath;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;
  /** Ratios at unit rates of s on a straight line; unused on other paths. */
  readonly straight: RateRatios;
  interval: number;
  /** Offset of that interval's numbers in `kept`. */
  at: number;
  /** Interval that each slot holds, -1 for none. */
  readonly held: Int32Array;
  /**
   * KEPT numbers a slot: the five coefficients of q - q_i in powers of s - s_i for each joint, then
   * the maxima of |q'| over its velocity limit, of |q'| and |q''| over the acceleration limit, and
   * of all three derivatives over the jerk limit.
   */
  readonly kept: Float64Array;
}

const POWERS = 5;
const BOUNDS = 6 * POWERS;
const KEPT = BOUNDS + 6;

/** `slots`: number of cached table intervals; many pay off for repeated scans of one path. */
export function createJointRates(path: JointPath, limits: MotionLimits, slots = 1): JointRates {
  const curved = path.kind === 'table';
  const count = curved ? Math.min(slots, path.s.length - 1) : 0;
  return {
    path,
    velocity: curved ? inverse(limits.velocity_rad_s) : NONE,
    acceleration: curved ? inverse(limits.acceleration_rad_s2) : NONE,
    jerk: curved ? inverse(limits.jerk_rad_s3) : NONE,
    straight: curved ? noRatios() : straightRatios(path, limits),
    interval: -1,
    at: 0,
    held: curved ? new Int32Array(count).fill(-1) : NO_INTERVALS,
    kept: curved ? new Float64Array(KEPT * count) : NONE,
  };
}

/** Placeholders for straight lines. */
const NONE = new Float64Array(0);
const NO_INTERVALS = new Int32Array(0);

function inverse(limits: Float64Array): Float64Array {
  return limits.map((value) => 1 / value);
}

function noRatios(): RateRatios {
  return { velocity: 0, acceleration: 0, jerk: 0, path_jerk: 0 };
}

/** On a straight line the worst joint is the same all along it. */
function straightRatios(path: JointLine, limits: MotionLimits): RateRatios {
  const ratios = noRatios();
  for (let k = 0; k < 6; k++) {
    const travel = Math.abs(path.end[k]! - path.start[k]!);
    ratios.velocity = Math.max(ratios.velocity, travel / limits.velocity_rad_s[k]!);
    ratios.acceleration = Math.max(ratios.acceleration, travel / limits.acceleration_rad_s2[k]!);
    ratios.jerk = Math.max(ratios.jerk, travel / limits.jerk_rad_s3[k]!);
  }
  return ratios;
}

/** Writes the ratios of the joints at `point` into `out`. No allocation. */
export function jointRatios(rates: JointRates, point: ProfilePoint, out: RateRatios): void {
  if (rates.path.kind === 'table') ratiosInTable(rates, rates.path, point, out);
  else ratiosOnLine(rates.straight, point, out);
}

/** Writes bounds of the ratios at `point` into `out`, exact on straight lines. No allocation. */
export function boundJointRatios(rates: JointRates, point: ProfilePoint, out: RateRatios): void {
  if (rates.path.kind === 'table') boundInTable(rates, rates.path, point, out);
  else ratiosOnLine(rates.straight, point, out);
}

function ratiosOnLine(straight: RateRatios, point: ProfilePoint, out: RateRatios): void {
  out.velocity = Math.abs(point.v) * straight.velocity;
  out.acceleration = Math.abs(point.a) * straight.acceleration;
  out.jerk = Math.abs(point.j) * straight.jerk;
  out.path_jerk = 0;
}

function boundInTable(
  rates: JointRates,
  path: PathTable,
  point: ProfilePoint,
  out: RateRatios,
): void {
  enterInterval(rates, path, clampToPath(point.s));
  const { kept } = rates;
  const at = rates.at + BOUNDS;
  const v = Math.abs(point.v);
  const a = Math.abs(point.a);
  out.velocity = kept[at]! * v;
  out.acceleration = kept[at + 1]! * a + kept[at + 2]! * v * v;
  out.path_jerk = kept[at + 4]! * 3 * v * a + kept[at + 5]! * v * v * v;
  out.jerk = kept[at + 3]! * Math.abs(point.j) + out.path_jerk;
}

function clampToPath(s: number): number {
  return s < 0 ? 0 : s > 1 ? 1 : s;
}

function ratiosInTable(
  rates: JointRates,
  path: PathTable,
  point: ProfilePoint,
  out: RateRatios,
): void {
  const s = clampToPath(point.s);
  enterInterval(rates, path, s);
  const powers = rates.kept;
  const from = rates.at;
  const u = s - path.s[rates.interval]!;
  const { v, a, j } = point;
  const v2 = v * v;
  const v3 = v2 * v;
  const va3 = 3 * v * a;
  let velocity = 0;
  let acceleration = 0;
  let jerk = 0;
  let path_jerk = 0;
  for (let k = 0; k < 6; k++) {
    const at = from + POWERS * k;
    const c2 = powers[at + 1]!;
    const c3 = powers[at + 2]!;
    const c4 = powers[at + 3]!;
    const c5 = powers[at + 4]!;
    const q1 = powers[at]! + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)));
    const q2 = 2 * c2 + u * (6 * c3 + u * (12 * c4 + u * 20 * c5));
    const rest = q2 * va3 + (6 * c3 + u * (24 * c4 + u * 60 * c5)) * v3;
    const rv = Math.abs(q1 * v) * rates.velocity[k]!;
    const ra = Math.abs(q1 * a + q2 * v2) * rates.acceleration[k]!;
    const rj = Math.abs(q1 * j + rest) * rates.jerk[k]!;
    const rp = Math.abs(rest) * rates.jerk[k]!;
    if (rv > velocity) velocity = rv;
    if (ra > acceleration) acceleration = ra;
    if (rj > jerk) jerk = rj;
    if (rp > path_jerk) path_jerk = rp;
  }
  out.velocity = velocity;
  out.acceleration = acceleration;
  out.jerk = jerk;
  out.path_jerk = path_jerk;
}

function enterInterval(rates: JointRates, path: PathTable, s: number): void {
  const { interval, held } = rates;
  const nodes = path.s;
  if (interval >= 0 && nodes[interval]! <= s && s < nodes[interval + 1]!) return;
  const next = intervalFrom(nodes, interval, s);
  if (next === interval) return;
  const slot = next % held.length;
  rates.interval = next;
  rates.at = KEPT * slot;
  if (held[slot] === next) return;
  held[slot] = next;
  const h = nodes[next + 1]! - nodes[next]!;
  const inverse = 1 / h;
  rates.kept.fill(0, rates.at + BOUNDS, rates.at + KEPT);
  for (let k = 0; k < 6; k++) {
    fillPowers(rates.kept, path, { node: next, k, h, inverse, at: rates.at + POWERS * k });
    raiseBounds(rates, k, h);
  }
}

/** The interval of s; usually the one after the last. */
function intervalFrom(nodes: Float64Array, last: number, s: number): number {
  const next = last + 1;
  const near = last >= 0 && next < nodes.length - 1 && nodes[next]! <= s && s < nodes[next + 1]!;
  return near ? next : intervalOf(nodes, s);
}

/** Raises the bounds of the interval just filled to those of joint `k`: sums of absolute terms. */
function raiseBounds({ kept, at, velocity, acceleration, jerk }: JointRates, k: number, h: number) {
  const from = at + POWERS * k;
  const c1 = Math.abs(kept[from]!);
  const c2 = Math.abs(kept[from + 1]!);
  const c3 = Math.abs(kept[from + 2]!) * h;
  const c4 = Math.abs(kept[from + 3]!) * h * h;
  const c5 = Math.abs(kept[from + 4]!) * h * h * h;
  const q1 = c1 + h * (2 * c2 + 3 * c3 + 4 * c4 + 5 * c5);
  const q2 = 2 * c2 + 6 * c3 + 12 * c4 + 20 * c5;
  const q3 = (6 * c3 + 24 * c4 + 60 * c5) / h;
  raise(kept, at + BOUNDS, q1 * velocity[k]!);
  raise(kept, at + BOUNDS + 1, q1 * acceleration[k]!);
  raise(kept, at + BOUNDS + 2, q2 * acceleration[k]!);
  raise(kept, at + BOUNDS + 3, q1 * jerk[k]!);
  raise(kept, at + BOUNDS + 4, q2 * jerk[k]!);
  raise(kept, at + BOUNDS + 5, q3 * jerk[k]!);
}

/** Factor by which bounds exceed any rounding error of the bounded values. */
export const ROUNDING = 1 + 1e-9;

function raise(bounds: Float64Array, at: number, value: number): void {
  if (value * ROUNDING > bounds[at]!) bounds[at] = value * ROUNDING;
}

/** The quintic Hermite of segment.ts in powers of s - s_i. */
function fillPowers(
  powers: Float64Array,
  path: PathTable,
  interval: {
    readonly node: number;
    readonly k: number;
    readonly h: number;
    readonly inverse: number;
    readonly at: number;
  },
): void {
  const { node, k, h, inverse, at } = interval;
  const i = 6 * node + k;
  const d = (path.q[i + 6]! - path.q[i]!) * inverse;
  const v0 = path.q1[i]!;
  const v1 = path.q1[i + 6]!;
  const a0 = path.q2[i]! * h;
  const a1 = path.q2[i + 6]! * h;
  powers[at] = v0;
  powers[at + 1] = path.q2[i]! / 2;
  const cube = inverse * inverse;
  powers[at + 2] = (10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1) * cube;
  powers[at + 3] = (-15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1) * cube * inverse;
  powers[at + 4] = (6 * d - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1) * cube * cube;
}
