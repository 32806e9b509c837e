/** Distance between joints: how much of the arm each joint moves decides its weight (§4.7). */
import type { Numbers } from '../math/vector.ts';

/** Weight of each joint, the base first. */
export const JOINT_WEIGHTS = [1, 1, 0.8, 0.5, 0.5, 0.3] as const;

/** Squared distance between the six joints at `at` of `q` and `other` (rad²). */
export function squaredDistance(q: Numbers, at: number, other: Numbers): number {
  let sum = 0;
  for (let j = 0; j < 6; j++) {
    const d = JOINT_WEIGHTS[j]! * (q[at + j]! - other[j]!);
    sum += d * d;
  }
  return sum;
}
