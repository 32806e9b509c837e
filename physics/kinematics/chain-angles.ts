/**
 * The angles of the chain behind the angles of the joints. The closed forms know one direction and
 * one zero pose of each joint: +z or -y of its frame, and all frames parallel. An arm may count its
 * angles from elsewhere and the other way round; the default arm does neither, so that its angles
 * are those of the chain.
 */
import {
  IS_ALIGNED,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_SENSE,
  JOINT_ZERO_RAD,
} from '../arm/arm-model.ts';
import { PI, TWO_PI, wrapAngle } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';

/** Middle of the turn in which the angles of a joint are given (rad): that of its range. */
const CENTRE_RAD = Float64Array.from(JOINT_MIN_RAD, (low, j) =>
  low >= 0 - PI && JOINT_MAX_RAD[j]! <= PI ? 0 : 0.5 * (low + JOINT_MAX_RAD[j]!),
);
const ANGLES = new Float64Array(6);

/** The chain's angle of joint `j` at joint angle `angle` (rad). */
export function chainAngle(j: number, angle: number): number {
  return IS_ALIGNED ? angle : JOINT_SENSE[j]! * (angle + JOINT_ZERO_RAD[j]!);
}

/**
 * The chain's angles of the six joints from `at` of `q` (rad), from `chainStart(at)` of the result,
 * which the next call may overwrite. No allocation.
 */
export function chainAngles(q: Numbers, at: number): Numbers {
  if (IS_ALIGNED) return q;
  for (let j = 0; j < 6; j++) ANGLES[j] = JOINT_SENSE[j]! * (q[at + j]! + JOINT_ZERO_RAD[j]!);
  return ANGLES;
}

/** Where the result of `chainAngles` starts. */
export const chainStart = (at: number): number => (IS_ALIGNED ? at : 0);

/** Brings an angle of joint `j` (rad) into the turn around its range. */
export function wrapJoint(j: number, angle: number): number {
  const centre = CENTRE_RAD[j]!;
  return centre === 0 ? wrapAngle(angle) : wrapAngle(angle - centre) + centre;
}

/** The same by subtraction of whole turns. */
export function reduceJoint(j: number, angle: number): number {
  return angle - TWO_PI * Math.round((angle - CENTRE_RAD[j]!) / TWO_PI);
}

/** The angle of joint `j` in its turn at an angle of the chain (rad). */
export function jointAngle(j: number, angle: number): number {
  return IS_ALIGNED ? angle : wrapJoint(j, JOINT_SENSE[j]! * angle - JOINT_ZERO_RAD[j]!);
}

/** Turns six angles of the chain in `q` into joint angles in their turns (rad). No allocation. */
export function toJointAngles(q: Float64Array): void {
  if (IS_ALIGNED) return;
  for (let j = 0; j < 6; j++) q[j] = jointAngle(j, q[j]!);
}
