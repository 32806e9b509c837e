/**
 * The planner: takes a problem and returns a plan or the reasons why there is none. Deterministic
 * for a seed. `planSteps` does the same in small steps, for callers that must not block.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import { type Attempt, attemptPlan } from './attempt.ts';
import { balancedSlack } from './balanced-slack.ts';
import { lowerBound_s } from './lower-bound.ts';
import { bufferingOf, type Operations, operationsOf } from './operations.ts';
import { attemptFault, missingInstruments, problemFault } from './plan-fault.ts';
import type { Plan, PlanFault, PlanProblem, UnitCycle } from './problem.ts';
import { attemptsFor, plainAttempt, searchPlan } from './search.ts';
import { type SteadyCycle, steadyCycle } from './steady-cycle.ts';

export interface PlanOptions {
  readonly seed: number;
  /** Share of the usual number of attempts; default 1. */
  readonly effort?: number;
  /** Number of attempts of a plan during a run, in place of a share; a proven end ends none. */
  readonly attempts?: number;
  /** A previous plan, whose order is tried first. */
  readonly previous?: Pick<Plan, 'tasks' | 'moves'>;
  /** Whether a plan may break limits of time that it cannot hold. */
  readonly relax?: boolean;
  /** The operations of the problem, if they are known and valid. */
  readonly operations?: Operations;
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

/** A cycle knows no closed instruments, rests and shifts: with these only its order is of use. */
function hasExactCycles({ instruments }: PlanProblem): boolean {
  return instruments.every(({ closed, cool_s, shifts }) => !closed && !cool_s && !shifts);
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
  { seed, effort = 1, attempts: given, previous, relax = false, operations: known }: PlanOptions,
): PlanSteps {
  const missing = missingInstruments(problem);
  if (missing) return failure(missing);
  const operations = known ?? operationsOf(problem);
  const invalid = known ? null : problemFault(operations);
  if (invalid) return failure(invalid);
  yield operations.count;
  const usual = Math.max(1, Math.round(attemptsFor(operations.firstBuffering) * effort));
  const attempts = given ?? usual;
  // A bound costs as much as an attempt, and during a run it would end the search too early: one
  // late operation decides the end, but not when all that does not wait for it is done.
  const lower_bound_s = given === undefined ? lowerBound_s(operations) : problem.now_s;
  // The value of a plan for several jobs is not its makespan.
  const provable_s = problem.jobs || given !== undefined ? 0 : lower_bound_s;
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
  const isFresh = given === undefined && effort >= 1 && problem.started.length === 0;
  const steady = isFresh ? yield* steadyCycle(operations) : null;
  const shortest = steady ? yield* cyclicOr(best, operations, steady) : best;
  const chosen = yield* balancedSlack(operations, shortest, given ? 'during' : 'before');
  const fault = attemptFault(operations, chosen, relax);
  const cycle = hasExactCycles(problem) ? steady?.cycle : undefined;
  return fault ? failure(fault) : success(planOf(chosen, lower_bound_s, cycle));
}

/** Plans without interruption. */
export function plan(problem: PlanProblem, options: PlanOptions): Result<Plan, PlanFault> {
  const steps = planSteps(problem, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
