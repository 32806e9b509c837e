/**
 * The planner as one call: problem in, plan or reasons out. Deterministic for a seed; `planning`
 * is the same in small steps for callers that have something else to do in between.
 */
import { failure, type Result, success } from '../../../contract/result.ts';
import type { Attempt } from './attempt.ts';
import { lowerBound_s } from './bounds.ts';
import { faultOf, plainFault } from './explanation.ts';
import { type Operations, operationsOf } from './operations.ts';
import type { Plan, PlanFault, PlanProblem } from './problem.ts';
import { attemptsFor, searchPlan } from './search.ts';

export interface PlanOptions {
  readonly seed: number;
  /** Share of the usual number of attempts; default 1. */
  readonly effort?: number;
  /** A plan whose order is tried first: what still fits is kept. */
  readonly like?: Plan;
  /** The problem's operations, where they are known to be without fault. */
  readonly known?: Operations;
}

function missingInstruments({ tasks }: PlanProblem): PlanFault | null {
  const bare = tasks.filter(({ candidates, uses }) => candidates.length === 0 && uses.length > 0);
  if (bare.length === 0) return null;
  const sentences = bare.map(({ id }) => `no instrument is there that can do ${id}`);
  return { kind: 'no_instrument', sentences };
}

function planOf({ shop }: Attempt, lower_bound_s: number): Plan {
  const tasks = shop.tasks.sort((a, b) => a.start_s - b.start_s || a.task - b.task);
  const moves = shop.moves.sort((a, b) => a.start_s - b.start_s);
  return { tasks, moves, makespan_s: shop.makespan_s, lower_bound_s };
}

interface Step {
  readonly operation: number;
  readonly start_s: number;
  readonly isInstant: boolean;
}

/** A plan's operations in its order: what takes no time first, then moves, which free slots. */
function sequenceOf({ firstMove, problem }: Operations, { moves, tasks }: Plan): number[] {
  const steps: Step[] = [];
  for (const { task, labware, start_s, end_s } of moves) {
    const use = problem.tasks[task]!.uses.findIndex((one) => one.labware === labware);
    const operation = firstMove[task]! + use;
    if (use >= 0) steps.push({ operation, start_s, isInstant: start_s === end_s });
  }
  for (const { task, start_s, end_s } of tasks) {
    steps.push({ operation: task, start_s, isInstant: start_s === end_s });
  }
  // Sorting keeps the order of equals: moves before tasks.
  steps.sort((a, b) => a.start_s - b.start_s || Number(b.isInstant) - Number(a.isInstant));
  return steps.map(({ operation }) => operation);
}

/** A plan in the making: yields how much work it has done since it last did. */
export type Planning = Generator<number, Result<Plan, PlanFault>>;

/**
 * Plans in small steps, each far below a millisecond for hundreds of tasks. What is yielded counts
 * work and not time: the same at every run, whatever the machine.
 */
export function* planning(
  problem: PlanProblem,
  { seed, effort = 1, like, known }: PlanOptions,
): Planning {
  const bare = missingInstruments(problem);
  if (bare) return failure(bare);
  const operations = known ?? operationsOf(problem);
  const plain = known ? null : plainFault(operations);
  if (plain) return failure(plain);
  yield operations.count;
  const attempts = Math.max(1, Math.round(attemptsFor(operations.count) * effort));
  // A bound is of no use to a search of one attempt, and costs as much as that.
  const lower_bound_s = attempts > 1 ? lowerBound_s(operations) : problem.now_s;
  yield operations.count;
  const sequence = like ? sequenceOf(operations, like) : [];
  yield operations.count;
  const best = yield* searchPlan(operations, { seed, attempts, lower_bound_s, sequence });
  const fault = faultOf(operations, best);
  return fault ? failure(fault) : success(planOf(best, lower_bound_s));
}

/** Plans at once. */
export function plan(problem: PlanProblem, options: PlanOptions): Result<Plan, PlanFault> {
  const steps = planning(problem, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
