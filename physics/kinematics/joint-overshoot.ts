/** Joints that leave their software range between two tracked points (§2.4). */
import type { ArmRange } from '../arm/arm-range.ts';
import { LIMIT_TOLERANCE_RAD } from './joint-limits.ts';

/** Allowance for the true turning point beyond that of the cubic, as a share of the travel. */
const ALLOWANCE = 0.02;

/**
 * One tracking step: joints at both ends, and their changes over the step at the rate of each end.
 */
export interface JointStep {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly fromRate: Float64Array;
  readonly toRate: Float64Array;
}

/** Turning point of joint j inside the step (rad): one number. */
const turning = new Float64Array(1);

/** Turning point of the cubic of joint j, whose rates have opposite signs. */
function findTurning(step: JointStep, j: number): void {
  const v0 = step.fromRate[j]!;
  const v1 = step.toRate[j]!;
  const d = step.to[j]! - step.from[j]!;
  const a = 3 * (v0 + v1) - 6 * d;
  const b = 6 * d - 4 * v0 - 2 * v1;
  const root = Math.sqrt(Math.max(b * b - 4 * a * v0, 0));
  const q = -0.5 * (b + (b < 0 ? 0 - root : root));
  const first = v0 / q;
  const t = first >= 0 && first <= 1 ? first : q / a;
  const c2 = 3 * d - 2 * v0 - v1;
  const c3 = v0 + v1 - 2 * d;
  turning[0] = step.from[j]! + t * (v0 + t * (c2 + t * c3));
}

/**
 * The first joint that turns around outside its range inside the step, or -1. The cubic through
 * both ends and their rates finds the turning point.
 */
export function overshootingJoint(range: ArmRange, step: JointStep): number {
  for (let j = 0; j < 6; j++) {
    const v0 = step.fromRate[j]!;
    const v1 = step.toRate[j]!;
    if (!(v0 * v1 < 0)) continue;
    const swing = Math.abs(v0) + Math.abs(v1);
    const high = Math.max(step.from[j]!, step.to[j]!) + swing > range.max_rad[j]!;
    const low = Math.min(step.from[j]!, step.to[j]!) - swing < range.min_rad[j]!;
    if (!high && !low) continue;
    findTurning(step, j);
    const allowed = ALLOWANCE * swing - LIMIT_TOLERANCE_RAD;
    if (v0 > 0 && turning[0]! + allowed > range.max_rad[j]!) return j;
    if (v0 < 0 && turning[0]! - allowed < range.min_rad[j]!) return j;
  }
  return -1;
}
