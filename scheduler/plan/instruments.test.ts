/** Plans with instruments that rest, and into and out of which nothing goes while a task runs. */

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

describe('an instrument', () => {
  it('begins once it is warm, and the next task once it is cool', () => {
    const { tasks, moves } = solved(spins({ warm_s: 100, cool_s: 12 }));
    expect(tasks.map(({ start_s }) => start_s)).toEqual([100, 132]);
    expect(moves.map(({ start_s }) => start_s)).toEqual([0, 5]);
  });

  it('cools down after a task that has started', () => {
    const started = [{ kind: 'task', task: 0, instrument: 1, start_s: 0, end_s: 20 }] as const;
    const problem = spins({ cool_s: 12 });
    const [a, b] = problem.labware;
    const labware = [{ ...a!, location: { instrument: 1, slot: 1 } }, b!];
    const found = plan({ ...problem, labware, started, now_s: 8 }, { seed: 1 });
    expect(found.ok && found.value.tasks[1]!.start_s).toBe(32);
  });

  it('does as many tasks at a time as it can, each with its rest', () => {
    const problem = spins({ capacity: 2, cool_s: 12 });
    const third = { ...task('spin c', 20, { on: 1, uses: [[2, 3]] }) };
    const [a, b] = problem.tasks;
    const labware = [
      ...problem.labware,
      { id: 'c', location: { instrument: 0, slot: 3 }, tasks: [2] },
    ];
    const tasks = [a!, { ...b!, after: [] }, third];
    expect(solved({ ...problem, tasks, labware }).makespan_s).toBe(5 + 20 + 12 + 20);
  });
});

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

  it('opens once it has cooled down', () => {
    // The second one goes in before the first spin, or after its rest.
    const problem = spins({ closed: true, cool_s: 12 });
    expect(solved(problem).makespan_s).toBe(5 + 20 + 12 + 5 + 20);
    const out = task('store a', 0, { on: 0, uses: [[0, 1]] });
    const [a] = problem.labware;
    const alone = {
      ...problem,
      tasks: [problem.tasks[0]!, out],
      labware: [{ ...a!, tasks: [0, 1] }],
    };
    expect(solved(alone).makespan_s).toBe(5 + 20 + 12 + 5);
  });

  it('is closed in every plan of a random shop', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = shopProblem(createPrng(seed), { pieces: 5, steps: 3 });
      const found = plan(problem, { seed, effort: 0.05 });
      expect(found.ok && planFaults(problem, found.value), `seed ${seed}`).toEqual([]);
    }
  });
});
