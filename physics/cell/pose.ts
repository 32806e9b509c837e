/**
 * Poses of a cell: the centre (m) and a unit quaternion w, x, y, z, seven numbers in flat arrays.
 */

import type { Quaternion, Vector } from '../../contract/types.generated.ts';
import { normaliseQuaternion } from '../math/rotation.ts';
import type { Numbers } from '../math/vector.ts';

export const SOLID_POSE = 7;

/** Writes q · v, of the quaternion at `at` in `pose`. */
export function turn(pose: Numbers, at: number, v: Numbers, out: Float64Array): void {
  turnBy(pose[at]!, pose[at + 1]!, pose[at + 2]!, pose[at + 3]!, v, out);
}

/** Writes the vector turned back by the quaternion. */
export function turnBack(pose: Numbers, at: number, v: Numbers, out: Float64Array): void {
  turnBy(pose[at]!, -pose[at + 1]!, -pose[at + 2]!, -pose[at + 3]!, v, out);
}

function turnBy(w: number, x: number, y: number, z: number, v: Numbers, out: Float64Array): void {
  const [a, b, c] = [v[0]!, v[1]!, v[2]!];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
}

/** Writes the product of two quaternions, normalised. */
function multiply(a: Numbers, i: number, b: Numbers, j: number, out: Float64Array): void {
  const [w, x, y, z] = [a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!];
  const [W, X, Y, Z] = [b[j]!, b[j + 1]!, b[j + 2]!, b[j + 3]!];
  out[3] = w * W - x * X - y * Y - z * Z;
  out[4] = w * X + x * W + y * Z - z * Y;
  out[5] = w * Y - x * Z + y * W + z * X;
  out[6] = w * Z + x * Y - y * X + z * W;
  const n = Math.sqrt(
    out[3]! * out[3]! + out[4]! * out[4]! + out[5]! * out[5]! + out[6]! * out[6]!,
  );
  for (let k = 3; k < 7; k++) out[k]! /= n;
}

const part = new Float64Array(3);
const product = new Float64Array(SOLID_POSE);

/** Writes the pose a ∘ b: b is given in the frame of a. */
export function compose(a: Numbers, i: number, b: Numbers, j: number, out: Float64Array, at = 0) {
  part[0] = b[j]!;
  part[1] = b[j + 1]!;
  part[2] = b[j + 2]!;
  turn(a, i + 3, part, part);
  multiply(a, i + 3, b, j + 3, product);
  for (let k = 0; k < 3; k++) out[at + k] = a[i + k]! + part[k]!;
  for (let k = 3; k < 7; k++) out[at + k] = product[k]!;
}

const inverse = new Float64Array(SOLID_POSE);

/** Writes the pose of b in the frame of a. */
export function relate(a: Numbers, i: number, b: Numbers, j: number, out: Float64Array, at = 0) {
  inverse[3] = a[i + 3]!;
  for (let k = 4; k < 7; k++) inverse[k] = -a[i + k]!;
  for (let k = 0; k < 3; k++) part[k] = -a[i + k]!;
  turn(inverse, 3, part, part);
  for (let k = 0; k < 3; k++) inverse[k] = part[k]!;
  compose(inverse, 0, b, j, out, at);
}

/** A quaternion as the pose keeps it; upright when absent. */
export function unitQuaternion(q: Quaternion | undefined): [number, number, number, number] {
  const unit = q && normaliseQuaternion(q);
  return unit ? [unit.w, unit.x, unit.y, unit.z] : [1, 0, 0, 0];
}

/** The pose of a frame at a position. */
export function frameOf(position: Vector, orientation?: Quaternion): Float64Array {
  return Float64Array.of(position.x, position.y, position.z, ...unitQuaternion(orientation));
}
