/**
 * One attempt at a plan: operations are appended in the order that its genes prefer until all are
 * placed or none can be. Bounds on time between tasks are met by starting anew with the offender
 * held back.
 */
import { Choice, type Genes } from './choice.ts';
import type { Operations } from './operations.ts';
import type { TimeConstraint } from './problem.ts';
import { Shop } from './shop.ts';

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
/** Tasks and moves looked at between two yields: some hundredths of a millisecond. */
const GRAIN = 64;
const TOLERANCE_S = 1e-9;

interface Floor {
  readonly operations: Operations;
  readonly shop: Shop;
  readonly choice: Choice;
  /** Operations in the order of appending. */
  readonly order: number[];
  /** The round in which each task was looked at last. */
  readonly seen: Int32Array;
}

/** Offers everything that can be appended; answers how much it looked at. */
function offerAll({ operations, shop, choice, seen }: Floor, round: number): number {
  const { loose, problem } = operations;
  const pieces = problem.labware.length;
  for (let piece = 0; piece < pieces; piece++) {
    const task = shop.nextTaskOf(piece);
    if (task === undefined || seen[task] === round) continue;
    seen[task] = round;
    shop.optionsFor(task, choice);
  }
  for (const task of loose) shop.optionsFor(task, choice);
  return pieces + loose.length;
}

/** Appends what an order names, as far as it can be kept. */
function* follow(sequence: readonly number[], floor: Floor): Generator<number, void> {
  const { shop, choice, order } = floor;
  const { tasks, taskOf, firstMove } = floor.operations;
  const appended = () => {
    if (!choice.isMade) return false;
    shop.append(choice.best);
    order.push(choice.best.operation);
    choice.reset();
    return true;
  };
  for (let i = 0; i < sequence.length; i++) {
    if (i % GRAIN === GRAIN - 1) yield GRAIN;
    const operation = sequence[i]!;
    const task = taskOf[operation]!;
    if (operation < tasks) {
      do shop.optionsFor(task, choice);
      while (appended());
      if (!shop.isPlaced(task)) return;
    } else {
      shop.moveFor(task, operation - firstMove[task]!, choice);
      appended();
    }
  }
}

function* fill(
  operations: Operations,
  genes: Genes,
  release_s: Float64Array,
): Generator<number, Pick<Attempt, 'shop' | 'order' | 'stuck'>> {
  const shop = new Shop(operations, release_s, genes);
  const choice = new Choice(operations, genes, shop.end_s);
  const order: number[] = [];
  const floor = { operations, shop, choice, order, seen: new Int32Array(operations.tasks) };
  yield operations.count;
  yield* follow(genes.sequence, floor);
  let looks = 0;
  for (let round = 1; shop.placed < operations.tasks; round++) {
    choice.reset();
    looks += offerAll(floor, round);
    if (!choice.isMade) break;
    shop.append(choice.best);
    order.push(choice.best.operation);
    if (looks < GRAIN) continue;
    yield looks;
    looks = 0;
  }
  yield looks;
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

/** Makes one attempt; yields again and again how much it has looked at since it last did. */
export function* attemptPlan(operations: Operations, genes: Genes): Generator<number, Attempt> {
  const release_s = new Float64Array(operations.count).fill(operations.problem.now_s);
  let made = yield* fill(operations, genes, release_s);
  let violations = violationsOf(operations, made.shop);
  for (let i = 0; i < REPAIRS && violations.length > 0 && !made.stuck; i++) {
    holdBack(made, violations, release_s);
    made = yield* fill(operations, genes, release_s);
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
  for (let task = 0; task < operations.tasks; task++) sum_s += shop.end_s[task]!;
  const excess_s = violations.reduce((sum, { excess_s }) => sum + Math.abs(excess_s), 0);
  const broken = violations.length > 0 ? VIOLATION_SCORE + VIOLATION_SCORE * excess_s : 0;
  return shop.makespan_s + SUM_SCORE * sum_s + broken;
}
