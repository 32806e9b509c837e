/**
 * Continuous collision check of a path by conservative advancement: each step is as long as the
 * distances and the largest possible approach speeds allow, so it cannot tunnel through thin
 * objects. A path collides below 1 mm; no distance below 0.9 mm is skipped (D25). §2.6, §2.7.
 */
import { createFrames, forward } from '../kinematics/forward.ts';
import { createPathSample, type JointPath, type PathTable, samplePath } from '../motion/segment.ts';
import { describeHit, HIT_DISTANCE_M, type PoseHit } from './pose-check.ts';
import { approachSpeeds, type CollisionScene, placeBodies } from './scene.ts';
import { createSweep, type Sweep, sweepScene } from './sweep.ts';

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
