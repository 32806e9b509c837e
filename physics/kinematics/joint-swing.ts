/**
 * Joints that leave their range between two tracked points and come back: both ends of a step say
 * nothing of it. The cubic through both ends and their rates tells, with an allowance for what the
 * cubic does not know. Apart from tracking.ts, which asks it once a step (spec §2.4).
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';

/** Share of the swing by which the true turning point may pass the cubic's. */
const ALLOWANCE = 0.02;
/** A joint that rests on its limit trembles by less than this (rad). */
const TREMBLE_RAD = 1e-9;

/** One step: joints at both ends, then their changes over it at the rate of each end. */
export interface Step {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly fromRate: Float64Array;
  readonly toRate: Float64Array;
}

/** Where joint j turns around inside the step (rad): one number. */
const turning = new Float64Array(1);

/** Turning point of the cubic of joint j, whose rates have opposite signs. */
function findTurning(step: Step, j: number): void {
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

/** First joint that turns around beyond its range inside the step, or -1. */
export function swingingJoint(step: Step): number {
  for (let j = 0; j < 6; j++) {
    const v0 = step.fromRate[j]!;
    const v1 = step.toRate[j]!;
    if (!(v0 * v1 < 0)) continue;
    const swing = Math.abs(v0) + Math.abs(v1);
    const high = Math.max(step.from[j]!, step.to[j]!) + swing > JOINT_MAX_RAD[j]!;
    const low = Math.min(step.from[j]!, step.to[j]!) - swing < JOINT_MIN_RAD[j]!;
    if (!high && !low) continue;
    findTurning(step, j);
    const allowed = ALLOWANCE * swing - TREMBLE_RAD;
    if (v0 > 0 && turning[0]! + allowed > JOINT_MAX_RAD[j]!) return j;
    if (v0 < 0 && turning[0]! - allowed < JOINT_MIN_RAD[j]!) return j;
  }
  return -1;
}
