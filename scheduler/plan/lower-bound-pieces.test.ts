/** Bounds that depend on when pieces come, and on the slot of each piece of a task. */

import { describe, expect, it } from 'vitest';
import { bottleneckText } from './bottleneck.ts';
import { lowerBound_s } from './lower-bound.ts';
import { operationsOf } from './operations.ts';
import type { PlanProblem, UnitCycle } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

const boundOf = (problem: PlanProblem) => lowerBound_s(operationsOf(problem));

describe('the bound of an instrument', () => {
  const instruments = [...'hxyz'].map((id) => instrument(id, 1, true));
  /** Two pieces, each on its own instrument for 100 s and then on a common one for 10 s. */
  const joining = (parts: Partial<PlanProblem> = {}) => {
    const tasks = [
      task('first a', 100, { on: 1, uses: [[0, 1]] }),
      task('first b', 100, { on: 2, uses: [[1, 1]] }),
      task('then a', 10, { on: 3, uses: [[0, 1]] }),
      task('then b', 10, { on: 3, uses: [[1, 2]] }),
    ];
    const labware = [0, 1].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [l, 2 + l] };
    });
    return problemOf({ instruments, tasks, labware, move_s: () => 1, ...parts });
  };

  it('begins when the first piece can have come from its task before', () => {
    // A move, 100 s, a move, and then both tasks.
    expect(boundOf(joining())).toBe(1 + 100 + 1 + 20);
  });

  it('begins when the arm has ended what it does', () => {
    const [from, to] = [1, 2].map((slot) => ({ instrument: 0, slot }));
    const move = { task: 0, labware: 0, from: from!, to: to!, start_s: 0, end_s: 300 };
    const started = [
      { kind: 'task', task: 0, instrument: 1, start_s: 0, end_s: 100 } as const,
      { kind: 'task', task: 1, instrument: 2, start_s: 0, end_s: 100 } as const,
      { kind: 'move', ...move, toBuffer: true } as const,
    ];
    expect(boundOf(joining({ started, now_s: 1 }))).toBe(300 + 1 + 20);
  });
});

describe('the bound of a slot', () => {
  it('has the slot of each piece that a task uses', () => {
    // The tasks have their first pieces in different slots, and the second ones in the same.
    const tasks = [0, 1].map((i) =>
      task(`t${i}`, 50, {
        on: 1,
        uses: [
          [2 * i, 1 + i],
          [2 * i + 1, 7],
        ],
      }),
    );
    const labware = [0, 1, 2, 3].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [Math.floor(l / 2)] };
    });
    const instruments = [instrument('hotel', 9), instrument('pair', 2)];
    const problem = problemOf({ instruments, tasks, labware, move_s: () => 2 });
    expect(boundOf(problem)).toBe(2 * (2 + 50));
    // The pieces of one task are not in the way of each other: two moves and the task.
    const [first] = tasks;
    expect(boundOf({ ...problem, tasks: [first!], labware: labware.slice(0, 2) })).toBe(2 + 2 + 50);
  });
});

describe('the sentence on a cycle', () => {
  it('names a bound that is shorter by half of the last digit', () => {
    const cycle: UnitCycle = {
      ...{ units: 3, pieces_per_unit: 1, units_per_cycle: 1, resource: 0 },
      ...{ cycle_s: 15 + 0.05, lower_bound_s: 15 },
    };
    const names = { instruments: [instrument('x')], tasks: [{ id: 'a', after: [], uses: [] }] };
    const tasks = [{ task: 0, instrument: 0, start_s: 0, end_s: 40 }];
    const text = bottleneckText(
      { ...names, labware: [] },
      { tasks, moves: [], makespan_s: 40, lower_bound_s: 40, cycle },
    );
    expect(text).toContain('every 15.1 s: x alone would allow one every 15 s.');
  });
});
