/** Plans with instruments into and out of which nothing goes while a task runs. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem } from './problem.ts';
import { instrument, problemOf, shopProblem, task } from './problems.cases.ts';

function solved(problem: PlanProblem) {
  const found = plan(problem, { seed: 1 });
  if (!found.ok) throw new Error(found.error.messages.join('; '));
  expect(planFaults(problem, found.value)).toEqual([]);
  return found.value;
}

/** Two pieces that are spun one after the other, 20 s each, in slots of their own. */
function spins(centrifuge: object): PlanProblem {
  return problemOf({
    instruments: [instrument('hotel', 9), { ...instrument('centrifuge'), ...centrifuge }],
    tasks: [
      task('spin a', 20, { on: 1, uses: [[0, 1]] }),
      task('spin b', 20, { on: 1, uses: [[1, 2]], after: [0] }),
    ],
    labware: [0, 1].map((l) => {
      return { id: 'ab'[l]!, location: { instrument: 0, slot: l + 1 }, tasks: [l] };
    }),
    move_s: () => 5,
  });
}

describe('a closed instrument', () => {
  it('takes the next piece before a task or after it', () => {
    expect(solved(spins({})).makespan_s).toBe(5 + 20 + 20);
    expect(solved(spins({ closed: true })).makespan_s).toBe(5 + 5 + 20 + 20);
  });

  it('lets a piece out once its other tasks have ended', () => {
    // Side by side: the first one is done after 20 s, and waits for the second.
    const problem = spins({ closed: true, capacity: 2 });
    const [a, b] = problem.tasks;
    const tasks = [a!, { ...b!, duration_s: 60, after: [] }, task('store a', 0, { on: 0 })];
    const stored = { ...tasks[2]!, uses: [{ labware: 0, slot: 1, slot_after: 1 }] };
    const [first, second] = problem.labware;
    const labware = [{ ...first!, tasks: [0, 2] }, second!];
    const found = solved({ ...problem, tasks: [...tasks.slice(0, 2), stored], labware });
    // Either both are spun side by side, or one after the other with moves between.
    expect(found.makespan_s).toBe(10 + 60 + 5);
  });

  it('does several pieces in one task that nothing else shares', () => {
    const uses = [0, 1].map((l) => ({ labware: l, slot: l + 1, slot_after: l + 1 }));
    const problem = spins({ closed: true });
    const tasks = [
      { ...problem.tasks[0]!, uses },
      { ...problem.tasks[1]!, uses, after: [] },
    ];
    const labware = problem.labware.map((one) => ({ ...one, tasks: [0, 1] }));
    expect(solved({ ...problem, tasks, labware }).makespan_s).toBe(5 + 5 + 20 + 20);
  });

  it('is closed while what has started runs, and open while a move that has started lasts', () => {
    const problem = spins({ closed: true });
    const inside = { instrument: 1, slot: 1 };
    const [a, b] = problem.labware;
    const started = [{ kind: 'task', task: 0, instrument: 1, start_s: 0, end_s: 20 }] as const;
    const during = { ...problem, labware: [{ ...a!, location: inside }, b!], started, now_s: 8 };
    const closed = plan(during, { seed: 1 });
    expect(closed.ok && closed.value.moves).toMatchObject([{ labware: 1, start_s: 20, end_s: 25 }]);
    const from = { instrument: 0, slot: 1 };
    const move = { task: 0, labware: 0, from, to: inside, start_s: 0, end_s: 9 };
    const open = plan({ ...problem, started: [{ kind: 'move', ...move }], now_s: 3 }, { seed: 1 });
    expect(open.ok && open.value.tasks[0]!.start_s).toBeGreaterThanOrEqual(9);
  });

  it('is closed in every plan of a random shop', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = shopProblem(createPrng(seed), { pieces: 5, steps: 3 });
      const found = plan(problem, { seed, effort: 0.05 });
      expect(found.ok && planFaults(problem, found.value), `seed ${seed}`).toEqual([]);
    }
  });
});
