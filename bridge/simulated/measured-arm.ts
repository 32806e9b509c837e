/**
 * The measured side: repeatability, backlash, twist under load, noise and latency act here alone,
 * so plans and plant stay exact; friction, which falls with temperature, acts in the plant. All is
 * a function of the seed and the plant steps, and part of snapshots. Angles in rad; values in
 * arms/default/arm.json, group `realism`.
 */

import type { ArmProfile } from '../../contract/types.generated.ts';
import { JOINT_COUNT, REALISM, type Realism } from '../../physics/arm/arm-model.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import { channelNoiseAt } from '../../physics/math/prng.ts';
import { frictionOf } from '../../physics/motion/arm-profile.ts';
import type { Plant } from '../../physics/plant/plant.ts';
import type { MutableFeedback } from '../arm-driver.ts';

/** Imperfections of an arm; arrays hold one value a joint. */
interface Imperfections {
  /** Largest offset of a joint that a motion ends with. */
  readonly repeatability_rad: readonly number[];
  readonly encoder_noise_rad: number;
  readonly velocity_noise_rad_s: number;
  /** Play of each gear. */
  readonly backlash_rad: number;
  readonly stiffness_n_m_per_rad: readonly number[];
  /** Delay of the measurements. */
  readonly latency_s: number;
}

/** Joints faster than this move (rad/s); the next motion draws new offsets. */
const MOVING_RAD_S = 0.01;
/** Longest latency, in plant steps. */
const DELAY_MAX_STEPS = 32;
const ROW = 2 * JOINT_COUNT;

const OFFSET = 0;
const TARGET = 6;
const PLAY = 12;
const TWIST = 18;
const CURSOR = 24;
const MOTIONS = 25;
const MOVING = 26;
const SEED = 27;
const HISTORY = 28;
const SIZE = HISTORY + DELAY_MAX_STEPS * ROW;

/** Noise channels: joints 0 to 5 for offsets and angles, 6 to 11 for rates. */
const RATE_CHANNEL = JOINT_COUNT;
/** Separates the noise of measurements from the offsets of motions. */
const NOISE_SEED = 0x51ed;

const PERFECT: Imperfections = {
  repeatability_rad: [0, 0, 0, 0, 0, 0],
  encoder_noise_rad: 0,
  velocity_noise_rad_s: 0,
  backlash_rad: 0,
  stiffness_n_m_per_rad: Array.from({ length: JOINT_COUNT }, () => Number.POSITIVE_INFINITY),
  latency_s: 0,
};

/** Noise is drawn uniformly: its bound over its standard deviation. */
const UNIFORM_BOUND = 1.7320508075688772;

/** The imperfections of a level with what a profile says of them; null for none. */
function valuesOf(realism: Realism, profile: ArmProfile | null): Imperfections | null {
  const level = realism === 'ideal' ? PERFECT : REALISM[realism];
  const { latency_s, noise } = profile ?? {};
  const measured = latency_s ?? noise?.position_rad ?? noise?.velocity_rad_s;
  if (measured == null) return realism === 'ideal' ? null : level;
  const bound = (deviation: number | null | undefined) =>
    deviation == null ? null : deviation * UNIFORM_BOUND;
  return {
    ...level,
    latency_s: latency_s ?? level.latency_s,
    encoder_noise_rad: bound(noise?.position_rad) ?? level.encoder_noise_rad,
    velocity_noise_rad_s: bound(noise?.velocity_rad_s) ?? level.velocity_noise_rad_s,
  };
}

export interface MeasuredState {
  readonly realism: Realism;
  readonly numbers: readonly number[];
}

export class MeasuredArm {
  private readonly memory = new Float64Array(SIZE);
  private values: Imperfections | null = null;
  /** Of the imperfections, also of those that the arm may get. */
  seed: number;
  realism: Realism = 'ideal';
  profile: ArmProfile | null = null;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Sets the level, and what a profile says of the arm, for a plant at its present state. */
  set(realism: Realism, plant: Plant, profile: ArmProfile | null = this.profile): void {
    this.realism = realism;
    this.profile = profile;
    this.values = valuesOf(realism, profile);
    plant.frictionLaw = realism === 'ideal' ? null : REALISM[realism].friction;
    plant.jointFriction = frictionOf(profile);
    this.reset(plant);
  }

  /** Starts over at the present state of the plant, at rest. */
  reset(plant: Plant): void {
    const { memory, values } = this;
    memory.fill(0);
    memory[SEED] = this.seed;
    if (!values) return;
    for (let j = 0; j < JOINT_COUNT; j++) {
      memory[TWIST + j] = plant.torque[j]! / values.stiffness_n_m_per_rad[j]!;
      memory[PLAY + j] = plant.state.position[j]!;
      for (let row = 0; row < DELAY_MAX_STEPS; row++) {
        memory[HISTORY + ROW * row + j] = memory[PLAY + j]! - memory[TWIST + j]!;
      }
    }
  }

  /** Follows one step of the plant. No allocation. */
  update(plant: Plant): void {
    const { memory, values } = this;
    if (!values) return;
    this.drawOffsets(values, plant.state.velocity);
    const cursor = (memory[CURSOR]! + 1) % DELAY_MAX_STEPS;
    memory[CURSOR] = cursor;
    const half = 0.5 * values.backlash_rad;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rate = plant.state.velocity[j]!;
      const settled = Math.min((Math.abs(rate) * PLANT_STEP_S) / REALISM.settle_rad, 1);
      memory[OFFSET + j]! += settled * (memory[TARGET + j]! - memory[OFFSET + j]!);
      const twist = plant.torque[j]! / values.stiffness_n_m_per_rad[j]!;
      memory[TWIST + j]! += (PLANT_STEP_S / REALISM.twist_s) * (twist - memory[TWIST + j]!);
      const angle = plant.state.position[j]! + memory[OFFSET + j]!;
      const play = memory[PLAY + j]!;
      memory[PLAY + j] = Math.min(Math.max(play, angle - half), angle + half);
      memory[HISTORY + ROW * cursor + j] = memory[PLAY + j]! - memory[TWIST + j]!;
      memory[HISTORY + ROW * cursor + JOINT_COUNT + j] = rate;
    }
  }

  /** Draws the offsets that the motion which starts now will end with. */
  private drawOffsets(values: Imperfections, velocity: Float64Array): void {
    const { memory } = this;
    let moves = 0;
    for (let j = 0; j < JOINT_COUNT; j++) if (Math.abs(velocity[j]!) > MOVING_RAD_S) moves = 1;
    if (moves === 1 && memory[MOVING] === 0) {
      memory[MOTIONS]! += 1;
      for (let j = 0; j < JOINT_COUNT; j++) {
        const draw = channelNoiseAt(this.seed, memory[MOTIONS]!, j);
        memory[TARGET + j] = draw * values.repeatability_rad[j]!;
      }
    }
    memory[MOVING] = moves;
  }

  /** Writes what is measured after plant step `step`; a braked arm has neither rate nor noise. */
  write({ position_rad, velocity_rad_s }: MutableFeedback, step: number, braked: boolean): void {
    const { memory, values } = this;
    if (!values) return;
    const delay = Math.round(values.latency_s / PLANT_STEP_S);
    const row = (memory[CURSOR]! + DELAY_MAX_STEPS - delay) % DELAY_MAX_STEPS;
    const at = HISTORY + ROW * row;
    const noise = this.seed ^ NOISE_SEED;
    for (let j = 0; j < JOINT_COUNT; j++) {
      position_rad[j] = memory[at + j]!;
      // Exactly 0: a product of 0 and noise has the sign of the noise, and other bits.
      velocity_rad_s[j] = 0;
      if (braked) continue;
      position_rad[j]! += values.encoder_noise_rad * channelNoiseAt(noise, step, j);
      velocity_rad_s[j] = memory[at + JOINT_COUNT + j]!;
      if (memory[MOVING] === 0) continue;
      const rate = channelNoiseAt(noise, step, RATE_CHANNEL + j);
      velocity_rad_s[j]! += values.velocity_noise_rad_s * rate;
    }
  }

  /**
   * Whether no joint was faster than `limit_rad_s` during the latency of the measurements. An ideal
   * arm has none. One still step is not enough: a joint that overshoots is still where it turns.
   */
  hasStood(limit_rad_s: number): boolean {
    const { memory, values } = this;
    if (!values) return true;
    const delay = Math.round(values.latency_s / PLANT_STEP_S);
    for (let back = 0; back <= delay; back++) {
      const row = (memory[CURSOR]! + DELAY_MAX_STEPS - back) % DELAY_MAX_STEPS;
      const at = HISTORY + ROW * row + JOINT_COUNT;
      for (let j = 0; j < JOINT_COUNT; j++) {
        if (Math.abs(memory[at + j]!) > limit_rad_s) return false;
      }
    }
    return true;
  }

  save(): MeasuredState | null {
    return this.values && { realism: this.realism, numbers: Array.from(this.memory) };
  }

  /** Restores the state of `save` for a plant that is already restored. */
  restore(state: MeasuredState | null, plant: Plant, profile: ArmProfile | null): void {
    this.set(state?.realism ?? 'ideal', plant, profile);
    this.memory.set(state?.numbers ?? []);
    if (state) this.seed = this.memory[SEED]!;
  }
}
