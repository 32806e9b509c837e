/**
 * Makes servos ready without moving the arm: identify and check them, correct settings, and enable
 * torque joint by joint. A servo that holds its joint keeps its own goal: it hangs below that goal
 * by its load, and setting the goal to where it is would let it sink further. Torque of a held
 * joint goes off only where the operator says that the arm is supported, one joint at a time.
 */

import { failure, type Result, success } from '../../../contract/result.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import { type BusClock, delay } from '../../transport/bus-clock.ts';
import type { Bus, Transaction } from '../bus/bus.ts';
import {
  isLineTooBad,
  type LineQuality,
  lineQualityProblem,
  measureLine,
} from '../bus/line-quality.ts';
import type { Calibration } from '../calibration/calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_TURN } from '../calibration/joint-units.ts';
import { type ServoSlot, servoSlots } from '../calibration/servo-slot.ts';
import { lagProblem, placeProblem } from '../diagnosis/common-checks.ts';
import { GoalLead } from '../goals/goal-lead.ts';
import { jointRange } from '../goals/goal-range.ts';
import type { JointLag, StartedJoints, StartProblem } from '../joint-bus.ts';
import { holdProblem, type JointHold, jointHolds } from './holding-torque.ts';
import { lineTrouble } from './servo-line.ts';
import { StartAborted, startProblem } from './start-aborted.ts';
import type { StartReport } from './start-report.ts';
import type { ServoPlace, ServoState, StartServos } from './start-servos.ts';

/** Joints that hold after a start. */
export interface StartedArm extends StartedJoints {
  /** Lowest and highest goal that the servos of each joint accept (steps). */
  readonly goal_range: readonly GoalRange[];
  /** What the start found and wrote, by servo. */
  readonly report: StartReport;
}

export interface SafeStartOptions {
  readonly clock: BusClock;
  readonly calibration: Calibration;
  /** True: the operator says that the arm is supported, so that joints may let go for a moment. */
  readonly supported?: boolean;
  /**
   * True: a recovery of an arm that this program has driven. It neither searches nor measures the
   * line, on which watchdogs wait, and nobody supports the arm any more.
   */
  readonly resumed?: boolean;
}

interface FamilyStartOptions extends SafeStartOptions {
  readonly servos: StartServos;
  readonly line: Bus;
  readonly lag: JointLag;
  /** Reads a sample of all servos. */
  readonly sample: Transaction;
}

/** Time after enabling torque before the motion check (ms). */
const SETTLE_MS = 60;
const MOVED_RAD = 0.05;
/** Joints at rest move less than this between two readings; maximum number of readings. */
const REST_RAD = 0.004;
const REST_READS = 20;
/** Servos in a row that do not say whether they have torque, after which no other is asked. */
const SILENT_MAX = 2;
/** Readings of a joint without torque until it stands where its goal was computed for. */
const PLACE_READS = 5;
/** Two servos of one joint farther apart than this would fight each other (rad). */
const APART_MAX_RAD = 0.05;

/** What a calibration without models of the drives leaves undone. */
const FEELS_LITTLE =
  'The calibration has no drive for each joint: a contact is noticed by lag or stall alone, and ' +
  'only the touching joint stops pushing';

/** Whether a servo that holds keeps its goal: none of its settings is corrected. */
function keepsGoal({ holds, wrong }: ServoState): boolean {
  return holds && wrong.length === 0;
}

/** Lowest and highest goal (steps). */
type GoalRange = readonly [number, number];

class SafeStart {
  /** Ids of servos that this start has given torque, and of those with a watchdog before it. */
  readonly watched = new Set<number>();
  /** What is wrong with the line by its lost and garbled answers; null: nothing, or not measured. */
  line_problem: string | null = null;
  private readonly options: FamilyStartOptions;
  /** Whether the operator supports the arm now. */
  private readonly supported: boolean;
  private readonly slots: readonly ServoSlot[];
  private readonly servos: StartServos;
  /** Wrong answers of the line before this start. */
  private readonly disturbances: number;

  constructor(options: FamilyStartOptions) {
    this.options = options;
    this.supported = (options.supported ?? false) && !options.resumed;
    this.disturbances = options.line.disturbances;
    this.slots = servoSlots(options.calibration);
    this.servos = options.servos;
  }

  async run(): Promise<StartedArm> {
    for (const slot of this.slots) await this.servos.identify(slot);
    for (const slot of this.slots) await this.servos.checkHardwareError(slot);
    const quality = this.options.resumed ? null : await this.measureLine();
    const states: ServoState[] = [];
    for (const slot of this.slots) states.push(this.withLimits(await this.servos.inspect(slot)));
    this.slots.forEach((slot, i) => {
      if (states[i]!.holds && states[i]!.watchdog !== 0) this.watched.add(slot.id);
    });
    if (!this.options.resumed) await this.servos.checkOthers(this.slots);
    this.checkHeldSettings(states);
    // Before anything is written: what one servo is told must reach no other.
    for (const [i, slot] of this.slots.entries()) await this.servos.isolate(slot, states[i]!);
    const held = states.some(({ holds }) => holds);
    const before = held ? await this.waitForRest() : await this.readPositions();
    this.checkHeldGoals(states, before);
    const holds = this.checkTorque(states, before);
    const goal_rad = new Float64Array(6);
    const goal_range: GoalRange[] = [];
    const ranges: (readonly [number, number])[] = [];
    for (let j = 0; j < 6; j++) {
      await this.prepareJoint(j, states);
      const range = await this.readGoalRange(j);
      goal_range.push(range);
      ranges.push(this.rangeOf(j, range));
      const enabled = await this.enableJoint(j, states, { before, range });
      before[j] = enabled.position_rad;
      goal_rad[j] = enabled.goal_rad;
    }
    await delay(this.options.clock, SETTLE_MS);
    const after = await this.readPositions();
    const unsafe = this.movedProblem(before, after) ?? (await this.goalProblem(states, goal_rad));
    if (unsafe) throw await this.releaseAll(states, unsafe);
    return {
      position_rad: Float64Array.from(after),
      goal_rad,
      goal_range,
      range_rad: { min_rad: ranges.map(([low]) => low), max_rad: ranges.map(([, high]) => high) },
      report: this.reportOf(states, holds, quality),
    };
  }

  private reportOf(
    states: readonly ServoState[],
    joints: readonly JointHold[],
    line: LineQuality | null,
  ): StartReport {
    const servos = this.slots.map((slot, i) => this.servos.reportOf(slot, states[i]!.holds));
    const { line: bus, sample } = this.options;
    const told = line ? [this.line_problem, bus.rateProblem(sample)] : [];
    const knowsLoad = this.options.calibration.joints.every(({ drive }) => drive !== undefined);
    const notes = [...told, knowsLoad ? null : FEELS_LITTLE];
    return { servos, joints, line, notes: notes.filter((text) => text !== null) };
  }

  /** Refuses a line on which too many answers are lost or garbled. */
  private async measureLine(): Promise<LineQuality> {
    const { line, sample } = this.options;
    await line.settle();
    const quality = await measureLine(line, sample);
    this.line_problem = lineQualityProblem(quality, line.name);
    if (this.line_problem === null || !isLineTooBad(quality)) return quality;
    throw new StartAborted(null, `No joint gets torque: ${this.line_problem}`);
  }

  /** Refuses a joint that its servos could not hold where it stands (rad). */
  private checkTorque(
    states: readonly ServoState[],
    position_rad: readonly number[],
  ): readonly JointHold[] {
    const servos = this.slots.map((slot, i) => ({ slot, strength: states[i]!.strength }));
    const holds = jointHolds(this.options.calibration, position_rad, servos);
    for (const hold of holds) {
      const problem = holdProblem(hold);
      const slot = this.slots.find(({ joint }) => joint === hold.joint)!;
      if (problem !== null) throw startProblem(slot, problem);
    }
    return holds;
  }

  /** Where the arm is supported, a joint that holds also gets the limits of the calibration. */
  private withLimits(state: ServoState): ServoState {
    if (!this.supported || !state.holds) return state;
    return { ...state, wrong: [...state.wrong, ...state.wide], wide: [] };
  }

  /** Refuses settings whose correction would let a held joint go. */
  private checkHeldSettings(states: readonly ServoState[]): void {
    if (this.supported) return;
    for (const [i, { holds, wrong }] of states.entries()) {
      if (!holds || wrong.length === 0) continue;
      const changes = wrong.map(({ name, value }) => `${name} = ${value}`).join(', ');
      const needs = `holds its joint and needs ${changes}, which lets the joint go`;
      const remedy = 'support the arm and start with --arm-is-supported';
      throw startProblem(this.slots[i]!, `${needs}: ${remedy}`);
    }
  }

  /** Refuses a joint that pushes against something, and servos of one joint that fight. */
  private checkHeldGoals(states: readonly ServoState[], position_rad: readonly number[]): void {
    for (const [i, { holds, goal_ticks }] of states.entries()) {
      const slot = this.slots[i]!;
      const goal_rad = new JointUnits(slot.calibration).toAngle(goal_ticks);
      const lag_rad = goal_rad - position_rad[slot.joint]!;
      const problem = holds ? lagProblem(lag_rad) : null;
      if (problem !== null) throw startProblem(slot, problem);
    }
  }

  /** Corrects settings and limits of the servos of a joint, as far as they may be written. */
  private async prepareJoint(joint: number, states: readonly ServoState[]): Promise<void> {
    for (const [i, slot] of this.slots.entries()) {
      if (slot.joint !== joint) continue;
      const state = states[i]!;
      await this.servos.prepare(slot, state, keepsGoal(state));
    }
  }

  /** Enables the torque of a joint; returns where it is, and the goal that holds it (rad). */
  private async enableJoint(
    joint: number,
    states: readonly ServoState[],
    { before, range }: { readonly before: readonly number[]; readonly range: GoalRange },
  ): Promise<{ readonly position_rad: number; readonly goal_rad: number }> {
    const units = new JointUnits(this.options.calibration.joints[joint]!);
    const own = this.slots.filter((slot) => slot.joint === joint);
    const keeps = (slot: ServoSlot) => keepsGoal(states[this.slots.indexOf(slot)]!);
    const keeper = own.find(keeps);
    const limp = own.filter((slot) => !keeps(slot));
    const kept = keeper && states[this.slots.indexOf(keeper)]!.goal_ticks;
    let position_rad = before[joint]!;
    let goal_ticks = kept ?? 0;
    for (let reading = 0; limp.length > 0; reading++) {
      // A joint without torque may be sinking, and a corrected offset changes what its servo reads.
      const now = await this.readPositions();
      position_rad = now[joint]!;
      goal_ticks = kept ?? this.balancingGoal(joint, now, range);
      for (const slot of limp) await this.servos.setGoal(slot, goal_ticks);
      if (await this.standsAsRead(limp, goal_ticks, position_rad)) break;
      if (reading >= PLACE_READS) throw this.unsteadyProblem(limp[0]!);
    }
    for (const slot of limp) {
      this.watched.add(slot.id);
      await this.servos.hold(slot, goal_ticks, this.supported);
    }
    return { position_rad, goal_rad: units.toAngle(goal_ticks) };
  }

  /** The goal (steps) at which a joint hangs where it is (rad), by the load of the arm. */
  private balancingGoal(joint: number, position_rad: readonly number[], range: GoalRange): number {
    const { calibration, lag } = this.options;
    const lead = new GoalLead(calibration, lag);
    lead.update(Float64Array.from(position_rad), new Float64Array(6));
    const balanced = new JointUnits(calibration.joints[joint]!).toTicks(lead.goal_rad[joint]!);
    return Math.min(range[1], Math.max(range[0], balanced));
  }

  /**
   * The last look before torque: the line is in step, and two readings of goal and position, each
   * in one answer, show this goal at the place that it was computed for.
   */
  private async standsAsRead(
    slots: readonly ServoSlot[],
    goal_ticks: number,
    position_rad: number,
  ): Promise<boolean> {
    if (!(await this.options.line.settle())) return false;
    for (const slot of [...slots, ...slots]) {
      const { goal_ticks: found, present_ticks } = await this.servos.readPlace(slot);
      const angle = new JointUnits(slot.calibration).toAngle(intoOneTurn(present_ticks));
      const stands = Math.abs(angle - position_rad) <= MOVED_RAD;
      if (found !== goal_ticks || !stands) return false;
    }
    return true;
  }

  /** Why a joint did not get torque: by its line, or by itself. */
  private unsteadyProblem(slot: ServoSlot): StartAborted {
    const trouble = this.lineTrouble();
    const moves = 'moves while it has no torque: support the arm at rest, then start again';
    return startProblem(slot, trouble ? `gets no torque: ${trouble}` : moves);
  }

  /** What is wrong with the line, where its answers were since the start began; else null. */
  private lineTrouble(): string | null {
    const { line } = this.options;
    const count = line.disturbances - this.disturbances;
    return count === 0 ? null : lineTrouble(line, count);
  }

  /** Goals that all servos of a joint accept; a goal beyond them would be ignored in silence. */
  private async readGoalRange(joint: number): Promise<GoalRange> {
    let range: GoalRange = [0, TICKS_PER_TURN - 1];
    for (const slot of this.slots.filter((one) => one.joint === joint)) {
      const [low, high] = await this.servos.readGoalRange(slot);
      range = [Math.max(range[0], low), Math.min(range[1], high)];
    }
    return range;
  }

  /** The range (rad) in which the servos of a joint take each pose; it must not be empty. */
  private rangeOf(joint: number, goals: GoalRange): readonly [number, number] {
    const [low, high] = jointRange(this.options.calibration.joints[joint]!, goals);
    if (low < high) return [low, high];
    const slot = this.slots.find((one) => one.joint === joint)!;
    const has = 'has position limits that leave its joint no range inside the calibration';
    throw startProblem(slot, `${has}: widen them, or calibrate again`);
  }

  /** Angles of the joints (rad); servos of one joint must agree. */
  private async readPositions(): Promise<number[]> {
    const angles: number[] = [];
    for (const slot of this.slots) {
      const angle = this.angleOf(slot, await this.servos.readPlace(slot));
      const first = angles[slot.joint] ?? angle;
      angles[slot.joint] = first;
      if (Math.abs(angle - first) <= APART_MAX_RAD) continue;
      const where = `is ${Math.abs(angle - first).toFixed(3)} rad from servo ${slot.leader}`;
      const fix = 'check its mounting, drive mode and homing offset';
      throw startProblem(slot, `${where} of the same joint, and would fight it: ${fix}`);
    }
    return angles;
  }

  /** The first servo with another goal than the arm starts with, to which it would jump. */
  private async goalProblem(
    states: readonly ServoState[],
    goal_rad: ArrayLike<number>,
  ): Promise<StartAborted | null> {
    for (const [i, slot] of this.slots.entries()) {
      const state = states[i]!;
      const set_ticks = new JointUnits(slot.calibration).toTicks(goal_rad[slot.joint]!);
      const wanted = keepsGoal(state) ? state.goal_ticks : set_ticks;
      const { goal_ticks } = await this.servos.readPlace(slot);
      if (goal_ticks === wanted) continue;
      const why = this.lineTrouble() ?? 'another program sends goals: stop it, then start again';
      return startProblem(slot, `has the goal ${goal_ticks} instead of ${wanted}: ${why}`);
    }
    return null;
  }

  /** The angle of a joint (rad), if it is inside its range. */
  private angleOf(slot: ServoSlot, { present_ticks }: ServoPlace): number {
    const angle = new JointUnits(slot.calibration).toAngle(intoOneTurn(present_ticks));
    const problem = placeProblem(slot, angle);
    if (problem !== null) throw startProblem(slot, problem);
    return angle;
  }

  /** Waits for joints that are still moving to an earlier goal; returns the angles (rad). */
  private async waitForRest(): Promise<number[]> {
    let before = await this.readPositions();
    for (let reading = 0; reading < REST_READS; reading++) {
      await delay(this.options.clock, SETTLE_MS);
      const now = await this.readPositions();
      if (now.every((angle, j) => Math.abs(angle - before[j]!) < REST_RAD)) return now;
      before = now;
    }
    return before;
  }

  private movedProblem(before: readonly number[], after: readonly number[]): StartAborted | null {
    const joint = before.findIndex((angle, j) => Math.abs(angle - after[j]!) > MOVED_RAD);
    if (joint < 0) return null;
    const distance_rad = Math.abs(before[joint]! - after[joint]!).toFixed(3);
    const moved = `moved by ${distance_rad} rad when torque was enabled`;
    const slot = this.slots.find((one) => one.joint === joint)!;
    const why = this.lineTrouble() ?? 'check direction, zero_ticks and gear, and support the arm';
    return startProblem(slot, `${moved}: ${why}`);
  }

  /** Switches off the torque that this start switched on, and returns the problem. */
  private async releaseAll(
    states: readonly ServoState[],
    problem: StartAborted,
  ): Promise<StartAborted> {
    // Joints held before the start keep their torque, or they would fall.
    for (const [i, slot] of this.slots.entries()) {
      if (!states[i]!.holds) await this.servos.release(slot);
    }
    return problem;
  }
}

/** Makes the servos ready, or returns the joint and the remedy. Never moves the arm. */
export async function startServos(
  options: FamilyStartOptions,
): Promise<Result<StartedArm, StartProblem>> {
  const { line } = options;
  const before = line.counts.unexpected;
  const start = new SafeStart(options);
  try {
    return success(await start.run());
  } catch (error) {
    if (!(error instanceof StartAborted)) throw error;
    const { joint, message } = error;
    const unasked = line.counts.unexpected - before;
    // Whatever a start found on a line out of step, the line is to be repaired first.
    const trouble = start.line_problem ?? (unasked === 0 ? null : lineTrouble(line, unasked));
    const named = trouble === null || message.includes(line.name);
    const why = named ? message : `${message} (first of all: ${trouble})`;
    const left = options.resumed ? null : await leaveArm(options, start.watched);
    return failure({ joint, message: left === null ? why : `${why}. ${left}` });
  }
}

/**
 * Leaves an arm whose start was refused: what has torque goes on holding, by its watchdog where it
 * had one or this start gave it torque, and a supported arm is released. Returns what it has come
 * to as a sentence; null where nothing has torque.
 */
async function leaveArm(
  { calibration, servos, supported }: FamilyStartOptions,
  watched: ReadonlySet<number>,
): Promise<string | null> {
  const holding: ServoSlot[] = [];
  let silent = 0;
  for (const slot of servoSlots(calibration)) {
    const has = silent < SILENT_MAX ? await servos.hasTorque(slot) : null;
    silent = has === null ? silent + 1 : 0;
    if (has === true) holding.push(slot);
  }
  if (holding.length === 0) return null;
  const names = [...new Set(holding.map(({ joint }) => jointName(joint)))].join(', ');
  if (!supported) {
    for (const slot of holding) if (watched.has(slot.id)) await servos.watch(slot);
    const remedy = 'start again, or support the arm and run armtwin release';
    return `${names} still have torque and hold: mend this and ${remedy}`;
  }
  for (const slot of holding.toReversed()) await servos.release(slot).catch(ignoreAborted);
  return `${names} had torque and have none now: the arm is said to be supported`;
}

/** A servo that does not answer a release is named by the start already. */
function ignoreAborted(error: unknown): void {
  if (!(error instanceof StartAborted)) throw error;
}
