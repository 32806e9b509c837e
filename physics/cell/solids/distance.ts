/**
 * Distance of two solids, found with the Gilbert-Johnson-Keerthi (GJK) algorithm on their
 * Minkowski difference, in the frame of the second. A box without width and depth is a line, so
 * the axes of capsules are solids too.
 */

import { simplex } from '../../collision/simplex.ts';
import type { Numbers } from '../../math/vector.ts';
import type { Solid } from './solids.ts';

/** Numbers of the place of a solid in a frame: rotation row-major (9), then its centre (3). */
export const PLACE_SIZE = 12;

const ITERATIONS = 100;
/** Largest error of the distance (m). */
const TOLERANCE_M = 1e-9;

const away = new Float64Array(3);
const support = new Float64Array(3);
const difference = new Float64Array(3);

/** Writes the point of a solid at the origin that lies farthest along (x, y, z). */
function writeSupport({ isRound, half }: Solid, x: number, y: number, z: number): void {
  support[2] = z < 0 ? -half[2]! : half[2]!;
  if (!isRound) {
    support[0] = x < 0 ? -half[0]! : half[0]!;
    support[1] = y < 0 ? -half[1]! : half[1]!;
    return;
  }
  const across = Math.sqrt(x * x + y * y);
  const scale = across > 0 ? half[0]! / across : 0;
  support[0] = scale * x;
  support[1] = scale * y;
}

/** Writes the point of a minus b that lies farthest against `away`. */
function writeDifference(a: Solid, place: Numbers, b: Solid): void {
  const x = -away[0]!;
  const y = -away[1]!;
  const z = -away[2]!;
  writeSupport(
    a,
    place[0]! * x + place[3]! * y + place[6]! * z,
    place[1]! * x + place[4]! * y + place[7]! * z,
    place[2]! * x + place[5]! * y + place[8]! * z,
  );
  for (let k = 0; k < 3; k++) {
    const row = 3 * k;
    difference[k] =
      place[9 + k]! +
      place[row]! * support[0]! +
      place[row + 1]! * support[1]! +
      place[row + 2]! * support[2]!;
  }
  writeSupport(b, -x, -y, -z);
  for (let k = 0; k < 3; k++) difference[k]! -= support[k]!;
}

/**
 * Distance (m) of two solids, 0 where they meet; `place` is that of the first in the frame of the
 * second. Never more than the true distance by more than 1e-9 m. No allocation.
 */
export function solidDistance(a: Solid, place: Numbers, b: Solid): number {
  const v = simplex.nearest;
  for (let k = 0; k < 3; k++) v[k] = place[9 + k]!;
  simplex.count = 0;
  let distance = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
  let least = 0;
  for (let i = 0; i < ITERATIONS; i++) {
    if (distance <= TOLERANCE_M) return 0;
    for (let k = 0; k < 3; k++) away[k] = v[k]!;
    writeDifference(a, place, b);
    const along =
      (v[0]! * difference[0]! + v[1]! * difference[1]! + v[2]! * difference[2]!) / distance;
    if (along > least) least = along;
    if (i > 0 && distance - least <= TOLERANCE_M) return distance;
    if (!simplex.add(difference)) return 0;
    distance = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
  }
  return least;
}
