/**
 * The state that the driver and the world of a simulated arm share: the plant, and what the
 * controller of a real arm adds to its joints, which is brakes, faults and contact detection. Also:
 * what its encoders report of the angles that the plant has.
 */
import assert from 'node:assert';
import type { ArmProfile } from '../contract/types.ts';
import { DRIVE, JOINT_COUNT, jointName, REALISM, type Realism } from '../physics/arm/arm-model.ts';
import type { CellPlant } from '../physics/cell/cell-plant.ts';
import {
  CONTACT_THRESHOLDS_N_M,
  type ContactSensitivity,
  PLANT_STEP_S,
} from '../physics/dynamics/drives.ts';
import type { Load } from '../physics/dynamics/inertia.ts';
import { channelNoiseAt } from '../physics/math/portable.ts';
import { frictionOf } from '../physics/motion/timing-laws.ts';
import type { DriveMode, Plant } from '../physics/plant/plant.ts';
import {
  type ArmFault,
  type ArmFaultKind,
  type ContactReport,
  type MutableFeedback,
  SETPOINT_SAMPLES,
  STEPS_PER_TICK,
} from './arm-driver.ts';
import { ContactLog } from './simulated-world.ts';

export class SimulatedController {
  plant: Plant | null = null;
  /** Plant steps since start. */
  steps = 0;
  motorsOff = false;
  /** The real load where it is not the one that the control expects. */
  load: Load | null = null;
  cell: CellPlant | null = null;
  readonly brakes = new Brakes();
  readonly faults = new SimulatedFaults();
  readonly contacts = new ContactDetector();
  readonly contactLog = new ContactLog();
  readonly measured: MeasuredArm;
  constructor(seed: number) {
    this.measured = new MeasuredArm(seed);
  }

  /** The plant of a started arm. */
  get startedPlant(): Plant {
    assert(this.plant, 'the simulated arm is not started: await start() first');
    return this.plant;
  }

  /** Opens the brakes, so that the plant is computed again. */
  wake(): void {
    this.brakes.open(this.startedPlant);
  }
}

const STILL_STEPS = 1000;
/** Joints slower than this are at rest (rad/s). */
export const STILL_RAD_S = 1e-3;

export interface BrakeState {
  readonly still_steps: number;
  /** Steps since the brakes closed, or null while they are open. */
  readonly braked_steps: number | null;
}

/**
 * The brakes of a simulated arm. They close after one second at rest, and nothing is computed until
 * they open. Time passes in whole plant steps, so one long exchange and many short ones give the
 * same bits; the drives cool in closed form (D38).
 */
export class Brakes {
  private stillSteps = 0;
  private brakedSteps: number | null = null;

  /** True while the brakes hold the arm. */
  get closed(): boolean {
    return this.brakedSteps !== null;
  }

  /** Counts the plant steps at rest and closes the brakes after enough of them. */
  update(plant: Plant, mode: DriveMode): void {
    const held = mode === 'hold' || plant.hasYielded;
    const still = held && !plant.environment.isActing && isStill(plant);
    this.stillSteps = still ? this.stillSteps + 1 : 0;
    if (this.stillSteps >= STILL_STEPS) this.brakedSteps = 0;
  }

  /** Lets steps pass with the brakes closed, without computing the plant. */
  skip(steps: number): void {
    if (this.brakedSteps !== null) this.brakedSteps += steps;
  }

  /** Writes the present temperatures of the drives (°C). */
  writeTemperatures(plant: Plant, out: Float64Array): void {
    if (this.brakedSteps === null) out.set(plant.thermal.temperature);
    else plant.thermal.temperaturesAfter(this.brakedSteps * PLANT_STEP_S, out);
  }

  /** Opens the brakes and applies the cooling of the time they were closed. */
  open(plant: Plant): void {
    if (this.brakedSteps !== null) plant.thermal.coolFor(this.brakedSteps * PLANT_STEP_S);
    this.brakedSteps = null;
    this.stillSteps = 0;
  }

  save(): BrakeState {
    return { still_steps: this.stillSteps, braked_steps: this.brakedSteps };
  }

  restore(memory: BrakeState): void {
    this.stillSteps = memory.still_steps;
    this.brakedSteps = memory.braked_steps;
  }
}

/** True while every joint of the plant is at rest. */
export function isStill(plant: Plant): boolean {
  for (let j = 0; j < 6; j++) {
    if (Math.abs(plant.state.velocity[j]!) > STILL_RAD_S) return false;
  }
  return true;
}

export interface ContactState {
  readonly contact: ContactReport | null;
  readonly leaning_n_m: readonly number[];
}

/**
 * Detects contacts from the torque residuals and latches the first one until it is acknowledged. A
 * contact that persists becomes the new zero: the arm can move away from what it leans on, and a
 * further push counts again (D30).
 */
class ContactDetector {
  private latchedContact: ContactReport | null = null;
  /** Residuals at the last acknowledgement, reduced as they decrease (N m). */
  private readonly acknowledged_n_m = new Float64Array(6);

  /** First contact since the last acknowledgement, or null. */
  get contact(): ContactReport | null {
    return this.latchedContact;
  }

  /** Checks the residuals (N m) of plant step number `step`. Allocates only at a contact. */
  update(residual: Float64Array, sensitivity: ContactSensitivity | null, step: number): void {
    const thresholds = sensitivity && CONTACT_THRESHOLDS_N_M[sensitivity];
    for (let j = 0; j < 6; j++) {
      const size = Math.abs(residual[j]!);
      const leaning = this.acknowledged_n_m[j]!;
      if (size < leaning) this.acknowledged_n_m[j] = size;
      if (this.latchedContact || !thresholds || size <= leaning + thresholds[j]!) continue;
      this.latchedContact = { joint: j, at_s: step * PLANT_STEP_S };
    }
  }

  /** Clears the contact; the present residuals become the new zero. */
  acknowledge(residual: Float64Array): void {
    this.latchedContact = null;
    for (let j = 0; j < 6; j++) this.acknowledged_n_m[j] = Math.abs(residual[j]!);
  }

  /** Clears the contact and the acknowledged residuals. */
  reset(): void {
    this.latchedContact = null;
    this.acknowledged_n_m.fill(0);
  }

  save(): ContactState {
    return { contact: this.latchedContact, leaning_n_m: Array.from(this.acknowledged_n_m) };
  }

  restore(memory: ContactState): void {
    this.latchedContact = memory.contact;
    this.acknowledged_n_m.set(memory.leaning_n_m);
  }
}

const FAULT_MESSAGES: Readonly<Record<ArmFaultKind, string>> = {
  lost: 'does not answer; check its cable and supply',
  overheated: 'is too hot; let it cool down',
  overload: 'is overloaded; take off load or free what blocks it',
  encoder: 'reports an impossible angle; its encoder needs service',
  following_error: 'does not follow its setpoint; something blocks it or the load is too heavy',
  voltage: 'has a supply voltage out of range; check the power supply',
  stale: 'sends no fresh angles; check the link to the joints',
  bus: 'sends corrupt replies; check the wiring of the bus',
};

const STEP_MAX_RAD = DRIVE.setpoint_step_max_rad;
const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

function followingError(joint: number, lag_rad: number): ArmFault {
  const lag = Math.abs(lag_rad).toFixed(4);
  const message =
    `${jointName(joint)} lags ${lag} rad behind its setpoint (limit ${LAG_MAX_RAD[joint]} rad); ` +
    'free what blocks it or take off load';
  return { kind: 'following_error', joint, message };
}

function setpointFault(joint: number, problem: string): ArmFault {
  const message = `The setpoint of ${jointName(joint)} ${problem}`;
  return { kind: 'following_error', joint, message };
}

export interface SimulatedFaultState {
  readonly switched: readonly (ArmFaultKind | null)[];
  readonly found: ArmFault | null;
  /** Last setpoint of the motion; absent in snapshots of older versions. */
  readonly reference?: readonly number[] | null;
}

/**
 * The faults of a simulated arm: faults injected per joint, and following errors that the driver
 * detects. A detected fault is latched until it is recovered.
 */
class SimulatedFaults {
  private readonly injected: (ArmFault | null)[] = Array.from({ length: 6 }, () => null);
  /** The injected fault of the lowest joint; it is asked for in every step. */
  private lowest: ArmFault | null = null;
  private detected: ArmFault | null = null;
  /** Last setpoint row of the motion that is followed, which the next setpoint continues. */
  private readonly reference = new Float64Array(6);
  private hasReference = false;

  /** The fault to report: the injected one of the lowest joint, else the detected one. */
  get fault(): ArmFault | null {
    return this.lowest ?? this.detected;
  }

  /** Injects a fault into a joint, or clears it with null; returns the injected fault. */
  set(joint: number, kind: ArmFaultKind | null): ArmFault | null {
    const message = `${jointName(joint)} ${kind && FAULT_MESSAGES[kind]}`;
    const fault = kind && { kind, joint, message };
    this.injected[joint] = fault;
    this.lowest = this.injected.find((one) => one !== null) ?? null;
    return fault;
  }

  /** Clears the detected fault; returns true when no fault is left. */
  recover(): boolean {
    this.detected = null;
    return this.fault === null;
  }

  /** Detects a joint that is too far from its reference. */
  checkLag(lag: Float64Array): void {
    if (this.detected) return;
    for (let j = 0; j < 6; j++) {
      if (Math.abs(lag[j]!) > LAG_MAX_RAD[j]!) this.detected = followingError(j, lag[j]!);
    }
  }

  /**
   * Detects setpoints that no arm could follow: not finite, a jump, or a motion that starts away
   * from the position. A joint that lags behind continuous setpoints is left to `checkLag`.
   */
  checkSamples(samples: Float64Array, position: Float64Array): void {
    for (let i = 6; i < 6 * SETPOINT_SAMPLES && !this.detected; i++) {
      const isJump = !(Math.abs(samples[i]! - samples[i - 6]!) <= STEP_MAX_RAD);
      if (isJump || (i < 12 && !this.continues(samples, position, i - 6))) {
        this.detected = setpointFault(i % 6, 'jumps; start the motion at the present position');
      }
    }
    this.hasReference = this.detected === null;
    if (!this.hasReference) return;
    const last = 6 * STEPS_PER_TICK + 6;
    for (let j = 0; j < JOINT_COUNT; j++) this.reference[j] = samples[last + j]!;
  }

  /** True when the first setpoint of joint `j` joins the last one, or a new motion the position. */
  private continues(samples: Float64Array, position: Float64Array, j: number): boolean {
    const first = samples[6 + j]!;
    if (this.hasReference) return Math.abs(first - this.reference[j]!) <= STEP_MAX_RAD;
    return Math.abs(first - position[j]!) <= LAG_MAX_RAD[j]!;
  }

  /** Ends a motion: the next setpoint is compared with the position again. */
  forgetReference(): void {
    this.hasReference = false;
  }

  save(): SimulatedFaultState {
    return {
      switched: this.injected.map((fault) => fault?.kind ?? null),
      found: this.detected,
      reference: this.hasReference ? Array.from(this.reference) : null,
    };
  }

  restore(memory: SimulatedFaultState): void {
    memory.switched.forEach((kind, joint) => {
      this.set(joint, kind);
    });
    this.detected = memory.found;
    this.hasReference = memory.reference != null;
    this.reference.set(memory.reference ?? []);
  }
}

/**
 * The measured side: repeatability, backlash, twist under load, noise and latency act here alone,
 * so plans and plant stay exact; friction, which falls with temperature, acts in the plant. All is
 * a function of the seed and the plant steps, and part of snapshots. Angles in rad; values in
 * arm-model.json, group `realism`.
 */

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

class MeasuredArm {
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
