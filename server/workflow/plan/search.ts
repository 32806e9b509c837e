/**
 * Searches for a good plan: greedy list scheduling with several parameter sets, then local search
 * on the best order, which accepts changes that are not worse. Bounded by attempts and not by time,
 * so equal seeds give equal plans. A generator, so the caller can interleave other work. Also: one
 * attempt at a plan.
 */
import { createPrng, type Prng } from '../../../physics/math/portable.ts';
import { type AttemptParameters, OperationSelector, type Operations } from './operations.ts';
import type { TimeConstraint } from './problem.ts';
import { ScheduleBuilder } from './schedule-state.ts';

export interface SearchOptions {
  readonly seed: number;
  /** Largest number of attempts. */
  readonly attempts: number;
  /** A plan that ends then is optimal and ends the search (s). */
  readonly lower_bound_s: number;
  /** An order to try first; empty for none. */
  readonly sequence: readonly number[];
}

const WEIGHTS = [0, 0.25, 1, 4];
/** Work-in-progress limits to try; high limits can deadlock. */
const WIP_LIMITS = [12, 8, 6, 4, 3, 2];
/** Number of randomized greedy attempts before the local search. */
const RANDOMIZED = 8;
/** Attempts without improvement after which the local search restarts from a random order. */
const RESTART_AFTER = 100;
/**
 * Attempts per operation without improvement after which the search ends. A few operations are
 * planned as well with a quarter of all attempts; with two dozen operations, one plan in four would
 * be longer with half of them.
 */
const STALL_PER_OPERATION = 60;
/** Share of changes that shift one operation and not all operations of its task. */
const SINGLE_SHARE = 0.5;
/** Share of changes that add or remove a visit of a buffer. */
const BUFFERING_SHARE = 0.25;
/** Share of new visits of a buffer after which the task comes later. */
const POSTPONED_SHARE = 0.5;
/** Largest number of shifts in one change. */
const MAX_SHIFTS = 4;

/** Score difference that counts as an improvement (s); plans differ by whole seconds. */
const IMPROVEMENT_S = 0.5;

/** Least number of attempts: all greedy parameter sets except the randomized ones. */
const MIN_ATTEMPTS = 2 * WEIGHTS.length + WIP_LIMITS.length + 1;
/** Additional attempts if none has led to a plan. */
const EXTRA_ATTEMPTS = 10;

/** Returns the number of attempts for a number of operations. */
export function attemptsFor(operations: number): number {
  return Math.max(
    MIN_ATTEMPTS,
    Math.min(2000, Math.floor(900_000 / Math.max(1, operations * operations))),
  );
}

function randomOrder({ count }: Operations, random: Prng): Float64Array {
  return new Float64Array(count).map(() => count * random());
}

function anyInstrument(operations: Operations): Int32Array {
  return new Int32Array(operations.tasks).fill(-1);
}

/** Ranks that finish one piece of labware after the other: slow, but rarely a deadlock. */
function pieceByPieceRank(operations: Operations): Float64Array {
  const rank = new Float64Array(operations.count);
  const { problem, firstMove } = operations;
  const piece = new Float64Array(operations.tasks).fill(problem.labware.length);
  problem.labware.forEach((one, l) => {
    for (const task of one.tasks) piece[task] = Math.min(piece[task]!, l);
  });
  problem.tasks.forEach((task, t) => {
    const base = piece[t]! * 1e6 - operations.tail_s[t]!;
    rank[t] = base;
    for (let u = 0; u < task.uses.length; u++) rank[firstMove[t]! + u] = base + 0.5;
  });
  return rank;
}

/** The parameters of a greedy attempt without preferences. */
export function plainAttempt(operations: Operations): AttemptParameters {
  return {
    sequence: [],
    rank: null,
    noise_s: null,
    wipLimit: Number.POSITIVE_INFINITY,
    preferred: anyInstrument(operations),
    buffered: null,
    weight: 0,
    eager: true,
  };
}

function* greedyParameters(
  operations: Operations,
  random: Prng,
  firstSequence: readonly number[],
): Generator<AttemptParameters> {
  const plain = plainAttempt(operations);
  if (firstSequence.length > 0) yield { ...plain, sequence: firstSequence };
  for (const weight of WEIGHTS) {
    yield { ...plain, weight, eager: false };
    yield { ...plain, weight, eager: true };
  }
  for (const few of WIP_LIMITS) yield { ...plain, weight: 0.25, eager: false, wipLimit: few };
  const rank = pieceByPieceRank(operations);
  yield { ...plain, rank, weight: 0, eager: false };
  for (let i = 0; i < RANDOMIZED; i++) {
    const spread_s = 10 + 50 * random();
    const noise_s = Float64Array.from({ length: operations.count }, () => spread_s * random());
    yield { ...plain, weight: WEIGHTS[i % WEIGHTS.length]!, eager: i % 2 === 1, noise_s };
  }
}

/** The order of an attempt as ranks; unscheduled operations come last. */
function ranksOf({ order }: Attempt, operations: Operations): Float64Array {
  const rank = new Float64Array(operations.count).fill(order.length);
  order.forEach((operation, i) => {
    rank[operation] = i;
  });
  return rank;
}

/** Shifts a task in the order together with all moves of its labware. */
function shiftTogether(
  { firstMove, problem }: Operations,
  rank: Float64Array,
  { task, shift }: { readonly task: number; readonly shift: number },
): void {
  rank[task] = rank[task]! + shift;
  const first = firstMove[task]!;
  for (let u = 0; u < problem.tasks[task]!.uses.length; u++) {
    rank[first + u] = rank[first + u]! + shift;
  }
}

/** The buffering operations of an attempt; null without buffers. */
function bufferedIn(
  { order }: Attempt,
  { firstBuffering, bufferedPiece }: Operations,
): Uint8Array | null {
  if (bufferedPiece.length === 0) return null;
  const buffered = new Uint8Array(bufferedPiece.length);
  for (const one of order) if (one >= firstBuffering) buffered[one - firstBuffering] = 1;
  return buffered;
}

/** Adds or removes a visit of a buffer now and then; ranks a new one by its move or last task. */
function mutatedBuffering(
  operations: Operations,
  { buffered, rank }: AttemptParameters,
  random: Prng,
): Uint8Array | null {
  if (buffered === null || random() > BUFFERING_SHARE) return buffered;
  const { firstBuffering, tasks, taskOf } = operations;
  const next = buffered.slice();
  const at = Math.floor(random() * next.length);
  next[at] = 1 - next[at]!;
  if (next[at] === 0) return next;
  const operation = firstBuffering + at;
  const move = tasks + at;
  // After the last task of a piece there is no move that it comes before.
  const isLast = move >= firstBuffering;
  const task = taskOf[operation]!;
  const spread = 4 * random();
  rank![operation] = isLast ? rank![task]! + spread : rank![move]! - spread;
  // A visit is of use if others go first.
  if (!isLast && random() < POSTPONED_SHARE) {
    shiftTogether(operations, rank!, { task, shift: operations.count * random() });
  }
  return next;
}

function mutated(
  { operations, random }: { readonly operations: Operations; readonly random: Prng },
  base: AttemptParameters,
  shifts: number,
): AttemptParameters {
  const rank = base.rank!.slice();
  const preferred = base.preferred.slice();
  const { problem } = operations;
  for (let i = 0; i < shifts; i++) {
    const one = Math.floor(random() * operations.count);
    const reach = random() < 0.5 ? 4 : operations.count;
    const shift = (random() - 0.5) * 2 * reach;
    if (random() < SINGLE_SHARE) rank[one] = rank[one]! + shift;
    else shiftTogether(operations, rank, { task: operations.taskOf[one]!, shift });
    if (random() < 0.25) {
      const task = Math.floor(random() * operations.tasks);
      const { length } = problem.tasks[task]!.candidates;
      if (length > 1) preferred[task] = Math.floor(random() * (length + 1)) - 1;
    }
  }
  return {
    ...base,
    rank,
    preferred,
    buffered: mutatedBuffering(operations, { ...base, rank }, random),
  };
}

/** Yields as `attemptPlan` does; returns the best attempt. */
export function* searchPlan(
  operations: Operations,
  options: SearchOptions,
): Generator<number, Attempt> {
  const random = createPrng(options.seed);
  let best: Attempt | null = null;
  let left = options.attempts;
  let attemptsSinceBest = 0;
  const isDone = () => {
    if (best === null || !isFeasible(best)) return left <= -EXTRA_ATTEMPTS;
    const isProven = best.score < options.lower_bound_s + 0.5;
    return left <= 0 || isProven || attemptsSinceBest > STALL_PER_OPERATION * operations.count;
  };
  for (const parameters of greedyParameters(operations, random, options.sequence)) {
    if (isDone()) break;
    const attempt = yield* attemptPlan(operations, parameters);
    left--;
    if (!best || attempt.score < best.score) best = attempt;
  }
  let base: AttemptParameters = {
    ...plainAttempt(operations),
    rank: ranksOf(best!, operations),
    buffered: bufferedIn(best!, operations),
  };
  let current = best!.score;
  let attemptsSinceImprovement = 0;
  while (!isDone()) {
    const isRestart = attemptsSinceImprovement > RESTART_AFTER;
    const parameters = isRestart
      ? { ...base, rank: randomOrder(operations, random) }
      : mutated({ operations, random }, base, 1 + Math.floor(random() * MAX_SHIFTS));
    const attempt = yield* attemptPlan(operations, parameters);
    left--;
    attemptsSinceImprovement =
      isRestart || attempt.score < current ? 0 : attemptsSinceImprovement + 1;
    if (isRestart || attempt.score <= current) {
      const [rank, buffered] = [ranksOf(attempt, operations), bufferedIn(attempt, operations)];
      base = { ...parameters, rank, buffered };
      current = attempt.score;
    }
    attemptsSinceBest = attempt.score < best!.score - IMPROVEMENT_S ? 0 : attemptsSinceBest + 1;
    if (attempt.score < best!.score) best = attempt;
  }
  return best!;
}

function isFeasible({ isStuck, violations }: Attempt): boolean {
  return !isStuck && violations.length === 0;
}

/**
 * One attempt at a plan: appends operations to a schedule in the order that the parameters prefer,
 * until all are scheduled or none can be. Time constraints are met by building the schedule again
 * with the violating tasks delayed.
 */

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
  /** Smaller is better. */
  readonly score: number;
}

const MAX_REPAIRS = 24;
/** Tasks and moves examined between two yields: some hundredths of a millisecond. */
const YIELD_INTERVAL = 64;
const TOLERANCE_S = 1e-9;

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
  return { ...built, violations, score: scoreOf(operations, built, violations) };
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
