/**
 * Geometry of the gizmo: intersection of view rays with axes and rings, snapping, changes of a tool
 * pose, and the arrows and rings as SVG paths of constant screen size. Metres and radians in the
 * robot frame; px on the screen. Pure.
 */

import { type PerspectiveCamera, Vector3 } from 'three';
import {
  fixedAxisAngles,
  fixedAxisRotation,
  multiplyMatrices,
  quaternionToMatrix,
} from '../../physics/math/rotation.ts';
import { degrees } from '../panels/value-text.ts';

/** Position (mm) and fixed-axis angles (°) of a tool pose, as displayed and typed. */
export function poseValues(pose: Float64Array): readonly number[] {
  const position = Array.from(pose.subarray(9, 12), (value) => value * 1000);
  return [...position, ...fixedAxisAngles(pose).map(degrees)];
}

/** The tool pose with those values. */
export function poseFromValues(values: readonly number[]): Float64Array {
  const pose = new Float64Array(12);
  const [rx, ry, rz] = values.slice(3).map((angle) => (angle * Math.PI) / 180);
  fixedAxisRotation(rx!, ry!, rz!, pose);
  for (let i = 0; i < 3; i++) pose[9 + i] = values[i]! / 1000;
  return pose;
}

/** Lengths on the screen (px), of a scene that is at least so high; a lower one has less space. */
const FULL_SCENE_PX = 450;
const ARROW_PX = 90;
const START_PX = 16;
const HEAD_PX = 11;
const RING_PX = 66;
const RING_POINTS = 48;
/** An arrow shorter than this on the screen points at the viewer and cannot be dragged (px). */
const SHORTEST_PX = 14;

/** Camera and size of the canvas (px). */
export interface ScreenView {
  readonly camera: PerspectiveCamera;
  readonly width: number;
  readonly height: number;
}

const probe = new Vector3();

/** Screen position of a point of the scene (px). */
export function onScreen(
  { camera, width, height }: ScreenView,
  at: Vec3,
): readonly [number, number] {
  probe.set(...at).project(camera);
  return [((probe.x + 1) / 2) * width, ((1 - probe.y) / 2) * height];
}

/** The view ray through a screen position (px). */
export function rayThrough({ camera, width, height }: ScreenView, x: number, y: number): Ray {
  probe.set((x / width) * 2 - 1, 1 - (y / height) * 2, 0.5).unproject(camera);
  const { x: ex, y: ey, z: ez } = camera.position;
  const [dx, dy, dz] = [probe.x - ex, probe.y - ey, probe.z - ez];
  const length = Math.hypot(dx, dy, dz);
  return { from: [ex, ey, ez], along: [dx / length, dy / length, dz / length] };
}

/** Metres per pixel at a point of the scene. */
function metresPerPixel({ camera, height }: ScreenView, at: Vec3): number {
  const { x, y, z } = camera.getWorldDirection(probe);
  const { position } = camera;
  const depth = dot([at[0] - position.x, at[1] - position.y, at[2] - position.z], [x, y, z]);
  return (2 * depth * Math.tan((camera.fov * Math.PI) / 360)) / height;
}

/** Metres per pixel of a handle at `centre`, in proportion in a low scene. */
function handleScale(sight: ScreenView, centre: Vec3): number {
  return metresPerPixel(sight, centre) * Math.min(1, sight.height / FULL_SCENE_PX);
}

function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** SVG path of an arrow; null if it points at the viewer. */
export function arrowPath(sight: ScreenView, centre: Vec3, axis: Vec3): string | null {
  const scale = handleScale(sight, centre);
  const [x0, y0] = onScreen(sight, translated(centre, axis, START_PX * scale));
  const [x1, y1] = onScreen(sight, translated(centre, axis, ARROW_PX * scale));
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < SHORTEST_PX) return null;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const barb = (side: 1 | -1): readonly [number, number] => [
    x1 - HEAD_PX * ux - (side * uy * HEAD_PX) / 2,
    y1 - HEAD_PX * uy + (side * ux * HEAD_PX) / 2,
  ];
  return `${line([
    [x0, y0],
    [x1, y1],
  ])}${line([barb(1), [x1, y1], barb(-1)])}Z`;
}

/** SVG paths of a ring: the half nearer to the viewer, and the far half. */
export function ringPaths(
  sight: ScreenView,
  centre: Vec3,
  axis: Vec3,
): { readonly near: string; readonly far: string } {
  const radius = RING_PX * handleScale(sight, centre);
  const [u, v] = perpendicularsOf(axis);
  const { x, y, z } = sight.camera.position;
  const towards: Vec3 = [x - centre[0], y - centre[1], z - centre[2]];
  const parts = { near: '', far: '' };
  let last: { readonly side: 'near' | 'far'; readonly at: readonly [number, number] } | null = null;
  for (let i = 0; i <= RING_POINTS; i++) {
    const angle = (2 * Math.PI * i) / RING_POINTS;
    const out = translated(translated([0, 0, 0], u, Math.cos(angle)), v, Math.sin(angle));
    const at = onScreen(sight, translated(centre, out, radius));
    const side = dot(out, towards) >= 0 ? 'near' : 'far';
    if (last) parts[last.side] += line([last.at, at]);
    last = { side, at };
  }
  return parts;
}

export type Vec3 = readonly [number, number, number];

/** View ray through the pointer; the direction has length 1. */
export interface Ray {
  readonly from: Vec3;
  readonly along: Vec3;
}

export type GizmoFrame = 'base' | 'tool';

/** A handle of the gizmo. */
export interface Handle {
  readonly kind: 'move' | 'turn';
  /** 0, 1, 2 for x, y, z. */
  readonly axis: number;
}

/** Snap steps of a drag. */
const SNAP_M = 0.001;
const SNAP_RAD = Math.PI / 180;
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

/** The amount rounded to whole millimetres or degrees. */
export function snapAmount(kind: Handle['kind'], amount: number): number {
  const step = kind === 'move' ? SNAP_M : SNAP_RAD;
  return Math.round(amount / step) * step;
}

/** A change of a tool pose along or about an axis of the robot frame. */
export interface PoseChange {
  readonly kind: Handle['kind'];
  readonly along: Vec3;
  /** Metres or radians. */
  readonly amount: number;
}

const turn = new Float64Array(9);

/** The tool pose translated along, or rotated about, an axis through the tool point. */
export function applyPoseChange(
  pose: Float64Array,
  { kind, along, amount }: PoseChange,
): Float64Array {
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
