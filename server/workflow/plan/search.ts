/**
 * Looks for a good plan: several ways of greedy list scheduling, then small changes to the best
 * order, kept when they do no harm. Bounded by attempts and never by time, so that equal seeds give
 * equal plans; a generator, so that whoever drives it can do something else in between.
 */
import { type Attempt, attemptPlan } from './attempt.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { Genes } from './choice.ts';
import type { Operations } from './operations.ts';

export interface SearchOptions {
  readonly seed: number;
  /** Most attempts. */
  readonly attempts: number;
  /** Ends the search: nothing is better (s). */
  readonly lower_bound_s: number;
  /** An order to try first; empty for none. */
  readonly sequence: readonly number[];
}

const WEIGHTS = [0, 0.25, 1, 4];
/** Pieces on their way at a time, where more may wait for each other for ever. */
const LIMITS = [12, 8, 6, 4, 3, 2];
/** Greedy attempts with chance in them, before the best order is worked on. */
const SHAKEN = 8;
/** Attempts without a better plan after which the search begins anew from any order. */
const PATIENCE = 100;
/**
 * Attempts for each operation without a better plan after which the search ends: a handful of
 * operations is planned as well with a quarter of all attempts. Two dozen are worth every one: of
 * such plans, one in four would be longer after half of them.
 */
const STALL = 60;
/** Share of changes that put one operation elsewhere and not all of its task. */
const ALONE = 0.5;
/** Most operations that one change puts elsewhere. */
const STRENGTH = 4;

/** A better plan is a second shorter; a shorter sum of ends counts for little. */
const SECOND = 0.5;

/** Attempts that every problem is worth: all ways of greedy list scheduling but the shaken ones. */
const LEAST = 2 * WEIGHTS.length + LIMITS.length + 1;
/** Further attempts where none has led to a plan. */
const RESCUES = 10;

/** Attempts that a problem of so many operations is worth. */
export function attemptsFor(operations: number): number {
  return Math.max(
    LEAST,
    Math.min(2000, Math.floor(900_000 / Math.max(1, operations * operations))),
  );
}

function anyOrder({ count }: Operations, chance: Chance): Float64Array {
  return new Float64Array(count).map(() => count * chance());
}

function anyInstrument(operations: Operations): Int32Array {
  return new Int32Array(operations.tasks).fill(-1);
}

/** Finishes one piece of labware after the other: slow, but seldom stuck. */
function oneAfterTheOther(operations: Operations): Float64Array {
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

function* greedy(
  operations: Operations,
  chance: Chance,
  known: readonly number[],
): Generator<Genes> {
  const preferred = anyInstrument(operations);
  const limit = Number.POSITIVE_INFINITY;
  const plain = { sequence: [], rank: null, noise_s: null, limit, preferred };
  if (known.length > 0) yield { ...plain, sequence: known, weight: 0, eager: true };
  for (const weight of WEIGHTS) {
    yield { ...plain, weight, eager: false };
    yield { ...plain, weight, eager: true };
  }
  for (const few of LIMITS) yield { ...plain, weight: 0.25, eager: false, limit: few };
  const rank = oneAfterTheOther(operations);
  yield { ...plain, rank, weight: 0, eager: false };
  for (let i = 0; i < SHAKEN; i++) {
    const spread_s = 10 + 50 * chance();
    const noise_s = Float64Array.from({ length: operations.count }, () => spread_s * chance());
    yield { ...plain, weight: WEIGHTS[i % WEIGHTS.length]!, eager: i % 2 === 1, noise_s };
  }
}

/** The order of an attempt as ranks; operations that never came last. */
function ranksOf({ order }: Attempt, operations: Operations): Float64Array {
  const rank = new Float64Array(operations.count).fill(order.length);
  order.forEach((operation, i) => {
    rank[operation] = i;
  });
  return rank;
}

/** Puts a task elsewhere in the order with all the moves that bring its labware. */
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

function changed(
  { operations, chance }: { readonly operations: Operations; readonly chance: Chance },
  base: Genes,
  strength: number,
): Genes {
  const rank = base.rank!.slice();
  const preferred = base.preferred.slice();
  const { problem } = operations;
  for (let i = 0; i < strength; i++) {
    const one = Math.floor(chance() * operations.count);
    const reach = chance() < 0.5 ? 4 : operations.count;
    const shift = (chance() - 0.5) * 2 * reach;
    if (chance() < ALONE) rank[one] = rank[one]! + shift;
    else shiftTogether(operations, rank, { task: operations.taskOf[one]!, shift });
    if (chance() < 0.25) {
      const task = Math.floor(chance() * operations.tasks);
      const { length } = problem.tasks[task]!.candidates;
      if (length > 1) preferred[task] = Math.floor(chance() * (length + 1)) - 1;
    }
  }
  return { ...base, rank, preferred };
}

/** Yields as `attemptPlan` does; returns the best attempt. */
export function* searchPlan(
  operations: Operations,
  options: SearchOptions,
): Generator<number, Attempt> {
  const chance = chanceOf(options.seed);
  let best: Attempt | null = null;
  let left = options.attempts;
  let stall = 0;
  const isDone = () => {
    if (best === null || !clean(best)) return left <= -RESCUES;
    const isProven = best.score < options.lower_bound_s + 0.5;
    return left <= 0 || isProven || stall > STALL * operations.count;
  };
  for (const genes of greedy(operations, chance, options.sequence)) {
    if (isDone()) break;
    const attempt = yield* attemptPlan(operations, genes);
    left--;
    if (!best || attempt.score < best.score) best = attempt;
  }
  let base: Genes = {
    sequence: [],
    rank: ranksOf(best!, operations),
    weight: 0,
    eager: true,
    noise_s: null,
    limit: Number.POSITIVE_INFINITY,
    preferred: anyInstrument(operations),
  };
  let current = best!.score;
  let dull = 0;
  while (!isDone()) {
    const isFresh = dull > PATIENCE;
    const genes = isFresh
      ? { ...base, rank: anyOrder(operations, chance) }
      : changed({ operations, chance }, base, 1 + Math.floor(chance() * STRENGTH));
    const attempt = yield* attemptPlan(operations, genes);
    left--;
    dull = isFresh || attempt.score < current ? 0 : dull + 1;
    if (isFresh || attempt.score <= current) {
      base = { ...genes, rank: ranksOf(attempt, operations) };
      current = attempt.score;
    }
    stall = attempt.score < best!.score - SECOND ? 0 : stall + 1;
    if (attempt.score < best!.score) best = attempt;
  }
  return best!;
}

function clean({ stuck, violations }: Attempt): boolean {
  return !stuck && violations.length === 0;
}
