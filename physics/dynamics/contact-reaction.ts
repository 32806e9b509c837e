/**
 * What the drives do after a detected contact. Brake: the joints slow down without holding a
 * position, so the arm yields to what it touches. Retreat: from the measured pose back along the
 * way it came, until the torque residuals no longer change: the contact is left. Hold. An
 * undeclared load shifts the residuals but does not change them along a few millimetres, so it
 * does not disturb the end of the retreat. The whole state lies in the memory of the plant (D30).
 */
import { DETECTION, JOINT_COUNT } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import { CONTACT_THRESHOLDS_N_M } from './contact-sensitivity.ts';
import type { JointState } from './drives.ts';
import { PLANT_STEP_S } from './plant-step.ts';

const REACTION = DETECTION.reaction;
const RETREAT_THRESHOLDS = CONTACT_THRESHOLDS_N_M.high;

/** Poses of the way: one each time a joint has turned by this angle (rad). */
const WAY_SPACING_RAD = 0.002;
/** A power of two. */
const WAY_LENGTH = 128;
/** Steps below the rate of rest that end the braking, and its longest duration in steps. */
const STILL_STEPS = 3;
const BRAKE_STEPS_MAX = 250;

/** Numbers of a reaction's state. */
export const REACTION_STATE = new Layout({
  phase: 1,
  steps: 1,
  still: 1,
  /** Number of recorded poses; the latest stands at (count - 1) modulo WAY_LENGTH. */
  count: 1,
  /** Number of the pose that the retreat goes to next; -1 after the oldest. */
  next: 1,
  oldest: 1,
  rate: 1,
  travel: 1,
  markTravel: 1,
  ending: 1,
  mark: JOINT_COUNT,
  rows: 3 * JOINT_COUNT,
  way: WAY_LENGTH * JOINT_COUNT,
});
const {
  phase: PHASE,
  steps: STEPS,
  still: STILL,
  count: COUNT,
  next: NEXT,
  oldest: OLDEST,
  rate: RATE,
  travel: TRAVEL,
  markTravel: MARK_TRAVEL,
  ending: ENDING,
} = REACTION_STATE.at;

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

  /** Uses `memory`, of the layout REACTION_STATE, for its whole state. */
  constructor(memory: Float64Array) {
    this.memory = memory;
    const { mark, rows, way } = REACTION_STATE.views(memory);
    this.mark = mark;
    this.rows = rows;
    this.way = way;
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
