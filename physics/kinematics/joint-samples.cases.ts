/**
 * Seeded joint angles over the joint ranges and distances between joint vectors, for kinematics
 * tests and benches. Test code; the same seed gives the same joints everywhere.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { createFrames, forward } from './forward.ts';
import { createDeterminantFactors, determinantFactors } from './jacobian.ts';
import { FLANGE_TOOL, POSE_SIZE, type Tool, toolPose } from './tool.ts';

/** Joints inside every software limit (rad). */
export function randomJoints(random: () => number): Float64Array {
  return Float64Array.from({ length: 6 }, (_, j) => {
    const low = JOINT_MIN_RAD[j]!;
    return low + random() * (JOINT_MAX_RAD[j]! - low);
  });
}

/** Pose of the tool point at joints `q`. */
export function poseAt(q: Float64Array, tool: Tool = FLANGE_TOOL): Float64Array {
  const frames = createFrames();
  const pose = new Float64Array(POSE_SIZE);
  forward(q, frames);
  toolPose(frames, tool, pose);
  return pose;
}

/** Largest joint difference (rad), modulo full turns. */
export function jointDistance(a: ArrayLike<number>, i: number, b: ArrayLike<number>): number {
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    const d = a[i + j]! - b[j]!;
    worst = Math.max(worst, Math.abs(d - 2 * Math.PI * Math.round(d / (2 * Math.PI))));
  }
  return worst;
}

/**
 * Bytes of heap that one call of `work(i)` takes once compiled: the minimum over batches without a
 * garbage collection. Code that allocates does so in every batch; up to 300 batches give the
 * concurrent compiler time to finish.
 */
export function bytesPerCall(work: (i: number) => void, calls = 500): number {
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 300 && least >= 1; batch++) {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) work(i);
    const growth = (process.memoryUsage().heapUsed - before) / calls;
    if (growth >= 0) least = Math.min(least, growth);
  }
  return least;
}

function determinantAt(q: Float64Array): number {
  const frames = createFrames();
  const factors = createDeterminantFactors();
  forward(q, frames);
  determinantFactors(frames, factors);
  return factors.determinant;
}

/** Joints on the singular surface, to the last bit: between two of opposite determinants. */
export function foldedJoints(random: () => number): Float64Array {
  for (;;) {
    const from = randomJoints(random);
    const to = randomJoints(random);
    const rises = determinantAt(to) > 0;
    if (rises === determinantAt(from) > 0) continue;
    let low = 0;
    let high = 1;
    const at = (share: number) => from.map((x, j) => x + share * (to[j]! - x));
    for (let i = 0; i < 100; i++) {
      const middle = 0.5 * (low + high);
      if (determinantAt(at(middle)) > 0 === rises) high = middle;
      else low = middle;
    }
    return at(low);
  }
}
