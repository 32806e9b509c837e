/**
 * Software ranges of the joints: which joint is outside, by how much, the error code that names it,
 * and joints that leave their range between two tracked points (§2.4).
 */
import type { MotionError } from '../../contract/errors.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';

/** Allowance for the true turning point beyond that of the cubic, as a share of the travel. */
const ALLOWANCE = 0.02;
/** A joint this far outside its range counts as on its limit: numeric noise (rad). */
export const LIMIT_TOLERANCE_RAD = 1e-9;

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
export function overshootingJoint(step: JointStep): number {
  for (let j = 0; j < 6; j++) {
    const v0 = step.fromRate[j]!;
    const v1 = step.toRate[j]!;
    if (!(v0 * v1 < 0)) continue;
    const swing = Math.abs(v0) + Math.abs(v1);
    const high = Math.max(step.from[j]!, step.to[j]!) + swing > JOINT_MAX_RAD[j]!;
    const low = Math.min(step.from[j]!, step.to[j]!) - swing < JOINT_MIN_RAD[j]!;
    if (!high && !low) continue;
    findTurning(step, j);
    const allowed = ALLOWANCE * swing - LIMIT_TOLERANCE_RAD;
    if (v0 > 0 && turning[0]! + allowed > JOINT_MAX_RAD[j]!) return j;
    if (v0 < 0 && turning[0]! - allowed < JOINT_MIN_RAD[j]!) return j;
  }
  return -1;
}

/** Codes of §2.4 for a joint that would leave its range, by 0-based joint. */
export const BOUNDARY_CODES: readonly MotionError[] = [
  'j0_boundary_limit',
  'j1_boundary_limit',
  'j2_boundary_limit',
  'j3_boundary_limit',
  'j4_boundary_limit',
  'j5_boundary_limit',
];

/** Distance of joint j of the six at `at` outside its range (rad); 0 inside. */
export function rangeExcess(q: Numbers, at: number, j: number): number {
  return Math.max(JOINT_MIN_RAD[j]! - q[at + j]!, q[at + j]! - JOINT_MAX_RAD[j]!, 0);
}

/**
 * The joint farthest outside its range, or -1 when all are inside or within the tolerance of a
 * limit.
 */
export function worstJointOutside(q: Numbers, at = 0): number {
  let worst = -1;
  let most = LIMIT_TOLERANCE_RAD;
  for (let j = 0; j < 6; j++) {
    const size = rangeExcess(q, at, j);
    if (size > most) {
      most = size;
      worst = j;
    }
  }
  return worst;
}

/** Moves joints outside their ranges onto the limit. */
export function clampToRange(q: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    q[j] = Math.min(Math.max(q[j]!, JOINT_MIN_RAD[j]!), JOINT_MAX_RAD[j]!);
  }
}
