/**
 * What the drives do after a contact, until the force that is left is below its bound (D30). Brake:
 * the joints slow down without holding a position, so the arm yields to what it touches. Retreat:
 * from the measured pose back along the way that it came. Give way: where that way is blocked or
 * ends, the joints follow the external torques alone, damped and slow. Hold: as soon as the force
 * is small, and only as long as it is. The whole state lies in the memory of the plant.
 *
 * The external force is what the torque residuals have beyond an undeclared load, which the arm
 * carried before the contact too. Where the force is estimated too small, the retreat goes on until
 * the residuals do not change along it any more: then the contact is left.
 */
import { DETECTION, JOINT_COUNT, JOINT_MAX_RAD, JOINT_MIN_RAD } from '../arm/arm-model.ts';
import { Layout } from '../math/layout.ts';
import { CONTACT_THRESHOLDS_N_M } from './contact-sensitivity.ts';
import type { JointState } from './drives.ts';
import { ExternalForce } from './external-force.ts';
import { PLANT_STEP_S } from './plant-step.ts';
import { TraversedWay, WAY_STATE } from './traversed-way.ts';

const REACTION = DETECTION.reaction;
const BOUND_N = REACTION.force_bound_n;

/** Steps below the rate of rest that end the braking, and its longest duration in steps. */
const STILL_STEPS = 3;
const BRAKE_STEPS_MAX = 250;
/** Stretches of a retreat without a change: what still is felt goes along with the arm. */
const FOLLOWED_STRETCHES = 5;
/** Steps over the bound that end a hold. */
const PRESSED_STEPS = 100;
/** Steps of an arm that gives way and stands, under a force that cannot be relieved. */
const STUCK_STEPS = 500;
/** Stiffness and damping of the ends of the joint ranges while the arm gives way. */
const END_MARGIN_RAD = 0.03;
const END_RAD_S = 30;
/** Damping above the speed of giving way (1/s). */
const SPEED_LIMIT_PER_S = 200;
/** A joint that gives way slower than this stands (rad/s). */
const STANDING_RAD_S = 5e-3;

/** Numbers of a reaction's state. */
export const REACTION_STATE = new Layout({
  phase: 1,
  steps: 1,
  still: 1,
  rate: 1,
  /** How far the fastest joint has gone back and has given way since the contact (rad). */
  retreated: 1,
  yielded: 1,
  markTravel: 1,
  flatStretches: 1,
  ending: 1,
  /** Estimated external force: now, the largest of the reaction, the least of the retreat (N). */
  force: 1,
  peak: 1,
  least: 1,
  /** How often a hold was given up because something pressed again. */
  relieved: 1,
  /** Undeclared load before the contact (kg). */
  load: 1,
  external: JOINT_COUNT,
  mark: JOINT_COUNT,
  rows: 3 * JOINT_COUNT,
  way: WAY_STATE.size,
});
const {
  phase: PHASE,
  steps: STEPS,
  still: STILL,
  rate: RATE,
  retreated: RETREATED,
  yielded: YIELDED,
  markTravel: MARK_TRAVEL,
  flatStretches: FLAT_STRETCHES,
  ending: ENDING,
  force: FORCE,
  peak: PEAK,
  least: LEAST,
  relieved: RELIEVED,
  load: LOAD,
} = REACTION_STATE.at;

/** What the drives do; the numbers are part of snapshots. */
const BRAKING = 0;
const RETREATING = 1;
const GIVING_WAY = 2;
const SETTLING = 3;
const HOLDING = 4;
const PHASES = ['braking', 'retreating', 'giving way', 'giving way', 'holding'] as const;

/** What an arm does about a contact, for people. */
export type ReactionPhase = (typeof PHASES)[number];

/** Changes of residuals over a stretch, and external torques, that do not count (N m). */
const FLAT_CHANGE = shareOfThresholds(REACTION.free_share);
const FELT = shareOfThresholds(REACTION.felt_share);

function shareOfThresholds(share: number): Float64Array {
  return CONTACT_THRESHOLDS_N_M.high.map((threshold) => share * threshold);
}

export class ContactReaction {
  private readonly memory: Float64Array;
  private readonly external: Float64Array;
  private readonly mark: Float64Array;
  private readonly way: TraversedWay;
  private readonly force = new ExternalForce();
  /** Reference of the retreat and of the hold: rows before, now and after. */
  readonly rows: Float64Array;
  private readonly newest: Float64Array;

  /** Its whole state lies in `memory`, an array of the layout REACTION_STATE. */
  constructor(memory: Float64Array) {
    const parts = REACTION_STATE.views(memory);
    this.memory = memory;
    this.external = parts.external;
    this.mark = parts.mark;
    this.rows = parts.rows;
    this.newest = this.rows.subarray(2 * JOINT_COUNT);
    this.way = new TraversedWay(parts.way);
  }

  /** What the arm does about the contact. */
  get phase(): ReactionPhase {
    return PHASES[this.memory[PHASE]!]!;
  }

  /**
   * True once the arm is held, or stands giving way to a force that it cannot leave: at the end of
   * a joint's range, or held from several sides.
   */
  get hasEnded(): boolean {
    const { memory } = this;
    return memory[PHASE] === HOLDING || (this.isCompliant && memory[STILL]! >= STUCK_STEPS);
  }

  /** True while the joints follow external torques. */
  get isCompliant(): boolean {
    return this.memory[PHASE] === GIVING_WAY || this.memory[PHASE] === SETTLING;
  }

  /** Estimated external force at the last step of the reaction, and its largest (N). */
  get force_n(): number {
    return this.memory[FORCE]!;
  }
  get peak_n(): number {
    return this.memory[PEAK]!;
  }

  /** How far the fastest joint went back along the way, and gave way to the force (rad). */
  get retreated_rad(): number {
    return this.memory[RETREATED]!;
  }
  get yielded_rad(): number {
    return this.memory[YIELDED]!;
  }

  /** How often the arm gave way again because something pressed the held arm. */
  get relieved(): number {
    return this.memory[RELIEVED]!;
  }

  /** Forgets the contact and the way. */
  reset(): void {
    this.memory.fill(0);
  }

  /** Records the way of the arm; called in every step without a reaction. No allocation. */
  record(position: Float64Array, residual: Float64Array): void {
    this.way.record(position, residual);
  }

  /** Starts a reaction. */
  begin(): void {
    this.memory.fill(0, 0, LOAD);
    this.memory[LOAD] = this.way.load_kg(this.force);
  }

  /** External force at these angles and residuals (N), besides the load before the contact. */
  forceAt(position: Float64Array, residual: Float64Array): number {
    const { force, external } = this;
    force.place(position);
    force.writeExternal(residual, this.memory[LOAD]!, external);
    return force.size_n(external);
  }

  /**
   * Advances by one step. While the joints follow no reference, writes their accelerations (rad/s²)
   * and returns true; otherwise `rows` is the reference of the servo. No allocation.
   */
  step(state: JointState, residual: Float64Array, out: Float64Array): boolean {
    const { memory } = this;
    memory[FORCE] = this.forceAt(state.position, residual);
    memory[PEAK] = Math.max(memory[PEAK]!, memory[FORCE]!);
    if (memory[PHASE] === HOLDING) this.watchHold();
    if (memory[PHASE] === BRAKING || memory[PHASE] === SETTLING) {
      this.brake(state, residual, out);
      return true;
    }
    if (memory[PHASE] === GIVING_WAY) {
      this.giveWay(state, residual, out);
      return true;
    }
    this.advance(residual);
    return false;
  }

  /**
   * Adds the torque against residuals that are no external force (N m): the drives carry an
   * undeclared load while the arm gives way, so it does not pull the arm down.
   */
  carryLoad(residual: Float64Array, torque: Float64Array): void {
    for (let j = 0; j < JOINT_COUNT; j++) torque[j]! -= residual[j]! - this.external[j]!;
  }

  private brake({ position, velocity }: JointState, residual: Float64Array, out: Float64Array) {
    const { memory } = this;
    let still = true;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rate = velocity[j]!;
      const most = REACTION.braking_rad_s2;
      out[j] = Math.min(Math.max(-rate / PLANT_STEP_S, -most), most);
      if (rate > REACTION.still_rad_s || rate < -REACTION.still_rad_s) still = false;
    }
    memory[STEPS]! += 1;
    memory[STILL] = still ? memory[STILL]! + 1 : 0;
    if (memory[STILL]! < STILL_STEPS && memory[STEPS]! < BRAKE_STEPS_MAX) return;
    for (let row = 0; row < 3; row++) this.rows.set(position, JOINT_COUNT * row);
    if (memory[PHASE] === SETTLING) this.enter(HOLDING);
    else this.startRetreat(position, residual);
  }

  private enter(phase: number): void {
    const { memory } = this;
    memory[PHASE] = phase;
    memory[STEPS] = 0;
    memory[STILL] = 0;
  }

  private startRetreat(position: Float64Array, residual: Float64Array): void {
    const { memory } = this;
    this.enter(RETREATING);
    memory[RATE] = 0;
    memory[MARK_TRAVEL] = 0;
    memory[FLAT_STRETCHES] = 0;
    memory[ENDING] = 0;
    memory[LEAST] = memory[FORCE]!;
    this.mark.set(residual);
    this.way.turnBack(position);
  }

  /** Advances the reference of the retreat or of the hold. */
  private advance(residual: Float64Array): void {
    const { memory, rows } = this;
    rows.copyWithin(0, JOINT_COUNT);
    if (memory[PHASE] !== RETREATING) return;
    this.watchRetreat(residual);
    const gain = REACTION.retreat_acceleration_rad_s2 * PLANT_STEP_S;
    const isEnding = memory[ENDING] === 1 || this.way.isAtEnd;
    memory[RATE] = isEnding
      ? Math.max(memory[RATE]! - gain, 0)
      : Math.min(memory[RATE]! + gain, REACTION.retreat_rad_s);
    const travel = memory[RATE]! * PLANT_STEP_S;
    memory[RETREATED]! += travel;
    this.way.goBack(this.newest, travel);
    if (isEnding && memory[RATE] === 0) this.endRetreat();
  }

  /** Holds where the contact is left; where it is not, the way back has ended. */
  private endRetreat(): void {
    this.way.shorten();
    if (this.memory[FORCE]! <= BOUND_N) this.enter(HOLDING);
    else this.startGivingWay();
  }

  /**
   * Ends the retreat where the force is small and the residuals do not change along it any more;
   * gives way where the force grows instead, or goes along with the arm.
   */
  private watchRetreat(residual: Float64Array): void {
    const { memory, mark } = this;
    const force = memory[FORCE]!;
    memory[LEAST] = Math.min(memory[LEAST]!, force);
    if (force > BOUND_N && force > memory[LEAST]! + REACTION.blocked_n) {
      this.startGivingWay();
      return;
    }
    if (memory[RETREATED]! - memory[MARK_TRAVEL]! < REACTION.stretch_rad) return;
    let isFlat = true;
    let isFelt = false;
    for (let j = 0; j < JOINT_COUNT; j++) {
      if (Math.abs(residual[j]! - mark[j]!) > FLAT_CHANGE[j]!) isFlat = false;
      if (Math.abs(this.external[j]!) > FELT[j]!) isFelt = true;
    }
    memory[FLAT_STRETCHES] = isFlat ? memory[FLAT_STRETCHES]! + 1 : 0;
    memory[MARK_TRAVEL] = memory[RETREATED]!;
    mark.set(residual);
    // What still is felt may press near an axis, where a large force is a small torque.
    const isFollowed = memory[FLAT_STRETCHES]! >= FOLLOWED_STRETCHES;
    if (!isFlat || (isFelt && !isFollowed)) return;
    if (force <= BOUND_N) memory[ENDING] = 1;
    else this.startGivingWay();
  }

  /** The arm leaves its way: nothing of it is left to go back along. */
  private startGivingWay(): void {
    this.way.reset();
    this.enter(GIVING_WAY);
  }

  private giveWay(
    { position, velocity }: JointState,
    residual: Float64Array,
    out: Float64Array,
  ): void {
    const { memory } = this;
    let fastest = 0;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const rate = velocity[j]!;
      const most = REACTION.yield_rad_s;
      const excess = rate - Math.min(Math.max(rate, -most), most);
      out[j] =
        -REACTION.yield_damping_per_s * rate -
        SPEED_LIMIT_PER_S * excess +
        this.pushFromEnd(position[j]!, rate, j);
      fastest = Math.max(fastest, Math.abs(rate));
    }
    memory[YIELDED]! += fastest * PLANT_STEP_S;
    memory[STILL] = fastest < STANDING_RAD_S ? memory[STILL]! + 1 : 0;
    const isStuck = memory[STILL]! >= STUCK_STEPS;
    const force = memory[FORCE]!;
    if (force <= REACTION.force_released_n || (isStuck && force <= BOUND_N)) this.enter(SETTLING);
    else if (memory[YIELDED]! >= REACTION.yield_max_rad) this.endAsWeight(residual);
  }

  /** Acceleration that keeps a joint that gives way inside its range (rad/s²). */
  private pushFromEnd(angle: number, rate: number, j: number): number {
    const low = JOINT_MIN_RAD[j]! + END_MARGIN_RAD;
    const high = JOINT_MAX_RAD[j]! - END_MARGIN_RAD;
    if (angle >= low && angle <= high) return 0;
    const depth = (angle > high ? high : low) - angle;
    return END_RAD_S * END_RAD_S * depth - 2 * END_RAD_S * rate;
  }

  /** A weight stays the same over so long a way: the arm carries it from now on. */
  private endAsWeight(residual: Float64Array): void {
    this.memory[LOAD] = this.force.load_kg(residual, 0);
    this.memory[YIELDED] = 0;
    this.enter(SETTLING);
  }

  /** Gives way again where something presses the held arm. */
  private watchHold(): void {
    const { memory } = this;
    memory[STEPS] = memory[FORCE]! > BOUND_N ? memory[STEPS]! + 1 : 0;
    if (memory[STEPS]! < PRESSED_STEPS) return;
    memory[RELIEVED]! += 1;
    this.startGivingWay();
  }
}
