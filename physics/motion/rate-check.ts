/**
 * Joint and tool rates of a path under a time profile as ratios to their limits: q' = q'(s) s',
 * q'' and q''' by the chain rule.
 */
import type { JointPath } from './joint-path.ts';
import { createJointRates, type JointRates, jointRatios, type RateRatios } from './joint-rates.ts';
import type { MotionLimits } from './limits.ts';
import { createProfilePoint, type ProfilePoint } from './time-profile.ts';
import type { TimingGrid } from './timing-grid.ts';

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
