/**
 * Joint drives, shared by both plants so that they differ only in the mechanics engine: a position
 * servo that is exact for the discrete step, torque limits, end stops, and the thermal model. Each
 * drive is a heat capacity behind a thermal resistance, heated by motor losses and friction and
 * updated ten times a second; its rest value is the idle temperature of the electronics. Each
 * update is solved exactly, so a braked arm cools in closed form. Also: the references of an arm
 * that holds, and of one that reacts to a contact (decision D30).
 */
import {
  DETECTION,
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

/**
 * The reference of an arm that holds: it brakes from the rate at entry, then stands. The state is a
 * part of the plant's array.
 */

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

/**
 * What the drives do after a detected contact. Brake: the joints slow down without holding a
 * position, so the arm yields to what it touches. Retreat: from the measured pose back along the
 * way it came, until the torque residuals no longer change: the contact is left. Hold. An
 * undeclared load shifts the residuals but does not change them along a few millimetres, so it does
 * not disturb the end of the retreat. The whole state lies in the memory of the plant.
 */

const THRESHOLDS = Float64Array.from(DETECTION.threshold_n_m);

export type ContactSensitivity = keyof typeof DETECTION.sensitivity;

function thresholdsAt(sensitivity: ContactSensitivity): Float64Array {
  return THRESHOLDS.map((threshold) => DETECTION.sensitivity[sensitivity] * threshold);
}

/** Contact thresholds of the residual at each joint (N m), by sensitivity. */
export const CONTACT_THRESHOLDS_N_M: Readonly<Record<ContactSensitivity, Float64Array>> = {
  low: thresholdsAt('low'),
  medium: thresholdsAt('medium'),
  high: thresholdsAt('high'),
};

const REACTION = DETECTION.reaction;
const RETREAT_THRESHOLDS = CONTACT_THRESHOLDS_N_M.high;

/** Poses of the way: one each time a joint has turned by this angle (rad). */
const WAY_SPACING_RAD = 0.002;
/** A power of two. */
const WAY_LENGTH = 128;
/** Steps below the rate of rest that end the braking, and its longest duration in steps. */
const STILL_STEPS = 3;
const BRAKE_STEPS_MAX = 250;

const PHASE = 0;
const STEPS = 1;
const STILL = 2;
/** Number of recorded poses; the latest stands at (count - 1) modulo WAY_LENGTH. */
const COUNT = 3;
/** Number of the pose that the retreat goes to next; -1 after the oldest. */
const NEXT = 4;
const OLDEST = 5;
const RATE = 6;
const TRAVEL = 7;
const MARK_TRAVEL = 8;
const ENDING = 9;
const MARK = 10;
const ROWS = MARK + JOINT_COUNT;
const WAY = ROWS + 3 * JOINT_COUNT;
/** Size of the state of a reaction. */
export const REACTION_SIZE = WAY + WAY_LENGTH * JOINT_COUNT;

const BRAKING = 0;
const RETREATING = 1;
const HOLDING = 2;

/** Where pose `i` of the way is stored, as an integer: a remainder or index of doubles is slow. */
function placeOf(i: number): number {
  return JOINT_COUNT * (i & (WAY_LENGTH - 1));
}

/** Whether each joint is within the spacing of the pose of `way` at index `at`. */
function isNear(position: Float64Array, way: Float64Array, at: number): boolean {
  for (let j = 0; j < JOINT_COUNT; j++) {
    if (Math.abs(position[j]! - way[at + j]!) > WAY_SPACING_RAD) return false;
  }
  return true;
}

export class ContactReaction {
  private readonly memory: Float64Array;
  private readonly mark: Float64Array;
  private readonly way: Float64Array;
  /** Reference of the retreat and of the hold: rows before, now and after. */
  readonly rows: Float64Array;

  /** Uses REACTION_SIZE numbers of `memory` from `at` for its whole state. */
  constructor(memory: Float64Array, at: number) {
    this.memory = memory.subarray(at, at + REACTION_SIZE);
    this.mark = this.memory.subarray(MARK, MARK + JOINT_COUNT);
    this.rows = this.memory.subarray(ROWS, ROWS + 3 * JOINT_COUNT);
    this.way = this.memory.subarray(WAY, REACTION_SIZE);
  }

  /** True once the retreat has ended and the arm is held. */
  get isHolding(): boolean {
    return this.memory[PHASE] === HOLDING;
  }

  /** Forgets the way. */
  reset(): void {
    this.memory.fill(0);
  }

  /** Records the way of the arm; called in every step without a contact. No allocation. */
  record(position: Float64Array): void {
    const { way } = this;
    const count = this.memory[COUNT]!;
    if (count > 0 && isNear(position, way, placeOf(count - 1))) return;
    const at = placeOf(count);
    for (let j = 0; j < JOINT_COUNT; j++) way[at + j] = position[j]!;
    this.memory[COUNT] = count + 1;
  }

  /** Starts a reaction. */
  begin(): void {
    const { memory } = this;
    memory[PHASE] = BRAKING;
    memory[STEPS] = 0;
    memory[STILL] = 0;
  }

  /**
   * While the arm brakes, writes the accelerations of the drives (rad/s²) and returns true;
   * afterwards it advances `rows`, the reference of the servo. No allocation.
   */
  brake(state: JointState, residual: Float64Array, out: Float64Array): boolean {
    const { memory } = this;
    if (memory[PHASE] !== BRAKING) {
      this.advance(residual);
      return false;
    }
    let still = true;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rate = state.velocity[j]!;
      const most = REACTION.braking_rad_s2;
      out[j] = Math.min(Math.max(-rate / PLANT_STEP_S, -most), most);
      if (rate > REACTION.still_rad_s || rate < -REACTION.still_rad_s) still = false;
    }
    memory[STEPS]! += 1;
    memory[STILL] = still ? memory[STILL]! + 1 : 0;
    const ends = memory[STILL]! >= STILL_STEPS || memory[STEPS]! >= BRAKE_STEPS_MAX;
    if (ends) this.startRetreat(state.position, residual);
    return true;
  }

  private startRetreat(position: Float64Array, residual: Float64Array): void {
    const { memory } = this;
    memory[PHASE] = RETREATING;
    memory[RATE] = 0;
    memory[TRAVEL] = 0;
    memory[MARK_TRAVEL] = 0;
    memory[ENDING] = 0;
    for (let row = 0; row < 3; row++) this.rows.set(position, JOINT_COUNT * row);
    this.mark.set(residual);
    if (memory[COUNT]! < 2) this.inventWay(position, residual);
    memory[OLDEST] = Math.max(0, memory[COUNT]! - WAY_LENGTH);
    memory[NEXT] = this.nearest(position) - 1;
  }

  /** Without a way that it came, the arm gives way in the direction that it is pushed in. */
  private inventWay(position: Float64Array, residual: Float64Array): void {
    let largest = 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      largest = Math.max(largest, Math.abs(residual[j]!) / RETREAT_THRESHOLDS[j]!);
    }
    const share = largest > 1 ? REACTION.retreat_max_rad / largest : 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      this.way[j] = position[j]! + (share * residual[j]!) / RETREAT_THRESHOLDS[j]!;
      this.way[JOINT_COUNT + j] = position[j]!;
    }
    this.memory[COUNT] = 2;
  }

  /** Number of the recorded pose nearest to the measured one. */
  private nearest(position: Float64Array): number {
    const { memory, way } = this;
    let best = memory[COUNT]! - 1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = memory[COUNT]! - 1; i >= memory[OLDEST]!; i--) {
      const at = placeOf(i);
      let sum = 0;
      for (let j = 0; j < JOINT_COUNT; j++) {
        const apart = way[at + j]! - position[j]!;
        sum += apart * apart;
      }
      if (sum >= least) continue;
      least = sum;
      best = i;
    }
    return best;
  }

  private advance(residual: Float64Array): void {
    const { memory, rows } = this;
    rows.copyWithin(0, JOINT_COUNT);
    if (memory[PHASE] !== RETREATING) return;
    this.watchContact(residual);
    const gain = REACTION.retreat_acceleration_rad_s2 * PLANT_STEP_S;
    memory[RATE] =
      memory[ENDING] === 0
        ? Math.min(memory[RATE]! + gain, REACTION.retreat_rad_s)
        : Math.max(memory[RATE]! - gain, 0);
    if (memory[RATE] === 0) memory[PHASE] = HOLDING;
    else this.moveBack(memory[RATE]! * PLANT_STEP_S);
  }

  /** Ends the retreat when the residuals have not changed along a stretch of it. */
  private watchContact(residual: Float64Array): void {
    const { memory, mark } = this;
    if (memory[TRAVEL]! >= REACTION.retreat_max_rad) memory[ENDING] = 1;
    if (memory[TRAVEL]! - memory[MARK_TRAVEL]! < REACTION.stretch_rad) return;
    let change = 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      change = Math.max(change, Math.abs(residual[j]! - mark[j]!) / RETREAT_THRESHOLDS[j]!);
    }
    if (change < REACTION.free_share) memory[ENDING] = 1;
    memory[MARK_TRAVEL] = memory[TRAVEL]!;
    mark.set(residual);
  }

  /** Moves the newest row back along the way; `left` is the travel of the fastest joint (rad). */
  private moveBack(travel_rad: number): void {
    const { memory, rows, way } = this;
    const newest = 2 * JOINT_COUNT;
    let left = travel_rad;
    memory[TRAVEL]! += travel_rad;
    while (left > 0 && memory[NEXT]! >= memory[OLDEST]!) {
      const at = placeOf(memory[NEXT]!);
      let far = 0;
      for (let j = 0; j < JOINT_COUNT; j++) {
        far = Math.max(far, Math.abs(way[at + j]! - rows[newest + j]!));
      }
      const share = far > left ? left / far : 1;
      for (let j = 0; j < JOINT_COUNT; j++) {
        rows[newest + j]! += share * (way[at + j]! - rows[newest + j]!);
      }
      left -= far;
      if (share === 1) memory[NEXT]! -= 1;
    }
    if (memory[NEXT]! < memory[OLDEST]!) memory[ENDING] = 1;
  }
}
