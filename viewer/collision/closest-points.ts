/**
 * Computes the two closest points of the pair that a collision sweep found, in the robot frame (m).
 * The collision layer draws the line between them. Pure.
 */

import { BOX_CENTRE, BOX_HALF, BOX_SIZE, intoBox } from '../../physics/collision/boxes.ts';
import { closest, segmentBoxSquared, segmentsSquared } from '../../physics/collision/distance.ts';
import { type CollisionScene, TOOL_BODY } from '../../physics/collision/scene.ts';
import type { Sweep } from '../../physics/collision/sweep.ts';

export type WorldPoint = readonly [x: number, y: number, z: number];

export interface PointPair {
  /** Point on the arm's body (m). */
  readonly from_m: WorldPoint;
  /** Point on the other body or zone (m). */
  readonly to_m: WorldPoint;
}

const AXES = [0, 1, 2] as const;

function map(make: (k: number) => number): WorldPoint {
  return [make(0), make(1), make(2)];
}

function distance(a: WorldPoint, b: WorldPoint): number {
  return Math.hypot(...AXES.map((k) => b[k]! - a[k]!));
}

/** The point `distance_m` from `a` towards `b`. */
function towards(a: WorldPoint, b: WorldPoint, distance_m: number): WorldPoint {
  const length = distance(a, b);
  return length === 0 ? a : map((k) => a[k]! + (distance_m / length) * (b[k]! - a[k]!));
}

function axisPoint({ ends }: CollisionScene, body: number, share: number): WorldPoint {
  const at = 6 * body;
  return map((k) => ends[at + k]! + share * (ends[at + 3 + k]! - ends[at + k]!));
}

/** Unit direction of a body's axis. */
function axisOf(scene: CollisionScene, body: number): WorldPoint {
  return towards(
    [0, 0, 0],
    map((k) => axisPoint(scene, body, 1)[k]! - axisPoint(scene, body, 0)[k]!),
    1,
  );
}

function dot(a: WorldPoint, b: WorldPoint): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Point of a body farthest in a direction: of a capsule, or of the tool's flat cylinder. */
function farthest(scene: CollisionScene, body: number, direction: WorldPoint): WorldPoint {
  const [start, end] = [axisPoint(scene, body, 0), axisPoint(scene, body, 1)];
  const tip = dot(direction, end) > dot(direction, start) ? end : start;
  const axis = axisOf(scene, body);
  const along = body === TOOL_BODY ? dot(direction, axis) : 0;
  const out = map((k) => direction[k]! - along * axis[k]!);
  return towards(
    tip,
    map((k) => tip[k]! + out[k]!),
    scene.radius_m[body]!,
  );
}

function overGround(scene: CollisionScene, { first }: Sweep): PointPair {
  const from_m = farthest(scene, first, [0, 0, -1]);
  return { from_m, to_m: [from_m[0], from_m[1], 0] };
}

/** Point of the tool's solid cylinder nearest to a point. */
function onTool(scene: CollisionScene, point: WorldPoint): WorldPoint {
  const start = axisPoint(scene, TOOL_BODY, 0);
  const axis = axisOf(scene, TOOL_BODY);
  const away = map((k) => point[k]! - start[k]!);
  const length = distance(start, axisPoint(scene, TOOL_BODY, 1));
  const along = Math.min(Math.max(dot(away, axis), 0), length);
  const foot = map((k) => start[k]! + along * axis[k]!);
  const side = dot(away, axis);
  const across = map((k) => away[k]! - side * axis[k]!);
  const out = Math.min(distance([0, 0, 0], across), scene.radius_m[TOOL_BODY]!);
  return towards(
    foot,
    map((k) => foot[k]! + across[k]!),
    out,
  );
}

const HALVINGS = 60;

/** The point of a capsule's axis nearest to the tool: its distance falls, then rises along it. */
function nearestToTool(scene: CollisionScene, body: number): WorldPoint {
  const gap = (share: number) => {
    const point = axisPoint(scene, body, share);
    return distance(point, onTool(scene, point));
  };
  let low = 0;
  let high = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const third = (high - low) / 3;
    if (gap(low + third) > gap(high - third)) low += third;
    else high -= third;
  }
  return axisPoint(scene, body, (low + high) / 2);
}

function betweenBodies(scene: CollisionScene, { first, second }: Sweep): PointPair {
  const { ends, radius_m } = scene;
  if (second === TOOL_BODY) {
    const a = nearestToTool(scene, first);
    const to_m = onTool(scene, a);
    return { from_m: towards(a, to_m, radius_m[first]!), to_m };
  }
  segmentsSquared(ends, 6 * first, ends, 6 * second);
  const a = axisPoint(scene, first, closest.s);
  const b = axisPoint(scene, second, closest.t);
  return { from_m: towards(a, b, radius_m[first]!), to_m: towards(b, a, radius_m[second]!) };
}

/** A point of a box's own frame in the world. */
function outOfBox(box: Float64Array, at: number, p: WorldPoint): WorldPoint {
  return map((k) => {
    const turned =
      box[at + 3 * k]! * p[0] + box[at + 3 * k + 1]! * p[1] + box[at + 3 * k + 2]! * p[2];
    return turned + box[at + BOX_CENTRE + k]!;
  });
}

const local = new Float64Array(6);

function toBox(scene: CollisionScene, { first, second }: Sweep): PointPair {
  const { data } = scene.zones.keepOut;
  const at = second * BOX_SIZE;
  intoBox(scene.ends, 6 * first, data, at, local, 0);
  intoBox(scene.ends, 6 * first + 3, data, at, local, 3);
  segmentBoxSquared(local, 0, data, at + BOX_HALF);
  const a = axisPoint(scene, first, closest.s);
  const inside = map((k) => local[k]! + closest.s * (local[3 + k]! - local[k]!));
  const half = map((k) => data[at + BOX_HALF + k]!);
  const nearest = map((k) => Math.min(Math.max(inside[k]!, -half[k]!), half[k]!));
  const to_m = outOfBox(data, at, nearest);
  return { from_m: towards(a, to_m, scene.radius_m[first]!), to_m };
}

/** From the body's outermost point to the nearest face of the keep-in box. */
function toFace(scene: CollisionScene, { first, second }: Sweep): PointPair {
  const { data } = scene.zones.keepIn;
  const at = second * BOX_SIZE;
  let least: { margin_m: number; from_m: WorldPoint; to_m: WorldPoint } | null = null;
  for (const k of AXES) {
    for (const sign of [1, -1]) {
      const out = map((i) => sign * data[at + 3 * i + k]!);
      const from_m = farthest(scene, first, out);
      const offset = map((i) => from_m[i]! - data[at + BOX_CENTRE + i]!);
      const margin_m = data[at + BOX_HALF + k]! - dot(offset, out);
      const to_m = map((i) => from_m[i]! + margin_m * out[i]!);
      if (!least || margin_m < least.margin_m) least = { margin_m, from_m, to_m };
    }
  }
  return { from_m: least!.from_m, to_m: least!.to_m };
}

/** Closest points of the pair that `sweep` found, with the scene's bodies as currently placed. */
export function closestPoints(scene: CollisionScene, sweep: Sweep): PointPair {
  const methods = { plane: overGround, self: betweenBodies, keep_out: toBox, keep_in: toFace };
  return methods[sweep.kind](scene, sweep);
}
