/**
 * The joints' software ranges as questions: inside or not, which joint leaves most, and the code
 * that says so. Small, because inverse kinematics, tracking and checks all ask it (spec §2.4).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import type { Numbers } from '../math/vector.ts';

/** Codes of spec §2.4 for a joint that would leave its range, by 0-based joint. */
export const BOUNDARY_CODES: readonly MotionError[] = [
  'j0_boundary_limit',
  'j1_boundary_limit',
  'j2_boundary_limit',
  'j3_boundary_limit',
  'j4_boundary_limit',
  'j5_boundary_limit',
];

/** How far joint j of the six at `at` lies outside its range (rad); 0 inside. */
export function excess(q: Numbers, at: number, j: number): number {
  return Math.max(JOINT_MIN_RAD[j]! - q[at + j]!, q[at + j]! - JOINT_MAX_RAD[j]!, 0);
}

/** Joint furthest outside its range, or -1 when all are inside. */
export function worstJointOutside(q: Numbers, at = 0): number {
  let worst = -1;
  let most = 0;
  for (let j = 0; j < 6; j++) {
    const size = excess(q, at, j);
    if (size > most) {
      most = size;
      worst = j;
    }
  }
  return worst;
}
