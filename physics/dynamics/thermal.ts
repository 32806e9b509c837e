/**
 * Temperatures of the drives: each a heat capacity behind a resistance, heated by the motor's
 * losses and by friction, ten times a second. Its rest value is the idle temperature of the
 * electronics. Solved exactly over each step, so that a braked arm cools in one closed form.
 */
import { JOINT_COUNT, THERMAL } from '../arm/arm-model.ts';
import { exp } from '../math/portable.ts';
import { STEP_S } from './servo.ts';

/** Plant steps in one thermal step. */
const STEPS = 100;
/** Farther than this many time constants away nothing is left to cool. */
const COLD = 700;

/** Numbers of the memory: temperatures, loss sums, friction sums, phase. */
export const THERMAL_SIZE = 19;

const TIME_CONSTANT_S = Float64Array.from(
  THERMAL.winding_k_per_w,
  (resistance, j) => resistance * THERMAL.heat_capacity_j_per_k[j]!,
);
const KEPT = TIME_CONSTANT_S.map((constant) => exp((-STEPS * STEP_S) / constant));
const IDLE = Float64Array.from(THERMAL.idle_c);
const WINDING = Float64Array.from(THERMAL.winding_k_per_w);
const LOSS = Float64Array.from(THERMAL.resistance_w_per_n2m2);

export class DriveHeat {
  /** Temperature of each drive (°C). */
  readonly temperature: Float64Array;
  private readonly losses: Float64Array;
  private readonly rubbing: Float64Array;
  private readonly phase: Float64Array;

  /** Works in THERMAL_SIZE numbers of `memory` from `at`: the whole state lies there. */
  constructor(memory: Float64Array, at: number) {
    this.temperature = memory.subarray(at, at + 6);
    this.losses = memory.subarray(at + 6, at + 12);
    this.rubbing = memory.subarray(at + 12, at + 18);
    this.phase = memory.subarray(at + 18, at + 19);
    this.temperature.set(IDLE);
  }

  /** Takes one plant step's motor torques (N m) and joint rates (rad/s). No allocation. */
  add(torque: Float64Array, rate: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const t = torque[j]!;
      const power = t * rate[j]!;
      this.losses[j]! += t * t;
      this.rubbing[j]! += power < 0 ? -power : power;
    }
    this.phase[0]! += 1;
    if (this.phase[0] === STEPS) this.heat();
  }

  private heat(): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const loss = (LOSS[j]! * this.losses[j]!) / STEPS;
      const rubbed = (THERMAL.friction_share * this.rubbing[j]!) / STEPS;
      const target = IDLE[j]! + WINDING[j]! * (loss + rubbed);
      this.temperature[j] = target + (this.temperature[j]! - target) * KEPT[j]!;
    }
    this.losses.fill(0);
    this.rubbing.fill(0);
    this.phase[0] = 0;
  }

  /** Writes where the temperatures stand after `elapsed_s` of brakes from now; changes nothing. */
  cooled(elapsed_s: number, out: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const constants = elapsed_s / TIME_CONSTANT_S[j]!;
      const kept = constants < COLD ? exp(-constants) : 0;
      out[j] = IDLE[j]! + (this.temperature[j]! - IDLE[j]!) * kept;
    }
  }

  /** Takes the temperatures after `elapsed_s` of brakes as the present ones. */
  coolFor(elapsed_s: number): void {
    this.cooled(elapsed_s, this.temperature);
    this.losses.fill(0);
    this.rubbing.fill(0);
    this.phase[0] = 0;
  }
}
