/**
 * Thermal model of the drives: each is a heat capacity behind a thermal resistance, heated by
 * motor losses and friction and updated ten times a second; its rest value is the idle temperature
 * of the electronics. Each update is solved exactly, so a braked arm cools in closed form.
 */
import { JOINT_COUNT, THERMAL } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import { exp } from '../math/portable.ts';
import { PLANT_STEP_S } from './plant-step.ts';

/** Plant steps per thermal update. */
const STEPS_PER_UPDATE = 100;
/** Number of time constants after which a drive has cooled down. */
const COOLED_DOWN = 700;

/** Numbers of the thermal state: temperatures, sums since the last update, steps since then. */
export const DRIVE_HEAT = new Layout({
  temperature: JOINT_COUNT,
  torqueSquares: JOINT_COUNT,
  frictionPower: JOINT_COUNT,
  phase: 1,
});

const TIME_CONSTANT_S = Float64Array.from(
  THERMAL.winding_k_per_w,
  (resistance, j) => resistance * THERMAL.heat_capacity_j_per_k[j]!,
);
const DECAY = TIME_CONSTANT_S.map((constant) => exp((-STEPS_PER_UPDATE * PLANT_STEP_S) / constant));
const IDLE = Float64Array.from(THERMAL.idle_c);
const WINDING = Float64Array.from(THERMAL.winding_k_per_w);
const LOSS = Float64Array.from(THERMAL.resistance_w_per_n2m2);

export class DriveThermalModel {
  /** Temperature of each drive (°C). */
  readonly temperature: Float64Array;
  private readonly torqueSquares: Float64Array;
  private readonly frictionPower: Float64Array;
  private readonly phase: Float64Array;

  /** Uses `memory`, of the layout DRIVE_HEAT, for its whole state. */
  constructor(memory: Float64Array) {
    const { temperature, torqueSquares, frictionPower, phase } = DRIVE_HEAT.views(memory);
    this.temperature = temperature;
    this.torqueSquares = torqueSquares;
    this.frictionPower = frictionPower;
    this.phase = phase;
    this.temperature.set(IDLE);
  }

  /** Adds the motor torques (N m) and joint rates (rad/s) of one plant step. No allocation. */
  add(torque: Float64Array, rate: Float64Array): void {
    const { torqueSquares, frictionPower } = this;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const t = torque[j]!;
      torqueSquares[j]! += t * t;
      frictionPower[j]! += Math.abs(t * rate[j]!);
    }
    this.phase[0]! += 1;
    if (this.phase[0] === STEPS_PER_UPDATE) this.step();
  }

  private step(): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const loss = (LOSS[j]! * this.torqueSquares[j]!) / STEPS_PER_UPDATE;
      const friction = (THERMAL.friction_share * this.frictionPower[j]!) / STEPS_PER_UPDATE;
      const target = IDLE[j]! + WINDING[j]! * (loss + friction);
      this.temperature[j] = target + (this.temperature[j]! - target) * DECAY[j]!;
    }
    this.torqueSquares.fill(0);
    this.frictionPower.fill(0);
    this.phase[0] = 0;
  }

  /** Writes the temperatures after `elapsed_s` with brakes closed; does not change the state. */
  temperaturesAfter(elapsed_s: number, out: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const constants = elapsed_s / TIME_CONSTANT_S[j]!;
      const kept = constants < COOLED_DOWN ? exp(-constants) : 0;
      out[j] = IDLE[j]! + (this.temperature[j]! - IDLE[j]!) * kept;
    }
  }

  /** Advances the temperatures by `elapsed_s` with brakes closed. */
  coolFor(elapsed_s: number): void {
    this.temperaturesAfter(elapsed_s, this.temperature);
    this.torqueSquares.fill(0);
    this.frictionPower.fill(0);
    this.phase[0] = 0;
  }
}
