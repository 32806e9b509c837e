/**
 * Joint part of the rate check, optimised for scanning: caches the polynomial coefficients of
 * recent path intervals with bounds of their rates, so most samples need no evaluation of single
 * joints. Values equal those of samplePath.
 */
import { intervalOf, type JointLine, type JointPath, type PathTable } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';
import type { ProfilePoint } from './time-profile.ts';

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
