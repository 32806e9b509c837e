import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { Layout } from '../../math/layout.ts';
import type { Numbers } from '../../math/vector.ts';

/** Share of a new velocity in the filtered one, per step: 4 ms. */
const FILTER_SHARE = 0.25;
/** Steps after which the filter is full. */
const FILTER_STEPS = 20;

/** Numbers of a motion's state: the last position, the motion, and steps since the start. */
export const HELD_MOTION = new Layout({ last: 3, velocity: 3, acceleration: 3, steps: 1 });

/** The motion of a held body: velocity and acceleration, filtered, from its positions. */
export class HeldMotion {
  private readonly memory: Float64Array;
  private readonly last: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  private readonly steps: Float64Array;

  /** Uses `memory`, of the layout HELD_MOTION, for its whole state. */
  constructor(memory: Float64Array) {
    this.memory = memory;
    const { last, velocity, acceleration, steps } = HELD_MOTION.views(memory);
    this.last = last;
    this.velocity = velocity;
    this.acceleration = acceleration;
    this.steps = steps;
  }

  /** Starts at a position, at rest. */
  reset(position: Numbers): void {
    this.memory.fill(0);
    this.last.set([position[0]!, position[1]!, position[2]!]);
  }

  /** Time since the start (s). */
  get time_s(): number {
    return this.steps[0]! * PLANT_STEP_S;
  }

  /** True once velocity and acceleration are known. */
  get isKnown(): boolean {
    return this.steps[0]! > FILTER_STEPS;
  }

  /** The body has slipped upwards in a step (m), which is no motion of what holds it. */
  slip(up_m: number): void {
    this.last[2]! += up_m;
  }

  /** Follows the position at `at` for one step. */
  update(poses: Numbers, at: number): void {
    for (let k = 0; k < 3; k++) {
      const raw = (poses[at + k]! - this.last[k]!) / PLANT_STEP_S;
      const before = this.velocity[k]!;
      const now = this.steps[0] === 0 ? raw : before + FILTER_SHARE * (raw - before);
      this.velocity[k] = now;
      this.acceleration[k] = (now - before) / PLANT_STEP_S;
      this.last[k] = poses[at + k]!;
    }
    this.steps[0]! += 1;
  }
}
