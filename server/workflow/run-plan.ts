/** The plan of a run: the next operations, and the computation of a new plan step by step. */

import type { Result } from '../../contract/result.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { WorkflowModel } from './model.ts';
import { type Operations, operationsOf } from './plan/operations.ts';
import { type PlanSteps, planSteps } from './plan/planner.ts';
import {
  isSameLocation,
  type Plan,
  type PlanFault,
  type PlannedLabwareMove,
  type PlannedTask,
} from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunProgress } from './progress.ts';
import type { TimeLimits } from './time-limits.ts';
import { type PlanSituation, planCooperatively, planProblem } from './workflow-planning.ts';

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
/** The same for plans that an operator compares. */
const WHAT_IF_EFFORT = 0.1;
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

  private situationOf(progress: RunProgress, now_s: number): PlanSituation {
    const { isDown, limits } = this.parts;
    const isBroken = (id: string) => limits.isBroken(id);
    return { now_s, started: progress.started(now_s), skipped: progress.skipped, isDown, isBroken };
  }

  /** The operations of the remaining work; cached except for the started ones. */
  private currentOperations(now_s: number): Operations {
    const { model, moves, progress, isDown, limits } = this.parts;
    const dropped = progress.skipped.size + limits.violations.length;
    const situation = this.situationOf(progress, now_s);
    const { started } = situation;
    // Started operations may stay on an instrument that is down: these are not cached.
    const isKept = !model.instruments.some((_, instrument) => isDown(instrument));
    const { cachedOperations: known } = this;
    if (isKept && known?.dropped === dropped) {
      return { ...known, problem: { ...known.problem, now_s, started } };
    }
    const operations = operationsOf(planProblem(model, moves.time_s, situation));
    this.cachedOperations = isKept ? { ...operations, dropped } : null;
    return operations;
  }

  /** Plans the remaining work of a copy of the progress; the run goes on with its own plan. */
  planFor(progress: RunProgress, now_s: number, wall: WallClock): Promise<Result<Plan, PlanFault>> {
    const { model, moves, seed } = this.parts;
    const problem = planProblem(model, moves.time_s, this.situationOf(progress, now_s));
    const options = { seed, effort: WHAT_IF_EFFORT, relax: true, previous: this.current };
    return planCooperatively(problem, options, wall);
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
