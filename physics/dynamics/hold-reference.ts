/**
 * The reference of an arm that holds: it brakes from the rate at entry, then stands. The state is a
 * part of the plant's array.
 */
import { DRIVE, JOINT_COUNT } from '../arm/arm-model.ts';
import type { JointState } from './drives.ts';
import { PLANT_STEP_S } from './plant-step.ts';

/** Rows before, current and after, then the rate, then what the last step was. */
export const HOLD_SIZE = 25;
const HELD_RATE = 18;
const LAST = 24;
/** Values of LAST: the last step was a hold, or followed samples. */
const HELD = 1;
const FOLLOWED = 2;
/** A joint that is this far from its reference lags (rad; own): the accuracy of tracking. */
const LAG_RAD = 1e-5;

/** A joint farther from its reference does not follow it (rad). */
const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

const BRAKING_RAD_S2 = Float64Array.from(DRIVE.braking_rad_s2);

export class HoldReference {
  private readonly memory: Float64Array;
  /** Samples of the servo: three rows of six angles (rad), 1 ms apart. */
  private readonly rows: Float64Array;

  constructor(memory: Float64Array, at: number) {
    this.memory = memory.subarray(at, at + HOLD_SIZE);
    this.rows = this.memory.subarray(0, HELD_RATE);
  }

  /** Remembers what the joints follow. */
  follow(samples: Float64Array, row: number): void {
    for (let j = 0; j < JOINT_COUNT; j++) this.rows[12 + j] = samples[6 * row + 6 + j]!;
    this.memory[LAST] = FOLLOWED;
  }

  /** Forgets the reference: the joints follow none. */
  reset(): void {
    this.memory[LAST] = 0;
  }

  /**
   * Writes the pose that the drives hold, where the next motion starts (rad): the reference, or the
   * position of a joint without one, and of one that is farther from it than it may lag.
   */
  writeHeld(position: Float64Array, out: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const held = this.memory[LAST] === HELD ? this.rows[12 + j]! : this.startOf(position[j]!, j);
      const lag = Math.abs(held - position[j]!);
      out[j] = lag > LAG_MAX_RAD[j]! ? position[j]! : held;
    }
  }

  /** Advances by 1 ms; returns the samples. */
  advance(state: JointState): Float64Array {
    const { rows, memory } = this;
    const isEntered = memory[LAST] !== HELD;
    for (let j = 0; j < JOINT_COUNT; j++) {
      if (isEntered) this.enter(state, j);
      else {
        rows[j] = rows[6 + j]!;
        rows[6 + j] = rows[12 + j]!;
      }
      const rate = memory[HELD_RATE + j]!;
      const loss = BRAKING_RAD_S2[j]! * PLANT_STEP_S;
      const next = rate > loss ? rate - loss : Math.min(rate + loss, 0);
      memory[HELD_RATE + j] = next;
      rows[12 + j] = rows[6 + j]! + PLANT_STEP_S * next;
    }
    memory[LAST] = HELD;
    return rows;
  }

  /**
   * Where a hold of joint `j` starts: at the present position, or at the reference that the joint
   * followed where it lags behind it: under a load that the control does not know it would sag once
   * more.
   */
  private startOf(present: number, j: number): number {
    const reference = this.memory[LAST] === FOLLOWED ? this.rows[12 + j]! : present;
    return Math.abs(reference - present) > LAG_RAD ? reference : present;
  }

  private enter({ position, velocity }: JointState, j: number): void {
    const rate = velocity[j]!;
    const start = this.startOf(position[j]!, j);
    this.rows[6 + j] = start;
    this.rows[j] = start - PLANT_STEP_S * rate;
    this.memory[HELD_RATE + j] = rate;
  }
}
