/**
 * Joint and tool rates of a path under a time profile as ratios to their limits: q' = q'(s) s', q''
 * and q''' by the chain rule. `worstDilation` is the factor that brings a profile exactly to its
 * limits: above 1 it exceeds one, below 1 it has slack. Dilation by k scales velocity by 1/k,
 * acceleration by 1/k², jerk by 1/k³. The scan is fine only where the rates come near the worst
 * found so far. A planned motion touches one limit (D23).
 */
import { cbrt } from '../math/portable.ts';
import { createProfilePoint, type ProfilePoint, type TimeProfile } from './jerk-phases.ts';
import type { LimitShares, MotionLimits } from './limits.ts';
import type { JointPath } from './segment.ts';
import {
  boundJointRatios,
  createJointRates,
  type JointRates,
  jointRatios,
  type RateRatios,
  type TimingGrid,
} from './timing-grid.ts';

/** Fine steps per long step, and long steps per stride where nothing is near the worst. */
const LONG_STEP = 3;
const STRIDE = 3;

/**
 * Relevance of a sample against the worst so far: irrelevant, check its steps, check their parts.
 */
type Nearness = 0 | 1 | 2;
const FAR = 0;
const NEAR = 1;
const CLOSE = 2;

/** Shares of the worst ratios from which a sample is near or close. */
const NEAR_SHARES: LimitShares = { velocity: 0.999, acceleration: 0.99, jerk: 0.9 };
const CLOSE_SHARES: LimitShares = { velocity: 0.9995, acceleration: 0.998, jerk: 0.985 };

function isBeyond(ratios: RateRatios, shares: LimitShares, worst: number): boolean {
  const square = worst * worst;
  return (
    ratios.velocity > shares.velocity * worst ||
    ratios.acceleration > shares.acceleration * square ||
    ratios.jerk > shares.jerk * square * worst
  );
}

/** State of a profile scan: the current piece and the dilation found so far. */
interface Scan {
  readonly check: JointRateCheck | RateCheck;
  readonly profile: TimeProfile;
  worst: number;
  piece: number;
  /** Length of the piece (s), its long steps and the samples in each. */
  width: number;
  steps: number;
  samples: number;
}

/**
 * Dilation factor that brings the profile exactly to its limits. Samples both ends of each piece
 * and, between them, every `step_s` where the rates are close to the worst and fewer elsewhere.
 * Without a grid it ignores the tool.
 */
export function worstDilation(
  check: JointRateCheck | RateCheck,
  profile: TimeProfile,
  step_s: number,
): number {
  const scan: Scan = { check, profile, worst: 0, piece: 0, width: 0, steps: 1, samples: 1 };
  const pieces = profile.knots_s.length - 1;
  for (let i = 0; i < pieces; i++) {
    const width = profile.knots_s[i + 1]! - profile.knots_s[i]!;
    if (!(width > 0)) continue;
    scan.piece = i;
    scan.width = width;
    scan.steps = Math.max(1, Math.ceil(width / step_s / LONG_STEP));
    scan.samples = Math.max(1, Math.ceil(width / step_s / scan.steps));
    scanPiece(scan);
  }
  return scan.worst;
}

function scanPiece(scan: Scan): void {
  let before = sampleAt(scan, 0);
  for (let k = 0; k < scan.steps; k += STRIDE) {
    const end = Math.min(scan.steps, k + STRIDE);
    const here = sampleAt(scan, end);
    if (before !== FAR || here !== FAR) scanSteps(scan, k, end, before, here);
    before = here;
  }
}

/** Scans the steps between two samples, and the parts of a step where one of its ends is close. */
function scanSteps(scan: Scan, from: number, to: number, first: Nearness, last: Nearness): void {
  let before = first;
  for (let k = from; k < to; k++) {
    const here = k + 1 < to ? sampleAt(scan, k + 1) : last;
    for (let part = 1; part < scan.samples && (before === CLOSE || here === CLOSE); part++) {
      sampleAt(scan, k + part / scan.samples);
    }
    before = here;
  }
}

/** Samples `step` long steps into the piece and adopts its dilation if it is the worst. */
function sampleAt(scan: Scan, step: number): Nearness {
  const { check } = scan;
  const { point, rates, ratios } = check;
  evaluateInPiece(scan.profile, scan.piece, (scan.width * step) / scan.steps, point);
  const tool = 'grid' in check && toolMatters(check, scan.worst);
  boundJointRatios(rates, point, ratios);
  if (isBeyond(ratios, NEAR_SHARES, scan.worst)) jointRatios(rates, point, ratios);
  else if (tool) clearRatios(ratios);
  else return FAR;
  if (tool) checkToolRates(check as RateCheck, point);
  scan.worst = dilationFor(ratios, scan.worst);
  if (isBeyond(ratios, CLOSE_SHARES, scan.worst)) return CLOSE;
  return isBeyond(ratios, NEAR_SHARES, scan.worst) ? NEAR : FAR;
}

function toolMatters(check: RateCheck, worst: number): boolean {
  boundToolRates(check, check.point);
  return isBeyond(check.ratios, NEAR_SHARES, worst);
}

function clearRatios(ratios: RateRatios): void {
  ratios.velocity = 0;
  ratios.acceleration = 0;
  ratios.jerk = 0;
  ratios.path_jerk = 0;
}

/** Check of a path's joints against their limits, with scratch space; one for each solve. */
export interface JointRateCheck {
  readonly path: JointPath;
  readonly limits: MotionLimits;
  readonly rates: JointRates;
  readonly ratios: RateRatios;
  readonly point: ProfilePoint;
}

/** Check of a path's joints and tool against their limits. */
export interface RateCheck extends JointRateCheck {
  readonly grid: TimingGrid;
  readonly tool_speed_m_s: number;
  cursor: number;
  /** Slope of the squared tool speed at the last check, as a share of the squared cap (1/s). */
  tool_slope: number;
}

/** `slots`: number of cached path intervals; see timing-grid.ts. */
export function createJointRateCheck(
  path: JointPath,
  limits: MotionLimits,
  slots = 1,
): JointRateCheck {
  return {
    path,
    limits,
    rates: createJointRates(path, limits, slots),
    ratios: { velocity: 0, acceleration: 0, jerk: 0, path_jerk: 0 },
    point: createProfilePoint(),
  };
}

/** Cached intervals of one solve. */
const KEPT_INTERVALS = 512;

export function createRateCheck(
  grid: TimingGrid,
  limits: MotionLimits,
  tool_speed_m_s: number,
): RateCheck {
  const { path, rates, ratios, point } = createJointRateCheck(grid.path, limits, KEPT_INTERVALS);
  // Explicit fields: a spread object is read and written at half the speed.
  return { path, limits, rates, ratios, point, grid, tool_speed_m_s, cursor: 0, tool_slope: 0 };
}

/** Writes the ratios of the joints at (s, v, a, j) into `check.ratios`. No allocation. */
export function checkJointRates(check: JointRateCheck, point: ProfilePoint): void {
  jointRatios(check.rates, point, check.ratios);
}

/** Writes the ratios of joints and tool at (s, v, a, j) into `check.ratios`. No allocation. */
export function checkRates(check: RateCheck, point: ProfilePoint): void {
  jointRatios(check.rates, point, check.ratios);
  checkToolRates(check, point);
}

/**
 * Raises `check.ratios` to those of the tool at (s, v, a): p' by cubic Hermite between the nodes of
 * the grid, p'' as its derivative. No allocation.
 */
export function checkToolRates(check: RateCheck, point: ProfilePoint): void {
  const { grid, ratios } = check;
  const i = moveCursor(check, point.s);
  const width = grid.s[i + 1]! - grid.s[i]!;
  const t = Math.min(1, Math.max(0, (point.s - grid.s[i]!) / width));
  const u = 1 - t;
  const h0 = (1 + 2 * t) * u * u;
  const h1 = 1 - h0;
  const g0 = t * u * u * width;
  const g1 = -t * t * u * width;
  const d = (6 * t * u) / width;
  const e0 = u * (1 - 3 * t);
  const e1 = t * (3 * t - 2);
  const v2 = point.v * point.v;
  let speed2 = 0;
  let acceleration2 = 0;
  let slope = 0;
  for (let k = 3 * i; k < 3 * i + 3; k++) {
    const a0 = grid.p1[k]!;
    const a1 = grid.p1[k + 3]!;
    const b0 = grid.p2[k]!;
    const b1 = grid.p2[k + 3]!;
    const p1 = h0 * a0 + h1 * a1 + g0 * b0 + g1 * b1;
    const p2 = d * (a1 - a0) + e0 * b0 + e1 * b1;
    speed2 += p1 * p1;
    const along = p1 * point.a + p2 * v2;
    acceleration2 += along * along;
    slope += p1 * along;
  }
  check.tool_slope = (2 * slope * point.v) / (check.tool_speed_m_s * check.tool_speed_m_s);
  const speed = Math.sqrt(speed2 * v2) / check.tool_speed_m_s;
  const acceleration = Math.sqrt(acceleration2) / check.limits.tool_acceleration_m_s2;
  if (speed > ratios.velocity) ratios.velocity = speed;
  if (acceleration > ratios.acceleration) ratios.acceleration = acceleration;
}

/** Writes bounds of the tool's ratios at (s, v, a) over `check.ratios`. No allocation. */
export function boundToolRates(check: RateCheck, point: ProfilePoint): void {
  const { grid, ratios } = check;
  const at = 2 * moveCursor(check, point.s);
  const v = Math.abs(point.v);
  const speed = grid.bounds[at]!;
  ratios.velocity = (speed * v) / check.tool_speed_m_s;
  ratios.acceleration =
    (speed * Math.abs(point.a) + grid.bounds[at + 1]! * v * v) /
    check.limits.tool_acceleration_m_s2;
  ratios.jerk = 0;
  ratios.path_jerk = 0;
}

function moveCursor(check: RateCheck, s: number): number {
  const nodes = check.grid.s;
  const last = nodes.length - 2;
  let i = check.cursor;
  while (i < last && nodes[i + 1]! <= s) i++;
  while (i > 0 && nodes[i]! > s) i--;
  check.cursor = i;
  return i;
}

/** The dilation that brings the worst ratio to 1, or `least` when that is no larger. */
export function dilationFor(ratios: RateRatios, least = 0): number {
  let worst = Math.max(least, ratios.velocity);
  if (ratios.acceleration > worst * worst) worst = Math.sqrt(ratios.acceleration);
  if (ratios.jerk > worst * worst * worst) worst = cbrt(ratios.jerk);
  return worst;
}

/** Writes s and its derivatives at `u` seconds into piece `i` of the profile to `out`. */
export function evaluateInPiece(
  profile: TimeProfile,
  i: number,
  u: number,
  out: ProfilePoint,
): void {
  const c = profile.coefficients;
  const at = 4 * i;
  out.s = c[at]! + u * (c[at + 1]! + u * (c[at + 2]! + u * c[at + 3]!));
  out.v = c[at + 1]! + u * (2 * c[at + 2]! + u * 3 * c[at + 3]!);
  out.a = 2 * c[at + 2]! + u * 6 * c[at + 3]!;
  out.j = 6 * c[at + 3]!;
}
