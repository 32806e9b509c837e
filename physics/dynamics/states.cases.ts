/** Random states of the arm from a seed, for dynamics tests (test code). */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';

export interface ArmState {
  readonly q: Float64Array;
  readonly rates: Float64Array;
  readonly accelerations: Float64Array;
  readonly torques: Float64Array;
}

/** A generator of numbers in -1..1 (xorshift). */
export function randomNumbers(seed: number): () => number {
  let x = seed | 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 0x80000000 - 1;
  };
}

/** `count` states: any angles, up to 3 rad/s, 30 rad/s² and 30 N m. */
export function* randomStates(seed: number, count: number): Generator<ArmState> {
  const random = randomNumbers(seed);
  const six = (size: number): Float64Array =>
    Float64Array.from({ length: 6 }, () => size * random());
  for (let i = 0; i < count; i++) {
    yield { q: six(3.1), rates: six(3), accelerations: six(30), torques: six(30) };
  }
}

/** `count` poses within the software limits (rad). */
export function* randomPoses(seed: number, count: number): Generator<Float64Array> {
  const random = randomNumbers(seed);
  for (let i = 0; i < count; i++) {
    yield JOINT_MIN_RAD.map((low, j) => low + ((JOINT_MAX_RAD[j]! - low) * (1 + random())) / 2);
  }
}
