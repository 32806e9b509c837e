/**
 * The joints' part of the rate check, made for scanning: places along the path rise slowly, so the
 * powers of an interval are kept until the next one begins. The values are those of samplePath.
 */
import type { MotionLimits } from './limits.ts';
import { intervalOf, type JointLine, type JointPath, type PathTable } from './path.ts';
import type { ProfilePoint } from './time-profile.ts';

/** Largest ratio of each rate to its limit at one moment; 1 is at the limit. */
export interface RateRatios {
  velocity: number;
  acceleration: number;
  jerk: number;
  /** Jerk without the share of the profile's own jerk. */
  path_jerk: number;
}

/** A path with one over its limits, and the interval last looked at. */
export interface JointRates {
  readonly path: JointPath;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;
  /** Ratios at unit rates of s on a straight line; not used on other paths. */
  readonly straight: RateRatios;
  interval: number;
  /** Of each joint the five powers of q - q_i in s - s_i on that interval. */
  readonly powers: Float64Array;
}

const POWERS = 5;

export function createJointRates(path: JointPath, limits: MotionLimits): JointRates {
  return {
    path,
    velocity: limits.velocity_rad_s.map((value) => 1 / value),
    acceleration: limits.acceleration_rad_s2.map((value) => 1 / value),
    jerk: limits.jerk_rad_s3.map((value) => 1 / value),
    straight: path.kind === 'line' ? straightRatios(path, limits) : noRatios(),
    interval: -1,
    powers: new Float64Array(6 * POWERS),
  };
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
export function moveTo(rates: JointRates, point: ProfilePoint, out: RateRatios): void {
  const { path, straight } = rates;
  if (path.kind === 'table') {
    moveInTable(rates, path, point, out);
    return;
  }
  out.velocity = Math.abs(point.v) * straight.velocity;
  out.acceleration = Math.abs(point.a) * straight.acceleration;
  out.jerk = Math.abs(point.j) * straight.jerk;
  out.path_jerk = 0;
}

function moveInTable(
  rates: JointRates,
  path: PathTable,
  point: ProfilePoint,
  out: RateRatios,
): void {
  const { powers } = rates;
  const s = point.s < 0 ? 0 : point.s > 1 ? 1 : point.s;
  enterInterval(rates, path, s);
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
    const at = POWERS * k;
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
  const { interval } = rates;
  const nodes = path.s;
  if (interval >= 0 && nodes[interval]! <= s && s < nodes[interval + 1]!) return;
  const next = intervalOf(nodes, s);
  if (next === interval) return;
  rates.interval = next;
  const h = nodes[next + 1]! - nodes[next]!;
  const inverse = 1 / h;
  for (let k = 0; k < 6; k++) fillPowers(rates.powers, path, { node: next, k, h, inverse });
}

/** The quintic Hermite of path.ts in powers of s - s_i. */
function fillPowers(
  powers: Float64Array,
  path: PathTable,
  place: {
    readonly node: number;
    readonly k: number;
    readonly h: number;
    readonly inverse: number;
  },
): void {
  const { node, k, h, inverse } = place;
  const i = 6 * node + k;
  const d = (path.q[i + 6]! - path.q[i]!) * inverse;
  const v0 = path.q1[i]!;
  const v1 = path.q1[i + 6]!;
  const a0 = path.q2[i]! * h;
  const a1 = path.q2[i + 6]! * h;
  const at = POWERS * k;
  powers[at] = v0;
  powers[at + 1] = path.q2[i]! / 2;
  const cube = inverse * inverse;
  powers[at + 2] = (10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1) * cube;
  powers[at + 3] = (-15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1) * cube * inverse;
  powers[at + 4] = (6 * d - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1) * cube * cube;
}
