/**
 * Solutions that form a line: where two axes of roll or yaw are one, as axis 4 or 6 on axis 1, or
 * axes 4 and 6 of a spherical wrist, the two joints turn against each other and the tool stays. The complete search finds a point of each line, and this the point
 * nearest to a guess (§4.7).
 */
import { IS_SPHERICAL, JOINT_SENSE } from '../arm/arm-model.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { TWO_PI } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { createFrames, forward } from './forward.ts';
import { JOINT_WEIGHTS } from './joint-distance.ts';

/** Pairs of joints, 0-based, whose axes can be one. */
const PAIRS: readonly (readonly [number, number])[] = [
  [0, 3],
  [0, 5],
  ...(IS_SPHERICAL ? [[3, 5] as const] : []),
];
/** Distance and tilt of axes below which they are one (m, rad). */
const SAME_AXIS = 1e-7;

const frames = createFrames();
const square = (x: number) => x * x;

/** Component `k` of the z axis of the frame that starts at `at`. */
const axis = (at: number, k: number): number => frames[at + 2 + 3 * k]!;

/**
 * 1 where the axis of joint `j` is that of joint `first` and the joints turn the same way, -1 where
 * they turn against each other, 0 where the axes differ.
 */
function commonSense(first: number, j: number): number {
  const at = 12 * j + 12;
  const from = 12 * first + 12;
  let apart = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) along += axis(at, k) * axis(from, k);
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    const tilt = axis(from, l) * axis(at, m) - axis(from, m) * axis(at, l);
    const x = frames[at + 9 + l]! - frames[from + 9 + l]!;
    const y = frames[at + 9 + m]! - frames[from + 9 + m]!;
    apart = Math.max(apart, Math.abs(tilt), Math.abs(axis(from, l) * y - axis(from, m) * x));
  }
  if (apart > SAME_AXIS) return 0;
  return (along > 0 ? 1 : -1) * JOINT_SENSE[first]! * JOINT_SENSE[j]!;
}

/**
 * Moves the solution `q` along its line, if it lies on one, to the point inside the range nearest
 * to `guess`. True when it moved; `q` stays where no point of the line is inside the range.
 */
export function slideToNearest(q: Float64Array, guess: Numbers, range: ArmRange): boolean {
  forward(q, frames);
  for (const [first, partner] of PAIRS) {
    const sense = commonSense(first, partner);
    if (sense === 0) continue;
    return slide(q, { first, partner, sense, guess, range });
  }
  return false;
}

interface Line {
  readonly first: number;
  readonly partner: number;
  readonly sense: number;
  readonly guess: Numbers;
  readonly range: ArmRange;
}

/** The first joint + sense · partner is constant on the line, up to full turns. */
function slide(q: Float64Array, { first, partner, sense, guess, range }: Line): boolean {
  const total = q[first]! + sense * q[partner]!;
  const own = JOINT_WEIGHTS[first]! * JOINT_WEIGHTS[first]!;
  const weight = JOINT_WEIGHTS[partner]! * JOINT_WEIGHTS[partner]!;
  const wanted = sense * guess[partner]!;
  const ends = [sense * range.min_rad[partner]!, sense * range.max_rad[partner]!];
  let least = Number.POSITIVE_INFINITY;
  for (let turn = -1; turn <= 1; turn++) {
    const sum = total + turn * TWO_PI;
    const low = Math.max(range.min_rad[first]!, sum - Math.max(...ends));
    const high = Math.min(range.max_rad[first]!, sum - Math.min(...ends));
    if (low > high) continue;
    const free = (own * guess[first]! + weight * (sum - wanted)) / (own + weight);
    const x = Math.min(Math.max(free, low), high);
    const cost = own * square(x - guess[first]!) + weight * square(sum - x - wanted);
    if (cost >= least) continue;
    least = cost;
    q[first] = x;
    q[partner] = sense * (sum - x);
  }
  return least < Number.POSITIVE_INFINITY;
}
