/**
 * Solutions that form a line: where axis 4 or axis 6 lies on axis 1, the two joints turn against
 * each other and the tool stays. The complete search finds a point of each line, and this the point
 * nearest to a guess (§4.7).
 */
import type { ArmRange } from '../arm/arm-range.ts';
import { TWO_PI } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward } from './forward.ts';
import { JOINT_WEIGHTS } from './joint-distance.ts';

/** Joints, 0-based, whose axes can lie on axis 1. */
const PARTNERS = [3, 5] as const;
/** Distance and tilt of axes below which they are one (m, rad). */
const SAME_AXIS = 1e-7;

const frames = createFrames();
const square = (x: number) => x * x;

/** 1 where the axis of joint `j` lies on axis 1, -1 where it points down there, else 0. */
function senseOnAxis1(j: number): number {
  const at = 12 * j + 12;
  const apart = Math.max(
    Math.abs(frames[at + 2]!),
    Math.abs(frames[at + 5]!),
    Math.abs(frames[at + 9]!),
    Math.abs(frames[at + 10]!),
  );
  if (apart > SAME_AXIS) return 0;
  return frames[at + 8]! > 0 ? 1 : -1;
}

/**
 * Moves the solution `q` along its line, if it lies on one, to the point inside the range nearest
 * to `guess`. True when it moved; `q` stays where no point of the line is inside the range.
 */
export function slideToNearest(q: Float64Array, guess: Numbers, range: ArmRange): boolean {
  forward(q, frames);
  for (const partner of PARTNERS) {
    const sense = senseOnAxis1(partner);
    if (sense === 0) continue;
    return slide(q, { partner, sense, guess, range });
  }
  return false;
}

interface Line {
  readonly partner: number;
  readonly sense: number;
  readonly guess: Numbers;
  readonly range: ArmRange;
}

/** q1 + sense · partner is constant on the line, up to full turns. */
function slide(q: Float64Array, { partner, sense, guess, range }: Line): boolean {
  const total = q[0]! + sense * q[partner]!;
  const own = JOINT_WEIGHTS[0] * JOINT_WEIGHTS[0];
  const weight = JOINT_WEIGHTS[partner]! * JOINT_WEIGHTS[partner]!;
  const wanted = sense * guess[partner]!;
  const ends = [sense * range.min_rad[partner]!, sense * range.max_rad[partner]!];
  let least = Number.POSITIVE_INFINITY;
  for (let turn = -1; turn <= 1; turn++) {
    const sum = total + turn * TWO_PI;
    const low = Math.max(range.min_rad[0]!, sum - Math.max(...ends));
    const high = Math.min(range.max_rad[0]!, sum - Math.min(...ends));
    if (low > high) continue;
    const free = (own * guess[0]! + weight * (sum - wanted)) / (own + weight);
    const x = Math.min(Math.max(free, low), high);
    const cost = own * square(x - guess[0]!) + weight * square(sum - x - wanted);
    if (cost >= least) continue;
    least = cost;
    q[0] = x;
    q[partner] = sense * (sum - x);
  }
  return least < Number.POSITIVE_INFINITY;
}
