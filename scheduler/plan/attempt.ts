/**
 * One attempt at a plan: appends operations to a schedule in the order that the parameters prefer,
 * until all are scheduled or none can be. Time constraints are met by building the schedule again
 * with the violating tasks delayed.
 */

import { type AttemptParameters, OperationSelector } from './operation-selector.ts';
import type { Operations } from './operations.ts';
import type { TimeConstraint } from './problem.ts';
import { ScheduleBuilder } from './schedule-builder.ts';
import { TOLERANCE_S } from './time-tolerance.ts';

export interface Violation {
  readonly constraint: TimeConstraint;
  /** By how much the time is too long (positive) or too short (negative) (s). */
  readonly excess_s: number;
}

export interface Attempt {
  readonly schedule: ScheduleBuilder;
  /** Operations in the order in which they were appended. */
  readonly order: readonly number[];
  readonly isStuck: boolean;
  readonly violations: readonly Violation[];
  /** What the plan is judged by apart from limits: its end, or the weighted ends of its jobs (s). */
  readonly value_s: number;
  /** Smaller is better. */
  readonly score: number;
}

const MAX_REPAIRS = 24;
/** Tasks and moves examined between two yields: some hundredths of a millisecond. */
const YIELD_INTERVAL = 64;

interface AttemptState {
  readonly operations: Operations;
  readonly schedule: ScheduleBuilder;
  readonly selector: OperationSelector;
  /** Operations in the order in which they were appended. */
  readonly order: number[];
  /** The round in which each task was last examined. */
  readonly seen: Int32Array;
}

/** Offers every operation that can be appended; returns the number of examined tasks. */
function offerAll({ operations, schedule, selector, seen }: AttemptState, round: number): number {
  const { tasksWithoutLabware, problem } = operations;
  const pieces = problem.labware.length;
  for (let piece = 0; piece < pieces; piece++) {
    const task = schedule.nextTaskOf(piece);
    if (task === undefined) schedule.offerPutAside(piece, selector);
    if (task === undefined || seen[task] === round) continue;
    seen[task] = round;
    schedule.offerOperations(task, selector);
  }
  for (const task of tasksWithoutLabware) schedule.offerOperations(task, selector);
  if (!selector.hasBest) schedule.offerUnblocking(selector);
  return pieces + tasksWithoutLabware.length;
}

/** Appends the operations of a given order, as far as it is feasible. */
function* applySequence(sequence: readonly number[], state: AttemptState): Generator<number, void> {
  const { schedule, selector, order } = state;
  const { tasks, taskOf, firstMove, firstBuffering } = state.operations;
  const appended = () => {
    if (!selector.hasBest) return false;
    schedule.append(selector.best);
    order.push(selector.best.operation);
    selector.reset();
    return true;
  };
  for (let i = 0; i < sequence.length; i++) {
    if (i % YIELD_INTERVAL === YIELD_INTERVAL - 1) yield YIELD_INTERVAL;
    const operation = sequence[i]!;
    const task = taskOf[operation]!;
    if (operation < tasks) {
      do schedule.offerOperations(task, selector);
      while (appended());
      if (!schedule.isScheduled(task)) return;
    } else if (operation >= firstBuffering) {
      schedule.offerBuffer(operation, selector);
      appended();
    } else {
      schedule.offerMove(task, operation - firstMove[task]!, selector);
      appended();
    }
  }
}

function* buildSchedule(
  operations: Operations,
  parameters: AttemptParameters,
  release_s: Float64Array,
): Generator<number, Pick<Attempt, 'schedule' | 'order' | 'isStuck'>> {
  const schedule = new ScheduleBuilder(operations, release_s, parameters);
  const selector = new OperationSelector(operations, parameters, schedule.end_s);
  const order: number[] = [];
  const state = {
    operations,
    schedule,
    selector,
    order,
    seen: new Int32Array(operations.tasks),
  };
  yield operations.count;
  yield* applySequence(parameters.sequence, state);
  let examined = 0;
  for (let round = 1; schedule.scheduledCount < operations.tasks; round++) {
    selector.reset();
    examined += offerAll(state, round);
    if (!selector.hasBest) break;
    schedule.append(selector.best);
    order.push(selector.best.operation);
    if (examined < YIELD_INTERVAL) continue;
    yield examined;
    examined = 0;
  }
  yield examined;
  return { schedule, order, isStuck: schedule.scheduledCount < operations.tasks };
}

function violationsOf(operations: Operations, schedule: ScheduleBuilder): Violation[] {
  const found: Violation[] = [];
  for (const constraint of operations.problem.constraints) {
    const { from, to, from_end, to_end, min_s, max_s } = constraint;
    if (!schedule.isScheduled(from) || !schedule.isScheduled(to)) continue;
    const from_s = from_end ? schedule.end_s[from]! : schedule.start_s[from]!;
    const elapsed_s = (to_end ? schedule.end_s[to]! : schedule.start_s[to]!) - from_s;
    if (elapsed_s > max_s + TOLERANCE_S) found.push({ constraint, excess_s: elapsed_s - max_s });
    if (elapsed_s < min_s - TOLERANCE_S) found.push({ constraint, excess_s: elapsed_s - min_s });
  }
  return found;
}

/** The violations that a delay can repair: their tasks have not started. */
function repairable({ problem }: Operations, found: readonly Violation[]): readonly Violation[] {
  if (found.length === 0 || problem.started.length === 0) return found;
  const started = new Set(
    problem.started.flatMap((one) => (one.kind === 'task' ? [one.task] : [])),
  );
  return found.filter(
    ({ constraint, excess_s }) => !started.has(excess_s > 0 ? constraint.from : constraint.to),
  );
}

/** Delays the tasks that violate constraints. */
function delayViolators(
  attempt: { schedule: ScheduleBuilder },
  found: readonly Violation[],
  release_s: Float64Array,
) {
  for (const { constraint, excess_s } of found) {
    const task = excess_s > 0 ? constraint.from : constraint.to;
    const start_s = attempt.schedule.start_s[task]! + Math.abs(excess_s);
    release_s[task] = Math.max(release_s[task]!, start_s);
  }
}

/** The earliest start of each operation (s). */
function releasesOf({ count, taskOf, problem }: Operations): Float64Array {
  const release_s = new Float64Array(count).fill(problem.now_s);
  for (let operation = 0; operation < count; operation++) {
    const own_s = problem.tasks[taskOf[operation]!]?.release_s ?? problem.now_s;
    if (own_s > problem.now_s) release_s[operation] = own_s;
  }
  return release_s;
}

/** Builds a schedule with tasks that start no earlier than `release_s`, and judges it. */
function* judgedSchedule(
  operations: Operations,
  parameters: AttemptParameters,
  release_s: Float64Array,
): Generator<number, Attempt> {
  const built = yield* buildSchedule(operations, parameters, release_s);
  const violations = violationsOf(operations, built.schedule);
  const value_s = objective_s(operations, built.schedule);
  return { ...built, violations, value_s, score: scoreOf(operations, built, violations) };
}

/** Makes one attempt; yields the work done since the last yield. */
export function* attemptPlan(
  operations: Operations,
  parameters: AttemptParameters,
): Generator<number, Attempt> {
  const release_s = releasesOf(operations);
  let last = yield* judgedSchedule(operations, parameters, release_s);
  // Delays do not repair a limit that cannot be held.
  let best = last;
  for (let i = 0; i < MAX_REPAIRS && !last.isStuck; i++) {
    const open = repairable(operations, last.violations);
    if (open.length === 0) break;
    delayViolators(last, open, release_s);
    last = yield* judgedSchedule(operations, parameters, release_s);
    if (last.score < best.score) best = last;
  }
  return best;
}

const STUCK_SCORE = 1e12;
const VIOLATION_SCORE = 1e8;
const SUM_SCORE = 1e-7;
/** How much worse a second of lateness is than a second of a later end. */
const LATE_SCORE = 10;

/** What a plan is judged by (s): its end, or the weighted ends of its jobs. */
function objective_s({ problem }: Operations, { makespan_s, end_s }: ScheduleBuilder): number {
  if (!problem.jobs) return makespan_s;
  let [sum_s, weights] = [0, 0];
  for (const { tasks, weight, due_s } of problem.jobs) {
    let last_s = 0;
    for (const task of tasks) last_s = Math.max(last_s, end_s[task]!);
    sum_s += weight * (last_s + LATE_SCORE * Math.max(0, last_s - due_s));
    weights += weight;
  }
  return sum_s / weights;
}

function scoreOf(
  operations: Operations,
  { schedule, isStuck }: { readonly schedule: ScheduleBuilder; readonly isStuck: boolean },
  violations: readonly Violation[],
): number {
  if (isStuck) return STUCK_SCORE * (1 + operations.tasks - schedule.scheduledCount);
  let sum_s = 0;
  for (let task = 0; task < operations.tasks; task++) sum_s += schedule.end_s[task]!;
  const excess_s = violations.reduce((sum, { excess_s }) => sum + Math.abs(excess_s), 0);
  const broken = violations.length > 0 ? VIOLATION_SCORE + VIOLATION_SCORE * excess_s : 0;
  return objective_s(operations, schedule) + SUM_SCORE * sum_s + broken;
}
