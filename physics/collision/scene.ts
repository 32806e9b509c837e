/**
 * Collision scene: the arm's bodies at one pose (capsules, the tool's cylinder as body 12), their
 * bounds, the zones and the reach table that bounds approach speeds, flat for the hot loops. A
 * scene is also scratch space: it belongs to one thread and one check at a time. Also: its boxes in
 * flat form, and the distances between axis segments and boxes. §2.6, §2.7.
 */
import type { AvoidanceZone, TcpConfig, Vector } from '../../contract/types.ts';
import {
  AXIS_REACH_M,
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
  FIRST_CAPSULE,
  FLANGE_REACH,
  SELF_PAIRS,
  TOOL_LINK,
  TOOL_PAIRS,
} from '../arm/geometry.ts';
import { FLANGE_FRAME, FRAME_SIZE } from '../kinematics/forward.ts';
import {
  assert,
  clamp,
  type Numbers,
  normaliseQuaternion,
  type QuaternionWxyz,
  quaternionToMatrix,
} from '../math/rotation.ts';

/**
 * Largest distance (m) of each link's axis ends (column, 1 to 7) from each joint's axis (row), for
 * a tool with its tip at `tip` in the flange frame, or for no tool.
 */
function createReachTable(tip: Numbers | null, radius_m: number): Float64Array {
  const table = new Float64Array(6 * 8);
  for (let axis = 1; axis <= 6; axis++) {
    const reach_m = AXIS_REACH_M[axis - 1]!;
    for (let link = axis; link <= 6; link++) table[8 * (axis - 1) + link] = reach_m[link]!;
    table[8 * (axis - 1) + TOOL_LINK] = tip ? toolReach(tip, radius_m, axis) : 0;
  }
  return table;
}

/** Points of a cylinder move about its own axis, so its radius counts. */
function toolReach(tip: Numbers, radius: number, axis: number): number {
  const length = tipLength(tip);
  const flange_m = AXIS_REACH_M[axis - 1]![FLANGE_REACH]!;
  if (axis < 6) return flange_m + Math.sqrt(length * length + radius * radius);
  return Math.sqrt(tip[0]! * tip[0]! + tip[1]! * tip[1]!) + radius;
}

/** Length of a tool (m). */
function tipLength(tip: Numbers): number {
  return Math.sqrt(tip[0]! * tip[0]! + tip[1]! * tip[1]! + tip[2]! * tip[2]!);
}

/**
 * Writes the speed (m per unit of the joint speeds) at which links a < b can approach each other to
 * `out` at 8 a + b; row 0 is the speed against the world.
 */
export function approachSpeeds(table: Float64Array, speeds: Float64Array, out: Float64Array): void {
  for (let b = 1; b <= TOOL_LINK; b++) {
    let sum = 0;
    const last = b < 6 ? b : 6;
    for (let a = last - 1; a >= 0; a--) {
      sum += speeds[a]! * table[8 * a + b]!;
      out[8 * a + b] = sum;
    }
  }
}

/** The parts of a tool configuration that collision needs (§2.6). */
export type ToolShape = Pick<TcpConfig, 'offsets' | 'radius'>;

export interface SceneOptions {
  readonly tool?: ToolShape;
  readonly zones?: readonly AvoidanceZone[];
}

/** Index of the tool among the bodies; the capsules come before it. */
export const TOOL_BODY = CAPSULE_COUNT;
export const BODY_COUNT = CAPSULE_COUNT + 1;

/** A tool shorter than this has no body (m). */
const TOOL_LENGTH_MIN_M = 1e-6;

export interface CollisionScene {
  /** Tip of the tool in the flange frame (m), or null without a tool body. */
  readonly tip_m: Float64Array | null;
  readonly zones: CompiledZones;
  /** Number of bodies, with or without the tool. */
  readonly bodies: number;
  readonly linkOf: Int32Array;
  readonly radius_m: Float64Array;
  /** Radius of the bounding ball around a body's middle. */
  readonly ball_m: Float64Array;
  /** Reach table, see `createReachTable`. */
  readonly reach_m: Float64Array;
  /** Pairs of bodies that can meet, two numbers a pair. */
  readonly pairs: Int32Array;
  /** Both axis ends of each body in the world (m), six numbers a body. */
  readonly ends: Float64Array;
  readonly middles: Float64Array;
  /** World-aligned bounds, low then high, six numbers a body; and of all moving bodies last. */
  readonly bounds: Float64Array;
}

function bodyPairs(hasTool: boolean): Int32Array {
  const pairs: number[] = [];
  for (const [a, b] of SELF_PAIRS) {
    for (let i = FIRST_CAPSULE[a]!; i < FIRST_CAPSULE[a + 1]!; i++) {
      for (let j = FIRST_CAPSULE[b]!; j < FIRST_CAPSULE[b + 1]!; j++) pairs.push(i, j);
    }
  }
  if (hasTool) {
    for (let i = 0; i < CAPSULE_COUNT; i++) {
      if (TOOL_PAIRS.includes(CAPSULE_LINK[i]!)) pairs.push(i, TOOL_BODY);
    }
  }
  return Int32Array.from(pairs);
}

function balls(tip: Float64Array | null, radius: Float64Array): Float64Array {
  const out = new Float64Array(BODY_COUNT);
  const e = CAPSULE_ENDS_M;
  for (let i = 0; i < CAPSULE_COUNT; i++) {
    const x = e[6 * i + 3]! - e[6 * i]!;
    const y = e[6 * i + 4]! - e[6 * i + 1]!;
    const z = e[6 * i + 5]! - e[6 * i + 2]!;
    out[i] = 0.5 * Math.sqrt(x * x + y * y + z * z) + radius[i]!;
  }
  out[TOOL_BODY] = tip ? 0.5 * tipLength(tip) + radius[TOOL_BODY]! : 0;
  return out;
}

/** Compiles tool and zones into a scene; without them it holds the arm and the ground. */
export function createCollisionScene(options: SceneOptions = {}): CollisionScene {
  const offsets = options.tool?.offsets;
  const offered = offsets && Float64Array.of(offsets.x, offsets.y, offsets.z);
  const tip = offered && tipLength(offered) >= TOOL_LENGTH_MIN_M ? offered : null;
  const radius = new Float64Array(BODY_COUNT);
  radius.set(CAPSULE_RADIUS_M);
  radius[TOOL_BODY] = tip ? options.tool!.radius : 0;
  const linkOf = new Int32Array(BODY_COUNT);
  linkOf.set(CAPSULE_LINK);
  linkOf[TOOL_BODY] = TOOL_LINK;
  return {
    tip_m: tip,
    zones: compileZones(options.zones ?? []),
    bodies: tip ? BODY_COUNT : CAPSULE_COUNT,
    linkOf,
    radius_m: radius,
    ball_m: balls(tip, radius),
    reach_m: createReachTable(tip, radius[TOOL_BODY]!),
    pairs: bodyPairs(tip !== null),
    ends: new Float64Array(6 * BODY_COUNT),
    middles: new Float64Array(3 * BODY_COUNT),
    bounds: new Float64Array(6 * (BODY_COUNT + 1)),
  };
}

/** Writes the world coordinates of a point of a frame. */
function writeWorldPoint(
  f: Numbers,
  at: number,
  p: Numbers,
  i: number,
  out: Float64Array,
  o: number,
): void {
  const x = p[i]!;
  const y = p[i + 1]!;
  const z = p[i + 2]!;
  out[o] = f[at]! * x + f[at + 1]! * y + f[at + 2]! * z + f[at + 9]!;
  out[o + 1] = f[at + 3]! * x + f[at + 4]! * y + f[at + 5]! * z + f[at + 10]!;
  out[o + 2] = f[at + 6]! * x + f[at + 7]! * y + f[at + 8]! * z + f[at + 11]!;
}

/** Writes the axis ends of one capsule at the pose of `frames` into `out` (six numbers). */
export function placeCapsule(
  frames: Numbers,
  capsule: number,
  out: Float64Array,
  at: number,
): void {
  const frame = CAPSULE_LINK[capsule]! * FRAME_SIZE;
  writeWorldPoint(frames, frame, CAPSULE_ENDS_M, 6 * capsule, out, at);
  writeWorldPoint(frames, frame, CAPSULE_ENDS_M, 6 * capsule + 3, out, at + 3);
}

/** Places every body of the scene at the pose of `frames` (of `forward`). */
export function placeBodies(scene: CollisionScene, frames: Numbers): void {
  const ends = scene.ends;
  for (let i = 0; i < CAPSULE_COUNT; i++) placeCapsule(frames, i, ends, 6 * i);
  if (scene.tip_m) {
    const flange = FLANGE_FRAME * FRAME_SIZE;
    for (let k = 0; k < 3; k++) ends[6 * TOOL_BODY + k] = frames[flange + 9 + k]!;
    writeWorldPoint(frames, flange, scene.tip_m, 0, ends, 6 * TOOL_BODY + 3);
  }
  for (let i = 0; i < scene.bodies; i++) {
    for (let k = 0; k < 3; k++) {
      scene.middles[3 * i + k] = 0.5 * (ends[6 * i + k]! + ends[6 * i + 3 + k]!);
    }
  }
  if (scene.zones.keepOut.count > 0) boundBodies(scene);
}

/** First body checked against keep-out boxes; the base is exempt. */
export const FIRST_MOVING_BODY = FIRST_CAPSULE[1]!;

function boundBodies(scene: CollisionScene): void {
  const { ends, bounds } = scene;
  const whole = 6 * BODY_COUNT;
  for (let k = 0; k < 3; k++) {
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = FIRST_MOVING_BODY; i < scene.bodies; i++) {
      const a = ends[6 * i + k]!;
      const b = ends[6 * i + 3 + k]!;
      const r = scene.radius_m[i]!;
      const low = (a < b ? a : b) - r;
      const high = (a < b ? b : a) + r;
      bounds[6 * i + k] = low;
      bounds[6 * i + 3 + k] = high;
      if (low < lowest) lowest = low;
      if (high > highest) highest = high;
    }
    bounds[whole + k] = lowest;
    bounds[whole + 3 + k] = highest;
  }
}

/**
 * Boxes in flat form: avoidance zones of the wire format (corner, orientation, dimensions) and
 * obstacles (centre, half sizes) become rotation, centre, half sizes and a world-aligned bound.
 * Schema and toolpath check reject negative dimensions before anything is compiled. §2.7; D25.
 */

export type { AvoidanceZone };

/** Numbers of one box: rotation (9), centre (3), half sizes (3), bound low (3) and high (3). */
export const BOX_SIZE = 21;
export const BOX_CENTRE = 9;
export const BOX_HALF = 12;
export const BOX_LOW = 15;
export const BOX_HIGH = 18;

/** Boxes, contiguous, BOX_SIZE numbers each. */
export interface Boxes {
  readonly count: number;
  readonly data: Float64Array;
  readonly names: readonly string[];
}

/** Compiled zones: keep-out boxes, and keep-in boxes that the arm must not leave. */
export interface CompiledZones {
  readonly keepOut: Boxes;
  readonly keepIn: Boxes;
}

interface CentredBox {
  readonly centre: Readonly<Vector>;
  readonly half: Readonly<Vector>;
  readonly orientation: Readonly<QuaternionWxyz>;
}

function writeBox(box: CentredBox, data: Float64Array, at: number): void {
  const unit = normaliseQuaternion(box.orientation);
  assert(unit, 'box orientation must not be zero');
  quaternionToMatrix(unit, data, at);
  const centre = [box.centre.x, box.centre.y, box.centre.z];
  const half = [box.half.x, box.half.y, box.half.z];
  for (let k = 0; k < 3; k++) {
    data[at + BOX_CENTRE + k] = centre[k]!;
    data[at + BOX_HALF + k] = half[k]!;
    let extent = 0;
    for (let m = 0; m < 3; m++) extent += Math.abs(data[at + 3 * k + m]!) * half[m]!;
    data[at + BOX_LOW + k] = centre[k]! - extent;
    data[at + BOX_HIGH + k] = centre[k]! + extent;
  }
}

/** Compiles a box from its centre and half sizes (m), the form of obstacles. */
export function compileBox(box: CentredBox): Float64Array {
  const data = new Float64Array(BOX_SIZE);
  writeBox(box, data, 0);
  return data;
}

/** Centre and half sizes of a zone; its position is a corner that rotates with the box. */
function centreZone(zone: AvoidanceZone): CentredBox {
  const unit = normaliseQuaternion(zone.orientation);
  assert(unit, 'zone orientation must not be zero');
  const r = new Float64Array(9);
  quaternionToMatrix(unit, r);
  const half = {
    x: zone.dimensions.x / 2,
    y: zone.dimensions.y / 2,
    z: zone.dimensions.z / 2,
  };
  const centre = {
    x: zone.position.x + r[0]! * half.x + r[1]! * half.y + r[2]! * half.z,
    y: zone.position.y + r[3]! * half.x + r[4]! * half.y + r[5]! * half.z,
    z: zone.position.z + r[6]! * half.x + r[7]! * half.y + r[8]! * half.z,
  };
  return { centre, half, orientation: unit };
}

function compile(zones: readonly AvoidanceZone[]): Boxes {
  const data = new Float64Array(BOX_SIZE * zones.length);
  zones.forEach((zone, i) => {
    writeBox(centreZone(zone), data, i * BOX_SIZE);
  });
  return { count: zones.length, data, names: zones.map((zone) => zone.name) };
}

/** Compiles zones of the wire format; asserts that no orientation is zero. */
export function compileZones(zones: readonly AvoidanceZone[]): CompiledZones {
  return {
    keepOut: compile(zones.filter((zone) => zone.avoid === 'inside')),
    keepIn: compile(zones.filter((zone) => zone.avoid === 'outside')),
  };
}

/** Writes a world point into the frame of the box at `b`. */
export function intoBox(
  p: Numbers,
  i: number,
  box: Float64Array,
  b: number,
  out: Float64Array,
  at: number,
): void {
  const x = p[i]! - box[b + BOX_CENTRE]!;
  const y = p[i + 1]! - box[b + BOX_CENTRE + 1]!;
  const z = p[i + 2]! - box[b + BOX_CENTRE + 2]!;
  out[at] = box[b]! * x + box[b + 3]! * y + box[b + 6]! * z;
  out[at + 1] = box[b + 1]! * x + box[b + 4]! * y + box[b + 7]! * z;
  out[at + 2] = box[b + 2]! * x + box[b + 5]! * y + box[b + 8]! * z;
}

/**
 * Exact distances between the shapes of the collision model: axis segments of capsules and oriented
 * boxes. Closed forms or roots of monotone functions over flat arrays, without allocation;
 * cylinder.ts handles the flat-ended cylinder of the tool.
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
