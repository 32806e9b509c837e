/**
 * Searches for a good plan: greedy list scheduling with several parameter sets, then local search
 * on the best order, which accepts changes that are not worse. Bounded by attempts and not by
 * time, so equal seeds give equal plans. A generator, so the caller can interleave other work.
 */

import { createPrng, type Prng } from '../../physics/math/prng.ts';
import { type Attempt, attemptPlan } from './attempt.ts';
import type { AttemptParameters } from './operation-selector.ts';
import type { Operations } from './operations.ts';

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
