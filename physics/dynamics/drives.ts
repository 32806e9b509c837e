/**
 * Joint drives, shared by both plants so that they differ only in the mechanics engine: a position
 * servo that is exact for the discrete step, friction with a smooth sign, torque limits, end stops,
 * and the thermal model. Each drive is a heat capacity behind a thermal resistance, heated by motor
 * losses and friction and updated ten times a second; its rest value is the idle temperature of the
 * electronics. Each update is solved exactly, so a braked arm cools in closed form. Also: the
 * reference of an arm that holds.
 */
import {
  DRIVE,
  END_STOP_MAX_RAD,
  END_STOP_MIN_RAD,
  JOINT_COUNT,
  THERMAL,
} from '../arm/arm-model.ts';
import { exp } from '../math/portable.ts';
import type { Numbers } from '../math/rotation.ts';

/** One plant step (s). */
export const PLANT_STEP_S = 0.001;
const STEP_SQUARED = PLANT_STEP_S * PLANT_STEP_S;

const BANDWIDTH = DRIVE.servo_bandwidth_rad_s;
const STIFFNESS = BANDWIDTH * BANDWIDTH;
const DAMPING = 2 * BANDWIDTH;

/** Viscous (N m s/rad) and Coulomb (N m) friction of the joints. */
export interface JointFriction {
  readonly viscous: Float64Array;
  readonly coulomb: Float64Array;
}

/** The friction of the model. */
export const NOMINAL_FRICTION: JointFriction = {
  viscous: Float64Array.from(DRIVE.viscous_n_m_s),
  coulomb: Float64Array.from(DRIVE.coulomb_n_m),
};
const VISCOUS = NOMINAL_FRICTION.viscous;
const COULOMB = NOMINAL_FRICTION.coulomb;
const SMOOTH_SQUARED = DRIVE.coulomb_smooth_rad_s * DRIVE.coulomb_smooth_rad_s;
const TORQUE_MAX = Float64Array.from(DRIVE.torque_max_n_m);
const STOP_STIFFNESS = Float64Array.from(DRIVE.stop_stiffness_n_m);
const STOP_DAMPING = Float64Array.from(DRIVE.stop_damping_n_m_s);

/** Angles (rad) and rates (rad/s) of the six joints. */
export interface JointState {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

/**
 * Writes the accelerations (rad/s²) that track the reference: its second difference plus critically
 * damped feedback on the remaining error. `samples` holds rows of six angles 1 ms apart; `row` is
 * the current one and needs both neighbours.
 */
export function servoAcceleration(
  samples: Numbers,
  row: number,
  state: JointState,
  out: Float64Array,
): void {
  const now = 6 * row;
  for (let j = 0; j < 6; j++) {
    const before = samples[now + j - 6]!;
    const here = samples[now + j]!;
    const after = samples[now + j + 6]!;
    const wanted = (after - 2 * here + before) / STEP_SQUARED;
    const lag = here - state.position[j]!;
    const slip = (here - before) / PLANT_STEP_S - state.velocity[j]!;
    out[j] = wanted + STIFFNESS * lag + DAMPING * slip;
  }
}

/** Friction torque (N m) of joint `j` at a rate (rad/s); opposes the motion. */
export function frictionTorque(j: number, rate: number): number {
  return VISCOUS[j]! * rate + (COULOMB[j]! * rate) / Math.sqrt(rate * rate + SMOOTH_SQUARED);
}

/**
 * Writes the friction torques (N m) at six joint rates (rad/s), the nominal ones unless another
 * friction is given. The formula of `frictionTorque` is repeated here because V8 may box a returned
 * number. No allocation.
 */
export function writeFrictionTorques(
  rates: Float64Array,
  out: Float64Array,
  { viscous, coulomb }: JointFriction = NOMINAL_FRICTION,
): void {
  for (let j = 0; j < 6; j++) {
    const rate = rates[j]!;
    const smooth = Math.sqrt(rate * rate + SMOOTH_SQUARED);
    out[j] = viscous[j]! * rate + (coulomb[j]! * rate) / smooth;
  }
}

/** Friction as a share of the nominal one, by the temperature of the drive. */
export interface FrictionLaw {
  /** Share at the idle temperature, its change with temperature (1/K), and its least value. */
  readonly idle_share: number;
  readonly share_per_k: number;
  readonly least_share: number;
}

/** Share of the nominal friction of joint `j` at a temperature of its drive (°C). */
export function frictionShare(law: FrictionLaw, j: number, temperature_c: number): number {
  const warmer_k = temperature_c - THERMAL.idle_c[j]!;
  return Math.max(law.idle_share + law.share_per_k * warmer_k, law.least_share);
}

/** Clamps motor torques (N m) to the drives' limits. No allocation. */
export function limitTorques(torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const limit = TORQUE_MAX[j]!;
    torques[j] = Math.min(Math.max(torques[j]!, -limit), limit);
  }
}

/** Adds the end stop torques (N m): springs that only push back. No allocation. */
export function addEndStopTorques(state: JointState, torques: Float64Array): void {
  for (let j = 0; j < 6; j++) {
    const angle = state.position[j]!;
    const low = END_STOP_MIN_RAD[j]!;
    const high = END_STOP_MAX_RAD[j]!;
    if (angle >= low && angle <= high) continue;
    const depth = (angle > high ? high : low) - angle;
    const push = STOP_STIFFNESS[j]! * depth - STOP_DAMPING[j]! * state.velocity[j]!;
    if (push > 0 === depth > 0) torques[j]! += push;
  }
}

/** Plant steps per thermal update. */
const STEPS_PER_UPDATE = 100;
/** Number of time constants after which a drive has cooled down. */
const COOLED_DOWN = 700;

/** Size of the thermal state: temperatures, squared torque sums, friction power sums, phase. */
export const THERMAL_SIZE = 19;

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

  /** Uses THERMAL_SIZE numbers of `memory` from `at` for its whole state. */
  constructor(memory: Float64Array, at: number) {
    this.temperature = memory.subarray(at, at + 6);
    this.torqueSquares = memory.subarray(at + 6, at + 12);
    this.frictionPower = memory.subarray(at + 12, at + 18);
    this.phase = memory.subarray(at + 18, at + 19);
    this.temperature.set(IDLE);
  }

  /** Adds the motor torques (N m) and joint rates (rad/s) of one plant step. No allocation. */
  add(torque: Float64Array, rate: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) {
      const t = torque[j]!;
      const power = t * rate[j]!;
      this.torqueSquares[j]! += t * t;
      this.frictionPower[j]! += power < 0 ? -power : power;
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

/**
 * The reference of an arm that holds: it brakes from the rate at entry, then stands. The state is a
 * part of the plant's array.
 */

/** Rows before, current and after, then the rate, then what the last step was. */
export const HOLD_SIZE = 25;
const RATE = 18;
const LAST = 24;
/** Values of LAST: the last step was a hold, or followed samples. */
const HELD = 1;
const FOLLOWED = 2;
/** A joint that is this far from its reference lags (rad; own): the accuracy of tracking. */
const LAG_RAD = 1e-5;

/** A joint farther from its reference does not follow it (rad). */
const LAG_MAX_RAD = Float64Array.from(DRIVE.following_error_rad);

const BRAKING = Float64Array.from(DRIVE.braking_rad_s2);

export class HoldReference {
  private readonly memory: Float64Array;
  /** Samples of the servo: three rows of six angles (rad), 1 ms apart. */
  private readonly rows: Float64Array;

  constructor(memory: Float64Array, at: number) {
    this.memory = memory.subarray(at, at + HOLD_SIZE);
    this.rows = this.memory.subarray(0, RATE);
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
      const rate = memory[RATE + j]!;
      const loss = BRAKING[j]! * PLANT_STEP_S;
      const next = rate > loss ? rate - loss : Math.min(rate + loss, 0);
      memory[RATE + j] = next;
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
    this.memory[RATE + j] = rate;
  }
}
