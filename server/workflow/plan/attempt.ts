/**
 * One attempt at a plan: operations are appended in the order that its genes prefer until all are
 * placed or none can be. Bounds on time between tasks are met by starting anew with the offender
 * held back.
 */
import type { Operations } from './operations.ts';
import type { TimeConstraint } from './problem.ts';
import { type Option, Shop } from './shop.ts';

/** What makes one attempt differ from another. */
export interface Genes {
  /** Preference of each operation, smallest first; null: by earliest start and longest tail. */
  readonly rank: Float64Array | null;
  /** How much a second of tail counts against a second of start. */
  readonly weight: number;
  /** Whether labware is brought before its task's other conditions hold. */
  readonly eager: boolean;
  /** Added to the preference of each operation (s); null for none. */
  readonly noise_s: Float64Array | null;
  /** Index of the preferred instrument among each task's candidates; −1 for any. */
  readonly preferred: Int32Array;
}

export interface Violation {
  readonly constraint: TimeConstraint;
  /** By how much the time between is too long (positive) or too short (negative) (s). */
  readonly excess_s: number;
}

export interface Attempt {
  readonly shop: Shop;
  /** Operations in the order of appending. */
  readonly order: readonly number[];
  readonly stuck: boolean;
  readonly violations: readonly Violation[];
  /** The smaller, the better. */
  readonly score: number;
}

const REPAIRS = 24;
const WAIT_PENALTY_S = 1e6;
const TOLERANCE_S = 1e-9;

interface Floor {
  readonly operations: Operations;
  readonly shop: Shop;
  readonly genes: Genes;
}

interface Frontier {
  readonly loose: readonly number[];
  readonly stamp: Int32Array;
}

function collect(shop: Shop, { problem }: Operations, frontier: Frontier): Option[] {
  const found: Option[] = [];
  const { stamp, loose } = frontier;
  const mark = ++stamp[stamp.length - 1]!;
  for (let l = 0; l < problem.labware.length; l++) {
    const task = problem.labware[l]!.tasks[shop.next[l]!];
    if (task === undefined || stamp[task] === mark) continue;
    stamp[task] = mark;
    shop.optionsFor(task, found);
  }
  for (const task of loose) shop.optionsFor(task, found);
  return found;
}

/** True when the rest of a move's task depends on tasks that are not placed. */
function isEarly({ before }: Operations, shop: Shop, option: Option): boolean {
  if (option.use < 0) return false;
  return before[option.task]!.some((other) => !shop.isPlaced(other));
}

function preference({ operations, shop, genes }: Floor, option: Option): number {
  const { operation, start_s } = option;
  const noise_s = genes.noise_s?.[operation] ?? 0;
  if (genes.rank) return genes.rank[operation]! + noise_s;
  const early_s = !genes.eager && isEarly(operations, shop, option) ? WAIT_PENALTY_S : 0;
  return start_s - genes.weight * operations.tail_s[operation]! + noise_s + early_s;
}

function fill(operations: Operations, genes: Genes, release_s: Float64Array) {
  const { problem } = operations;
  const shop = new Shop(operations, release_s, genes.preferred);
  const frontier = {
    loose: problem.tasks.flatMap((task, t) => (task.uses.length === 0 ? [t] : [])),
    stamp: new Int32Array(operations.tasks + 1),
  };
  const order: number[] = [];
  while (shop.placed < operations.tasks) {
    const found = collect(shop, operations, frontier);
    let best: Option | null = null;
    let best_value = Number.POSITIVE_INFINITY;
    for (const option of found) {
      const value = preference({ operations, shop, genes }, option);
      if (value < best_value) {
        best = option;
        best_value = value;
      }
    }
    if (!best) break;
    shop.append(best);
    order.push(best.operation);
  }
  return { shop, order, stuck: shop.placed < operations.tasks };
}

function violationsOf(operations: Operations, shop: Shop): Violation[] {
  const found: Violation[] = [];
  for (const constraint of operations.problem.constraints) {
    const { from, to, from_end, to_end, min_s, max_s } = constraint;
    if (!shop.isPlaced(from) || !shop.isPlaced(to)) continue;
    const begin_s = from_end ? shop.end_s[from]! : shop.start_s[from]!;
    const between_s = (to_end ? shop.end_s[to]! : shop.start_s[to]!) - begin_s;
    if (between_s > max_s + TOLERANCE_S) found.push({ constraint, excess_s: between_s - max_s });
    if (between_s < min_s - TOLERANCE_S) found.push({ constraint, excess_s: between_s - min_s });
  }
  return found;
}

/** Holds back what came too early; false when nothing can be held back. */
function holdBack(attempt: { shop: Shop }, found: readonly Violation[], release_s: Float64Array) {
  for (const { constraint, excess_s } of found) {
    const task = excess_s > 0 ? constraint.from : constraint.to;
    const start_s = attempt.shop.start_s[task]! + Math.abs(excess_s);
    release_s[task] = Math.max(release_s[task]!, start_s);
  }
}

/** Makes one attempt. */
export function attemptPlan(operations: Operations, genes: Genes): Attempt {
  const release_s = new Float64Array(operations.count).fill(operations.problem.now_s);
  let made = fill(operations, genes, release_s);
  let violations = violationsOf(operations, made.shop);
  for (let i = 0; i < REPAIRS && violations.length > 0 && !made.stuck; i++) {
    holdBack(made, violations, release_s);
    made = fill(operations, genes, release_s);
    violations = violationsOf(operations, made.shop);
  }
  return { ...made, violations, score: scoreOf(operations, made, violations) };
}

const STUCK_SCORE = 1e12;
const VIOLATION_SCORE = 1e8;
const SUM_SCORE = 1e-7;

function scoreOf(
  operations: Operations,
  { shop, stuck }: { readonly shop: Shop; readonly stuck: boolean },
  violations: readonly Violation[],
): number {
  if (stuck) return STUCK_SCORE * (1 + operations.tasks - shop.placed);
  let sum_s = 0;
  for (const end_s of shop.end_s) sum_s += end_s;
  const excess_s = violations.reduce((sum, { excess_s }) => sum + Math.abs(excess_s), 0);
  const broken = violations.length > 0 ? VIOLATION_SCORE + VIOLATION_SCORE * excess_s : 0;
  return shop.makespan_s + SUM_SCORE * sum_s + broken;
}
