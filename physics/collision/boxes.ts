/**
 * Boxes in flat form, of avoidance zones and of obstacles (centre, half sizes): rotation, centre,
 * half sizes and a world-aligned bound.
 */
import type { Vector } from '../../contract/types.generated.ts';
import { assert } from '../math/assert.ts';
import { normaliseQuaternion, type QuaternionWxyz, quaternionToMatrix } from '../math/rotation.ts';
import type { Numbers } from '../math/vector.ts';

/** Numbers of one box: rotation (9), centre (3), half sizes (3), bound low (3) and high (3). */
export const BOX_SIZE = 21;
export const BOX_CENTRE = 9;
export const BOX_HALF = 12;
export const BOX_LOW = 15;
export const BOX_HIGH = 18;

/** Boxes, contiguous, BOX_SIZE numbers each. */
export interface Boxes {
  readonly count: number;
  readonly data: Float64Array;
  readonly names: readonly string[];
}

export interface CentredBox {
  readonly centre: Readonly<Vector>;
  readonly half: Readonly<Vector>;
  readonly orientation: Readonly<QuaternionWxyz>;
}

export function writeBox(box: CentredBox, data: Float64Array, at: number): void {
  const unit = normaliseQuaternion(box.orientation);
  assert(unit, 'box orientation must not be zero');
  quaternionToMatrix(unit, data, at);
  const centre = [box.centre.x, box.centre.y, box.centre.z];
  const half = [box.half.x, box.half.y, box.half.z];
  for (let k = 0; k < 3; k++) {
    data[at + BOX_CENTRE + k] = centre[k]!;
    data[at + BOX_HALF + k] = half[k]!;
    let extent = 0;
    for (let m = 0; m < 3; m++) extent += Math.abs(data[at + 3 * k + m]!) * half[m]!;
    data[at + BOX_LOW + k] = centre[k]! - extent;
    data[at + BOX_HIGH + k] = centre[k]! + extent;
  }
}

/** Compiles a box from its centre and half sizes (m), the form of obstacles. */
export function compileBox(box: CentredBox): Float64Array {
  const data = new Float64Array(BOX_SIZE);
  writeBox(box, data, 0);
  return data;
}

/** Writes a world point into the frame of the box at `b`. */
export function intoBox(
  p: Numbers,
  i: number,
  box: Float64Array,
  b: number,
  out: Float64Array,
  at: number,
): void {
  const x = p[i]! - box[b + BOX_CENTRE]!;
  const y = p[i + 1]! - box[b + BOX_CENTRE + 1]!;
  const z = p[i + 2]! - box[b + BOX_CENTRE + 2]!;
  out[at] = box[b]! * x + box[b + 3]! * y + box[b + 6]! * z;
  out[at + 1] = box[b + 1]! * x + box[b + 4]! * y + box[b + 7]! * z;
  out[at + 2] = box[b + 2]! * x + box[b + 5]! * y + box[b + 8]! * z;
}
