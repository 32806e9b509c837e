/**
 * Continuous collision check of a path by conservative advancement: each step is as long as the
 * distances and the largest possible approach speeds allow, so it cannot tunnel through thin
 * objects. A path collides below 1 mm; no distance below 0.9 mm is skipped (D25). §2.6, §2.7.
 */

import { createFrames, forward } from '../kinematics/forward.ts';
import {
  createPathSample,
  type JointPath,
  type PathTable,
  samplePath,
} from '../motion/joint-path.ts';
import { approachSpeeds } from './approach-speeds.ts';
import { describeHit, HIT_DISTANCE_M, type PoseHit } from './pose-check.ts';
import { type CollisionScene, placeBodies } from './scene.ts';
import { raiseSpeedBounds } from './speed-bounds.ts';
import { createSweep, type Sweep, sweepScene } from './sweep.ts';

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
