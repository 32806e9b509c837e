/**
 * The straight line between two tool poses: position along the segment, orientation along the
 * geodesic, both proportional to s. The curve that linear moves, nudge and rotate track
 * (spec §2.2, §4.7).
 */
import { turnBetween, turnBy } from '../math/rotation-vector.ts';
import type { Numbers } from '../math/vector.ts';
import type { PoseCurve } from './tracking.ts';

/** Poses from `start` (12 numbers) straight along `travel` (m), turning by `turn` (rad vector). */
export function createLineBy(start: Numbers, travel: Numbers, turn: Numbers): PoseCurve {
  const from = Float64Array.from({ length: 12 }, (_, i) => start[i]!);
  const rates = Float64Array.of(travel[0]!, travel[1]!, travel[2]!, turn[0]!, turn[1]!, turn[2]!);
  const turned = new Float64Array(3);
  return {
    evaluate(at, pose, twist) {
      const s = at[0]!;
      for (let i = 0; i < 3; i++) turned[i] = s * rates[3 + i]!;
      turnBy(turned, from, pose);
      for (let i = 0; i < 3; i++) pose[9 + i] = from[9 + i]! + s * rates[i]!;
      for (let i = 0; i < 6; i++) twist[i] = rates[i]!;
    },
  };
}

/** Line of poses from `start` to `end` (12 numbers each), turning the short way. */
export function createLine(start: Numbers, end: Numbers): PoseCurve {
  const turn = new Float64Array(3);
  turnBetween(start, end, turn);
  const travel = [end[9]! - start[9]!, end[10]! - start[10]!, end[11]! - start[11]!];
  return createLineBy(start, travel, turn);
}
