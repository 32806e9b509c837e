/**
 * Rotation vectors (axis times angle, rad). Linear and spline moves turn the tool along them
 * (§2.2).
 */

import { atan2, sinCos, sincosAt } from './portable.ts';
import { matrixToQuaternion } from './rotation.ts';
import type { Numbers } from './vector.ts';

/** Below this squared angle (rad²) the series of sin(a)/a and (1 - cos(a))/a² are exact. */
const SMALL_SQUARE = 1e-8;
/** The angle and its half. */
const angles = new Float64Array(2);

/**
 * Writes the rotation vector of the shortest rotation from `a` to `b`, in outer coordinates: b =
 * exp(out) · a. At exactly half a turn both directions are valid; one is chosen.
 */
export function rotationBetween(a: Numbers, b: Numbers, out: Float64Array): void {
  const turn = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += b[3 * row + k]! * a[3 * column + k]!;
      turn[3 * row + column] = sum;
    }
  }
  const q = matrixToQuaternion(turn);
  const sine = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const scale = sine < 1e-12 ? 2 : (2 * atan2(sine, q.w)) / sine;
  out[0] = q.x * scale;
  out[1] = q.y * scale;
  out[2] = q.z * scale;
}

/**
 * Writes exp(vector) · rotation into `out` at `at`; `out` must not be `rotation`. No allocation.
 */
export function rotateByVector(
  vector: Numbers,
  rotation: Numbers,
  out: Float64Array,
  at = 0,
): void {
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const square = x * x + y * y + z * z;
  let first = 1 - square / 6;
  let second = 0.5 - square / 24;
  if (square > SMALL_SQUARE) {
    const angle = Math.sqrt(square);
    angles[0] = angle;
    angles[1] = angle / 2;
    sincosAt(angles, 0);
    first = sinCos[0]! / angle;
    sincosAt(angles, 1);
    second = (2 * sinCos[0]! * sinCos[0]!) / square;
  }
  for (let column = 0; column < 3; column++) {
    const a = rotation[column]!;
    const b = rotation[column + 3]!;
    const c = rotation[column + 6]!;
    const u = y * c - z * b;
    const v = z * a - x * c;
    const w = x * b - y * a;
    out[at + column] = a + first * u + second * (y * w - z * v);
    out[at + column + 3] = b + first * v + second * (z * u - x * w);
    out[at + column + 6] = c + first * w + second * (x * v - y * u);
  }
}
