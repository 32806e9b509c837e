/**
 * Geometry of the gizmo: intersection of view rays with axes and rings, and changes of a tool
 * pose. Metres and radians in the robot frame. Pure.
 */
import { multiplyMatrices, quaternionToMatrix } from '../../../physics/math/rotation.ts';

export type Vec3 = readonly [number, number, number];

/** View ray through the pointer; the direction has length 1. */
export interface Ray {
  readonly from: Vec3;
  readonly along: Vec3;
}

export type GizmoFrame = 'base' | 'tool';

/** A plane seen at a smaller cosine than this is too edge-on to be dragged in. */
const EDGEWISE = 0.08;

/** Dot product. */
export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** `point` translated by `amount` along a direction. */
export function translated(point: Vec3, along: Vec3, amount: number): Vec3 {
  return [point[0] + amount * along[0], point[1] + amount * along[1], point[2] + amount * along[2]];
}

/** Axis of a handle in the robot frame: a base axis, or a column of the tool pose. */
export function axisOf(pose: ArrayLike<number>, axis: number, frame: GizmoFrame): Vec3 {
  if (frame === 'tool') return [pose[axis]!, pose[3 + axis]!, pose[6 + axis]!];
  return [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
}

/** Two unit vectors perpendicular to an axis and to each other, right-handed. */
export function perpendicularsOf(axis: Vec3): readonly [Vec3, Vec3] {
  const least = Math.abs(axis[2]) < 0.9 ? ([0, 0, 1] as const) : ([1, 0, 0] as const);
  const side = cross(least, axis);
  const length = Math.sqrt(dot(side, side));
  const u: Vec3 = [side[0] / length, side[1] / length, side[2] / length];
  return [u, cross(axis, u)];
}

/** Distance along an axis through `point` to its closest point to a ray (m); null if parallel. */
export function alongAxis(ray: Ray, point: Vec3, axis: Vec3): number | null {
  const between = minus(point, ray.from);
  const parallel = dot(ray.along, axis);
  const spread = 1 - parallel * parallel;
  if (spread < 1e-4) return null;
  return (dot(between, ray.along) * parallel - dot(between, axis)) / spread;
}

/** Angle about an axis where a ray meets the plane of its ring (rad); null if edge-on. */
export function aboutAxis(ray: Ray, centre: Vec3, axis: Vec3): number | null {
  const steep = dot(ray.along, axis);
  if (Math.abs(steep) < EDGEWISE) return null;
  const at = translated(ray.from, ray.along, dot(minus(centre, ray.from), axis) / steep);
  const [u, v] = perpendicularsOf(axis);
  const out = minus(at, centre);
  return Math.atan2(dot(out, v), dot(out, u));
}

/** The turn from one angle to another in the shorter direction (rad). */
export function turnBetween(from_rad: number, to_rad: number): number {
  const turn = to_rad - from_rad;
  return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
}

/** The tool pose translated by `amount` (m). */
export function movedPose(pose: Float64Array, along: Vec3, amount: number): Float64Array {
  const next = pose.slice();
  for (let i = 0; i < 3; i++) next[9 + i] = pose[9 + i]! + amount * along[i]!;
  return next;
}

const turn = new Float64Array(9);

/** The tool pose rotated by `amount` (rad) about an axis through the tool point. */
export function turnedPose(pose: Float64Array, along: Vec3, amount: number): Float64Array {
  const next = pose.slice();
  const half = amount / 2;
  const s = Math.sin(half);
  const [x, y, z] = along;
  quaternionToMatrix({ w: Math.cos(half), x: s * x, y: s * y, z: s * z }, turn);
  multiplyMatrices(turn, 0, pose, 0, next, 0);
  return next;
}
