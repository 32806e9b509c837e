/**
 * Solids of a cell, boxes and upright cylinders: where their bottom is, and points and lines in
 * them. Positions of the API are the middle of the bottom face.
 */
import type { Numbers } from '../../math/vector.ts';
import { compose, SOLID_POSE, turn, turnBack } from '../pose.ts';

/** A box, or a cylinder along its z axis. */
export interface Solid {
  readonly isRound: boolean;
  /** Half sizes (m); of a cylinder radius, radius and half height. */
  readonly half: Numbers;
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

/** Height of the centre of a solid above its lowest point (m). */
export function heightOf({ half, isRound }: Solid, poses: Numbers, place: number): number {
  const at = place + 3;
  const w = poses[at]!;
  const x = poses[at + 1]!;
  const y = poses[at + 2]!;
  const z = poses[at + 3]!;
  const up = Math.abs(1 - 2 * (x * x + y * y));
  if (isRound) return half[0]! * Math.sqrt(Math.max(0, 1 - up * up)) + half[2]! * up;
  const along = half[0]! * Math.abs(2 * (x * z - w * y));
  return along + half[1]! * Math.abs(2 * (y * z + w * x)) + half[2]! * up;
}
