/** Attempts at plans and searches, run to their end. Test code. */
import { type Attempt, attemptPlan } from './attempt.ts';
import type { AttemptParameters } from './operation-selector.ts';
import { operationsOf } from './operations.ts';
import type { PlanProblem } from './problem.ts';
import { plainAttempt, type SearchOptions, searchPlan } from './search.ts';

/** Runs steps to their end; returns what they yield as well. */
export function run(steps: Generator<number, Attempt>): Attempt & { readonly yielded: number[] } {
  const yielded: number[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done) return { ...step.value, yielded };
    yielded.push(step.value);
  }
}

/** One attempt, with the parameters of a plain one where none are given. */
export function attempt(problem: PlanProblem, parameters: Partial<AttemptParameters> = {}) {
  const operations = operationsOf(problem);
  return run(attemptPlan(operations, { ...plainAttempt(operations), ...parameters }));
}

/** A search with seed 1 and 100 attempts, unless it says else. */
export function search(problem: PlanProblem, options: Partial<SearchOptions> = {}) {
  const given = { seed: 1, attempts: 100, lower_bound_s: 0, sequence: [], ...options };
  return run(searchPlan(operationsOf(problem), given));
}
