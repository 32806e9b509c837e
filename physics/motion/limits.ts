/**
 * Motion limits of joints and tool (arm-model.json, groups `motion` and `energy`), the shares of
 * them that planning, stops and the setpoint check use, the check of a path under a time profile
 * against them, and the range of the joints in force. §2.4.
 */
import {
  ACCELERATION_MAX_RAD_S2,
  type ArmRange,
  JERK_MAX_RAD_S3,
  JOINT_ENERGY_MAX_J,
  MODEL_RANGE,
  RANGE,
  TOOL_ACCELERATION_MAX_M_S2,
  TOOL_ENERGY_MAX_J,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/arm-dynamics.ts';
import { cbrt } from '../math/portable.ts';
import { createProfilePoint, type ProfilePoint, type TimeProfile } from './jerk-phases.ts';
import { createPathSample, type JointPath, samplePath } from './segment.ts';
import {
  boundJointRatios,
  createJointRates,
  type JointRates,
  jointRatios,
  type RateRatios,
  type TimingGrid,
} from './timing-grid.ts';

/**
 * Runs a calculation in a range inside the model's; null: in the model's. Calculations are
 * synchronous, so that the range never reaches another one.
 */
export function inJointRange<Value>(range: ArmRange | null | undefined, work: () => Value): Value {
  const { min_rad, max_rad } = RANGE;
  Object.assign(RANGE, range ?? MODEL_RANGE);
  try {
    return work();
  } finally {
    Object.assign(RANGE, { min_rad, max_rad });
  }
}

/** Whether rows of six angles (rad) lie in a range; null: in the model's. */
export function isInside(
  range: ArmRange | null,
  rows: Float64Array,
  tolerance_rad: number,
): boolean {
  const { min_rad, max_rad } = range ?? MODEL_RANGE;
  for (let joint = 0; joint < 6; joint++) {
    const low = min_rad[joint]! - tolerance_rad;
    const high = max_rad[joint]! + tolerance_rad;
    for (let i = joint; i < rows.length; i += 6) {
      if (rows[i]! < low || rows[i]! > high) return false;
    }
  }
  return true;
}

/** Limits of the six joints (rad/s, rad/s², rad/s³) and of the tool point (m/s²). */
export interface MotionLimits {
  readonly velocity_rad_s: Float64Array;
  readonly acceleration_rad_s2: Float64Array;
  readonly jerk_rad_s3: Float64Array;
  readonly tool_acceleration_m_s2: number;
}

/**
 * How an arm times a straight joint motion, as fast as its limits of speed and acceleration allow.
 * double_s: also of jerk; filtered: a trapezoid of speed averaged over `ramp_s`; cycloidal and
 * half_sine: ramps of speed with an acceleration of that form; quintic and septic: one polynomial.
 */
export type TimingLaw = 'double_s' | 'filtered' | 'cycloidal' | 'half_sine' | 'quintic' | 'septic';

/** The timing of an arm's planner: its law and the limits of its joints. Plain data. */
export interface MotionTiming {
  readonly law: TimingLaw;
  readonly velocity_rad_s: readonly number[];
  readonly acceleration_rad_s2: readonly number[];
  readonly jerk_rad_s3: readonly number[];
  /** Averaging time of the law `filtered` (s). */
  readonly ramp_s: number;
  /** Braking over acceleration, in the law `filtered`. */
  readonly braking_share: number;
  /** How the speed cap of the tool slows a motion: where it is reached, or from end to end. */
  readonly tool_speed: 'where_reached' | 'whole_motion';
}

/** Factors for the limits of a record. */
export interface LimitShares {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** The limits, each multiplied by its factor. */
export function scaleLimits(limits: MotionLimits, shares: LimitShares): MotionLimits {
  return {
    velocity_rad_s: limits.velocity_rad_s.map((value) => value * shares.velocity),
    acceleration_rad_s2: limits.acceleration_rad_s2.map((value) => value * shares.acceleration),
    jerk_rad_s3: limits.jerk_rad_s3.map((value) => value * shares.jerk),
    tool_acceleration_m_s2: limits.tool_acceleration_m_s2 * shares.acceleration,
  };
}

/** Limits of the arm: no emitted setpoint of a valid motion exceeds them. */
export const ARM_LIMITS: MotionLimits = {
  velocity_rad_s: VELOCITY_MAX_RAD_S,
  acceleration_rad_s2: ACCELERATION_MAX_RAD_S2,
  jerk_rad_s3: JERK_MAX_RAD_S3,
  tool_acceleration_m_s2: TOOL_ACCELERATION_MAX_M_S2,
};

/** Share of each limit that planning uses, the tool speed cap included. */
export const PLANNING_SHARE = 0.9999;

/** Limits that motions are planned to. */
export const PLANNING_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, {
  velocity: PLANNING_SHARE,
  acceleration: PLANNING_SHARE,
  jerk: PLANNING_SHARE,
});

const PAUSE_SHARES: LimitShares = { velocity: 1, acceleration: 1.2, jerk: 2 };
const PROTECTIVE_SHARES: LimitShares = { velocity: 1, acceleration: 2, jerk: 5 };

/**
 * Limits of a pause. A time-optimal motion is at its limits, so a stop that leaves it needs more:
 * with these factors nearly every pause finds a stop at its first tick.
 */
export const PAUSE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PAUSE_SHARES);

/** Limits of a protective or emergency stop, which brake harder than a pause. */
export const PROTECTIVE_LIMITS: MotionLimits = scaleLimits(ARM_LIMITS, PROTECTIVE_SHARES);

/** Tool acceleration of an arm whose timing is known by its joints alone (m/s²): no limit. */
const FREE_TOOL_ACCELERATION_M_S2 = 1000;
/** Time constant that the jerk of a law without a jerk limit has on curved paths (s). */
const CURVE_RAMP_S = 0.1;

/** The limits of an arm with this timing; those of the model with null. */
export function jointLimitsOf(timing: MotionTiming | null | undefined): MotionLimits {
  if (!timing) return ARM_LIMITS;
  const { law, velocity_rad_s: velocity, acceleration_rad_s2: acceleration, ramp_s } = timing;
  const jerkOf = (joint: number): number => {
    if (law === 'double_s') return timing.jerk_rad_s3[joint]!;
    return acceleration[joint]! / (law === 'filtered' ? ramp_s : CURVE_RAMP_S);
  };
  return {
    velocity_rad_s: Float64Array.from(velocity),
    acceleration_rad_s2: Float64Array.from(acceleration),
    jerk_rad_s3: Float64Array.from(acceleration, (_, joint) => jerkOf(joint)),
    tool_acceleration_m_s2: FREE_TOOL_ACCELERATION_M_S2,
  };
}

/** The limits that an arm with this timing plans to: its own are reached, not merely kept. */
export function planningLimits(timing: MotionTiming | null | undefined): MotionLimits {
  return timing ? jointLimitsOf(timing) : PLANNING_LIMITS;
}

/** The limits of stops; a slow timing does not weaken them. */
export function stopLimitsOf(
  timing: MotionTiming | null | undefined,
  kind: 'pause' | 'protective',
): MotionLimits {
  const floor = kind === 'pause' ? PAUSE_LIMITS : PROTECTIVE_LIMITS;
  if (!timing) return floor;
  const own = scaleLimits(
    jointLimitsOf(timing),
    kind === 'pause' ? PAUSE_SHARES : PROTECTIVE_SHARES,
  );
  const largest = (a: Float64Array, b: Float64Array) =>
    a.map((value, joint) => Math.max(value, b[joint]!));
  return {
    ...own,
    velocity_rad_s: largest(own.velocity_rad_s, floor.velocity_rad_s),
    acceleration_rad_s2: largest(own.acceleration_rad_s2, floor.acceleration_rad_s2),
    jerk_rad_s3: largest(own.jerk_rad_s3, floor.jerk_rad_s3),
  };
}

/** Share of the speed at an energy limit that planning uses: the inertia varies between nodes. */
const ENERGY_SPEED_SHARE = 0.985;

/** Tool speed (m/s) at which the payload has the most energy that it may have. */
export function energySpeed_m_s(payload_kg: number): number {
  return ENERGY_SPEED_SHARE * Math.sqrt((2 * TOOL_ENERGY_MAX_J) / payload_kg);
}

/**
 * The limits with the joint speeds at which no joint exceeds its energy at the nodes `s` of the
 * path. Without a payload the arm has less energy than that at every pose and speed.
 */
export function limitEnergies(
  limits: MotionLimits,
  path: JointPath,
  s: Float64Array,
  payload_kg: number,
): MotionLimits {
  if (payload_kg === 0) return limits;
  const velocity_rad_s = Float64Array.from(limits.velocity_rad_s);
  const dynamics = new ForwardDynamics(payload_kg);
  const sample = createPathSample();
  const still = new Float64Array(6);
  for (const node of s) {
    samplePath(path, node, sample);
    dynamics.update(sample.q, still);
    for (let j = 0; j < 6; j++) {
      const inertia = dynamics.inertia[(j * (j + 3)) / 2]!;
      const fastest = ENERGY_SPEED_SHARE * Math.sqrt((2 * JOINT_ENERGY_MAX_J[j]!) / inertia);
      velocity_rad_s[j] = Math.min(velocity_rad_s[j]!, fastest);
    }
  }
  return { ...limits, velocity_rad_s };
}

/**
 * Joint and tool rates of a path under a time profile as ratios to their limits: q' = q'(s) s', q''
 * and q''' by the chain rule. `worstDilation` is the factor that brings a profile exactly to its
 * limits: above 1 it exceeds one, below 1 it has slack. Dilation by k scales velocity by 1/k,
 * acceleration by 1/k², jerk by 1/k³. The scan is fine only where the rates come near the worst
 * found so far. A planned motion touches one limit (D23).
 */

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

/** A check of joints and tool over a grid, with scratch space. */
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
