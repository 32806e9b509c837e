/**
 * Straight line between two tool poses: position along the segment, orientation along the
 * geodesic, both proportional to s. Linear moves, nudge and rotate track this curve (§2.2, §4.7).
 */

import { rotateByVector, rotationBetween } from '../math/rotation-vector.ts';
import type { Numbers } from '../math/vector.ts';
import type { PoseCurve } from './tracking.ts';

/**
 * Line of poses from `start` (12 numbers) along `travel` (m), rotating by `turn` (rotation vector,
 * rad).
 */
export function createLineBy(start: Numbers, travel: Numbers, turn: Numbers): PoseCurve {
  const from = Float64Array.from({ length: 12 }, (_, i) => start[i]!);
  const rates = Float64Array.of(travel[0]!, travel[1]!, travel[2]!, turn[0]!, turn[1]!, turn[2]!);
  const turned = new Float64Array(3);
  return {
    evaluate(at, pose, twist) {
      const s = at[0]!;
      for (let i = 0; i < 3; i++) turned[i] = s * rates[3 + i]!;
      rotateByVector(turned, from, pose);
      for (let i = 0; i < 3; i++) pose[9 + i] = from[9 + i]! + s * rates[i]!;
      for (let i = 0; i < 6; i++) twist[i] = rates[i]!;
    },
  };
}

/** Line of poses from `start` to `end` (12 numbers each) with the shortest rotation. */
export function createLine(start: Numbers, end: Numbers): PoseCurve {
  const turn = new Float64Array(3);
  rotationBetween(start, end, turn);
  const travel = [end[9]! - start[9]!, end[10]! - start[10]!, end[11]! - start[11]!];
  return createLineBy(start, travel, turn);
}
