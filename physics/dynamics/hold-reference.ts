/**
 * The reference of an arm that holds: it brakes from the rate at entry, then stands. The state is a
 * part of the plant's array.
 */
import { DRIVE, JOINT_COUNT } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import type { JointState } from './drives.ts';
import { PLANT_STEP_S } from './plant-step.ts';

/** Numbers of a hold's state: rows before, now and after, the rates, and what the last step was. */
export const HOLD = new Layout({ rows: 3 * JOINT_COUNT, rates: JOINT_COUNT, last: 1 });
/** Values of `last`: the last step was a hold, or followed samples. */
const HELD = 1;
const FOLLOWED = 2;
/** A joint that is this far from its reference lags (rad; own): the accuracy of tracking. */
const LAG_RAD = 1e-5;

/** A joint farther from its reference does not follow it (rad). */
const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

const BRAKING_RAD_S2 = Float64Array.from(DRIVE.braking_rad_s2);

export class HoldReference {
  private readonly rates: Float64Array;
  private readonly last: Float64Array;
  /** Samples of the servo: three rows of six angles (rad), 1 ms apart. */
  private readonly rows: Float64Array;

  /** Uses `memory`, of the layout HOLD, for its whole state. */
  constructor(memory: Float64Array) {
    const { rows, rates, last } = HOLD.views(memory);
    this.rows = rows;
    this.rates = rates;
    this.last = last;
  }

  /** Remembers what the joints follow. */
  follow(samples: Float64Array, row: number): void {
    for (let j = 0; j < JOINT_COUNT; j++) this.rows[12 + j] = samples[6 * row + 6 + j]!;
    this.last[0] = FOLLOWED;
  }

  /** Forgets the reference: the joints follow none. */
  reset(): void {
    this.last[0] = 0;
  }

  /**
   * Writes the pose that the drives hold, where the next motion starts (rad): the reference, or the
   * position of a joint without one, and of one that is farther from it than it may lag.
   */
  writeHeld(position: Float64Array, out: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const held = this.last[0] === HELD ? this.rows[12 + j]! : this.startOf(position[j]!, j);
      const lag = Math.abs(held - position[j]!);
      out[j] = lag > LAG_MAX_RAD[j]! ? position[j]! : held;
    }
  }

  /** Advances by 1 ms; returns the samples. */
  advance(state: JointState): Float64Array {
    const { rows, rates, last } = this;
    const isEntered = last[0] !== HELD;
    for (let j = 0; j < JOINT_COUNT; j++) {
      if (isEntered) this.enter(state, j);
      else {
        rows[j] = rows[6 + j]!;
        rows[6 + j] = rows[12 + j]!;
      }
      const rate = rates[j]!;
      const loss = BRAKING_RAD_S2[j]! * PLANT_STEP_S;
      const next = rate > loss ? rate - loss : Math.min(rate + loss, 0);
      rates[j] = next;
      rows[12 + j] = rows[6 + j]! + PLANT_STEP_S * next;
    }
    last[0] = HELD;
    return rows;
  }

  /**
   * Where a hold of joint `j` starts: at the present position, or at the reference that the joint
   * followed where it lags behind it: under a load that the control does not know it would sag once
   * more.
   */
  private startOf(present: number, j: number): number {
    const reference = this.last[0] === FOLLOWED ? this.rows[12 + j]! : present;
    return Math.abs(reference - present) > LAG_RAD ? reference : present;
  }

  private enter({ position, velocity }: JointState, j: number): void {
    const rate = velocity[j]!;
    const start = this.startOf(position[j]!, j);
    this.rows[6 + j] = start;
    this.rows[j] = start - PLANT_STEP_S * rate;
    this.rates[j] = rate;
  }
}
