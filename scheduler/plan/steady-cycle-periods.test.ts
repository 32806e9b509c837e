/** How the period of a steady cycle is searched: what is tried, in which order, and how long. */

import { describe, expect, it } from 'vitest';
import { operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask, TimeConstraint } from './problem.ts';
import { instrument, limitOf, problemOf, task } from './problems.cases.ts';
import { steadyCycle } from './steady-cycle.ts';

/** The steady cycle of a problem, and the number of steps of its search. */
function searched(problem: PlanProblem) {
  const search = steadyCycle(operationsOf(problem));
  for (let steps = 0; ; steps++) {
    const { done, value } = search.next();
    if (done) return { steps, found: value, cycle: value?.cycle };
  }
}

/** The instruments that can do a step, and its time (s). On 0 a piece is in its own place. */
type Step = readonly [on: number | readonly number[], for_s: number];

interface Shape {
  /** Longest times from the end of each step to the start of the next one (s). */
  readonly waits?: readonly number[];
  readonly capacity?: number;
  /** Whether all pieces use the same slot for a step. */
  readonly isShared?: boolean;
  readonly move_s?: number;
  /** Tasks without an instrument after the first step. */
  readonly notes?: number;
}

const COUNT = 4;

/** Equal pieces that go through the same steps. */
function through(steps: readonly Step[], shape: Shape = {}): PlanProblem {
  const { waits = [], capacity = 9, isShared = false, move_s = 15, notes = 0 } = shape;
  const size = steps.length + notes;
  const pieces = Array.from({ length: COUNT }, (_, l) => l);
  const tasks = pieces.flatMap((l): PlanTask[] => [
    ...steps.map(([on, for_s], i): PlanTask => {
      const slot = on === 0 ? l : i + (isShared ? 0 : 10 * l);
      return { ...task(`${l}.${i}`, for_s, { on: 0, uses: [[l, slot]] }), candidates: [on].flat() };
    }),
    ...Array.from({ length: notes }, (_, i): PlanTask => {
      return { id: `${l}.note ${i}`, duration_s: 5, candidates: [], after: [size * l], uses: [] };
    }),
  ]);
  const labware = pieces.map((l) => {
    const own = steps.map((_, i) => size * l + i);
    return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: own };
  });
  const constraints = pieces.flatMap((l) =>
    waits.map((max_s, i): TimeConstraint => {
      const from = size * l + i;
      return limitOf({ id: `after ${from}`, from, to: from + 1, max_s });
    }),
  );
  const others = ['first', 'second'].map((id) => instrument(id, capacity));
  const instruments = [instrument('hotel', 99), ...others];
  return problemOf({ instruments, tasks, labware, constraints, move_s: () => move_s });
}

describe('the instruments of a steady cycle', () => {
  it('do one task at a time where they can do no more', () => {
    const steps: Step[] = [
      [1, 30],
      [1, 30],
      [0, 0],
    ];
    // The second task begins 45 s after the first, which has to end before the next piece begins.
    const { cycle } = searched(through(steps, { waits: [15], capacity: 1 }));
    expect(cycle).toMatchObject({ cycle_s: 75, lower_bound_s: 60, resource: 1 });
  });

  it('do a task of no length at any time', () => {
    const steps: Step[] = [
      [1, 60],
      [1, 0],
      [0, 0],
    ];
    // It comes 15 s after the long task, in the middle of that of the next piece.
    const { cycle } = searched(through(steps, { waits: [15], capacity: 1 }));
    expect(cycle).toMatchObject({ cycle_s: 60, lower_bound_s: 60, resource: 1 });
  });
});

describe('the search of a period', () => {
  it('ends with the bound, if a cycle has that', () => {
    const steps: Step[] = [
      [1, 24],
      [0, 0],
    ];
    const { cycle, steps: count } = searched(through(steps, { waits: [11], move_s: 9 }));
    expect([cycle?.cycle_s, cycle?.lower_bound_s, count]).toEqual([18, 18, 2]);
  });
});

describe('the order of a steady cycle', () => {
  it('has a task of no length before what another piece begins at the same time', () => {
    const problem = through([
      [0, 0],
      [1, 15],
      [0, 0],
    ]);
    const { found } = searched(problem);
    expect(found?.cycle.cycle_s).toBe(30);
    // At 30 s piece 1 begins, the arm fetches it, and the task of piece 0 begins.
    const { firstMove } = operationsOf(problem);
    expect(found!.sequence.slice(0, 5)).toEqual([0, firstMove[1], 3, firstMove[4], 1]);
  });

  it('has each move of a task that uses two pieces', () => {
    const tasks = Array.from({ length: 3 }, (_, i) => [
      task(`mix ${i}`, 40, {
        on: 1,
        uses: [
          [2 * i, 1],
          [2 * i + 1, 2],
        ],
      }),
      task(`store ${i}`, 0, { on: 0, uses: [[2 * i, 2 * i]] }),
      task(`store other ${i}`, 0, { on: 0, uses: [[2 * i + 1, 2 * i + 1]] }),
    ]).flat();
    const labware = Array.from({ length: 6 }, (_, l) => {
      const first = 3 * Math.floor(l / 2);
      const own = [first, first + 1 + (l % 2)];
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: own };
    });
    const instruments = [instrument('hotel', 9), instrument('mixer')];
    const problem = problemOf({ instruments, tasks, labware });
    const sequence = searched(problem).found!.sequence.toSorted((a, b) => a - b);
    expect(sequence).toEqual(Array.from({ length: 9 + 12 }, (_, i) => i));
  });
});

describe('the units that take turns', () => {
  it('are twice as many as the choices where this is faster', () => {
    const steps: Step[] = [
      [[1, 2], 9],
      [2, 21],
      [0, 0],
    ];
    const { cycle } = searched(through(steps, { waits: [7, 8], move_s: 5 }));
    // One for each choice would have 15.5 s for each unit.
    expect(cycle).toMatchObject({ units_per_cycle: 4, cycle_s: 60, lower_bound_s: 15 });
  });

  it('are twice as many where one alone takes a second more than the bound', () => {
    const steps: Step[] = [
      [1, 18],
      [1, 28],
      [0, 0],
    ];
    const { cycle } = searched(through(steps, { waits: [12, 10], move_s: 9 }));
    expect(cycle).toMatchObject({ units_per_cycle: 2, cycle_s: 55, lower_bound_s: 27 });
  });

  const inLine: Step[] = [
    [1, 20],
    [2, 20],
    [0, 0],
  ];

  it.each([
    [6, { units_per_cycle: 2, cycle_s: 90 }],
    [7, { units_per_cycle: 1, cycle_s: 50 }],
  ])('are two where both have 24 operations at most: 6 each, and %d more', (notes, shape) => {
    expect(searched(through(inLine, { waits: [20, 20], notes })).cycle).toMatchObject(shape);
  });
});

describe('the search of the period', () => {
  const read: Step[] = [
    [1, 20],
    [0, 0],
  ];

  it.each([[[]], [[100]]])('ends with the least that is possible, with limits %j', (waits) => {
    const { cycle, steps } = searched(through(read, { waits }));
    expect(cycle).toMatchObject({ cycle_s: 30, lower_bound_s: 30 });
    expect(steps).toBe(3);
  });

  it('tries few periods without limits from a later task to an earlier one', () => {
    const twice: Step[] = [
      [1, 30],
      [1, 30],
      [0, 0],
    ];
    const problem = through(twice, { isShared: true, capacity: 1 });
    // A limit within a task is none.
    const constraints = [0, 1, 2, 3].map((l): TimeConstraint => {
      const ends = { from: 3 * l, from_end: false, to: 3 * l, to_end: true };
      return limitOf({ id: `in ${l}`, ...ends, max_s: 1000 });
    });
    for (const one of [problem, { ...problem, constraints }]) {
      const { cycle, steps } = searched(one);
      expect(cycle).toMatchObject({ cycle_s: 75, lower_bound_s: 60 });
      expect(steps).toBeLessThan(30);
    }
  });

  /** Equal tasks on one instrument; two of them leave a gap that is too short for two others. */
  const withGap = (others: number, for_s: number) => {
    const size = others + 3;
    const tasks = [0, 1, 2].flatMap((l) => [
      task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
      ...Array.from({ length: others + 2 }, (_, i) =>
        task(`${l}.${i}`, for_s, { on: 1, after: [size * l] }),
      ),
    ]);
    const labware = [0, 1, 2].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [size * l] };
    });
    const gap_s = 2 * for_s - 1;
    const constraints = [0, 1, 2].map((l): TimeConstraint => {
      const ends = { from: size * l + 1, to: size * l + 2 };
      return limitOf({ id: `gap ${l}`, ...ends, min_s: gap_s, max_s: gap_s });
    });
    const instruments = [instrument('hotel', 9), instrument('reader')];
    return problemOf({ instruments, tasks, labware, constraints });
  };

  it('ends without a cycle when the effort is spent before one is found', () => {
    // Of 20 tasks, a cycle exists with 999 s more than their sum; 1, 3, 7 ... are tried.
    expect(searched(withGap(18, 1000)).found).toBeNull();
  });

  it('ends with the shortest cycle that is found before the effort is spent', () => {
    // 60 s more than the sum are enough; of those that are tried with this effort, 63 s are.
    const { cycle } = searched(withGap(10, 61));
    expect(cycle).toMatchObject({ cycle_s: 12 * 61 + 63, lower_bound_s: 12 * 61 });
  });
});
