/** Collision checks of a pose and of a whole path against ground, self and zones. */
import { LINK_NAMES } from '../arm/geometry.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import type { Numbers } from '../math/rotation.ts';
import { createPathSample, type JointPath, type PathTable, samplePath } from '../motion/segment.ts';
import { approachSpeeds, type CollisionScene, placeBodies } from './scene.ts';
import { createSweep, type HitKind, type Sweep, sweepScene } from './sweep.ts';

/**
 * Check of a pose, with a message that names both parts. The margin is 1 mm (D25). §2.6, §2.7,
 * §4.7.
 */

/** Bodies nearer than this collide (m). */
export const HIT_DISTANCE_M = 0.001;

/** A collision at a pose. */
export interface PoseHit {
  readonly code: 'plane_collision' | 'self_collision' | 'object_collision';
  /** The part of the arm: `link 3` or `tool`. */
  readonly a: string;
  /** The other part: a link, `ground`, or the name of a zone. */
  readonly b: string;
  /** Distance (m); for a keep-in zone the remaining depth inside it. */
  readonly distance_m: number;
  readonly message: string;
}

const CODES: Readonly<Record<HitKind, PoseHit['code']>> = {
  plane: 'plane_collision',
  self: 'self_collision',
  keep_out: 'object_collision',
  keep_in: 'object_collision',
};

const poseSweep = createSweep();
const clearanceSweep = createSweep();
clearanceSweep.speeds.fill(1);

function nameOther(scene: CollisionScene, sweep: Sweep): string {
  if (sweep.kind === 'plane') return 'ground';
  if (sweep.kind === 'keep_out') return scene.zones.keepOut.names[sweep.second]!;
  if (sweep.kind === 'keep_in') return scene.zones.keepIn.names[sweep.second]!;
  return LINK_NAMES[scene.linkOf[sweep.second]!]!;
}

const DIGITS_MM = 10;

function inMillimetres(distance_m: number): number {
  return Math.round(distance_m * 1000 * DIGITS_MM) / DIGITS_MM;
}

function sentence(kind: HitKind, a: string, b: string, distance_m: number): string {
  const gap = `${inMillimetres(distance_m)} mm`;
  if (kind === 'plane') return `The ${a} collides with the ground (${gap} above it).`;
  if (kind === 'self') return `The ${a} collides with the ${b} (${gap} apart).`;
  if (kind === 'keep_out') return `The ${a} enters the avoidance zone "${b}" (${gap} away).`;
  return `The ${a} leaves the zone "${b}" that the robot must stay in (${gap} inside).`;
}

/** Describes the hit that a sweep ended on. */
function describeHit(scene: CollisionScene, sweep: Sweep): PoseHit {
  const a = LINK_NAMES[scene.linkOf[sweep.first]!]!;
  const b = nameOther(scene, sweep);
  return {
    code: CODES[sweep.kind],
    a,
    b,
    distance_m: sweep.distance_m,
    message: sentence(sweep.kind, a, b, sweep.distance_m),
  };
}

/**
 * Returns the first collision of the pose whose frames (of `forward`) are given, or null when it is
 * free. Order: ground, self, zones. Allocates only for a hit.
 */
export function checkPose(scene: CollisionScene, frames: Numbers): PoseHit | null {
  placeBodies(scene, frames);
  poseSweep.hit_m = HIT_DISTANCE_M;
  poseSweep.least = 0;
  return sweepScene(scene, poseSweep) ? describeHit(scene, poseSweep) : null;
}

/**
 * Smallest distance (m) of any pair that can collide at the pose; keep-in zones count with the
 * depth inside. Overlapping capsules give negative values.
 */
export function clearance(scene: CollisionScene, frames: Numbers): number {
  placeBodies(scene, frames);
  clearanceSweep.hit_m = Number.NEGATIVE_INFINITY;
  clearanceSweep.least = Number.POSITIVE_INFINITY;
  sweepScene(scene, clearanceSweep);
  return clearanceSweep.least;
}

/**
 * Continuous collision check of a path by conservative advancement: each step is as long as the
 * distances and the largest possible approach speeds allow, so it cannot tunnel through thin
 * objects. A path collides below 1 mm; no distance below 0.9 mm is skipped (D25). §2.6, §2.7.
 */

/** The nodes of a path table that its speed bound needs; six numbers a node except for s. */
interface HermiteTable {
  readonly s: Float64Array;
  readonly q: Float64Array;
  readonly q1: Float64Array;
  readonly q2: Float64Array;
}

/**
 * Raises the joint speed bounds to cover one interval of a table: the derivative of a polynomial
 * stays within the differences of its Bézier points.
 */
export function raiseSpeedBounds(path: HermiteTable, i: number, speeds: Float64Array): void {
  const width = path.s[i + 1]! - path.s[i]!;
  for (let j = 0; j < 6; j++) {
    const at = 6 * i + j;
    const p0 = path.q[at]!;
    const p5 = path.q[at + 6]!;
    const v0 = (path.q1[at]! * width) / 5;
    const v5 = (path.q1[at + 6]! * width) / 5;
    const p2 = p0 + 2 * v0 + (path.q2[at]! * width * width) / 20;
    const p3 = p5 - 2 * v5 + (path.q2[at + 6]! * width * width) / 20;
    const p1 = p0 + v0;
    const p4 = p5 - v5;
    const largest = Math.max(
      Math.abs(v0),
      Math.abs(p2 - p1),
      Math.abs(p3 - p2),
      Math.abs(p4 - p3),
      Math.abs(v5),
    );
    speeds[j] = Math.max(speeds[j]!, (5 * largest) / width);
  }
}

/**
 * Distance at which a step may end (m); the margin up to the hit distance keeps the step length
 * above zero.
 */
const STEP_DISTANCE_M = 0.0009;
/** Path table intervals that share one bound of the joint speeds. */
const BLOCK_INTERVALS = 8;

/** A collision on a path. */
export interface PathHit {
  /** Position on the path, 0..1. */
  readonly s: number;
  readonly hit: PoseHit;
}

const sweep: Sweep = createSweep();
const frames = createFrames();
const sample = createPathSample();
const jointSpeeds = new Float64Array(6);

/**
 * Advances from `from` to `to`, where `sweep.speeds` bounds the speeds; returns the position of a
 * hit or -1.
 */
function advance(scene: CollisionScene, path: JointPath, from: number, to: number): number {
  let s = from;
  for (;;) {
    samplePath(path, s, sample);
    forward(sample.q, frames);
    placeBodies(scene, frames);
    const left = to - s;
    sweep.least = left;
    if (sweepScene(scene, sweep)) return s;
    if (s >= to) return -1;
    s = sweep.least < left ? s + sweep.least : to;
  }
}

function checkLine(scene: CollisionScene, path: JointPath): number {
  samplePath(path, 0, sample);
  for (let j = 0; j < 6; j++) jointSpeeds[j] = Math.abs(sample.q1[j]!);
  approachSpeeds(scene.reach_m, jointSpeeds, sweep.speeds);
  return advance(scene, path, 0, 1);
}

function checkTable(scene: CollisionScene, path: PathTable): number {
  const intervals = path.s.length - 1;
  for (let first = 0; first < intervals; first += BLOCK_INTERVALS) {
    const end = Math.min(first + BLOCK_INTERVALS, intervals);
    jointSpeeds.fill(0);
    for (let i = first; i < end; i++) raiseSpeedBounds(path, i, jointSpeeds);
    approachSpeeds(scene.reach_m, jointSpeeds, sweep.speeds);
    const s = advance(scene, path, path.s[first]!, path.s[end]!);
    if (s >= 0) return s;
  }
  return -1;
}

/**
 * Returns the first collision along a path, or null when the path is free. Uses `scene` as scratch
 * space; the result depends only on path and scene.
 */
export function checkPath(scene: CollisionScene, path: JointPath): PathHit | null {
  sweep.hit_m = HIT_DISTANCE_M;
  sweep.bias_m = STEP_DISTANCE_M;
  const s = path.kind === 'line' ? checkLine(scene, path) : checkTable(scene, path);
  return s < 0 ? null : { s, hit: describeHit(scene, sweep) };
}
