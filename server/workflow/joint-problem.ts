/**
 * The joint planning problem of the runs that share a workcell: the rest of all runs and the
 * labware between them, and the part of each run in a plan for it. Times of the problem are seconds
 * since the first of the runs began. Also: its solution, step by step.
 */
import { failure, type Result, success } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/clock.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import type { WorkflowModel } from './model.ts';
import { type Operations, operationsOf } from './plan/operations.ts';
import {
  type PlanOptions,
  type PlanSteps,
  planCooperatively,
  planProblem,
  planSteps,
} from './plan/planner.ts';
import type {
  Plan,
  PlanFault,
  PlanJob,
  PlanLabware,
  PlannedLabwareMove,
  PlannedTask,
  PlanProblem,
  SlotLocation,
  StartedOperation,
} from './plan/problem.ts';
import type { RunProgress, TimeLimits } from './progress.ts';
import type { PreparedMoves } from './run-moves.ts';
import type { RunPlan } from './run-plan.ts';

/** What decides which run comes first, in seconds since its start. */
export interface SchedulingTerms {
  /** Larger first. */
  readonly priority: number;
  readonly start_after_s: number;
  /** Infinity for none. */
  readonly due_s: number;
}

/** A run as the joint plan sees it. */
export interface PlannedRun {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly start_tick: number;
  /** False while the run is paused: only what has begun counts. */
  readonly isActive: boolean;
  readonly limits: Pick<TimeLimits, 'isBroken' | 'violations'>;
  /** Null before its first plan. */
  readonly plan: RunPlan | null;
}

/** What the runs on a workcell share. */
export interface JointWorld {
  readonly runs: readonly PlannedRun[];
  /** Pieces that belong to none of them, with their places. */
  readonly statics: ReadonlyMap<string, SlotLocation>;
  /** Changes with the statics. */
  readonly version: number;
  readonly isDown: (id: string) => boolean;
}

/** Weight of a run relative to that of the next lower priority. */
const PRIORITY_WEIGHT = 20;
/** Times are rounded to whole microseconds where an offset is added. */
const US_PER_S = 1e6;

/** A run in the problem: its tasks and pieces follow each other from these indices. */
export interface Part {
  readonly run: PlannedRun;
  readonly progress: RunProgress;
  readonly offset_s: number;
  readonly firstTask: number;
  readonly firstPiece: number;
  /** Tasks that are not planned now. */
  readonly frozen: ReadonlySet<number>;
}

/** A problem with its parts. */
export interface Composition {
  readonly problem: PlanProblem;
  readonly parts: readonly Part[];
}

function rounded_s(time_s: number): number {
  return Math.round(time_s * US_PER_S) / US_PER_S;
}

function moveKey({ task, labware, toBuffer = false, start_s }: PlannedLabwareMove): string {
  return `${task} ${labware} ${toBuffer} ${start_s}`;
}

/** The tasks of a run that are not planned now: all of a paused run, and those of held labware. */
export function frozenTasks(
  { isActive, model }: PlannedRun,
  progress: RunProgress,
): ReadonlySet<number> {
  if (isActive) return progress.heldTasks();
  return new Set(model.tasks.flatMap((_, task) => (progress.isOpen(task) ? [task] : [])));
}

/** True for the part whose indices and times are those of the problem. */
function isAtOrigin({ offset_s, firstTask, firstPiece }: Part): boolean {
  return offset_s === 0 && firstTask === 0 && firstPiece === 0;
}

function startedOf(part: Part, now_s: number): StartedOperation[] {
  const { progress, offset_s, firstTask, firstPiece, frozen } = part;
  const isKept = isAtOrigin(part);
  return progress.started(now_s - offset_s).map((one): StartedOperation => {
    // Nearly all: a new plan begins within a tick, and copies would take most of its time.
    if (isKept && (one.kind === 'task' || (one.task >= 0 && !frozen.has(one.task)))) return one;
    const times = { start_s: one.start_s + offset_s, end_s: one.end_s + offset_s };
    if (one.kind === 'task') return { ...one, ...times, task: one.task + firstTask };
    const toBuffer = one.toBuffer || one.task < 0 || frozen.has(one.task);
    const task = Math.max(0, one.task) + firstTask;
    const labware = one.labware + firstPiece;
    return { ...one, ...times, task, labware, ...(toBuffer && { toBuffer }) };
  });
}

/** The started operations of all parts, in the order of their starts. */
export function allStarted(parts: readonly Part[], now_s: number): StartedOperation[] {
  const all = parts.flatMap((part) => startedOf(part, now_s));
  return parts.length > 1 ? all.sort((a, b) => a.start_s - b.start_s) : all;
}

function problemOf(part: Part, now_s: number, { isDown }: JointWorld): PlanProblem {
  const { run, progress, offset_s, firstTask, firstPiece, frozen } = part;
  const { model, moves, limits, schedule } = run;
  const problem = planProblem(model, moves.time_s, {
    now_s: now_s - offset_s,
    started: progress.started(now_s - offset_s),
    skipped: new Set([...progress.skipped, ...frozen]),
    isDown: (instrument) => instrument >= 0 && isDown(model.instruments[instrument]!.id),
    isBroken: (id) => limits.isBroken(id),
  });
  const release_s = schedule.start_after_s + offset_s;
  const isReleased = release_s <= 0;
  const tasks = problem.tasks.map((task) => ({
    ...task,
    after: task.after.map((one) => one + firstTask),
    uses: task.uses.map((use) => ({ ...use, labware: use.labware + firstPiece })),
    ...(!isReleased && { release_s }),
  }));
  const labware = problem.labware.map((piece) => ({
    ...piece,
    tasks: piece.tasks.map((task) => task + firstTask),
  }));
  const constraints = problem.constraints.map((one) => {
    return { ...one, from: one.from + firstTask, to: one.to + firstTask };
  });
  return { ...problem, tasks, labware, constraints };
}

/** The runs as jobs: higher priorities weigh more. */
function jobsOf(parts: readonly Part[]): PlanJob[] {
  const ranks = [...new Set(parts.map(({ run }) => run.schedule.priority))].sort((a, b) => a - b);
  return parts.map(({ run, offset_s, firstTask }) => ({
    tasks: run.model.tasks.map((_, task) => task + firstTask),
    rank: ranks.indexOf(run.schedule.priority),
    weight: PRIORITY_WEIGHT ** ranks.indexOf(run.schedule.priority),
    due_s: run.schedule.due_s + offset_s,
  }));
}

/** Composes one problem of the rest of several runs. */
export function composeProblem(
  world: JointWorld,
  parts: readonly Part[],
  now_s: number,
): Composition {
  const problems = parts.map((part) => problemOf(part, now_s, world));
  const [first] = problems;
  const own = new Set(problems.flatMap(({ labware }) => labware.map(({ id }) => id)));
  const statics = [...world.statics].flatMap(([id, location]): PlanLabware[] =>
    own.has(id) ? [] : [{ id, location, tasks: [] }],
  );
  const isSingle = parts.length === 1;
  const problem: PlanProblem = {
    ...first!,
    tasks: isSingle ? first!.tasks : problems.flatMap(({ tasks }) => tasks),
    labware: [...problems.flatMap(({ labware }) => labware), ...statics],
    constraints: problems.flatMap(({ constraints }) => constraints),
    now_s,
    started: allStarted(parts, now_s),
    move_s: (from, to) => {
      for (const { move_s } of problems) {
        const time_s = move_s(from, to);
        if (time_s !== null) return time_s;
      }
      return null;
    },
    ...(!isSingle && { jobs: jobsOf(parts) }),
  };
  return { problem, parts };
}

/** The part of a plan that belongs to a run, in its own indices and times. */
function sliceOf(
  plan: Plan,
  part: Part,
  { started, now_s }: { readonly started: ReadonlySet<string>; readonly now_s: number },
): Plan {
  const { run, progress, offset_s, firstTask, firstPiece, frozen } = part;
  const [endTask, endPiece] = [
    firstTask + run.model.tasks.length,
    firstPiece + run.model.labware.length,
  ];
  const own_s = (time_s: number) => (offset_s === 0 ? time_s : rounded_s(time_s - offset_s));
  const tasks: PlannedTask[] = [];
  for (const one of plan.tasks) {
    const task = one.task - firstTask;
    if (one.task < firstTask || one.task >= endTask || frozen.has(task)) continue;
    tasks.push({ ...one, task, start_s: own_s(one.start_s), end_s: own_s(one.end_s) });
  }
  // Of what has started, the progress knows more than the plan.
  const moves: PlannedLabwareMove[] = [];
  for (const one of progress.started(now_s - offset_s)) if (one.kind === 'move') moves.push(one);
  for (const one of plan.moves) {
    if (one.labware < firstPiece || one.labware >= endPiece || started.has(moveKey(one))) continue;
    const [task, labware] = [one.task - firstTask, one.labware - firstPiece];
    moves.push({ ...one, task, labware, start_s: own_s(one.start_s), end_s: own_s(one.end_s) });
  }
  const makespan_s = Math.max(0, ...[...tasks, ...moves].map(({ end_s }) => end_s));
  const isWhole = offset_s === 0 && plan.tasks.length === tasks.length;
  const before = run.plan?.current;
  const known_s = (isWhole && plan.lower_bound_s) || (before?.lower_bound_s ?? 0);
  // The rest of a run has the cycle of its first plan.
  const cycle = (isWhole && !before ? plan : before)?.cycle;
  const lower_bound_s = Math.min(known_s, makespan_s);
  return { tasks, moves, makespan_s, lower_bound_s, ...(cycle && { cycle }) };
}

/** Returns the part of each run in a plan, in its own indices and times. */
export function slicesOf(plan: Plan, { problem, parts }: Composition): Plan[] {
  const started = new Set(
    problem.started.flatMap((one) => (one.kind === 'move' ? [moveKey(one)] : [])),
  );
  return parts.map((part) => sliceOf(plan, part, { started, now_s: problem.now_s }));
}

/** The plans of the runs as one plan of the problem, whose order is tried first. */
export function previousPlan(parts: readonly Part[]): Pick<Plan, 'tasks' | 'moves'> {
  const [first] = parts;
  if (first && parts.length === 1 && isAtOrigin(first)) {
    const current = first.run.plan?.current ?? { tasks: [], moves: [] };
    return { tasks: current.tasks, moves: current.moves.filter(({ task }) => task >= 0) };
  }
  const tasks: PlannedTask[] = [];
  const moves: PlannedLabwareMove[] = [];
  for (const { run, offset_s, firstTask, firstPiece } of parts) {
    for (const one of run.plan?.current.tasks ?? []) {
      const times = { start_s: one.start_s + offset_s, end_s: one.end_s + offset_s };
      tasks.push({ ...one, ...times, task: one.task + firstTask });
    }
    for (const one of run.plan?.current.moves ?? []) {
      const times = { start_s: one.start_s + offset_s, end_s: one.end_s + offset_s };
      const [task, labware] = [one.task + firstTask, one.labware + firstPiece];
      if (one.task >= 0) moves.push({ ...one, ...times, task, labware });
    }
  }
  return { tasks, moves };
}

/** The plan of each run in the order of the world, or why there is none. */
export interface JointResult {
  readonly faults: readonly string[];
  /** Null for a paused run, and without a plan. */
  readonly plans: readonly (Plan | null)[];
}

/** Converts a plan for a composition to the plans of its runs. */
export function resultOf(found: Result<Plan, PlanFault>, composition: Composition): JointResult {
  const { parts } = composition;
  if (!found.ok) return { faults: found.error.messages, plans: parts.map(() => null) };
  const slices = slicesOf(found.value, composition);
  return { faults: [], plans: parts.map(({ run }, i) => (run.isActive ? slices[i]! : null)) };
}

/**
 * The joint plan of the runs that share a workcell: computed step by step while they follow the
 * previous one, for choices that an operator compares, and for a run that is about to start.
 */

/** Share of the usual number of attempts for a plan during a run. */
const EFFORT = 0.015;
/** The same for plans that an operator compares. */
const WHAT_IF_EFFORT = 0.1;

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

  /** The parts of the problem; `changed` replaces the progress of one run. */
  private partsOf(
    runs: readonly PlannedRun[],
    changed?: { readonly run: PlannedRun; readonly progress: RunProgress },
  ): Part[] {
    const origin = this.world.runs[0] ?? runs[0]!;
    let [firstTask, firstPiece] = [0, 0];
    return runs.map((run) => {
      const progress = changed?.run === run ? changed.progress : run.progress;
      const offset_s = (run.start_tick - origin.start_tick) / TICKS_PER_S;
      const frozen = frozenTasks(run, progress);
      const part = { run, progress, offset_s, firstTask, firstPiece, frozen };
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
      [run.start_tick, progress.skipped.size, run.limits.violations.length, ...frozen].join('.'),
    );
    return `${this.world.version}/${states.join('/')}`;
  }

  /** The remaining work, with operations if they are known except for the started ones. */
  private prepare(runs: readonly PlannedRun[], tick: number): Prepared {
    const parts = this.partsOf(runs);
    const now_s = this.time_s(tick, runs);
    const key = this.keyOf(parts);
    const known = this.cached;
    // Started operations may stay on an instrument that is down: these are not kept.
    const { instruments } = parts[0]!.run.model;
    const isKept = !instruments.some(({ id }) => this.world.isDown(id));
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
    const options = { seed, effort: EFFORT, relax: true, operations };
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
    const parts = this.partsOf(runs, { run: view, progress: changed.progress });
    const composition = composeProblem(this.world, parts, this.time_s(tick, runs));
    const previous = previousPlan(parts);
    const effort = changed.isQuick ? EFFORT : WHAT_IF_EFFORT;
    const options = { seed: this.seed, effort, relax: true, previous };
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
    const parts = this.partsOf(runs);
    const composition = composeProblem(this.world, parts, this.time_s(tick, runs));
    const previous = runs.length > 1 ? { previous: previousPlan(parts) } : {};
    const found = await planCooperatively(composition.problem, { seed, ...previous }, wall);
    return found.ok ? success(resultOf(found, composition)) : failure(found.error);
  }
}

/** A run with its getters as values. */
function viewOf({ model, moves, progress, schedule, start_tick, limits, plan }: PlannedRun) {
  return { model, moves, progress, schedule, start_tick, limits, plan };
}
