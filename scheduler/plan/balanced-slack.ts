/**
 * Of plans of equal value the one whose limits of time have the most balanced slack: the plan that
 * was found is made again with the limit that has the least slack tightened, as long as it ends no
 * later. Tasks that begin a limit then wait before it and not within it.
 */

import { type Attempt, attemptPlan } from './attempt.ts';
import type { Operations } from './operations.ts';
import type { TimeConstraint } from './problem.ts';
import { plainAttempt } from './search.ts';

/** Work on more slack, in examined tasks and moves: before a run (half a second), and during one. */
const WORK = { before: 400_000, during: 12_000 };
/** A problem of which not so many schedules can be built with that work is left as it is. */
const LEAST_SCHEDULES = 4;
/** A limit is tightened by this share of the rest of its slack at first, by half as much after a failure. */
const FIRST_STEP = 0.5;
/** Steps below this share of a limit are not tried (a limit is a few minutes: some seconds). */
const LEAST_STEP = 0.02;
/** How much later a plan may end and still be as good (s). */
const SAME_S = 1e-6;

function elapsed_s({ schedule }: Attempt, { from, from_end, to, to_end }: TimeConstraint): number {
  const from_s = from_end ? schedule.end_s[from]! : schedule.start_s[from]!;
  return (to_end ? schedule.end_s[to]! : schedule.start_s[to]!) - from_s;
}

/** The share of a limit that is left; 1 for one that uses nothing of it. */
function leftOf(attempt: Attempt, one: TimeConstraint): number {
  return 1 - elapsed_s(attempt, one) / one.max_s;
}

function startedTasks({ problem }: Operations): ReadonlySet<number> {
  return new Set(problem.started.flatMap((one) => (one.kind === 'task' ? [one.task] : [])));
}

/** Yields as an attempt does, and counts its work. */
function* counted(
  steps: Generator<number, Attempt>,
  spent: { work: number },
): Generator<number, Attempt> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    spent.work += step.value;
    yield step.value;
  }
}

/** Makes a plan again with the same order and as much slack as its end allows. */
export function* balancedSlack(
  operations: Operations,
  found: Attempt,
  when: keyof typeof WORK,
): Generator<number, Attempt> {
  const { problem } = operations;
  const started = startedTasks(operations);
  const limits = problem.constraints.filter(
    ({ max_s, from, to }) =>
      Number.isFinite(max_s) && max_s > 0 && !started.has(from) && from !== to,
  );
  const most_work = WORK[when];
  const isLarge = operations.count * problem.labware.length * LEAST_SCHEDULES > most_work;
  const hasNone = limits.length === 0 || found.isStuck || found.violations.length > 0;
  if (hasNone || isLarge) return found;
  const preferred = new Int32Array(operations.tasks).fill(-1);
  for (const { task, instrument } of found.schedule.tasks) {
    preferred[task] = problem.tasks[task]!.candidates.indexOf(instrument);
  }
  const parameters = { ...plainAttempt(operations), sequence: found.order, preferred };
  const most_s = new Map(limits.map((one) => [one, one.max_s]));
  const step = new Map(limits.map((one) => [one, FIRST_STEP]));
  let best = found;
  const spent = { work: 0 };
  while (spent.work < most_work) {
    const open = limits.filter((one) => step.get(one)! >= LEAST_STEP);
    if (open.length === 0) break;
    const [tightest] = open.sort((a, b) => leftOf(best, a) - leftOf(best, b));
    const own_s = Math.min(most_s.get(tightest!)!, elapsed_s(best, tightest!));
    // Plans keep whole seconds.
    const wanted_s = Math.ceil(own_s - step.get(tightest!)! * tightest!.max_s);
    const constraints = problem.constraints.map((one) => ({
      ...one,
      max_s: one === tightest ? wanted_s : (most_s.get(one) ?? one.max_s),
    }));
    const tried =
      wanted_s > 0 && wanted_s < own_s
        ? { ...operations, problem: { ...problem, constraints } }
        : null;
    const attempt = tried && (yield* counted(attemptPlan(tried, parameters), spent));
    const isBetter =
      attempt !== null &&
      !attempt.isStuck &&
      attempt.violations.length === 0 &&
      attempt.value_s <= found.value_s + SAME_S;
    if (isBetter) {
      best = attempt;
      most_s.set(tightest!, wanted_s);
    } else step.set(tightest!, step.get(tightest!)! / 2);
  }
  return best;
}
