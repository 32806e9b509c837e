/** Contact of a body of capsules with a box: nearest point, normal and signed distance. */

import { FRAME_SIZE } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';
import { boxPairContact, placeBox } from './box-pair.ts';
import { BOX_HALF, BOX_SIZE, intoBox } from './boxes.ts';
import { type CapsuleBody, placeBodyCapsule } from './capsule-body.ts';
import { closest, segmentBoxSquared } from './distance.ts';

/** Contact of a body and a box; a negative distance is penetration depth. */
export interface BoxContact {
  distance_m: number;
  /** Point of the body's surface nearest to, or deepest in, the box (world, m). */
  readonly point: Float64Array;
  /** Unit vector from the box towards the body (world). */
  readonly normal: Float64Array;
}

export function createBoxContact(): BoxContact {
  return { distance_m: 0, point: new Float64Array(3), normal: new Float64Array(3) };
}

const placed = new Float64Array(BOX_SIZE);
const pair = createBoxContact();

/** Closer than this the axis counts as inside: a root on the face may round outwards (m²). */
const TOUCH_SQUARED_M2 = 1e-18;

const world = new Float64Array(6);
const local = new Float64Array(6);
const axisPoint = new Float64Array(3);
const direction = new Float64Array(3);
const deepest = { depth: 0, share: 0, face: 0, sign: 1 };

/** Height of the axis at share t above face `f` (0..5: +x, +y, +z, -x, -y, -z); negative inside. */
function faceHeight(box: Float64Array, f: number, t: number): number {
  const k = f % 3;
  const x = local[k]! + t * (local[3 + k]! - local[k]!);
  return (f < 3 ? x : -x) - box[BOX_HALF + k]!;
}

function considerDepth(box: Float64Array, t: number): void {
  if (!(t >= 0 && t <= 1)) return;
  let top = 0;
  for (let f = 1; f < 6; f++) if (faceHeight(box, f, t) > faceHeight(box, top, t)) top = f;
  const height = faceHeight(box, top, t);
  if (height >= deepest.depth) return;
  deepest.depth = height;
  deepest.share = t;
  deepest.face = top % 3;
  deepest.sign = top < 3 ? 1 : -1;
}

/**
 * Finds the deepest point of an axis inside the box: the minimum over t of the maximum of six face
 * heights.
 */
function findDeepest(box: Float64Array): void {
  deepest.depth = Number.POSITIVE_INFINITY;
  considerDepth(box, 0);
  considerDepth(box, 1);
  for (let f = 0; f < 6; f++) {
    for (let g = f + 1; g < 6; g++) {
      const start = faceHeight(box, f, 0) - faceHeight(box, g, 0);
      const end = faceHeight(box, f, 1) - faceHeight(box, g, 1);
      if (start !== end) considerDepth(box, start / (start - end));
    }
  }
}

/**
 * Signed distance of the local axis to the box; leaves its point and direction in the box frame.
 */
function axisContact(box: Float64Array): number {
  const squared = segmentBoxSquared(local, 0, box, BOX_HALF);
  if (squared <= TOUCH_SQUARED_M2) return axisInside(box);
  const distance = Math.sqrt(squared);
  for (let k = 0; k < 3; k++) {
    const x = local[k]! + closest.s * (local[3 + k]! - local[k]!);
    const half = box[BOX_HALF + k]!;
    axisPoint[k] = x;
    direction[k] = (x - (x > half ? half : x < -half ? -half : x)) / distance;
  }
  return distance;
}

function axisInside(box: Float64Array): number {
  findDeepest(box);
  direction.fill(0);
  direction[deepest.face] = deepest.sign;
  for (let k = 0; k < 3; k++) {
    axisPoint[k] = local[k]! + deepest.share * (local[3 + k]! - local[k]!);
  }
  return deepest.depth;
}

function writeContact(box: Float64Array, radius: number, out: BoxContact): void {
  for (let row = 0; row < 3; row++) {
    let n = 0;
    let p = box[9 + row]!;
    for (let k = 0; k < 3; k++) {
      n += box[3 * row + k]! * direction[k]!;
      p += box[3 * row + k]! * (axisPoint[k]! - radius * direction[k]!);
    }
    out.normal[row] = n;
    out.point[row] = p;
  }
}

/**
 * Writes the contact of a body with a box (of `compileBox`) at the pose of `frames` into `out`. No
 * allocation.
 */
export function closestToBox(
  frames: Numbers,
  body: CapsuleBody,
  box: Float64Array,
  out: BoxContact,
): void {
  closestOfFirst(body.radius_m.length, frames, body, box, out);
}

/**
 * Writes the contact of a body with a box that gives way: what of the body is a box presses with
 * its faces, not with the capsules that fill it. No allocation.
 */
export function closestToMovable(
  frames: Numbers,
  body: CapsuleBody,
  box: Float64Array,
  out: BoxContact,
): void {
  closestOfFirst(body.loose, frames, body, box, out);
  for (let i = 0; i < body.boxes.length; i++) {
    placeBox(frames, body.frame * FRAME_SIZE, body.boxes[i]!, placed);
    boxPairContact(placed, box, pair);
    if (pair.distance_m >= out.distance_m) continue;
    out.distance_m = pair.distance_m;
    for (let k = 0; k < 3; k++) {
      out.normal[k] = pair.normal[k]!;
      out.point[k] = pair.point[k]!;
    }
  }
}

function closestOfFirst(
  count: number,
  frames: Numbers,
  body: CapsuleBody,
  box: Float64Array,
  out: BoxContact,
): void {
  out.distance_m = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    placeBodyCapsule(frames, body, i, world);
    intoBox(world, 0, box, 0, local, 0);
    intoBox(world, 3, box, 0, local, 3);
    const distance = axisContact(box) - body.radius_m[i]!;
    if (distance >= out.distance_m) continue;
    out.distance_m = distance;
    writeContact(box, body.radius_m[i]!, out);
  }
}
