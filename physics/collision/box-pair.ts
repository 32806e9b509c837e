/**
 * Contact of two boxes by their separating axes: depth, normal and the middle of where they press
 * on each other. Two flat faces that touch press all over; capsules that fill a box would leave
 * valleys between them.
 */

import { length3, type Numbers } from '../math/vector.ts';
import type { BoxContact } from './box-contact.ts';
import { BOX_CENTRE, BOX_HALF } from './boxes.ts';

/** A cross product of two edges shorter than this has no direction: they are parallel. */
const PARALLEL = 1e-6;
/** Edges decide only where they are less deep than the faces by this (m): rounding must not. */
const EDGE_M = 1e-6;

const between = new Float64Array(3);
const axis = new Float64Array(3);
const normal = new Float64Array(3);
const corner = new Float64Array(3);
const sum = new Float64Array(3);
/** The least depth so far, and which axis has it: a face of a (0), of b (1), or edges (2). */
const least = { depth_m: 0, of: 0, edgeA: 0, edgeB: 0 };

/** Half the extent of a box along `axis`. */
function reach(box: Float64Array): number {
  let size = 0;
  for (let k = 0; k < 3; k++) size += Math.abs(along(box, k)) * box[BOX_HALF + k]!;
  return size;
}

/** How much of axis `k` of a box points along `axis`. */
function along(box: Float64Array, k: number): number {
  return box[k]! * axis[0]! + box[3 + k]! * axis[1]! + box[6 + k]! * axis[2]!;
}

/** Takes `axis`, of unit length, where the boxes overlap less along it than by `slack_m` more. */
function consider(a: Float64Array, b: Float64Array, of: number, slack_m: number): boolean {
  const away = axis[0]! * between[0]! + axis[1]! * between[1]! + axis[2]! * between[2]!;
  const depth = reach(a) + reach(b) - Math.abs(away);
  if (depth >= least.depth_m - slack_m) return false;
  least.depth_m = depth;
  least.of = of;
  const sign = away < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) normal[k] = sign * axis[k]!;
  return true;
}

/** Finds the axis of the least depth; `normal` then points from b to a. */
function separate(a: Float64Array, b: Float64Array): void {
  for (let k = 0; k < 3; k++) between[k] = a[BOX_CENTRE + k]! - b[BOX_CENTRE + k]!;
  least.depth_m = Number.POSITIVE_INFINITY;
  for (let of = 0; of < 2; of++) {
    for (let face = 0; face < 3; face++) {
      for (let k = 0; k < 3; k++) axis[k] = (of === 0 ? a : b)[3 * k + face]!;
      consider(a, b, of, 0);
    }
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) {
        const [y, z] = [(k + 1) % 3, (k + 2) % 3];
        axis[k] = a[3 * y + i]! * b[3 * z + j]! - a[3 * z + i]! * b[3 * y + j]!;
      }
      const size = length3(axis[0]!, axis[1]!, axis[2]!);
      if (size < PARALLEL) continue;
      for (let k = 0; k < 3; k++) axis[k]! /= size;
      if (!consider(a, b, 2, EDGE_M)) continue;
      least.edgeA = i;
      least.edgeB = j;
    }
  }
}

/** Writes corner `n` (0 to 7) of a box. */
function writeCorner(box: Float64Array, n: number): void {
  for (let k = 0; k < 3; k++) {
    let at = box[BOX_CENTRE + k]!;
    for (let m = 0; m < 3; m++)
      at += box[3 * k + m]! * box[BOX_HALF + m]! * (n & (1 << m) ? 1 : -1);
    corner[k] = at;
  }
}

/** Moves `corner` into a box, to the nearest of its points. */
function clampInto(box: Float64Array): void {
  for (let m = 0; m < 3; m++) {
    let way = 0;
    for (let k = 0; k < 3; k++) way += box[3 * k + m]! * (corner[k]! - box[BOX_CENTRE + k]!);
    const half = box[BOX_HALF + m]!;
    const by = Math.min(half, Math.max(-half, way)) - way;
    for (let k = 0; k < 3; k++) corner[k]! += by * box[3 * k + m]!;
  }
}

/** Height of the face of a box along `normal` · `sign` (m). */
function faceHeight(box: Float64Array, sign: number): number {
  for (let k = 0; k < 3; k++) axis[k] = sign * normal[k]!;
  let height = reach(box);
  for (let k = 0; k < 3; k++) height += axis[k]! * box[BOX_CENTRE + k]!;
  return height;
}

/** The mean of the corners of `pressed` beneath the face of `flat`, weighted by their depths. */
function meanCorner(flat: Float64Array, pressed: Float64Array, sign: number): void {
  const height = faceHeight(flat, sign);
  sum.fill(0);
  let weight = 0;
  for (let n = 0; n < 8; n++) {
    writeCorner(pressed, n);
    let depth = height;
    for (let k = 0; k < 3; k++) depth -= sign * normal[k]! * corner[k]!;
    if (depth <= 0) continue;
    clampInto(flat);
    for (let k = 0; k < 3; k++) sum[k]! += depth * corner[k]!;
    weight += depth;
  }
  if (weight === 0) return;
  for (let k = 0; k < 3; k++) corner[k] = sum[k]! / weight;
}

/** The middle of the edge of a box along its axis `edge` that is farthest along `normal` · `sign`. */
function edgeMiddle(box: Float64Array, edge: number, sign: number): void {
  for (let k = 0; k < 3; k++) axis[k] = sign * normal[k]!;
  for (let k = 0; k < 3; k++) corner[k] = box[BOX_CENTRE + k]!;
  for (let m = 0; m < 3; m++) {
    if (m === edge) continue;
    const by = along(box, m) > 0 ? box[BOX_HALF + m]! : -box[BOX_HALF + m]!;
    for (let k = 0; k < 3; k++) corner[k]! += by * box[3 * k + m]!;
  }
}

/** Where two edges that press on each other cross: the nearest point on that of `a`. */
function crossEdges(a: Float64Array, b: Float64Array): void {
  const { edgeA, edgeB } = least;
  edgeMiddle(b, edgeB, 1);
  for (let k = 0; k < 3; k++) sum[k] = corner[k]!;
  edgeMiddle(a, edgeA, -1);
  let [across, p, q] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [u, v, apart] = [a[3 * k + edgeA]!, b[3 * k + edgeB]!, sum[k]! - corner[k]!];
    across += u * v;
    p += u * apart;
    q += v * apart;
  }
  const by = (p - across * q) / (1 - across * across);
  for (let k = 0; k < 3; k++) corner[k]! += by * a[3 * k + edgeA]!;
}

/**
 * Writes the contact of box `a` with box `b` (both of `compileBox`) into `out`: the distance, below
 * zero where they overlap, else at most the true one; then normal and point mean nothing. The
 * normal points from b to a. No allocation.
 */
export function boxPairContact(a: Float64Array, b: Float64Array, out: BoxContact): void {
  separate(a, b);
  out.distance_m = -least.depth_m;
  if (least.depth_m < 0) return;
  if (least.of === 0) meanCorner(a, b, -1);
  else if (least.of === 1) meanCorner(b, a, 1);
  else crossEdges(a, b);
  for (let k = 0; k < 3; k++) {
    out.normal[k] = normal[k]!;
    out.point[k] = corner[k]!;
  }
}

/** Places a box (of `compileBox`, in the frame at `at` of `frames`) in the world, without bounds. */
export function placeBox(frames: Numbers, at: number, own: Float64Array, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    const r = at + 3 * row;
    for (let k = 0; k < 3; k++) {
      out[3 * row + k] =
        frames[r]! * own[k]! + frames[r + 1]! * own[3 + k]! + frames[r + 2]! * own[6 + k]!;
    }
    out[BOX_CENTRE + row] =
      frames[at + 9 + row]! +
      frames[r]! * own[BOX_CENTRE]! +
      frames[r + 1]! * own[BOX_CENTRE + 1]! +
      frames[r + 2]! * own[BOX_CENTRE + 2]!;
    out[BOX_HALF + row] = own[BOX_HALF + row]!;
  }
}
