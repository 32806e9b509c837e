/**
 * One sweep over all pairs that can collide at a pose. Pose check, clearance and path check use the
 * same sweep with different parameters: the value of a pair is (distance - bias) / speed, and a
 * pair is measured exactly only when a cheap lower bound can still beat the smallest value so far.
 */

import { BOX_HALF, BOX_HIGH, BOX_LOW, BOX_SIZE, intoBox } from './boxes.ts';
import { cylinderBoxDistance } from './cylinder-box.ts';
import { segmentBoxSquared, segmentsSquared } from './distance.ts';
import { BODY_COUNT, type CollisionScene, FIRST_MOVING_BODY, TOOL_BODY } from './scene.ts';
import { segmentCylinder } from './segment-cylinder.ts';

/** Kinds of hit, in the order of the sweep. */
export type HitKind = 'plane' | 'self' | 'keep_out' | 'keep_in';

/** Parameters and result of a sweep. */
export interface Sweep {
  /** A distance below this is a hit and ends the sweep (m). */
  hit_m: number;
  /** Subtracted from every distance before division by the speed (m). */
  bias_m: number;
  /** Approach speed of links a < b at 8 a + b; against the world a = 0. */
  readonly speeds: Float64Array;
  /** Smallest (distance - bias) / speed; the caller sets the bound below which values matter. */
  least: number;
  /** The bodies or zone of the hit, or of the smallest value. */
  kind: HitKind;
  first: number;
  second: number;
  distance_m: number;
}

/** A sweep with neither bias nor speeds, which the caller sets. */
export function createSweep(): Sweep {
  return {
    hit_m: 0,
    bias_m: 0,
    speeds: new Float64Array(64),
    least: 0,
    kind: 'plane',
    first: 0,
    second: 0,
    distance_m: 0,
  };
}

/** First link checked against the ground; base and link 1 stand on it. */
const FIRST_GROUND_LINK = 2;
/** First link that must stay inside keep-in boxes; the others cannot leave the stand. */
const FIRST_KEPT_LINK = 3;

/** Records one exact distance; true when it is a hit. */
function record(
  sweep: Sweep,
  kind: HitKind,
  first: number,
  second: number,
  distance: number,
  speed: number,
): boolean {
  const hit = distance < sweep.hit_m;
  const worth = speed > 0 ? (distance - sweep.bias_m) / speed : Number.POSITIVE_INFINITY;
  if (!hit && worth >= sweep.least) return false;
  sweep.kind = kind;
  sweep.first = first;
  sweep.second = second;
  sweep.distance_m = distance;
  if (worth < sweep.least) sweep.least = worth;
  return hit;
}

/** Distance at and above which a pair of this speed is irrelevant (m). */
function relevantDistance(sweep: Sweep, speed: number): number {
  const reach = speed > 0 ? sweep.bias_m + sweep.least * speed : 0;
  return reach > sweep.hit_m ? reach : sweep.hit_m;
}

/** Lowest point of a body above the ground (m); exact for the flat ends of a tool too. */
function groundDistance(scene: CollisionScene, body: number): number {
  const { ends } = scene;
  const z0 = ends[6 * body + 2]!;
  const z1 = ends[6 * body + 5]!;
  const low = z0 < z1 ? z0 : z1;
  const radius = scene.radius_m[body]!;
  if (body !== TOOL_BODY) return low - radius;
  return low - radius * acrossAxis(scene, 0, 0, 1);
}

/** Extent of a unit disc around the tool's axis in direction (x, y, z). */
function acrossAxis(scene: CollisionScene, x: number, y: number, z: number): number {
  const { ends } = scene;
  const at = 6 * TOOL_BODY;
  const ux = ends[at + 3]! - ends[at]!;
  const uy = ends[at + 4]! - ends[at + 1]!;
  const uz = ends[at + 5]! - ends[at + 2]!;
  const along = ux * x + uy * y + uz * z;
  const share = 1 - (along * along) / (ux * ux + uy * uy + uz * uz);
  return share > 0 ? Math.sqrt(share) : 0;
}

function sweepGround(scene: CollisionScene, sweep: Sweep): boolean {
  for (let i = 0; i < scene.bodies; i++) {
    const link = scene.linkOf[i]!;
    if (link < FIRST_GROUND_LINK) continue;
    const distance = groundDistance(scene, i);
    if (record(sweep, 'plane', i, 0, distance, sweep.speeds[link]!)) return true;
  }
  return false;
}

/** Distance of two bodies: both capsules, or a capsule and the tool. */
function bodyDistance(scene: CollisionScene, a: number, b: number, interest_m: number): number {
  const { ends, radius_m } = scene;
  const capsules =
    Math.sqrt(segmentsSquared(ends, 6 * a, ends, 6 * b)) - radius_m[a]! - radius_m[b]!;
  if (b !== TOOL_BODY || capsules >= interest_m) return capsules;
  return segmentCylinder(ends, 6 * a, ends, 6 * b, radius_m[b]!) - radius_m[a]!;
}

function sweepPairs(scene: CollisionScene, sweep: Sweep): boolean {
  const { pairs, middles, ball_m, linkOf } = scene;
  for (let p = 0; p < pairs.length; p += 2) {
    const a = pairs[p]!;
    const b = pairs[p + 1]!;
    const speed = sweep.speeds[8 * linkOf[a]! + linkOf[b]!]!;
    const limit = relevantDistance(sweep, speed);
    const x = middles[3 * a]! - middles[3 * b]!;
    const y = middles[3 * a + 1]! - middles[3 * b + 1]!;
    const z = middles[3 * a + 2]! - middles[3 * b + 2]!;
    const apart = ball_m[a]! + ball_m[b]! + limit;
    if (apart <= 0 || x * x + y * y + z * z >= apart * apart) continue;
    const distance = bodyDistance(scene, a, b, limit);
    if (distance < limit && record(sweep, 'self', a, b, distance, speed)) return true;
  }
  return false;
}

/** True when two world-aligned bounds lie at least `limit` (m) apart along some axis. */
function separated(
  bounds: Float64Array,
  body: number,
  box: Float64Array,
  at: number,
  limit: number,
): boolean {
  const b = 6 * body;
  return (
    bounds[b]! - box[at + BOX_HIGH]! >= limit ||
    box[at + BOX_LOW]! - bounds[b + 3]! >= limit ||
    bounds[b + 1]! - box[at + BOX_HIGH + 1]! >= limit ||
    box[at + BOX_LOW + 1]! - bounds[b + 4]! >= limit ||
    bounds[b + 2]! - box[at + BOX_HIGH + 2]! >= limit ||
    box[at + BOX_LOW + 2]! - bounds[b + 5]! >= limit
  );
}

const local = new Float64Array(6);

function boxDistance(scene: CollisionScene, body: number, at: number, interest_m: number): number {
  const box = scene.zones.keepOut.data;
  intoBox(scene.ends, 6 * body, box, at, local, 0);
  intoBox(scene.ends, 6 * body + 3, box, at, local, 3);
  const radius = scene.radius_m[body]!;
  const capsule = Math.sqrt(segmentBoxSquared(local, 0, box, at + BOX_HALF)) - radius;
  if (body !== TOOL_BODY || capsule >= interest_m) return capsule;
  return cylinderBoxDistance(local, radius, box, at + BOX_HALF);
}

function sweepKeepOut(scene: CollisionScene, sweep: Sweep): boolean {
  const { count, data } = scene.zones.keepOut;
  const fastest = sweep.speeds[scene.bodies > TOOL_BODY ? 7 : 6]!;
  for (let zone = 0; zone < count; zone++) {
    const at = zone * BOX_SIZE;
    if (separated(scene.bounds, BODY_COUNT, data, at, relevantDistance(sweep, fastest))) continue;
    for (let i = FIRST_MOVING_BODY; i < scene.bodies; i++) {
      const speed = sweep.speeds[scene.linkOf[i]!]!;
      const limit = relevantDistance(sweep, speed);
      if (separated(scene.bounds, i, data, at, limit)) continue;
      const distance = boxDistance(scene, i, at, limit);
      if (distance < limit && record(sweep, 'keep_out', i, zone, distance, speed)) return true;
    }
  }
  return false;
}

/** Depth of a body inside a keep-in box (m): the minimum over axes and ends. */
function depthInside(scene: CollisionScene, body: number, at: number): number {
  const box = scene.zones.keepIn.data;
  intoBox(scene.ends, 6 * body, box, at, local, 0);
  intoBox(scene.ends, 6 * body + 3, box, at, local, 3);
  let depth = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const a = Math.abs(local[k]!);
    const b = Math.abs(local[3 + k]!);
    const across =
      body === TOOL_BODY ? acrossAxis(scene, box[at + k]!, box[at + 3 + k]!, box[at + 6 + k]!) : 1;
    const margin = box[at + BOX_HALF + k]! - (a > b ? a : b) - across * scene.radius_m[body]!;
    if (margin < depth) depth = margin;
  }
  return depth;
}

function sweepKeepIn(scene: CollisionScene, sweep: Sweep): boolean {
  for (let zone = 0; zone < scene.zones.keepIn.count; zone++) {
    for (let i = 0; i < scene.bodies; i++) {
      const link = scene.linkOf[i]!;
      if (link < FIRST_KEPT_LINK) continue;
      const depth = depthInside(scene, i, zone * BOX_SIZE);
      if (record(sweep, 'keep_in', i, zone, depth, sweep.speeds[link]!)) return true;
    }
  }
  return false;
}

/**
 * Checks the ground, the arm's own pairs and the zones, in this order, for the bodies as placed in
 * the scene. Returns true at the first hit, which `sweep` then describes.
 */
export function sweepScene(scene: CollisionScene, sweep: Sweep): boolean {
  return (
    sweepGround(scene, sweep) ||
    sweepPairs(scene, sweep) ||
    sweepKeepOut(scene, sweep) ||
    sweepKeepIn(scene, sweep)
  );
}
