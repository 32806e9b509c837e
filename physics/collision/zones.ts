/**
 * Boxes in flat form: avoidance zones of the wire format (corner, orientation, dimensions) and
 * obstacles (centre, half sizes) become rotation, centre, half sizes and a world-aligned bound.
 * Schema and toolpath check reject negative dimensions before anything is compiled. §2.7; D25.
 */
import type { AvoidanceZone, Vector } from '../../contract/types.ts';
import { normaliseQuaternion, type QuaternionWxyz, quaternionToMatrix } from '../math/rotation.ts';
import { assert, type Numbers } from '../math/vector.ts';

export type { AvoidanceZone };

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

/** Compiled zones: keep-out boxes, and keep-in boxes that the arm must not leave. */
export interface CompiledZones {
  readonly keepOut: Boxes;
  readonly keepIn: Boxes;
}

interface CentredBox {
  readonly centre: Readonly<Vector>;
  readonly half: Readonly<Vector>;
  readonly orientation: Readonly<QuaternionWxyz>;
}

function writeBox(box: CentredBox, data: Float64Array, at: number): void {
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

/** Centre and half sizes of a zone; its position is a corner that rotates with the box. */
function centreZone(zone: AvoidanceZone): CentredBox {
  const unit = normaliseQuaternion(zone.orientation);
  assert(unit, 'zone orientation must not be zero');
  const r = new Float64Array(9);
  quaternionToMatrix(unit, r);
  const half = {
    x: zone.dimensions.x / 2,
    y: zone.dimensions.y / 2,
    z: zone.dimensions.z / 2,
  };
  const centre = {
    x: zone.position.x + r[0]! * half.x + r[1]! * half.y + r[2]! * half.z,
    y: zone.position.y + r[3]! * half.x + r[4]! * half.y + r[5]! * half.z,
    z: zone.position.z + r[6]! * half.x + r[7]! * half.y + r[8]! * half.z,
  };
  return { centre, half, orientation: unit };
}

function compile(zones: readonly AvoidanceZone[]): Boxes {
  const data = new Float64Array(BOX_SIZE * zones.length);
  zones.forEach((zone, i) => {
    writeBox(centreZone(zone), data, i * BOX_SIZE);
  });
  return { count: zones.length, data, names: zones.map((zone) => zone.name) };
}

/** Compiles zones of the wire format; asserts that no orientation is zero. */
export function compileZones(zones: readonly AvoidanceZone[]): CompiledZones {
  return {
    keepOut: compile(zones.filter((zone) => zone.avoid === 'inside')),
    keepIn: compile(zones.filter((zone) => zone.avoid === 'outside')),
  };
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
