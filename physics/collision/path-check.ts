/**
 * Whether a path collides anywhere, by conservative advancement: each step is as long as the
 * distances and the greatest possible approach speeds allow, so nothing thin is passed through.
 * A path is hit below 1 mm; nothing below 0.9 mm is skipped (decision D25). Spec §2.6, §2.7.
 */
import { createFrames, forward } from '../kinematics/forward.ts';
import { createPathSample, type JointPath, type PathTable, samplePath } from '../motion/path.ts';
import { approachSpeeds } from './approach.ts';
import { describeHit, HIT_DISTANCE_M, type PoseHit } from './pose-check.ts';
import { type CollisionScene, placeBodies } from './scene.ts';
import { createSweep, type Sweep, sweepScene } from './sweep.ts';
import { boundInterval } from './table-speeds.ts';

/** A step may end this near; the rest up to the hit distance keeps the steps from vanishing (m). */
const STEP_DISTANCE_M = 0.0009;
/** Intervals of a path table that share one bound of the joint speeds. */
const BLOCK_INTERVALS = 8;

/** A collision on a path. */
export interface PathHit {
  /** Place on the path, 0..1. */
  readonly s: number;
  readonly hit: PoseHit;
}

const sweep: Sweep = createSweep();
const frames = createFrames();
const sample = createPathSample();
const jointSpeeds = new Float64Array(6);

/** Advances from `from` to `to`, where the joint speeds are bounded; the place of a hit or -1. */
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
    for (let i = first; i < end; i++) boundInterval(path, i, jointSpeeds);
    approachSpeeds(scene.reach_m, jointSpeeds, sweep.speeds);
    const s = advance(scene, path, path.s[first]!, path.s[end]!);
    if (s >= 0) return s;
  }
  return -1;
}

/**
 * The first collision along a path, or null when all of it is free. `scene` is used as scratch
 * space; the answer depends on path and scene alone.
 */
export function checkPath(scene: CollisionScene, path: JointPath): PathHit | null {
  sweep.hit_m = HIT_DISTANCE_M;
  sweep.bias_m = STEP_DISTANCE_M;
  const s = path.kind === 'line' ? checkLine(scene, path) : checkTable(scene, path);
  return s < 0 ? null : { s, hit: describeHit(scene, sweep) };
}
