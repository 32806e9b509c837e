/**
 * The joint planning problem of the runs that share a workcell: the rest of all runs and the
 * labware between them, and the part of each run in a plan for it. Times of the problem are
 * seconds since the first of the runs began.
 */

import type { Result } from '../../contract/result.ts';
import { TICKS_PER_S } from '../../server/clock/twin-time.ts';
import { planProblem } from '../definition/plan-problem.ts';
import type {
  Plan,
  PlanFault,
  PlanJob,
  PlanLabware,
  PlannedLabwareMove,
  PlannedTask,
  PlanProblem,
  StartedOperation,
} from '../plan/problem.ts';
import { expectedReturn_s } from '../run/lateness.ts';
import type { RunProgress } from '../run/progress.ts';
import type { JointWorld, PlannedRun } from './planned-run.ts';

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
  /** Moves of given-up labware to a reject, in own indices and times; what else is planned comes after. */
  readonly removals: readonly PlannedLabwareMove[];
}

/** A problem with its parts. */
export interface Composition {
  readonly problem: PlanProblem;
  readonly parts: readonly Part[];
}

function rounded_s(time_s: number): number {
  return Math.round(time_s * US_PER_S) / US_PER_S;
}

/** Tells the moves of a plan apart, also those that are made again. */
function timedMoveKey({ task, labware, toBuffer = false, start_s }: PlannedLabwareMove): string {
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
  const { progress, offset_s, firstTask, firstPiece, frozen, removals } = part;
  const isKept = isAtOrigin(part);
  const begun = progress.started(now_s - offset_s);
  for (const move of removals) begun.push({ ...move, kind: 'move' });
  return begun.map((one): StartedOperation => {
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

function problemOf(
  part: Part,
  now_s: number,
  { downSince, begun_tick, clockAt_s }: JointWorld,
): PlanProblem {
  const { run, progress, offset_s, firstTask, firstPiece, frozen } = part;
  const { model, moves, limits, schedule } = run;
  /** When an instrument is expected back, on the clock of the run; null for one that is up (s). */
  const back_s = (instrument: number) => {
    const since_tick = instrument < 0 ? null : downSince(model.instruments[instrument]!.id);
    if (since_tick === null) return null;
    return expectedReturn_s((since_tick - run.start_tick) / TICKS_PER_S, now_s - offset_s);
  };
  const problem = planProblem(model, moves.time_s, {
    now_s: now_s - offset_s,
    started: progress.started(now_s - offset_s),
    skipped: new Set([...progress.skipped, ...frozen]),
    isKnown: (task) => progress.isDone(task),
    back_s,
    clock_s: clockAt_s(run.start_tick),
    begun_s: (begun_tick - run.start_tick) / TICKS_PER_S,
    mustBeUp: run.plan === null,
    isBroken: (id) => limits.isBroken(id),
  });
  const tasks = problem.tasks.map((task, i) => {
    const { not_before_s, short_since_s } = progress.tasks[i]!;
    const refill_s = short_since_s === null ? 0 : expectedReturn_s(short_since_s, now_s - offset_s);
    const own_s = Math.max(schedule.start_after_s, not_before_s, refill_s);
    const release_s = own_s + offset_s;
    return {
      ...task,
      after: task.after.map((one) => one + firstTask),
      uses: task.uses.map((use) => ({ ...use, labware: use.labware + firstPiece })),
      ...(own_s !== 0 && release_s > 0 && { release_s }),
    };
  });
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
  const { run, progress, offset_s, firstTask, firstPiece, frozen, removals } = part;
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
  for (const one of progress.started(now_s - offset_s)) {
    if (one.kind === 'move' && !one.byHand) moves.push(one);
  }
  moves.push(...removals);
  for (const one of plan.moves) {
    if (one.labware < firstPiece || one.labware >= endPiece || started.has(timedMoveKey(one)))
      continue;
    const [task, labware] = [one.task - firstTask, one.labware - firstPiece];
    moves.push({ ...one, task, labware, start_s: own_s(one.start_s), end_s: own_s(one.end_s) });
  }
  const makespan_s = Math.max(0, ...[...tasks, ...moves].map(({ end_s }) => end_s));
  const isWhole = offset_s === 0 && plan.tasks.length === tasks.length;
  const before = run.plan?.current;
  // A bound of the first plan holds for what is left of the run, too.
  const known_s = before ? before.lower_bound_s : isWhole ? plan.lower_bound_s : 0;
  // The rest of a run has the cycle of its first plan.
  const cycle = (isWhole && !before ? plan : before)?.cycle;
  const lower_bound_s = Math.min(known_s, makespan_s);
  return { tasks, moves, makespan_s, lower_bound_s, ...(cycle && { cycle }) };
}

/** Returns the part of each run in a plan, in its own indices and times. */
export function slicesOf(plan: Plan, { problem, parts }: Composition): Plan[] {
  const started = new Set(
    problem.started.flatMap((one) => (one.kind === 'move' ? [timedMoveKey(one)] : [])),
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
