/**
 * The plan of a run: the next operations, and how far the run is from it. Decides when the runs on
 * a workcell need a new plan, and has it computed tick by tick. Also: the checks whether a task or
 * move can start now.
 */
import type { SafetyState } from '../../contract/robot-states.ts';
import { type Cancel, runCooperatively, type WallClock } from '../clock/clock.ts';
import type { Timers, TwinTime } from '../clock/twin-time.ts';
import type { JointPlan, JointResult } from './joint-problem.ts';
import { locationKey, type WorkflowModel } from './model.ts';
import {
  isSameLocation,
  type Plan,
  type PlannedLabwareMove,
  type PlannedTask,
  type SlotLocation,
} from './plan/problem.ts';
import type { RunProgress, TimeLimits } from './progress.ts';
import type { RunLog } from './run-log.ts';
import type { Member, Neighbours } from './workcells.ts';

type Planned = PlannedTask | PlannedLabwareMove;

const DRIFT_S = 1;
const DRIFT_SHARE = 0.1;
const EPSILON_S = 1e-5;

/** Times of joint plans differ by rounding. */
function isSameTime(a_s: number, b_s: number): boolean {
  return Math.abs(a_s - b_s) < EPSILON_S;
}

function isSameOne(a: Planned, b: Planned): boolean {
  if (a.task !== b.task || !isSameTime(a.start_s, b.start_s)) return false;
  if (!isSameTime(a.end_s, b.end_s)) return false;
  if ('instrument' in a) return 'instrument' in b && a.instrument === b.instrument;
  return (
    'labware' in b &&
    a.labware === b.labware &&
    isSameLocation(a.from, b.from) &&
    isSameLocation(a.to, b.to)
  );
}

function moveKey({ task, labware, toBuffer = false }: PlannedLabwareMove): string {
  return `${task} ${labware} ${toBuffer}`;
}

function isSame(one: readonly Planned[], other: readonly Planned[]): boolean {
  return one.length === other.length && one.every((entry, i) => isSameOne(entry, other[i]!));
}

export class RunPlan {
  current: Plan;
  private readonly firstTasks: ReadonlyMap<number, PlannedTask>;
  private readonly firstMoves: ReadonlyMap<string, PlannedLabwareMove>;
  /** Why the latest replanning failed; empty if it succeeded. */
  faults: readonly string[] = [];
  private readonly progress: RunProgress;

  constructor(progress: RunProgress, first: Plan) {
    this.progress = progress;
    this.current = first;
    this.firstTasks = new Map(first.tasks.map((one) => [one.task, one]));
    this.firstMoves = new Map(first.moves.map((one) => [moveKey(one), one]));
  }

  /** A task or move by the first plan of the run; undefined if that did not contain it. */
  firstPlanned(one: number | PlannedLabwareMove): Planned | undefined {
    return typeof one === 'number' ? this.firstTasks.get(one) : this.firstMoves.get(moveKey(one));
  }

  /** The next move that has not started; undefined for none. */
  get nextMove(): PlannedLabwareMove | undefined {
    const { progress } = this;
    const held = progress.heldTasks();
    return this.current.moves.find((one) => !progress.hasStarted(one) && !held.has(one.task));
  }

  /** The first waiting task of each instrument, and of those without an instrument. */
  get nextTasks(): PlannedTask[] {
    const found = new Map<number, PlannedTask>();
    const held = this.progress.heldTasks();
    for (const one of this.current.tasks) {
      const waits = this.progress.tasks[one.task]!.state === 'waiting' && !held.has(one.task);
      if (waits && !found.has(one.instrument)) found.set(one.instrument, one);
    }
    return [...found.values()];
  }

  /** The next planned start after a time (s); null for none. */
  nextStart_s(after_s: number): number | null {
    const starts = [this.nextMove, ...this.nextTasks].flatMap((one) =>
      one && one.start_s > after_s ? [one.start_s] : [],
    );
    return starts.length === 0 ? null : Math.min(...starts);
  }

  /** The planned times of a task. */
  taskTimes(task: number): PlannedTask | undefined {
    return this.current.tasks.find((one) => one.task === task);
  }

  /** The planned end of a move (s). */
  moveEnd_s({ task, labware, end_s, toBuffer }: PlannedLabwareMove): number {
    const isIt = (one: PlannedLabwareMove) =>
      one.task === task && one.labware === labware && one.toBuffer === toBuffer;
    return this.current.moves.find(isIt)?.end_s ?? end_s;
  }

  /** True if a time is far enough from its planned value to require a new plan. */
  isDrift(planned_s: number, actual_s: number, duration_s: number): boolean {
    return Math.abs(actual_s - planned_s) > Math.max(DRIFT_S, DRIFT_SHARE * duration_s);
  }

  /** The planned operations that have not started. */
  private rest({ tasks, moves }: Plan): readonly Planned[] {
    const { progress } = this;
    return [
      ...tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting'),
      ...moves.filter((move) => !progress.hasStarted(move)),
    ];
  }

  /** Takes a new plan; returns whether what has not started differs. */
  adopt(plan: Plan): boolean {
    const before = this.rest(this.current);
    this.current = plan;
    return !isSame(before, this.rest(plan));
  }

  /** Remaining work (whole seconds). */
  remaining_s(now_s: number): number {
    return Math.max(0, Math.ceil(this.current.makespan_s - now_s - 1e-6));
  }
}

interface PublisherParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly log: RunLog;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  /** Called after a publication that had to wait for its tick. */
  readonly onLate: () => void;
}

/** Publishes the plans of a run: at most one at a tick (docs/decisions). */
export class PlanPublisher {
  /** True if the next plan is published even if it is unchanged. */
  mustPublish = false;
  /** True while a plan waits for the tick at which it can be published. */
  isAwaited = false;
  private published_tick = -1;
  private cancelPublish: Cancel = () => {};
  private readonly parts: PublisherParts;

  constructor(parts: PublisherParts) {
    this.parts = parts;
  }

  /** True if a plan was published at this tick. */
  get isPublishedNow(): boolean {
    return this.published_tick === this.parts.time.tick;
  }

  /** Publishes the plan now, or at the next tick if this one has had a NewPlan event. */
  publish(): void {
    const { plan, time, timers, log, now_s, onLate } = this.parts;
    this.cancelPublish();
    this.isAwaited = this.isPublishedNow;
    if (!this.isAwaited) {
      this.published_tick = time.tick;
      log.plan({ remaining_worktime: plan.remaining_s(now_s()) });
      return;
    }
    this.cancelPublish = timers.at(time.tick + 1, () => {
      this.publish();
      onLate();
    });
  }

  /** Publishes the result of a planning if it differs, or if a publication is wanted. */
  settle(isNew: boolean): void {
    if (isNew || (this.mustPublish && !this.isPublishedNow)) this.publish();
    this.mustPublish = false;
  }

  /** Stops publishing. */
  stop(): void {
    this.cancelPublish();
  }
}

interface ReplanningParts {
  readonly joint: JointPlan;
  readonly members: readonly Member[];
  readonly time: TwinTime;
  readonly wall: WallClock;
}

/** Candidate tasks and moves per tick: about 0.1 ms of warm code. */
export const WORK_PER_TICK = 96;

/**
 * Replans after significant drift or on request. Planning is spread over ticks with a fixed amount
 * of work per tick, while the runs follow their previous plans, so the tick of a new plan depends
 * neither on the machine nor on the clock pace.
 */
export class Replanning {
  /** True if something has happened that no plan accounts for. */
  isDue = false;
  /** Planning work of the tick `work_tick`. */
  private work_tick = -1;
  private work = 0;
  /** The paused run whose operator asked for the plan; null for none. */
  private asking: Member | null = null;
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** True while there is work to do at the next tick. */
  get isActive(): boolean {
    return this.isDue || this.parts.joint.isPlanning;
  }

  /** Compares a start or end of a run with its planned time; drift makes a new plan due. */
  recordTiming(
    one: PlannedLabwareMove | PlannedTask,
    { plan, actual_s, planned_s }: { plan: RunPlan; actual_s: number; planned_s: number },
  ): void {
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || this.parts.joint.isPlanning) this.isDue = true;
  }

  /** Does this tick's planning work, if any; returns true if a run has a new plan. */
  advance(): boolean {
    const { joint, time, members } = this.parts;
    if (this.work_tick !== time.tick) this.work = 0;
    this.work_tick = time.tick;
    if (!members.some(({ publisher }) => publisher.isPublishedNow)) this.startIfDue(null);
    while (joint.isPlanning && this.work < WORK_PER_TICK) if (this.step()) return true;
    return false;
  }

  private startIfDue(asking: Member | null): void {
    if (this.isDue) {
      this.asking = asking;
      this.parts.joint.startPlanning(this.parts.time.tick, asking);
    }
    this.isDue = false;
  }

  private step(): boolean {
    const { work, found } = this.parts.joint.step();
    this.work += work;
    return found !== null && this.adopt(found, this.asking);
  }

  /** Gives the runs their plans, in the order of the members; returns whether one is new. */
  adopt({ faults, plans }: JointResult, asking: Member | null): boolean {
    let hasNew = false;
    this.parts.members.forEach((member, i) => {
      if (!member.isActive && member !== asking) return;
      member.plan.faults = faults;
      const plan = plans[i];
      if (!plan) return;
      const isNew = member.plan.adopt(plan);
      member.isProvisional = false;
      member.publisher.settle(isNew);
      hasNew ||= isNew;
    });
    return hasNew;
  }

  /** Replans on request of a run; `alwaysPublish` publishes its plan even if it is unchanged. */
  async replanNow(
    asking: Member,
    { alwaysPublish }: { readonly alwaysPublish: boolean },
  ): Promise<void> {
    const { joint, wall, members, time } = this.parts;
    if (alwaysPublish) asking.publisher.mustPublish = true;
    if (!asking.isActive && members.some(({ isActive }) => isActive)) {
      // The other runs do not wait for a paused one.
      const found = await joint.planFor(
        { run: asking, progress: asking.progress },
        time.tick,
        wall,
      );
      asking.plan.faults = found.ok ? [] : found.error.messages;
      if (found.ok) asking.publisher.settle(asking.plan.adopt(found.value));
      return;
    }
    this.isDue = true;
    await runCooperatively(wall, () => {
      this.startIfDue(asking);
      if (joint.isPlanning) this.step();
      return joint.isPlanning || this.isDue ? null : true;
    });
  }

  /** Stops planning. */
  stop(): void {
    this.isDue = false;
    this.parts.joint.cancelPlanning();
  }
}

/**
 * Checks whether a task or move can start, a run can resume and a failed task can be retried or
 * skipped, and returns the reasons if not. Uses actual locations and ends, not planned ones.
 */

/** Name of each safety state in messages. */
export const SAFETY_TEXT: { readonly [State in SafetyState]: string } = {
  ok: '',
  emergency_stop: 'emergency stop',
  protective_stop: 'protective stop',
};

/** What makes the workcell safe again. */
const SAFETY_ADVICE: { readonly [State in Exclude<SafetyState, 'ok'>]: string } = {
  emergency_stop:
    'Release it (PUT /sim/v1/emergency_stop); if the arm then reports an error, reset it ' +
    '(POST /api/v1/controls/reset_errors)',
  protective_stop: 'Acknowledge the collision (POST /api/v1/controls/acknowledge_collision)',
};

/** Why no run can start or resume in this safety state, and what to do; null if it is safe. */
export function safetyFault(safety: SafetyState): string | null {
  if (safety === 'ok') return null;
  return `The workcell is not safe: ${SAFETY_TEXT[safety]}. ${SAFETY_ADVICE[safety]}`;
}

export interface WorkcellState {
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
  readonly isDown: (instrument: number) => boolean;
  readonly limits: TimeLimits;
  readonly neighbours: Neighbours;
}

function locationName({ model }: WorkcellState, { instrument, slot }: SlotLocation): string {
  return `${model.instruments[instrument]!.id} slot ${slot}`;
}

/** Returns the piece in a slot, other than `except`; undefined for none. */
function holderOf(
  { model, progress, neighbours }: WorkcellState,
  location: SlotLocation,
  except: number,
): string | undefined {
  if (model.instruments[location.instrument]!.slotless) return undefined;
  const key = locationKey(location);
  const index = progress.locations.findIndex(
    (one, labware) => labware !== except && one !== null && locationKey(one) === key,
  );
  return model.labware[index]?.id ?? neighbours.holderOf(location);
}

function dependencyReasons({ model, progress }: WorkcellState, task: number): string[] {
  return model.tasks[task]!.after.filter((other) => !progress.isDone(other)).map(
    (other) => `task ${model.tasks[other]!.id} has not ended`,
  );
}

function labwareReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  const { model, progress } = workcell;
  return model.tasks[task]!.uses.flatMap(({ labware, slot, slot_after }) => {
    const { id } = model.labware[labware]!;
    const location = progress.locations[labware];
    if (progress.held.has(labware)) return [`${id} is on hold`];
    if (progress.nextTaskOf(labware) !== task) return [`${id} is needed by another task first`];
    if (!location) return [`${id} is in the gripper`];
    const there = location.instrument === instrument && location.slot === slot;
    if (!there) return [`${id} is still in ${locationName(workcell, location)}`];
    const after = { instrument, slot: slot_after };
    const holder = slot_after === slot ? undefined : holderOf(workcell, after, labware);
    return holder ? [`${locationName(workcell, after)} is held by ${holder}`] : [];
  });
}

/** Returns why a task cannot start on an instrument; empty if it can. */
export function taskReasons(workcell: WorkcellState, task: number, instrument: number): string[] {
  return [...blockingReasons(workcell, task, instrument), ...workcell.limits.reasons(task)];
}

/** The reasons that do not pass with time alone, as the least time of a limit does. */
export function blockingReasons(
  workcell: WorkcellState,
  task: number,
  instrument: number,
): string[] {
  const { model, progress } = workcell;
  const reasons = [
    ...dependencyReasons(workcell, task),
    ...labwareReasons(workcell, task, instrument),
  ];
  if (instrument < 0) return reasons;
  const { id, capacity } = model.instruments[instrument]!;
  if (workcell.isDown(instrument)) reasons.push(`${id} is down`);
  const busy = progress.runningTasks.filter(
    (other) => progress.tasks[other]!.instrument === instrument,
  );
  const names = busy.map((other) => model.tasks[other]!.id);
  names.push(...workcell.neighbours.runningOn(instrument));
  if (names.length >= capacity) reasons.push(`${id} is busy with ${names.join(', ')}`);
  return reasons;
}

/** Returns why a move cannot start; empty if it can. */
export function moveReasons(
  workcell: WorkcellState,
  { labware, task, from, to, toBuffer = false }: PlannedLabwareMove,
): string[] {
  const { model, progress } = workcell;
  const { id } = model.labware[labware]!;
  const location = progress.locations[labware];
  if (!location) return [`${id} is in the gripper`];
  const reasons: string[] = [];
  if (locationKey(location) !== locationKey(from)) reasons.push(`${id} is not there yet`);
  const next = progress.nextTaskOf(labware);
  if (progress.held.has(labware)) reasons.push(`${id} is on hold`);
  const gripped = workcell.neighbours.gripped();
  if (gripped !== null) reasons.push(`the gripper holds ${gripped}`);
  const isNext = next === task || (toBuffer && next === undefined);
  if (!isNext) reasons.push(`${id} is needed by another task first`);
  // A move to a buffer after the last task may become due while that still runs.
  const running = progress.runningTasks.find((one) =>
    model.tasks[one]!.uses.some((use) => use.labware === labware),
  );
  if (running !== undefined) reasons.push(`task ${model.tasks[running]!.id} has not ended`);
  const holder = holderOf(workcell, to, labware);
  if (holder) reasons.push(`${locationName(workcell, to)} is held by ${holder}`);
  if (workcell.isDown(to.instrument))
    reasons.push(`${model.instruments[to.instrument]!.id} is down`);
  return reasons;
}

export interface RunConditions {
  readonly state: 'started' | 'paused' | 'stopped';
  readonly safety: SafetyState;
  readonly model: WorkflowModel;
  readonly progress: RunProgress;
}

/** Returns why a run cannot be resumed, or null. */
export function resumeFault({ state, safety, progress, model }: RunConditions): string | null {
  if (state !== 'paused') return `The run is ${state}`;
  const unsafe = safetyFault(safety);
  if (unsafe) return unsafe;
  const failed = progress.failedTasks.map((task) => model.tasks[task]!.id);
  return failed.length === 0
    ? null
    : `Retry, complete or skip the failed tasks first: ${failed.join(', ')}`;
}

/** Says that the rest of a run has no plan, and what to do. */
export function noPlanText(faults: readonly string[]): string {
  const advice =
    'Remove the cause and resume, or stop the run, correct the deck and start one with its ' +
    'continue_run_id';
  return `The rest of the run has no plan: ${faults.join('; ')}. ${advice}`;
}

/** What an operator may choose for a failed task. */
export type FailureChoice = 'retry' | 'complete' | 'skip';

/** Returns the index of a failed task, or why the action is not possible for it. */
export function failedTaskFor(
  { state, progress, model }: RunConditions,
  id: string,
  action: FailureChoice,
): number | string {
  const task = model.tasks.findIndex((one) => one.id === id);
  if (task < 0) return `There is no task ${id}`;
  const isFailed = state !== 'stopped' && progress.tasks[task]!.state === 'failed';
  if (!isFailed) return `Task ${id} has not failed in a paused run`;
  const { failureActions } = model.tasks[task]!;
  const { retries } = progress.tasks[task]!;
  if (!failureActions[action]) {
    return `Task ${id} does not allow ${action}; see its available_failure_actions`;
  }
  const isLimit = action === 'retry' && retries >= failureActions.max_retries;
  return isLimit ? `Task ${id} was retried ${retries} times, its max_retries` : task;
}
