/**
 * Geometry of the solids of a cell, boxes and upright cylinders: poses, lines through a solid and
 * the depth of an overlap. A pose is the centre (m) and a unit quaternion
 * w, x, y, z: seven numbers. Positions of the API are the middle of the bottom face.
 */
import type { Quaternion, Vector } from '../../contract/types.ts';
import { length3, type Numbers, normaliseQuaternion } from '../math/rotation.ts';

/** A box, or a cylinder along its z axis. */
export interface Solid {
  readonly isRound: boolean;
  /** Half sizes (m); of a cylinder radius, radius and half height. */
  readonly half: Numbers;
}

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

const lift = new Float64Array(SOLID_POSE);
lift[3] = 1;

/** The pose of a solid (its centre) whose bottom face lies at a frame. */
export function standOn(
  frame: Numbers,
  solid: Solid,
  out: Float64Array = new Float64Array(SOLID_POSE),
  at = 0,
): Float64Array {
  lift[2] = solid.half[2]!;
  compose(frame, 0, lift, 0, out, at);
  return out;
}

/** Writes the middle of the bottom face of a solid. */
export function bottomOf(solid: Solid, pose: Numbers, at: number, out: Float64Array): void {
  out[0] = 0;
  out[1] = 0;
  out[2] = -solid.half[2]!;
  turn(pose, at + 3, out, out);
  for (let k = 0; k < 3; k++) out[k]! += pose[at + k]!;
}

/** Where the last line entered and left a solid, in lengths of its direction. */
export const crossing = { enter: 0, leave: 0 };
const start = new Float64Array(3);
const way = new Float64Array(3);

function narrow(low: number, high: number): boolean {
  if (low > crossing.enter) crossing.enter = low;
  if (high < crossing.leave) crossing.leave = high;
  return crossing.enter <= crossing.leave;
}

function narrowSlab(k: number, half: number): boolean {
  const d = way[k]!;
  if (d === 0) return Math.abs(start[k]!) <= half;
  const a = (-half - start[k]!) / d;
  const b = (half - start[k]!) / d;
  return a < b ? narrow(a, b) : narrow(b, a);
}

function narrowRound(radius: number): boolean {
  const [x, y, u, v] = [start[0]!, start[1]!, way[0]!, way[1]!];
  const a = u * u + v * v;
  const c = x * x + y * y - radius * radius;
  if (a === 0) return c <= 0;
  const b = x * u + y * v;
  const d = b * b - a * c;
  if (d < 0) return false;
  const root = Math.sqrt(d);
  return narrow((-b - root) / a, (-b + root) / a);
}

/** Whether a line crosses a solid; `crossing` then says where, unbounded in both directions. */
export function crosses(
  solid: Solid,
  pose: Numbers,
  at: number,
  from: Numbers,
  direction: Numbers,
): boolean {
  for (let k = 0; k < 3; k++) start[k] = from[k]! - pose[at + k]!;
  turnBack(pose, at + 3, start, start);
  turnBack(pose, at + 3, direction, way);
  crossing.enter = Number.NEGATIVE_INFINITY;
  crossing.leave = Number.POSITIVE_INFINITY;
  const { half } = solid;
  if (!narrowSlab(2, half[2]!)) return false;
  if (solid.isRound) return narrowRound(half[0]!);
  return narrowSlab(0, half[0]!) && narrowSlab(1, half[1]!);
}

/** Whether a point lies inside a solid. */
export function contains(solid: Solid, pose: Numbers, at: number, point: Numbers): boolean {
  for (let k = 0; k < 3; k++) start[k] = point[k]! - pose[at + k]!;
  turnBack(pose, at + 3, start, start);
  const { half } = solid;
  if (Math.abs(start[2]!) > half[2]!) return false;
  if (!solid.isRound) return Math.abs(start[0]!) <= half[0]! && Math.abs(start[1]!) <= half[1]!;
  return start[0]! * start[0]! + start[1]! * start[1]! <= half[0]! * half[0]!;
}

const axes = new Float64Array(18);
const direction = new Float64Array(3);

function writeAxes(pose: Numbers, at: number, to: number): void {
  for (let k = 0; k < 3; k++) {
    part[0] = k === 0 ? 1 : 0;
    part[1] = k === 1 ? 1 : 0;
    part[2] = k === 2 ? 1 : 0;
    turn(pose, at + 3, part, part);
    for (let m = 0; m < 3; m++) axes[to + 3 * k + m] = part[m]!;
  }
}

function along(i: number): number {
  return axes[i]! * direction[0]! + axes[i + 1]! * direction[1]! + axes[i + 2]! * direction[2]!;
}

/** Half the extent along `direction` of a solid whose axes start at `at` in `axes`. */
function reach(solid: Solid, at: number): number {
  const { half, isRound } = solid;
  const z = along(at + 6);
  if (!isRound) {
    return (
      half[0]! * Math.abs(along(at)) + half[1]! * Math.abs(along(at + 3)) + half[2]! * Math.abs(z)
    );
  }
  return half[0]! * Math.sqrt(Math.max(0, 1 - z * z)) + half[2]! * Math.abs(z);
}

/** Half the extent of a solid along a world direction (unit vector). */
export function extentAlong(solid: Solid, pose: Numbers, at: number, unit: Numbers): number {
  writeAxes(pose, at, 0);
  for (let k = 0; k < 3; k++) direction[k] = unit[k]!;
  return reach(solid, 0);
}

/** A solid at a place of an array of poses. */
export interface Posed {
  readonly solid: Solid;
  readonly pose: Numbers;
  readonly at: number;
}

/** Depth of the overlap along `direction`; infinite for a direction without length. */
function depthAlong(a: Posed, b: Posed): number {
  const n = Math.sqrt(
    direction[0]! * direction[0]! + direction[1]! * direction[1]! + direction[2]! * direction[2]!,
  );
  if (n < 1e-9) return Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) direction[k]! /= n;
  let apart = 0;
  for (let k = 0; k < 3; k++) apart += direction[k]! * (b.pose[b.at + k]! - a.pose[a.at + k]!);
  return reach(a.solid, 0) + reach(b.solid, 9) - Math.abs(apart);
}

function setDirection(i: number, j: number): void {
  if (j < 0) for (let k = 0; k < 3; k++) direction[k] = axes[i + k]!;
  else {
    direction[0] = axes[i + 1]! * axes[j + 2]! - axes[i + 2]! * axes[j + 1]!;
    direction[1] = axes[i + 2]! * axes[j]! - axes[i]! * axes[j + 2]!;
    direction[2] = axes[i]! * axes[j + 1]! - axes[i + 1]! * axes[j]!;
  }
}

/** The direction from the axis of a to the axis of b across a's axis: where round sides meet. */
function setAcross(a: Posed, b: Posed): void {
  for (let k = 0; k < 3; k++) direction[k] = b.pose[b.at + k]! - a.pose[a.at + k]!;
  const z = along(6);
  for (let k = 0; k < 3; k++) direction[k]! -= z * axes[6 + k]!;
}

/** The direction from a round solid to what of a box is closest, across its axis. */
function setToEdge(round: Posed, roundAxes: number, box: Posed, boxAxes: number): void {
  for (let k = 0; k < 3; k++) part[k] = round.pose[round.at + k]! - box.pose[box.at + k]!;
  for (let k = 0; k < 3; k++) direction[k] = 0 - part[k]!;
  for (let m = 0; m < 3; m++) {
    const axis = boxAxes + 3 * m;
    const way = axes[axis]! * part[0]! + axes[axis + 1]! * part[1]! + axes[axis + 2]! * part[2]!;
    const half = box.solid.half[m]!;
    const inside = Math.min(half, Math.max(-half, way));
    for (let k = 0; k < 3; k++) direction[k]! += inside * axes[axis + k]!;
  }
  const z = along(roundAxes + 6);
  for (let k = 0; k < 3; k++) direction[k]! -= z * axes[roundAxes + 6 + k]!;
}

/** Distance of the bounding balls of two solids; negative where they overlap. */
function apartBy(a: Posed, b: Posed): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const d = a.pose[a.at + k]! - b.pose[b.at + k]!;
    squared += d * d;
  }
  const [h, g] = [a.solid.half, b.solid.half];
  return Math.sqrt(squared) - length3(h[0]!, h[1]!, h[2]!) - length3(g[0]!, g[1]!, g[2]!);
}

/** The axes of faces, upright ones first: most solids of a cell lie beside or on each other. */
const FACE_AXES = [6, 15, 0, 3, 9, 12] as const;

/**
 * Depth of the overlap of two solids (m), negative where they are apart: the least over the
 * separating axes. Exact for boxes, and for cylinders and boxes that stand upright; not for a
 * tilted cylinder beside the edge of a box. A depth of at most `enough` may be any
 * depth up to that.
 */
export function overlapDepth(a: Posed, b: Posed, enough = Number.NEGATIVE_INFINITY): number {
  const away = apartBy(a, b);
  if (-away <= enough) return -away;
  writeAxes(a.pose, a.at, 0);
  writeAxes(b.pose, b.at, 9);
  let least = Number.POSITIVE_INFINITY;
  for (const axis of FACE_AXES) {
    setDirection(axis, -1);
    least = Math.min(least, depthAlong(a, b));
    if (least <= enough) return least;
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      setDirection(3 * i, 9 + 3 * j);
      least = Math.min(least, depthAlong(a, b));
    }
  }
  if (a.solid.isRound || b.solid.isRound) {
    setAcross(a, b);
    least = Math.min(least, depthAlong(a, b));
    if (!b.solid.isRound) setToEdge(a, 0, b, 9);
    else if (!a.solid.isRound) setToEdge(b, 9, a, 0);
    least = Math.min(least, depthAlong(a, b));
  }
  return least;
}
