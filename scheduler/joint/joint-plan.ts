/**
 * The joint plan of the runs that share a workcell: computed step by step while they follow the
 * previous one, for choices that an operator compares, and for a run that is about to start.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import { TICKS_PER_S } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import { planCooperatively } from '../plan/cooperative-planner.ts';
import { type Operations, operationsOf } from '../plan/operations.ts';
import { type PlanOptions, type PlanSteps, planSteps } from '../plan/planner.ts';
import type { Plan, PlanFault } from '../plan/problem.ts';
import type { RunProgress } from '../run/progress.ts';
import {
  allStarted,
  type Composition,
  composeProblem,
  frozenTasks,
  type JointResult,
  type Part,
  previousPlan,
  resultOf,
  slicesOf,
} from './joint-problem.ts';
import type { JointWorld, PlannedRun } from './planned-run.ts';
import { withRemovals } from './removals.ts';

/** Work of a plan during a run, in operations times pieces, and its least and most attempts. */
const SEARCH_WORK = 12_000;
const LEAST_ATTEMPTS = 4;
const MOST_ATTEMPTS = 30;
/** Share of the usual number of attempts for plans that an operator compares. */
const WHAT_IF_EFFORT = 0.1;

/** The number of attempts at a plan during a run. */
function attemptsFor(operations: number, pieces: number): number {
  const fitting = Math.floor(SEARCH_WORK / Math.max(1, operations * pieces));
  return Math.min(MOST_ATTEMPTS, Math.max(LEAST_ATTEMPTS, fitting));
}

/** A problem whose operations may be numbered already. */
interface Prepared extends Composition {
  readonly operations: Operations | null;
  /** What it may be kept for; null if it is not kept. */
  readonly key: string | null;
}

/** The latest problem, kept for the next one while nothing else has changed. */
interface Kept extends Composition {
  readonly key: string;
  readonly operations: Operations;
}

export class JointPlan {
  private readonly world: JointWorld;
  private readonly seed: number;
  private steps: PlanSteps | null = null;
  private composition: Composition | null = null;
  private cached: Kept | null = null;

  constructor(world: JointWorld, seed: number) {
    this.world = world;
    this.seed = seed;
  }

  /** True while a new plan is being computed. */
  get isPlanning(): boolean {
    return this.steps !== null;
  }

  /** The parts of the problem at a time (s); `changed` replaces the progress of one run. */
  private partsOf(
    runs: readonly PlannedRun[],
    now_s: number,
    changed?: { readonly run: PlannedRun; readonly progress: RunProgress },
  ): Part[] {
    return withRemovals(this.world, this.plainParts(runs, changed), now_s);
  }

  private plainParts(
    runs: readonly PlannedRun[],
    changed?: { readonly run: PlannedRun; readonly progress: RunProgress },
  ): Part[] {
    const origin = this.world.runs[0] ?? runs[0]!;
    let [firstTask, firstPiece] = [0, 0];
    return runs.map((run) => {
      const progress = changed?.run === run ? changed.progress : run.progress;
      const offset_s = (run.start_tick - origin.start_tick) / TICKS_PER_S;
      const frozen = frozenTasks(run, progress);
      const part = { run, progress, offset_s, firstTask, firstPiece, frozen, removals: [] };
      firstTask += run.model.tasks.length;
      firstPiece += run.model.labware.length;
      return part;
    });
  }

  private time_s(tick: number, runs: readonly PlannedRun[]): number {
    const origin = this.world.runs[0] ?? runs[0]!;
    return (tick - origin.start_tick) / TICKS_PER_S;
  }

  private keyOf(parts: readonly Part[]): string {
    const states = parts.map(({ run, progress, frozen }) =>
      [
        run.start_tick,
        progress.skipped.size,
        run.limits.violations.length,
        progress.changes,
        ...frozen,
      ].join('.'),
    );
    return `${this.world.version}/${states.join('/')}`;
  }

  /** The remaining work, with operations if they are known except for the started ones. */
  private prepare(runs: readonly PlannedRun[], tick: number): Prepared {
    const now_s = this.time_s(tick, runs);
    const parts = this.partsOf(runs, now_s);
    const key = this.keyOf(parts);
    const known = this.cached;
    // Started operations may stay on an instrument that is down, and what is short is expected later
    // each time: these are not kept.
    const { instruments } = parts[0]!.run.model;
    const isDown = instruments.some(({ id }) => this.world.downSince(id) !== null);
    const isKept = !isDown && !parts.some(({ progress }) => progress.isShort);
    if (isKept && known?.key === key && known.parts.every((one, i) => one.run === parts[i]!.run)) {
      const problem = { ...known.problem, now_s, started: allStarted(parts, now_s) };
      return { key: null, problem, parts, operations: { ...known.operations, problem } };
    }
    this.cached = null;
    const composition = composeProblem(this.world, parts, now_s);
    return { ...composition, key: isKept ? key : null, operations: null };
  }

  /** Numbers the operations, if they are not known, in a step of its own; then plans. */
  private *stepsFor(
    { key, problem, parts, operations: known }: Prepared,
    previous: PlanOptions['previous'],
  ): PlanSteps {
    let operations = known;
    if (!operations) {
      // The problem of many tasks was composed at this tick.
      yield problem.tasks.length;
      operations = operationsOf(problem);
      if (key !== null) this.cached = { key, problem, parts, operations };
      yield operations.count;
    }
    const { seed } = this;
    const attempts = attemptsFor(operations.count, problem.labware.length);
    const options = { seed, attempts, relax: true, operations };
    return yield* planSteps(problem, { ...options, ...(previous && { previous }) });
  }

  /** The runs that are planned: the active ones, or all while none is. */
  private runsFor(asking: PlannedRun | null): readonly PlannedRun[] {
    const { runs } = this.world;
    if (asking === null || asking.isActive) return runs;
    return runs.map((one) => (one === asking ? { ...viewOf(one), isActive: true } : one));
  }

  /** Starts to plan the remaining work; replaces a plan that is being computed. */
  startPlanning(tick: number, asking: PlannedRun | null = null): void {
    const prepared = this.prepare(this.runsFor(asking), tick);
    this.composition = prepared;
    this.steps = this.stepsFor(prepared, previousPlan(prepared.parts));
  }

  /** Does one planning step; returns its work and, at the end, the plan of each planned run. */
  step(): { readonly work: number; readonly found: JointResult | null } {
    const step = this.steps!.next();
    if (!step.done) return { work: step.value, found: null };
    this.steps = null;
    return { work: 0, found: resultOf(step.value, this.composition!) };
  }

  /** Cancels the plan that is being computed. */
  cancelPlanning(): void {
    this.steps = null;
  }

  /**
   * Plans with the progress of one run, which may be another one than its own, as if it were
   * active; no run follows the plan. `isQuick`: with the effort of a plan during a run.
   * `withPaused`: as if the paused runs were active, too.
   */
  async planFor(
    changed: {
      readonly run: PlannedRun;
      readonly progress: RunProgress;
      readonly isQuick?: boolean;
      readonly withPaused?: boolean;
    },
    tick: number,
    wall: WallClock,
  ): Promise<Result<Plan, PlanFault>> {
    const view = { ...viewOf(changed.run), isActive: true };
    const runs = this.world.runs.map((one) => {
      if (one === changed.run) return view;
      return changed.withPaused ? { ...viewOf(one), isActive: true } : one;
    });
    const now_s = this.time_s(tick, runs);
    const parts = this.partsOf(runs, now_s, { run: view, progress: changed.progress });
    const composition = composeProblem(this.world, parts, now_s);
    const previous = previousPlan(parts);
    const { tasks, labware } = composition.problem;
    const attempts = attemptsFor(2 * tasks.length, labware.length);
    const search = changed.isQuick ? { attempts } : { effort: WHAT_IF_EFFORT };
    const options = { seed: this.seed, ...search, relax: true, previous };
    const found = await planCooperatively(composition.problem, options, wall);
    if (!found.ok) return failure(found.error);
    const slices = slicesOf(found.value, composition);
    return success(slices[runs.indexOf(view)]!);
  }

  /** Plans a run that is about to start together with the others, without broken limits. */
  async planWith(
    starting: PlannedRun,
    {
      tick,
      seed,
      wall,
    }: { readonly tick: number; readonly seed: number; readonly wall: WallClock },
  ): Promise<Result<JointResult, PlanFault>> {
    const runs = [...this.world.runs, starting];
    const now_s = this.time_s(tick, runs);
    const parts = this.partsOf(runs, now_s);
    const composition = composeProblem(this.world, parts, now_s);
    const previous = runs.length > 1 ? { previous: previousPlan(parts) } : {};
    const found = await planCooperatively(composition.problem, { seed, ...previous }, wall);
    return found.ok ? success(resultOf(found, composition)) : failure(found.error);
  }
}

/** A run with its getters as values. */
function viewOf({ model, moves, progress, schedule, start_tick, limits, plan }: PlannedRun) {
  return { model, moves, progress, schedule, start_tick, limits, plan };
}
