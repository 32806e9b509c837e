/**
 * One sweep over all pairs that can collide at a pose. Pose check, clearance and path check use the
 * same sweep with different parameters: the value of a pair is (distance - bias) / speed, and a
 * pair is measured exactly only when a cheap lower bound can still beat the smallest value so far.
 * §2.6, §2.7. Also: exact distances between the shapes.
 */

import { clamp, type Numbers } from '../math/rotation.ts';
import { cylinderBoxDistance } from './gjk.ts';
import {
  BODY_COUNT,
  BOX_HALF,
  BOX_HIGH,
  BOX_LOW,
  BOX_SIZE,
  type CollisionScene,
  FIRST_MOVING_BODY,
  intoBox,
  TOOL_BODY,
} from './scene.ts';

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

/**
 * Exact distances between the shapes of the collision model: axis segments of capsules, oriented
 * boxes and the flat-ended cylinder of the tool. Closed forms or roots of monotone functions over
 * flat arrays, without allocation; gjk.ts handles cylinder against box. §2.6, §2.7.
 */

/** Closest points of the last distance function, as shares along the segments. */
export const closest = { s: 0, t: 0 };

/**
 * Squared distance (m²) of the segments whose six end coordinates start at a[i] and b[j]; leaves
 * the shares in `closest`.
 */
export function segmentsSquared(a: Numbers, i: number, b: Numbers, j: number): number {
  const ux = a[i + 3]! - a[i]!;
  const uy = a[i + 4]! - a[i + 1]!;
  const uz = a[i + 5]! - a[i + 2]!;
  const vx = b[j + 3]! - b[j]!;
  const vy = b[j + 4]! - b[j + 1]!;
  const vz = b[j + 5]! - b[j + 2]!;
  const wx = a[i]! - b[j]!;
  const wy = a[i + 1]! - b[j + 1]!;
  const wz = a[i + 2]! - b[j + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  closestShares(uu, uv, vv, uw, vw);
  const dx = wx + closest.s * ux - closest.t * vx;
  const dy = wy + closest.s * uy - closest.t * vy;
  const dz = wz + closest.s * uz - closest.t * vz;
  return dx * dx + dy * dy + dz * dz;
}

function share(numerator: number, denominator: number): number {
  return denominator > 0 ? clamp(numerator / denominator, 0, 1) : 0;
}

/** Minimises |w + s u - t v|² over the unit square from the dot products. */
function closestShares(uu: number, uv: number, vv: number, uw: number, vw: number): void {
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-14 * uu * vv ? clamp((uv * vw - vv * uw) / determinant, 0, 1) : 0;
  let t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (!(vv > 0) || t < 0) {
    t = 0;
    s = share(-uw, uu);
  } else if (t > 1) {
    t = 1;
    s = share(uv - uw, uu);
  }
  closest.s = s;
  closest.t = t;
}

/** Half the slope of the squared distance to the box along the segment, at share t. */
function boxSlope(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  let slope = 0;
  for (let k = 0; k < 3; k++) {
    const d = p[i + 3 + k]! - p[i + k]!;
    const x = p[i + k]! + t * d;
    const limit = half[h + k]!;
    if (x > limit) slope += d * (x - limit);
    else if (x < -limit) slope += d * (x + limit);
  }
  return slope;
}

function boxSquared(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const x = p[i + k]! + t * (p[i + 3 + k]! - p[i + k]!);
    const excess = (x < 0 ? -x : x) - half[h + k]!;
    if (excess > 0) sum += excess * excess;
  }
  return sum;
}

/**
 * Squared distance (m²) from a segment in the frame of a box to that box, 0 when they intersect;
 * leaves the share in `closest.s`. The slope along the segment is piecewise linear and never
 * decreases: its six breakpoints shrink the bracket until it is a straight line.
 */
export function segmentBoxSquared(p: Numbers, i: number, half: Numbers, h: number): number {
  let low = 0;
  let high = 1;
  let slopeLow = boxSlope(p, i, half, h, 0);
  let slopeHigh = boxSlope(p, i, half, h, 1);
  if (slopeLow >= 0) return boxSquaredAt(p, i, half, h, 0);
  if (slopeHigh <= 0) return boxSquaredAt(p, i, half, h, 1);
  for (let bend = 0; bend < 6; bend++) {
    const k = bend >> 1;
    const d = p[i + 3 + k]! - p[i + k]!;
    if (d === 0) continue;
    const limit = (bend & 1) === 0 ? half[h + k]! : -half[h + k]!;
    const t = (limit - p[i + k]!) / d;
    if (!(t > low && t < high)) continue;
    const slope = boxSlope(p, i, half, h, t);
    if (slope < 0) {
      low = t;
      slopeLow = slope;
    } else {
      high = t;
      slopeHigh = slope;
    }
  }
  const span = slopeHigh - slopeLow;
  const t = span > 0 ? low - (slopeLow * (high - low)) / span : low;
  return boxSquaredAt(p, i, half, h, t);
}

function boxSquaredAt(p: Numbers, i: number, half: Numbers, h: number, t: number): number {
  closest.s = t;
  return boxSquared(p, i, half, h, t);
}

/** The coefficients of the distance from a segment to the cylinder. */
const view = { along: 0, alongSlope: 0, length: 0, pp: 0, pd: 0, dd: 0, radius: 0 };

/**
 * Half the slope of the squared distance to the cylinder at share t, its curvature, and the squared
 * distance.
 */
const bend = { slope: 0, curvature: 0, squared: 0 };

function viewAt(t: number): void {
  const a = view.along + t * view.alongSlope;
  const axial = a < 0 ? a : Math.max(a - view.length, 0);
  bend.slope = axial * view.alongSlope;
  bend.curvature = axial === 0 ? 0 : view.alongSlope * view.alongSlope;
  bend.squared = axial * axial;
  const squared = view.pp + t * (2 * view.pd + t * view.dd);
  if (squared <= view.radius * view.radius) return;
  const distance = Math.sqrt(squared);
  const excess = distance - view.radius;
  const slope = (view.pd + t * view.dd) / distance;
  bend.slope += excess * slope;
  bend.curvature += slope * slope + (excess * (view.dd - slope * slope)) / distance;
  bend.squared += excess * excess;
}

/** Fills `view` for the segment at p[i] and the cylinder about the segment at axis[j]. */
function viewCylinder(p: Numbers, i: number, axis: Numbers, j: number, radius: number): void {
  const ux = axis[j + 3]! - axis[j]!;
  const uy = axis[j + 4]! - axis[j + 1]!;
  const uz = axis[j + 5]! - axis[j + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const x = p[i]! - axis[j]!;
  const y = p[i + 1]! - axis[j + 1]!;
  const z = p[i + 2]! - axis[j + 2]!;
  const dx = p[i + 3]! - p[i]!;
  const dy = p[i + 4]! - p[i + 1]!;
  const dz = p[i + 5]! - p[i + 2]!;
  const along = (x * ux + y * uy + z * uz) / length;
  const alongSlope = (dx * ux + dy * uy + dz * uz) / length;
  view.length = length;
  view.radius = radius;
  view.along = along;
  view.alongSlope = alongSlope;
  view.pp = Math.max(x * x + y * y + z * z - along * along, 0);
  view.pd = x * dx + y * dy + z * dz - along * alongSlope;
  view.dd = Math.max(dx * dx + dy * dy + dz * dz - alongSlope * alongSlope, 0);
}

const NEWTON_STEPS = 60;

/**
 * Distance (m) of a segment to a solid flat-ended cylinder around another segment, 0 when they
 * intersect. The squared distance is convex along the segment: safeguarded Newton finds the root of
 * its slope.
 */
export function segmentCylinder(
  p: Numbers,
  i: number,
  axis: Numbers,
  j: number,
  radius: number,
): number {
  viewCylinder(p, i, axis, j, radius);
  viewAt(0);
  if (bend.slope >= 0) return Math.sqrt(bend.squared);
  viewAt(1);
  if (bend.slope <= 0) return Math.sqrt(bend.squared);
  let low = 0;
  let high = 1;
  let t = 0.5;
  for (let step = 0; step < NEWTON_STEPS && high - low > 1e-13; step++) {
    viewAt(t);
    if (bend.slope === 0) break;
    if (bend.slope < 0) low = t;
    else high = t;
    const next = bend.curvature > 0 ? t - bend.slope / bend.curvature : -1;
    const moved = next > low && next < high ? next : 0.5 * (low + high);
    if (moved === t) break;
    t = moved;
  }
  viewAt(t);
  return Math.sqrt(bend.squared);
}
