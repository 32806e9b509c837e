/**
 * Test code: random moves against plates of 1 mm, shared by the quick and the slow tunnelling
 * tests. Each plate crosses a point that a body passes, so every case must report a hit.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createPrng, type Prng } from '../math/prng.ts';
import {
  createPathSample,
  type JointPath,
  type PathTable,
  samplePath,
} from '../motion/joint-path.ts';
import { checkPath } from './path-check.ts';
import { checkPose } from './pose-check.ts';
import { createCollisionScene, placeBodies } from './scene.ts';

const THICKNESS_M = 0.001;
const frames = createFrames();
const sample = createPathSample();

function randomPose(random: Prng): Float64Array {
  return JOINT_MIN_RAD.map((low, j) => low + random() * (JOINT_MAX_RAD[j]! - low));
}

/** A straight joint line between two poses anywhere. */
export function randomLine(random: Prng): JointPath {
  return { kind: 'line', start: randomPose(random), end: randomPose(random) };
}

/** The table of q(s) = a + b s + c s² + d s³ on an even grid. */
export function cubicTable(coefficients: readonly number[][], nodes: number): PathTable {
  const at = (derivative: 0 | 1 | 2 | 3) =>
    Float64Array.from({ length: 6 * nodes }, (_, i) => {
      const [a, b, c, d] = coefficients[i % 6] as [number, number, number, number];
      const s = Math.floor(i / 6) / (nodes - 1);
      const values = [a + s * (b + s * (c + s * d)), b + s * (2 * c + s * 3 * d)];
      return [...values, 2 * c + 6 * d * s, 6 * d][derivative]!;
    });
  return {
    kind: 'table',
    s: Float64Array.from({ length: nodes }, (_, i) => i / (nodes - 1)),
    q: at(0),
    q1: at(1),
    q2: at(2),
    q3_left: at(3),
    q3_right: at(3),
  };
}

/** A table that starts with a pause and passes a far pose: its speed is very uneven. */
export function randomTable(random: Prng): JointPath {
  const start = randomPose(random);
  const end = randomPose(random);
  const nodes = 3 + Math.floor(4 * random());
  return cubicTable(
    [...start].map((from, j) => {
      const travel = end[j]! - from;
      return [from, 0, 3 * travel, -2 * travel];
    }),
    nodes,
  );
}

/** A small plate, turned at random, around a point that link 6 passes at share s. */
export function plateAt(path: JointPath, s: number, random: Prng) {
  const bare = createCollisionScene();
  samplePath(path, s, sample);
  forward(sample.q, frames);
  placeBodies(bare, frames);
  const at = 6 * 11;
  const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const size = Math.hypot(...q);
  return {
    name: 'plate',
    position: { x: bare.ends[at]!, y: bare.ends[at + 1]!, z: bare.ends[at + 2]! },
    orientation: { w: q[0]! / size, x: q[1]! / size, y: q[2]! / size, z: q[3]! / size },
    dimensions: { x: 0.02, y: 0.02, z: THICKNESS_M },
    avoid: 'inside' as const,
  };
}

/**
 * Runs `moves` random moves, each with a plate in its path; returns how many were reported free
 * although a pose on the path collides, and how many plates were hit first.
 */
export function tunnelled(
  make: (random: Prng) => JointPath,
  moves: number,
  seed: number,
): { missed: number; hits: number } {
  const random = createPrng(seed);
  let missed = 0;
  let hits = 0;
  for (let i = 0; i < moves; i++) {
    const path = make(random);
    const s = random();
    const scene = createCollisionScene({ zones: [plateAt(path, s, random)] });
    const found = checkPath(scene, path);
    samplePath(path, s, sample);
    forward(sample.q, frames);
    if (checkPose(scene, frames) && (!found || found.s > s)) missed++;
    if (found?.hit.code === 'object_collision') hits++;
  }
  return { missed, hits };
}
