/** Depth of the overlap of two solids, and the extent of one along a direction. */
import { length3, type Numbers } from '../../math/vector.ts';
import { turn } from '../pose.ts';
import type { Solid } from './solids.ts';

const axes = new Float64Array(18);
const direction = new Float64Array(3);
const part = new Float64Array(3);

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

/** The direction of the least depth that the last call of `overlapDepth` went through to its end. */
export const leastDepth = new Float64Array(3);

/** The lesser one of a depth along `direction` and the least so far, whose direction it notes. */
function lesser(least: number, depth: number): number {
  if (depth >= least) return least;
  leastDepth.set(direction);
  return depth;
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
    least = lesser(least, depthAlong(a, b));
    if (least <= enough) return least;
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      setDirection(3 * i, 9 + 3 * j);
      least = lesser(least, depthAlong(a, b));
    }
  }
  if (a.solid.isRound || b.solid.isRound) {
    setAcross(a, b);
    least = lesser(least, depthAlong(a, b));
    if (!b.solid.isRound) setToEdge(a, 0, b, 9);
    else if (!a.solid.isRound) setToEdge(b, 9, a, 0);
    least = lesser(least, depthAlong(a, b));
  }
  return least;
}
