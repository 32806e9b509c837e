/** Software limits of the joints: which joint is outside, and by how much (§2.4). */
import type { ArmRange } from '../arm/arm-range.ts';
import type { Numbers } from '../math/vector.ts';

/** A joint this far outside its range counts as on its limit: numeric noise (rad). */
export const LIMIT_TOLERANCE_RAD = 1e-9;

/** Distance of joint j of the six at `at` outside its range (rad); 0 inside. */
export function rangeExcess(range: ArmRange, q: Numbers, at: number, j: number): number {
  return Math.max(range.min_rad[j]! - q[at + j]!, q[at + j]! - range.max_rad[j]!, 0);
}

/**
 * The joint farthest outside its range, or -1 when all are inside or within the tolerance of a
 * limit.
 */
export function worstJointOutside(range: ArmRange, q: Numbers, at = 0): number {
  let worst = -1;
  let most = LIMIT_TOLERANCE_RAD;
  for (let j = 0; j < 6; j++) {
    const size = rangeExcess(range, q, at, j);
    if (size > most) {
      most = size;
      worst = j;
    }
  }
  return worst;
}

/** Moves joints outside their ranges onto the limit. */
export function clampToRange(range: ArmRange, q: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    q[j] = Math.min(Math.max(q[j]!, range.min_rad[j]!), range.max_rad[j]!);
  }
}
