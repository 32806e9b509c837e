/** Searches with tasks that use two pieces and with visits of buffers, in random workcells. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { attempt, search } from './attempts.cases.ts';
import { bufferingOf, operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask } from './problem.ts';
import { instrument, limitOf, problemOf, task } from './problems.cases.ts';

interface Cell {
  /** Pieces, their own tasks, instruments, and buffers. */
  readonly counts: readonly [pieces: number, steps: number, on: number, buffers: number];
  /** Whether some tasks use two pieces. */
  readonly isShared?: boolean;
  /** Whether some tasks have no length. */
  readonly hasInstants?: boolean;
}

/** A random workcell with one slot for each use of an instrument. */
function cell(from: number, { counts, isShared, hasInstants }: Cell): PlanProblem {
  const [pieces, steps, on, buffers] = counts;
  const random = createPrng(from);
  const whole = (most: number) => Math.floor(random() * most);
  const tasks: PlanTask[] = [];
  const chains = Array.from({ length: pieces }, (): number[] => []);
  for (let l = 0; l < pieces; l++) {
    for (let s = 0; s < steps; s++) {
      const own = 1 + whole(on);
      const other = isShared && l > 0 && whole(3) === 0 ? whole(l) : -1;
      const uses: [number, number][] = [[l, 1]];
      if (other >= 0) uses.push([other, 2]);
      if (other >= 0 && whole(2)) uses.reverse();
      for (const [piece] of uses) chains[piece]!.push(tasks.length);
      const for_s = !hasInstants || whole(3) ? 5 + whole(40) : 0;
      tasks.push(task(`t${tasks.length}`, for_s, { on: own, uses }));
    }
  }
  chains.forEach((chain, l) => {
    if (!whole(3)) return;
    chain.push(tasks.length);
    tasks.push(task(`store ${l}`, 5, { on: 0, uses: [[l, 1 + l]] }));
  });
  const others = Array.from({ length: on }, (_, i) => instrument(`i${i}`));
  return problemOf({
    instruments: [instrument('hotel', 9), ...others, instrument('rack', 9)],
    tasks,
    labware: chains.map((own, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: own };
    }),
    buffers: Array.from({ length: buffers }, (_, i) => ({ instrument: on + 1, slot: 1 + i })),
  });
}

/** A search in the cell of a number, and when its plan ends. */
interface Found extends Cell {
  readonly from: number;
  readonly seed: number;
  readonly attempts: number;
  readonly end_s: number;
}

describe('the search in a random workcell', () => {
  it.each<Found>([
    // By moves of labware before its task, and ranks with a random part.
    { from: 237127, isShared: true, counts: [4, 1, 3, 2], seed: 3, attempts: 23, end_s: 207 },
    // By changes of buffers, with a task that comes later after some of them.
    { from: 364656, counts: [3, 2, 2, 2], seed: 2, attempts: 60, end_s: 133 },
    { from: 189078, counts: [3, 2, 3, 2], seed: 2, attempts: 123, end_s: 131 },
    { from: 293931, isShared: true, counts: [4, 2, 2, 1], seed: 3, attempts: 123, end_s: 271 },
    { from: 98359, isShared: true, counts: [4, 2, 2, 1], seed: 2, attempts: 60, end_s: 223 },
    // By a visit that goes on to be wanted once an order has it.
    { from: 602564, counts: [4, 2, 3, 1], seed: 3, attempts: 123, end_s: 195 },
    // By tasks that come earlier or later with both their pieces.
    { from: 88492, isShared: true, counts: [4, 2, 3, 1], seed: 2, attempts: 60, end_s: 188 },
  ])('has a short plan after some attempts: %o', ({ from, seed, attempts, end_s, ...shape }) => {
    const { schedule, isStuck } = search(cell(from, shape), { seed, attempts });
    expect(isStuck).toBe(false);
    expect(schedule.makespan_s).toBeLessThanOrEqual(end_s);
  });

  it.each([
    [830785, 169],
    [240414, 270],
  ])('%d has a plan by one piece after the other, with both pieces of a task', (from, end_s) => {
    const hasInstants = from === 830785;
    const problem = cell(from, { isShared: true, hasInstants, counts: [3, 2, 2, 0] });
    const { schedule, isStuck } = search(problem, { attempts: 15, seed: 4 });
    expect(isStuck).toBe(false);
    expect(schedule.makespan_s).toBeLessThanOrEqual(end_s);
  });
});

describe('an attempt', () => {
  it('puts no piece aside while no more pieces may be in progress', () => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 50, { on: 1 + l, uses: [[l, 1]] }));
    const labware = [0, 1].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [l] };
    });
    const instruments = ['hotel', 'a', 'b', 'rack'].map((id) => instrument(id, 9));
    const buffers = [{ instrument: 3, slot: 1 }];
    const problem = problemOf({ instruments, tasks, labware, buffers });
    const operations = operationsOf(problem);
    const aside = bufferingOf(operations, 1, 1);
    const buffered = new Uint8Array(operations.bufferedPiece.length);
    buffered[aside - operations.firstBuffering] = 1;
    const [first, second] = operations.firstMove;
    expect(attempt(problem, { buffered, wipLimit: 1 }).order).toEqual([
      ...[first, 0],
      ...[aside, second, 1],
    ]);
  });

  it('keeps the first of several repairs that miss a limit by as much', () => {
    const tasks = [30, 10, 20].map((for_s, t) => task(`t${t}`, for_s, { on: 0 }));
    // The second task itself takes longer; a delay lets the third one go first.
    const constraints = [limitOf({ to_end: true, max_s: 5 })];
    const problem = problemOf({ instruments: [instrument('x')], tasks, constraints });
    const { schedule, violations } = attempt(problem);
    expect(violations).toMatchObject([{ excess_s: 5 }]);
    expect([...schedule.start_s]).toEqual([0, 30, 40]);
  });
});
