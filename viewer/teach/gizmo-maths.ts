/**
 * The mathematics of dragging: where a sight ray meets an axis or turns about one, amounts that
 * snap, and what an amount does to a tool pose. Plain numbers, so that it can be tested without a
 * scene. Metres and radians in the robot frame. Pure.
 */
import { multiplyMatrices, quaternionToMatrix } from '../../physics/math/rotation.ts';

export type Triple = readonly [number, number, number];

/** A ray of sight through the pointer; the direction has length one. */
export interface Ray {
  readonly from: Triple;
  readonly along: Triple;
}

export type GizmoFrame = 'base' | 'tool';

/** A handle of the gizmo: what dragging it does. */
export interface Handle {
  readonly kind: 'move' | 'turn';
  /** 0, 1, 2 for x, y, z. */
  readonly axis: number;
}

/** Dragged amounts snap to these. */
const SNAP_M = 0.001;
const SNAP_RAD = Math.PI / 180;
/** A plane seen more edgewise than this (cosine) cannot be pointed at. */
const EDGEWISE = 0.08;

/** The scalar product of two triples. */
export function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function minus(a: Triple, b: Triple): Triple {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** `point` moved by `amount` along a direction. */
export function moved(point: Triple, along: Triple, amount: number): Triple {
  return [point[0] + amount * along[0], point[1] + amount * along[1], point[2] + amount * along[2]];
}

/** The axis of a handle in the robot frame: one of its own, or a column of the tool pose. */
export function axisOf(pose: ArrayLike<number>, axis: number, frame: GizmoFrame): Triple {
  if (frame === 'tool') return [pose[axis]!, pose[3 + axis]!, pose[6 + axis]!];
  return [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
}

/** Two unit vectors that stand on an axis and on each other, the third hand of a right hand. */
export function acrossOf(axis: Triple): readonly [Triple, Triple] {
  const least = Math.abs(axis[2]) < 0.9 ? ([0, 0, 1] as const) : ([1, 0, 0] as const);
  const side = cross(least, axis);
  const length = Math.sqrt(dot(side, side));
  const u: Triple = [side[0] / length, side[1] / length, side[2] / length];
  return [u, cross(axis, u)];
}

/** How far along an axis through `point` a ray comes nearest to it (m); null if parallel. */
export function alongAxis(ray: Ray, point: Triple, axis: Triple): number | null {
  const between = minus(point, ray.from);
  const parallel = dot(ray.along, axis);
  const spread = 1 - parallel * parallel;
  if (spread < 1e-4) return null;
  return (dot(between, ray.along) * parallel - dot(between, axis)) / spread;
}

/** The angle about an axis at which a ray meets the plane of its ring (rad); null if edgewise. */
export function aboutAxis(ray: Ray, centre: Triple, axis: Triple): number | null {
  const steep = dot(ray.along, axis);
  if (Math.abs(steep) < EDGEWISE) return null;
  const at = moved(ray.from, ray.along, dot(minus(centre, ray.from), axis) / steep);
  const [u, v] = acrossOf(axis);
  const out = minus(at, centre);
  return Math.atan2(dot(out, v), dot(out, u));
}

/** The turn from one angle to another, the short way round (rad). */
export function turnBetween(from_rad: number, to_rad: number): number {
  const turn = to_rad - from_rad;
  return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
}

/** An amount in whole millimetres or degrees. */
export function snapped(kind: Handle['kind'], amount: number): number {
  const step = kind === 'move' ? SNAP_M : SNAP_RAD;
  return Math.round(amount / step) * step;
}

/** A change of a tool pose: along or about an axis of the robot frame. */
export interface PoseChange {
  readonly kind: Handle['kind'];
  readonly along: Triple;
  /** Metres or radians. */
  readonly amount: number;
}

const turn = new Float64Array(9);

/** The tool pose after a change: moved along, or turned about, an axis through the tool point. */
export function changedPose(pose: Float64Array, { kind, along, amount }: PoseChange): Float64Array {
  const next = pose.slice();
  if (kind === 'move') {
    for (let i = 0; i < 3; i++) next[9 + i] = pose[9 + i]! + amount * along[i]!;
    return next;
  }
  const half = amount / 2;
  const s = Math.sin(half);
  const [x, y, z] = along;
  quaternionToMatrix({ w: Math.cos(half), x: s * x, y: s * y, z: s * z }, turn);
  multiplyMatrices(turn, 0, pose, 0, next, 0);
  return next;
}
