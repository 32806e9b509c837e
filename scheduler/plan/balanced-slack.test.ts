/** Of plans of equal length the one whose limits of time have the most balanced slack. */

import { describe, expect, it } from 'vitest';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { Plan, PlanProblem } from './problem.ts';
import { instrument, limitOf, problemOf, task } from './problems.cases.ts';

/**
 * Piece 0 is washed for 20 s and then read for 30 s; the reader is taken by piece 1 for 200 s
 * before. Moves take 5 s.
 */
function occupied(max_s: number): PlanProblem {
  return problemOf({
    instruments: [
      instrument('hotel', 9),
      instrument('washer'),
      instrument('reader'),
      instrument('rack', 9),
    ],
    tasks: [
      task('wash', 20, { on: 1, uses: [[0, 1]] }),
      task('read', 30, { on: 2, uses: [[0, 1]], after: [3] }),
      task('store', 1, { on: 3, uses: [[0, 1]] }),
      task('scan', 200, { on: 2, uses: [[1, 1]] }),
      task('park', 1, { on: 3, uses: [[1, 2]] }),
    ],
    labware: [
      { id: 'a', location: { instrument: 0, slot: 1 }, tasks: [0, 1, 2] },
      { id: 'b', location: { instrument: 0, slot: 2 }, tasks: [3, 4] },
    ],
    constraints: [limitOf({ max_s })],
    move_s: () => 5,
  });
}

function planned(problem: PlanProblem): Plan {
  const found = plan(problem, { seed: 1 });
  if (!found.ok) throw new Error(found.error.messages.join());
  expect(planFaults(problem, found.value)).toEqual([]);
  return found.value;
}

/** The time from the end of task 0 to the start of task 1 (s). */
function between_s({ tasks }: Plan): number {
  const at = (index: number) => tasks.find((one) => one.task === index)!;
  return at(1).start_s - at(0).end_s;
}

describe('a limit with time to spare', () => {
  it('is used as little as the end of the plan allows', () => {
    const free = planned({ ...occupied(300), constraints: [] });
    const limited = planned(occupied(300));
    expect(limited.makespan_s).toBe(free.makespan_s);
    // The reader is free for it after its piece was taken away: 5 s for that, and 5 s to bring it.
    expect(between_s(limited)).toBeLessThan(20);
    expect(between_s(free)).toBeGreaterThan(150);
  });

  it('is the same at another limit: the slack is not what the limit is', () => {
    expect(planned(occupied(60)).makespan_s).toBe(planned(occupied(300)).makespan_s);
  });

  it('leaves a plan without limits as it is', () => {
    const problem = { ...occupied(300), constraints: [] };
    expect(planned(problem)).toEqual(planned(problem));
  });
});
