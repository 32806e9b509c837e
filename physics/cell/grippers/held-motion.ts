import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import type { Numbers } from '../../math/vector.ts';

/** Share of a new velocity in the filtered one, per step: 4 ms. */
const FILTER_SHARE = 0.25;
/** Steps after which the filter is full. */
const FILTER_STEPS = 20;
/** Numbers of a motion's state. */
export const MOTION_SIZE = 10;

/** The motion of a held body: velocity and acceleration, filtered, from its positions. */
export class HeldMotion {
  private readonly memory: Float64Array;
  private readonly last: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;

  /** Uses MOTION_SIZE numbers of `memory` from `at` for its whole state. */
  constructor(memory: Float64Array, at: number) {
    this.memory = memory.subarray(at, at + MOTION_SIZE);
    this.last = this.memory.subarray(0, 3);
    this.velocity = this.memory.subarray(3, 6);
    this.acceleration = this.memory.subarray(6, 9);
  }

  /** Starts at a position, at rest. */
  reset(position: Numbers): void {
    this.memory.fill(0);
    this.last.set([position[0]!, position[1]!, position[2]!]);
  }

  /** Time since the start (s). */
  get time_s(): number {
    return this.memory[9]! * PLANT_STEP_S;
  }

  /** True once velocity and acceleration are known. */
  get isKnown(): boolean {
    return this.memory[9]! > FILTER_STEPS;
  }

  /** Follows the position at `at` for one step. */
  update(poses: Numbers, at: number): void {
    for (let k = 0; k < 3; k++) {
      const raw = (poses[at + k]! - this.last[k]!) / PLANT_STEP_S;
      const before = this.velocity[k]!;
      const now = this.memory[9] === 0 ? raw : before + FILTER_SHARE * (raw - before);
      this.velocity[k] = now;
      this.acceleration[k] = (now - before) / PLANT_STEP_S;
      this.last[k] = poses[at + k]!;
    }
    this.memory[9]! += 1;
  }
}
