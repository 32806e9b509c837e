/**
 * The planner: takes a problem and returns a plan or the reasons why there is none. Deterministic
 * for a seed. `planSteps` does the same in small steps, for callers that must not block. Also: the
 * problem of a workflow or of the rest of a run, planning without blocking the event loop, and
 * plans in the wire format.
 */
import { failure, type Result, success } from '../../../contract/refusal.ts';
import type {
  PlanAnalysis,
  PlannedTransport,
  PlannedWorkflowTask,
  WorkflowPlan,
} from '../../../contract/types.ts';
import { runCooperatively, type WallClock } from '../../clock/clock.ts';
import type { WorkflowModel } from '../model.ts';
import { limitsOf } from '../progress.ts';
import { bottleneckText, criticalPath, lowerBound_s, planSlack } from './bounds.ts';
import { type SteadyCycle, steadyCycle } from './cycle.ts';
import { bufferingOf, type Operations, operationsOf, topological } from './operations.ts';
import type {
  Plan,
  PlanFault,
  PlanJob,
  PlanProblem,
  PlanTask,
  StartedOperation,
  TimeConstraint,
  UnitCycle,
} from './problem.ts';
import { type Attempt, attemptPlan, attemptsFor, plainAttempt, searchPlan } from './search.ts';

/** Explains why there is no plan: violated constraints, deadlocks and unreachable locations. */

function boundaryText(problem: PlanProblem, task: number, end: boolean): string {
  return `the ${end ? 'end' : 'start'} of ${problem.tasks[task]!.id}`;
}

function constraintText(problem: PlanProblem, one: TimeConstraint): string {
  const from = boundaryText(problem, one.from, one.from_end);
  return `time constraint ${one.id} (from ${from} to ${boundaryText(problem, one.to, one.to_end)})`;
}

/** Returns faults that need no attempt: cycles and contradictory bounds. */
function problemFault(operations: Operations): PlanFault | null {
  const { problem, before } = operations;
  const missing = problem.constraints.filter(({ min_s, max_s }) => min_s > max_s);
  if (missing.length > 0) {
    const messages = missing.map((one) => {
      const bounds = `at least ${one.min_s} s and at most ${one.max_s} s`;
      return `${constraintText(problem, one)} requires ${bounds}`;
    });
    return { kind: 'constraint', messages };
  }
  const order = topological(before);
  if (order.length === operations.tasks) return null;
  const names = problem.tasks.filter((_, t) => !order.includes(t)).map(({ id }) => id);
  return { kind: 'constraint', messages: [`tasks wait for each other: ${names.join(', ')}`] };
}

function brokenConstraints(problem: PlanProblem, { violations }: Attempt): PlanFault {
  const messages = violations.map(({ constraint, excess_s }) => {
    const by_s = Math.ceil(Math.abs(excess_s));
    const bound = excess_s > 0 ? `at most ${constraint.max_s} s` : `at least ${constraint.min_s} s`;
    const text = constraintText(problem, constraint);
    return `${text} allows ${bound}; the best plan found misses it by ${by_s} s`;
  });
  return { kind: 'constraint', messages };
}

/** Returns why a task cannot start, or null. */
function obstacleOf(operations: Operations, { schedule }: Attempt, task: number): string | null {
  const { problem, before } = operations;
  const { id, uses, candidates } = problem.tasks[task]!;
  // The pieces are elsewhere once these have ended.
  const open = before[task]!.filter((other) => !schedule.isScheduled(other));
  const names = open.map((other) => problem.tasks[other]!.id);
  if (open.length > 0) return `${id} waits for ${names.join(', ')}`;
  for (const { labware, slot, slot_after } of uses) {
    const from = schedule.locationOf(labware);
    const name = problem.labware[labware]!.id;
    for (const instrument of candidates) {
      if (from.instrument === instrument && from.slot === slot) continue;
      const where = `${problem.instruments[instrument]!.id} slot ${slot}`;
      const occupant = schedule.occupantOf({ instrument, slot });
      if (occupant >= 0 && occupant !== labware) {
        return `${id} waits for ${where} for ${name}, held by ${problem.labware[occupant]!.id}`;
      }
      if (problem.move_s(from, { instrument, slot }) === null) {
        const source = `${problem.instruments[from.instrument]!.id} slot ${from.slot}`;
        return `${id} needs ${name} in ${where}; the arm cannot move it there from ${source}`;
      }
    }
    const inside = { instrument: from.instrument, slot: slot_after };
    const holder = schedule.occupantOf(inside);
    if (slot_after !== slot && holder >= 0 && holder !== labware) {
      const where = `${problem.instruments[from.instrument]!.id} slot ${slot_after}`;
      return `${id} puts ${name} into ${where}, held by ${problem.labware[holder]!.id}`;
    }
  }
  return null;
}

function deadlock(operations: Operations, attempt: Attempt): PlanFault {
  const { problem } = operations;
  const messages: string[] = [];
  for (let t = 0; t < operations.tasks; t++) {
    if (attempt.schedule.isScheduled(t)) continue;
    const message = obstacleOf(operations, attempt, t);
    if (message) messages.push(message);
  }
  const isUnreachable = messages.some((text) => text.includes('the arm cannot move'));
  const kind = isUnreachable ? 'unreachable' : 'deadlock';
  if (messages.length > 0) return { kind, messages };
  return {
    kind,
    messages: [`${problem.tasks.length - attempt.schedule.scheduledCount} tasks never start`],
  };
}

/** Returns why the best attempt is not a plan; null if it is one. `relax` allows broken limits. */
function attemptFault(operations: Operations, attempt: Attempt, relax: boolean): PlanFault | null {
  if (attempt.isStuck) return deadlock(operations, attempt);
  if (relax) return null;
  return attempt.violations.length > 0 ? brokenConstraints(operations.problem, attempt) : null;
}

export interface PlanOptions {
  readonly seed: number;
  /** Share of the usual number of attempts; default 1. */
  readonly effort?: number;
  /** A previous plan, whose order is tried first. */
  readonly previous?: Pick<Plan, 'tasks' | 'moves'>;
  /** Whether a plan may break limits of time that it cannot hold. */
  readonly relax?: boolean;
  /** The operations of the problem, if they are known and valid. */
  readonly operations?: Operations;
}

function missingInstruments({ tasks }: PlanProblem): PlanFault | null {
  const missing = tasks.filter(
    ({ candidates, uses, down }) => candidates.length === 0 && (uses.length > 0 || down),
  );
  if (missing.length === 0) return null;
  const messages = missing.map(({ id, down = [] }) => {
    const reason = down.map((instrument) => `${instrument} is down`).join(', ');
    return `no available instrument can do ${id}${reason && `: ${reason}`}`;
  });
  return { kind: 'no_instrument', messages };
}

function planOf({ schedule }: Attempt, lower_bound_s: number, cycle: UnitCycle | undefined): Plan {
  const tasks = schedule.tasks.sort((a, b) => a.start_s - b.start_s || a.task - b.task);
  const moves = schedule.moves.sort((a, b) => a.start_s - b.start_s);
  const found = { tasks, moves, makespan_s: schedule.makespan_s, lower_bound_s };
  return cycle ? { ...found, cycle } : found;
}

/** The plan in the order of a steady cycle if it is as short as the best one, else the best one. */
function* cyclicOr(
  best: Attempt,
  operations: Operations,
  { sequence, preferred }: SteadyCycle,
): Generator<number, Attempt> {
  const parameters = { ...plainAttempt(operations), sequence, preferred };
  const cyclic = yield* attemptPlan(operations, parameters);
  const isPlan = !cyclic.isStuck && cyclic.violations.length === 0;
  const isAsShort =
    !operations.problem.jobs && cyclic.schedule.makespan_s <= best.schedule.makespan_s;
  const isChosen = cyclic.score <= best.score || (isPlan && isAsShort && !best.isStuck);
  return isChosen ? cyclic : best;
}

interface SequenceEntry {
  readonly operation: number;
  readonly start_s: number;
  readonly isInstant: boolean;
}

/** The operations of a plan in order; at equal starts instant ones first, then moves. */
function sequenceOf(
  operations: Operations,
  { moves, tasks }: Pick<Plan, 'tasks' | 'moves'>,
): number[] {
  const { firstMove, problem } = operations;
  const steps: SequenceEntry[] = [];
  const taskEnd_s = new Map(tasks.map(({ task, end_s }) => [task, end_s]));
  for (const { task, labware, start_s, end_s, toBuffer } of moves) {
    const use = problem.tasks[task]!.uses.findIndex((one) => one.labware === labware);
    if (use < 0) continue;
    // A piece goes to a buffer on the way to a task, or after its last one.
    const isAfter = toBuffer && (taskEnd_s.get(task) ?? Number.POSITIVE_INFINITY) <= start_s;
    const buffering = bufferingOf(operations, labware, isAfter ? undefined : task);
    const operation = toBuffer ? buffering : firstMove[task]! + use;
    steps.push({ operation, start_s, isInstant: start_s === end_s });
  }
  for (const { task, start_s, end_s } of tasks) {
    steps.push({ operation: task, start_s, isInstant: start_s === end_s });
  }
  // The sort is stable: moves stay before tasks.
  steps.sort((a, b) => a.start_s - b.start_s || Number(b.isInstant) - Number(a.isInstant));
  return steps.map(({ operation }) => operation);
}

/** A plan computation in steps: yields the work done since the last yield. */
export type PlanSteps = Generator<number, Result<Plan, PlanFault>>;

/**
 * Plans in small steps, each far below a millisecond for hundreds of tasks. The yielded numbers
 * count work, not time, so they are equal on every machine.
 */
export function* planSteps(
  problem: PlanProblem,
  { seed, effort = 1, previous, relax = false, operations: known }: PlanOptions,
): PlanSteps {
  const missing = missingInstruments(problem);
  if (missing) return failure(missing);
  const operations = known ?? operationsOf(problem);
  const invalid = known ? null : problemFault(operations);
  if (invalid) return failure(invalid);
  yield operations.count;
  const attempts = Math.max(1, Math.round(attemptsFor(operations.firstBuffering) * effort));
  // For a search of one attempt the bound is useless and costs as much as the attempt.
  const lower_bound_s = attempts > 1 ? lowerBound_s(operations) : problem.now_s;
  // The value of a plan for several jobs is not its makespan.
  const provable_s = problem.jobs ? 0 : lower_bound_s;
  yield operations.count;
  const sequence = previous ? sequenceOf(operations, previous) : [];
  yield operations.count;
  const best = yield* searchPlan(operations, {
    seed,
    attempts,
    lower_bound_s: provable_s,
    sequence,
  });
  // The rest of a run is planned often and has begun: its units are no longer equal.
  const isFresh = effort >= 1 && problem.started.length === 0;
  const steady = isFresh ? yield* steadyCycle(operations) : null;
  const chosen = steady ? yield* cyclicOr(best, operations, steady) : best;
  const fault = attemptFault(operations, chosen, relax);
  return fault ? failure(fault) : success(planOf(chosen, lower_bound_s, steady?.cycle));
}

/** Plans without interruption. */
export function plan(problem: PlanProblem, options: PlanOptions): Result<Plan, PlanFault> {
  const steps = planSteps(problem, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Planning of workflows: from their model to the wire format, in short slices of work. */

/** Like `plan`, without blocking the event loop. */
export function planCooperatively(
  problem: PlanProblem,
  options: PlanOptions,
  wall: WallClock,
): Promise<Result<Plan, PlanFault>> {
  const steps = planSteps(problem, options);
  return runCooperatively(wall, () => {
    const { done, value } = steps.next();
    return done ? value : null;
  });
}

function cycleReply(
  { instruments }: WorkflowModel,
  cycle: UnitCycle | undefined,
): Pick<WorkflowPlan, 'cycle'> {
  if (!cycle) return {};
  const reply = {
    period_s: cycle.cycle_s / cycle.units_per_cycle,
    lower_bound_s: cycle.lower_bound_s,
    equal_groups: cycle.units,
    pieces_per_group: cycle.pieces_per_unit,
    groups_per_cycle: cycle.units_per_cycle,
    instrument_id: instruments[cycle.resource]?.id ?? null,
  };
  return { cycle: reply };
}

/** Converts a plan to the wire format: names instead of indices, whole seconds. */
export function planReply(id: number, model: WorkflowModel, plan: Plan): WorkflowPlan {
  const { instruments, labware } = model;
  const tasks: Record<string, PlannedWorkflowTask> = {};
  for (const { task, instrument, start_s, end_s } of plan.tasks) {
    const pieces = model.tasks[task]!.uses.map((use) => labware[use.labware]!.id);
    tasks[model.tasks[task]!.id] = {
      start: Math.round(start_s),
      end: Math.round(end_s),
      instrument: instruments[instrument]?.id ?? null,
      labware_in: pieces,
      labware_out: pieces,
    };
  }
  const transports = plan.moves.map(
    (move): PlannedTransport => ({
      labware_id: labware[move.labware]!.id,
      source_instrument_id: instruments[move.from.instrument]!.id,
      source_slot: move.from.slot,
      destination_instrument_id: instruments[move.to.instrument]!.id,
      destination_slot: move.to.slot,
      start: Math.round(move.start_s),
      end: Math.round(move.end_s),
    }),
  );
  return {
    id,
    makespan: Math.round(plan.makespan_s),
    lower_bound: Math.round(plan.lower_bound_s),
    tasks,
    transports,
    critical_path: criticalPath(model, plan),
    ...cycleReply(model, plan.cycle),
  };
}

const CRITICAL_S = 1e-3;

/** Returns the slack of each operation of a plan, and its bottleneck. */
export function planAnalysis(model: WorkflowModel, plan: Plan): PlanAnalysis {
  const operations = planSlack(model, plan).map((one) => ({
    name: one.name,
    task_id: model.tasks[one.task]?.id ?? null,
    labware_id: model.labware[one.piece]?.id ?? null,
    instrument_id: model.instruments[one.instrument]?.id ?? null,
    start_s: one.start_s,
    end_s: one.end_s,
    slack_s: one.slack_s,
    is_critical: one.slack_s < CRITICAL_S,
  }));
  return { operations, bottleneck: bottleneckText(model, plan) };
}

export interface PlanSituation {
  readonly now_s: number;
  readonly started: readonly StartedOperation[];
  /** Tasks that an operator has skipped. */
  readonly skipped: ReadonlySet<number>;
  readonly isDown: (instrument: number) => boolean;
  /** Whether a limit of time is broken already and no longer binds. */
  readonly isBroken: (constraint_id: string) => boolean;
}

/** The situation before a run. */
export const NOTHING_STARTED: PlanSituation = {
  now_s: 0,
  started: [],
  skipped: new Set(),
  isDown: () => false,
  isBroken: () => false,
};

function planTaskOf(model: WorkflowModel, index: number, situation: PlanSituation): PlanTask {
  const { id, estimate_s, candidates, after, uses, skip } = model.tasks[index]!;
  if (skip || situation.skipped.has(index)) {
    return { id, duration_s: 0, candidates: [], after, uses: [] };
  }
  const isAnyDown = candidates.some(situation.isDown);
  const isBegun = isAnyDown && situation.started.some((one) => one.task === index);
  const able =
    isAnyDown && !isBegun ? candidates.filter((one) => !situation.isDown(one)) : candidates;
  const task = { id, duration_s: estimate_s, candidates: able, after, uses };
  if (able.length > 0) return task;
  return { ...task, down: candidates.map((one) => model.instruments[one]!.id) };
}

function constraintsOf(model: WorkflowModel, situation: PlanSituation): TimeConstraint[] {
  if (model.constraints.length === 0) return [];
  const isSkipped = (task: number) => situation.skipped.has(task) || model.tasks[task]!.skip;
  return limitsOf(model)
    .filter(({ from, to }) => !isSkipped(from) && !isSkipped(to))
    .filter(({ constraint }) => !situation.isBroken(constraint.id))
    .map(({ constraint, ...limit }) => ({ id: constraint.id, ...limit }));
}

/** The batches as jobs: earlier ones weigh more. */
function batchJobs({ batches, tasks }: WorkflowModel): PlanJob[] {
  const taken = new Set<number>();
  return batches.map((pieces, i) => {
    const own = tasks.flatMap(({ uses }, task) => {
      const isOwn = !taken.has(task) && uses.some(({ labware }) => pieces.includes(labware));
      return isOwn ? [task] : [];
    });
    for (const task of own) taken.add(task);
    const rank = batches.length - 1 - i;
    return { tasks: own, rank, weight: 1 + rank, due_s: Number.POSITIVE_INFINITY };
  });
}

/** Builds the planning problem of a workflow in a situation. */
export function planProblem(
  model: WorkflowModel,
  move_s: PlanProblem['move_s'],
  situation: PlanSituation,
): PlanProblem {
  const labware = model.labware.map(({ id, location, tasks }) => ({
    id,
    location,
    tasks: tasks.filter((task) => !situation.skipped.has(task)),
  }));
  return {
    instruments: model.instruments,
    tasks: model.tasks.map((_, index) => planTaskOf(model, index, situation)),
    labware,
    constraints: constraintsOf(model, situation),
    buffers: model.buffers.filter(({ instrument }) => !situation.isDown(instrument)),
    move_s,
    now_s: situation.now_s,
    started: situation.started,
    ...(model.batches.length > 1 && { jobs: batchJobs(model) }),
  };
}
