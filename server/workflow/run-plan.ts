/**
 * The plan of a run and its replanning. RunPlan holds the current plan, selects the next operations
 * and computes a new plan step by step. Replanning decides when a new plan is due and publishes it.
 */

import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Cancel, WallClock } from '../clock/wall-clock.ts';
import type { WorkflowModel } from './model.ts';
import { type Operations, operationsOf } from './plan/operations.ts';
import { type PlanSteps, planSteps } from './plan/planner.ts';
import {
  isSameLocation,
  type Plan,
  type PlannedLabwareMove,
  type PlannedTask,
} from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunProgress } from './progress.ts';
import type { RunLog } from './run-log.ts';
import type { TimeLimits } from './time-limits.ts';
import { planProblem, runCooperatively } from './workflow-planning.ts';

export interface RunPlanParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly progress: RunProgress;
  readonly seed: number;
  readonly isDown: (instrument: number) => boolean;
  readonly limits: TimeLimits;
}

/** Share of the usual number of attempts for a plan during a run. */
const EFFORT = 0.015;
const DRIFT_S = 1;
const DRIFT_SHARE = 0.1;

function isSameOne(
  a: PlannedTask | PlannedLabwareMove,
  b: PlannedTask | PlannedLabwareMove,
): boolean {
  if (a.task !== b.task || a.start_s !== b.start_s || a.end_s !== b.end_s) return false;
  if ('instrument' in a) return 'instrument' in b && a.instrument === b.instrument;
  return (
    'labware' in b &&
    a.labware === b.labware &&
    isSameLocation(a.from, b.from) &&
    isSameLocation(a.to, b.to)
  );
}

function isSame(
  one: readonly (PlannedTask | PlannedLabwareMove)[],
  other: readonly (PlannedTask | PlannedLabwareMove)[],
): boolean {
  return one.length === other.length && one.every((entry, i) => isSameOne(entry, other[i]!));
}

export class RunPlan {
  current: Plan;
  /** Why the latest replanning failed; empty if it succeeded. */
  faults: readonly string[] = [];
  private readonly parts: RunPlanParts;
  private steps: PlanSteps | null = null;
  /** The operations of the latest problem, and its number of skipped tasks and broken limits. */
  private cachedOperations: (Operations & { readonly dropped: number }) | null = null;

  constructor(parts: RunPlanParts, first: Plan) {
    this.parts = parts;
    this.current = first;
    this.currentOperations(0);
  }

  /** The next move that has not started; undefined for none. */
  get nextMove(): PlannedLabwareMove | undefined {
    return this.current.moves.find((move) => !this.parts.progress.hasStarted(move));
  }

  /** The first waiting task of each instrument, and of those without an instrument. */
  get nextTasks(): PlannedTask[] {
    const found = new Map<number, PlannedTask>();
    for (const one of this.current.tasks) {
      const waits = this.parts.progress.tasks[one.task]!.state === 'waiting';
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
  private rest({ tasks, moves }: Plan): readonly (PlannedTask | PlannedLabwareMove)[] {
    const { progress } = this.parts;
    return [
      ...tasks.filter(({ task }) => progress.tasks[task]!.state === 'waiting'),
      ...moves.filter((move) => !progress.hasStarted(move)),
    ];
  }

  /** True while a new plan is being computed. */
  get isPlanning(): boolean {
    return this.steps !== null;
  }

  /** The operations of the remaining work; cached except for the started ones. */
  private currentOperations(now_s: number): Operations {
    const { model, moves, progress, isDown, limits } = this.parts;
    const { skipped } = progress;
    const dropped = skipped.size + limits.violations.length;
    const isBroken = (id: string) => limits.isBroken(id);
    const started = progress.started(now_s);
    // Started operations may stay on an instrument that is down: these are not cached.
    const isKept = !model.instruments.some((_, instrument) => isDown(instrument));
    const { cachedOperations: known } = this;
    if (isKept && known?.dropped === dropped) {
      return { ...known, problem: { ...known.problem, now_s, started } };
    }
    const situation = { now_s, started, skipped, isDown, isBroken };
    const operations = operationsOf(planProblem(model, moves.time_s, situation));
    this.cachedOperations = isKept ? { ...operations, dropped } : null;
    return operations;
  }

  /** Starts to plan the remaining work; replaces a plan that is being computed. */
  startPlanning(now_s: number): void {
    const known = this.currentOperations(now_s);
    const { seed } = this.parts;
    this.steps = planSteps(known.problem, {
      seed,
      effort: EFFORT,
      relax: true,
      previous: this.current,
      operations: known,
    });
  }

  /** Does one planning step; returns its work and whether the run has a new plan. */
  step(): { readonly work: number; readonly isNew: boolean } {
    const step = this.steps!.next();
    if (!step.done) return { work: step.value, isNew: false };
    this.steps = null;
    const found = step.value;
    this.faults = found.ok ? [] : found.error.messages;
    if (!found.ok) return { work: 0, isNew: false };
    const before = this.rest(this.current);
    this.current = found.value;
    return { work: 0, isNew: !isSame(before, this.rest(found.value)) };
  }

  /** Cancels the plan that is being computed. */
  cancelPlanning(): void {
    this.steps = null;
  }

  /** Remaining work (whole seconds). */
  remaining_s(now_s: number): number {
    return Math.max(0, Math.ceil(this.current.makespan_s - now_s - 1e-6));
  }
}

export interface ReplanningParts {
  readonly plan: RunPlan;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
}

/** Candidate tasks and moves per tick: about 0.1 ms of warm code. */
const WORK_PER_TICK = 96;

/**
 * Replans after significant drift or on request and publishes NewPlan events: at most one per tick,
 * and only for plans that differ (docs/decisions). Planning is spread over ticks with a fixed
 * amount of work per tick, while the run follows the previous plan, so the tick of a new plan
 * depends neither on the machine nor on the clock pace.
 */
export class Replanning {
  /** True if something has happened that no plan accounts for. */
  isDue = false;
  private published_tick = -1;
  /** Planning work of the tick `work_tick`. */
  private work_tick = -1;
  private work = 0;
  /** True if the next plan is published even if it is unchanged. */
  private mustPublish = false;
  private cancelPublish: Cancel = () => {};
  private readonly parts: ReplanningParts;

  constructor(parts: ReplanningParts) {
    this.parts = parts;
  }

  /** True while there is work to do at the next tick. */
  get isActive(): boolean {
    return this.isDue || this.parts.plan.isPlanning;
  }

  /** Publishes the plan now, or at the next tick if this one has had a NewPlan event. */
  publish(): void {
    const { plan, time, timers, log, now_s } = this.parts;
    this.cancelPublish();
    if (this.isPublishedNow) this.cancelPublish = timers.at(time.tick + 1, () => this.publish());
    else {
      this.published_tick = time.tick;
      log.plan({ remaining_worktime: plan.remaining_s(now_s()) });
    }
  }

  /** True if a plan was published at this tick. */
  private get isPublishedNow(): boolean {
    return this.published_tick === this.parts.time.tick;
  }

  /** Compares a start or end with its planned time; drift makes a new plan due. */
  recordTiming(one: PlannedLabwareMove | PlannedTask, actual_s: number, planned_s: number): void {
    const { plan } = this.parts;
    const isDrift = plan.isDrift(planned_s, actual_s, one.end_s - one.start_s);
    if (isDrift || plan.isPlanning) this.isDue = true;
  }

  /** Does this tick's planning work, if any; returns true if the run has a new plan. */
  advance(): boolean {
    const { plan, time } = this.parts;
    if (this.work_tick !== time.tick) this.work = 0;
    this.work_tick = time.tick;
    if (!this.isPublishedNow) this.startIfDue();
    while (plan.isPlanning && this.work < WORK_PER_TICK) if (this.step()) return true;
    return false;
  }

  private startIfDue(): void {
    if (this.isDue) this.parts.plan.startPlanning(this.parts.now_s());
    this.isDue = false;
  }

  private step(): boolean {
    const { plan } = this.parts;
    const { work, isNew } = plan.step();
    this.work += work;
    if (plan.isPlanning) return false;
    if (isNew || (this.mustPublish && !this.isPublishedNow)) this.publish();
    this.mustPublish = false;
    return isNew;
  }

  /** Replans on request; `alwaysPublish` publishes the plan even if it is unchanged. */
  async replanNow({ alwaysPublish }: { readonly alwaysPublish: boolean }): Promise<void> {
    const { plan, wall } = this.parts;
    this.isDue = true;
    if (alwaysPublish) this.mustPublish = true;
    await runCooperatively(wall, () => {
      this.startIfDue();
      if (plan.isPlanning) this.step();
      return plan.isPlanning || this.isDue ? null : true;
    });
  }

  /** Stops planning and publishing. */
  stop(): void {
    this.isDue = false;
    this.parts.plan.cancelPlanning();
    this.cancelPublish();
  }
}
