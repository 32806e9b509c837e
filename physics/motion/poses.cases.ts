/** Random poses and moves for the tests of motion, the same on every run. */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A pose anywhere within the joint limits (rad). */
export function randomPose(random: () => number): Float64Array {
  return Float64Array.from(JOINT_MIN_RAD, (low, j) => low + (JOINT_MAX_RAD[j]! - low) * random());
}
