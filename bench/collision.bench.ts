/**
 * Cost of collision checks on random collision-free poses, the expensive case, because a collision
 * ends the check early. Prints microseconds per pose, and the time of a path of 10,000 poses.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { checkPath } from '../physics/collision/path-check.ts';
import { checkPose } from '../physics/collision/pose-check.ts';
import { createCollisionScene, type SceneOptions } from '../physics/collision/scene.ts';
import { createFrames, forward } from '../physics/kinematics/forward.ts';

const POSES = 2000;
const ROUNDS = 20;

let state = 1;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 0) / 4294967296;
}

function zones(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: `zone ${i}`,
    position: { x: random() - 0.5, y: random() - 0.5, z: random() * 0.8 },
    orientation: { w: 1, x: random(), y: random(), z: random() },
    dimensions: { x: 0.08, y: 0.08, z: 0.08 },
    avoid: 'inside' as const,
  }));
}

function measure(name: string, options: SceneOptions): void {
  const scene = createCollisionScene(options);
  const poses: Float64Array[] = [];
  while (poses.length < POSES) {
    const frames = createFrames();
    forward(
      JOINT_MIN_RAD.map((low, j) => low + random() * (JOINT_MAX_RAD[j]! - low)),
      frames,
    );
    if (!checkPose(scene, frames)) poses.push(frames);
  }
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const frames of poses) checkPose(scene, frames);
    best = Math.min(best, performance.now() - start);
  }
  console.log(`${name}: ${((best * 1000) / POSES).toFixed(2)} µs a free pose`);
}

const ten = zones(10);
const tool = { offsets: { x: 0, y: 0, z: 0.1 }, radius: 0.03 };
measure('28 pairs and ground', {});
measure('28 pairs, ground, 10 boxes', { zones: ten });
measure('28 pairs, ground, 10 boxes, tool', { zones: ten, tool });

const scene = createCollisionScene({ zones: ten });
const frames = createFrames();
const q = new Float64Array(6);
const start = performance.now();
for (let i = 0; i < 10_000; i++) {
  for (let j = 0; j < 6; j++) q[j] = (0.3 * i) / 10_000;
  forward(q, frames);
  checkPose(scene, frames);
}
console.log(`10,000 poses with forward kinematics: ${(performance.now() - start).toFixed(1)} ms`);

let checked = 0;
const path_start_ms = performance.now();
for (let i = 0; i < 500; i++) {
  const pose = () => JOINT_MIN_RAD.map((low, j) => low + random() * (JOINT_MAX_RAD[j]! - low));
  if (!checkPath(scene, { kind: 'line', start: pose(), end: pose() })) checked++;
}
const each = (performance.now() - path_start_ms) / 500;
console.log(`random joint lines: ${(each * 1000).toFixed(0)} µs each, ${checked} of 500 free`);
