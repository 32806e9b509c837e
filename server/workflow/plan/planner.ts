/**
 * The planner as one call: problem in, plan or reasons out. Deterministic for a seed; `planning`
 * is the same in small steps for callers that have something else to do in between.
 */
import { failure, type Result, success } from '../../../contract/result.ts';
import type { Attempt } from './attempt.ts';
import { lowerBound_s } from './bounds.ts';
import { criticalPath } from './critical-path.ts';
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
}

function missingInstruments({ tasks }: PlanProblem): PlanFault | null {
  const bare = tasks.filter(({ candidates, uses }) => candidates.length === 0 && uses.length > 0);
  if (bare.length === 0) return null;
  const sentences = bare.map(({ id }) => `no instrument is there that can do ${id}`);
  return { kind: 'no_instrument', sentences };
}

function planOf(operations: Operations, { shop }: Attempt, lower_bound_s: number): Plan {
  const { problem } = operations;
  const tasks = [...shop.tasks].sort((a, b) => a.start_s - b.start_s || a.task - b.task);
  const moves = [...shop.moves].sort((a, b) => a.start_s - b.start_s);
  const critical_path = criticalPath(problem, { tasks, moves });
  return { tasks, moves, makespan_s: shop.makespan_s, lower_bound_s, critical_path };
}

/** The operations of a plan in its order, as ranks. */
function rankOf({ count, firstMove, problem }: Operations, like: Plan): Float64Array {
  const rank = new Float64Array(count).fill(count);
  const steps = [
    ...like.moves.map((one) => ({ ...one, place: moveOf(problem, one.task, one.labware) })),
    ...like.tasks.map((one) => ({ ...one, place: -1 })),
  ].sort((a, b) => a.start_s - b.start_s);
  steps.forEach(({ task, place }, i) => {
    rank[place < 0 ? task : firstMove[task]! + place] = i;
  });
  return rank;
}

function moveOf({ tasks }: PlanProblem, task: number, labware: number): number {
  return Math.max(
    0,
    tasks[task]!.uses.findIndex((use) => use.labware === labware),
  );
}

/** Plans in small steps: yields between attempts, returns the plan or why there is none. */
export function* planning(
  problem: PlanProblem,
  { seed, effort = 1, like }: PlanOptions,
): Generator<undefined, Result<Plan, PlanFault>> {
  const bare = missingInstruments(problem);
  if (bare) return failure(bare);
  const operations = operationsOf(problem);
  const plain = plainFault(operations);
  if (plain) return failure(plain);
  const fresh = problem.started.length === 0;
  const lower_bound_s = fresh ? lowerBound_s(operations) : problem.now_s;
  const attempts = Math.max(1, Math.round(attemptsFor(operations.count) * effort));
  const best = yield* searchPlan(operations, {
    seed,
    attempts,
    lower_bound_s,
    rank: like ? rankOf(operations, like) : null,
  });
  const fault = faultOf(operations, best);
  return fault ? failure(fault) : success(planOf(operations, best, lower_bound_s));
}

/** Plans at once. */
export function plan(problem: PlanProblem, options: PlanOptions): Result<Plan, PlanFault> {
  const steps = planning(problem, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
