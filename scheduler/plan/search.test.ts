/** Attempts at plans and the search among them: orders, limits of time, scores, and the end. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { attempt, search } from './attempts.cases.ts';
import { lowerBound_s } from './lower-bound.ts';
import { bufferingOf, operationsOf } from './operations.ts';
import type { PlanProblem, StartedOperation, TimeConstraint } from './problem.ts';
import { instrument, limitOf, problemOf, randomProblem, task } from './problems.cases.ts';
import { attemptsFor } from './search.ts';

/** Without limits of time and long yields, an attempt yields at its start and at its end. */
const attemptsOf = ({ yielded }: { readonly yielded: readonly number[] }) => yielded.length / 2;

const instruments = [instrument('x'), instrument('y'), instrument('z')];

/** Tasks of 10 s on one instrument. */
const queue = (count: number, after: Record<number, number[]> = {}) =>
  problemOf({
    instruments,
    tasks: Array.from({ length: count }, (_, t) =>
      task(`t${t}`, 10, { on: 0, after: after[t] ?? [] }),
    ),
  });

/** Two pieces that change places, which takes a buffer. */
function swap(buffers: PlanProblem['buffers']): PlanProblem {
  const labware = [0, 1].map((l) => {
    return { id: `p${l}`, location: { instrument: l, slot: 1 }, tasks: [l] };
  });
  const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 1 - l, uses: [[l, 1]] }));
  return problemOf({ instruments, tasks, labware, buffers });
}

describe('the number of attempts', () => {
  it.each([
    [0, 2000],
    [21, 2000],
    [22, 1859],
    [100, 90],
    [245, 15],
    [1000, 15],
  ])('for %d operations is %d', (operations, attempts) => {
    expect(attemptsFor(operations)).toBe(attempts);
  });
});

describe('an attempt', () => {
  it('takes the given order first, and then what can start', () => {
    expect(attempt(queue(3), { sequence: [2, 0, 1] }).order).toEqual([2, 0, 1]);
    expect(attempt(queue(3), { sequence: [1] }).order).toEqual([1, 0, 2]);
    expect(attempt(queue(3)).order).toEqual([0, 1, 2]);
    const { schedule } = attempt(queue(3), { sequence: [2, 0, 1] });
    expect([...schedule.start_s]).toEqual([10, 20, 0]);
  });

  it('leaves a given order where a task cannot start', () => {
    expect(attempt(queue(3, { 1: [0] }), { sequence: [1, 2, 0] }).order).toEqual([0, 1, 2]);
    expect(attempt(queue(3, { 1: [0] }), { sequence: [2, 1] }).order).toEqual([2, 0, 1]);
  });

  const carried = () => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 1, uses: [[l, 1 + l]] }));
    const labware = [0, 1].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [l] };
    });
    return problemOf({ instruments, tasks, labware });
  };

  it('takes the moves of an order, and adds those that its tasks need', () => {
    // Tasks 0 and 1, then the moves for them.
    expect(attempt(carried(), { sequence: [3, 2, 0, 1] }).order).toEqual([3, 2, 0, 1]);
    expect(attempt(carried(), { sequence: [1, 0] }).order).toEqual([3, 1, 2, 0]);
    expect(attempt(carried(), { sequence: [3, 3, 2] }).order.slice(0, 2)).toEqual([3, 2]);
  });

  it('takes the visits of buffers of an order', () => {
    const problem = swap([{ instrument: 2, slot: 1 }]);
    for (const piece of [0, 1]) {
      const visit = bufferingOf(operationsOf(problem), piece, piece);
      const found = attempt(problem, { sequence: [visit] });
      expect(found.isStuck).toBe(false);
      expect(found.order[0]).toBe(visit);
      expect(found.schedule.moves[0]).toMatchObject({ labware: piece, toBuffer: true });
    }
  });

  it('is stuck where pieces stand in the way of each other, and scored by what is missing', () => {
    const found = attempt(swap([]));
    expect(found).toMatchObject({ isStuck: true, order: [], score: 3e12 });
    const free = attempt(swap([{ instrument: 2, slot: 1 }]));
    expect(free).toMatchObject({ isStuck: false, violations: [] });
  });

  it('starts nothing before its release', () => {
    const problem = carried();
    const [first, second] = problem.tasks;
    const tasks = [
      { ...first!, release_s: 40 },
      { ...second!, release_s: 2 },
    ];
    const { schedule } = attempt({ ...problem, tasks, now_s: 5 });
    expect(schedule.moves).toMatchObject([
      { labware: 1, start_s: 5, end_s: 20 },
      { labware: 0, start_s: 40, end_s: 55 },
    ]);
    expect([...schedule.start_s]).toEqual([55, 20]);
  });

  it('yields after every 64 examined operations', () => {
    const sequence = Array.from({ length: 130 }, (_, t) => t);
    expect(attempt(queue(130), { sequence }).yielded).toEqual([130, 64, 64, 0]);
    expect(attempt(queue(64), { sequence: sequence.slice(0, 64) }).yielded).toEqual([64, 64, 0]);
    expect(attempt(queue(5)).yielded).toEqual([5, 25]);
    expect(attempt(queue(40)).yielded).toEqual([40, ...Array<number>(20).fill(80), 0]);
    expect(attempt(queue(64)).yielded).toEqual([64, ...Array<number>(64).fill(64), 0]);
  });
});

describe('the limits of time of an attempt', () => {
  const begun: StartedOperation[] = [
    { kind: 'task', task: 0, instrument: 0, start_s: 0, end_s: 10 },
    { kind: 'task', task: 1, instrument: 0, start_s: 12, end_s: 20 },
  ];
  const withLimit = (parts: Partial<TimeConstraint>) =>
    attempt({ ...queue(2), now_s: 30, started: begun, constraints: [limitOf(parts)] });

  it.each<[boolean, boolean, number]>([
    [true, false, 2],
    [true, true, 10],
    [false, false, 12],
    [false, true, 20],
  ])('measure from an end (%s) to an end (%s): %d s', (from_end, to_end, elapsed_s) => {
    const excessOf = (parts: Partial<TimeConstraint>) =>
      withLimit({ from_end, to_end, ...parts }).violations.map(({ excess_s }) => excess_s);
    expect(excessOf({ max_s: elapsed_s - 1 })).toEqual([1]);
    expect(excessOf({ max_s: elapsed_s })).toEqual([]);
    expect(excessOf({ max_s: elapsed_s - 1e-10 })).toEqual([]);
    expect(excessOf({ min_s: elapsed_s + 3 })).toEqual([-3]);
    expect(excessOf({ min_s: elapsed_s })).toEqual([]);
    expect(excessOf({ min_s: elapsed_s + 1e-10 })).toEqual([]);
  });

  it('count in the score by the time that is missing', () => {
    const sum = 1e-7 * 30;
    expect(withLimit({}).score).toBeCloseTo(20 + sum, 9);
    expect(withLimit({ max_s: 1 }).score).toBe(20 + sum + 2e8);
    expect(withLimit({ min_s: 5 }).score).toBe(20 + sum + 4e8);
  });

  it('are not tried again where their tasks have started', () => {
    const found = withLimit({ max_s: 1 });
    expect(found.violations).toMatchObject([{ constraint: { id: 'limit' }, excess_s: 1 }]);
    expect(found.yielded.length).toBe(2);
    expect(withLimit({ min_s: 5 }).yielded.length).toBe(2);
  });

  /** Task 1 waits for task 2, of 50 s. */
  const waiting = (parts: Partial<TimeConstraint>, rest: Partial<PlanProblem> = {}) => {
    const tasks = [
      task('a', 10, { on: 0 }),
      task('b', 30, { on: 1, after: [2] }),
      task('c', 50, { on: 1 }),
    ];
    return attempt(problemOf({ instruments, tasks, constraints: [limitOf(parts)], ...rest }));
  };

  it('delay the first task of a time that is too long', () => {
    const found = waiting({ max_s: 5 });
    expect(found).toMatchObject({ isStuck: false, violations: [] });
    expect([...found.schedule.start_s]).toEqual([35, 50, 0]);
    expect(found.score).toBeCloseTo(80 + 1e-7 * (45 + 80 + 50), 9);
    expect(found.yielded.length).toBe(4);
  });

  it('delay the second task of a time that is too short', () => {
    const tasks = [
      task('a', 10, { on: 0 }),
      task('b', 30, { on: 1, after: [0, 2] }),
      task('c', 50, { on: 1 }),
    ];
    // From the start of b to that of a, which comes first: at most 20 s apart.
    const far = limitOf({ from: 1, from_end: false, to: 0, min_s: -20 });
    const found = attempt(problemOf({ instruments, tasks, constraints: [far] }));
    expect(found.violations).toEqual([]);
    expect([...found.schedule.start_s]).toEqual([30, 50, 0]);
  });

  it('are repaired while one of the tasks can be delayed', () => {
    const started: StartedOperation[] = [
      { kind: 'task', task: 2, instrument: 1, start_s: 0, end_s: 50 },
    ];
    const found = waiting({ max_s: 5 }, { started, now_s: 1 });
    expect(found.violations).toEqual([]);
    const late: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: 0, start_s: 0, end_s: 10 },
    ];
    const fixed = waiting({ max_s: 5 }, { started: late, now_s: 1 });
    expect([fixed.violations.length, fixed.yielded.length]).toEqual([1, 2]);
  });

  it('are given up after 24 repairs', () => {
    const [near, far] = [limitOf({ max_s: 5 }), limitOf({ id: 'far', from_end: false, min_s: 90 })];
    const tasks = [task('a', 10, { on: 0 }), task('b', 30, { on: 1 })];
    const found = attempt(problemOf({ instruments, tasks, constraints: [near, far] }));
    expect(found.violations.map(({ constraint }) => constraint.id)).toEqual(['limit']);
    expect(found.yielded.length).toBe(2 * 25);
  });

  it('are of no account where a task never starts', () => {
    const found = attempt({ ...swap([]), constraints: [limitOf({ max_s: 1 })] });
    expect(found).toMatchObject({ isStuck: true, violations: [], score: 3e12 });
    expect(found.yielded.length).toBe(2);
  });
});

describe('the score of jobs', () => {
  it('is the mean of their ends by weight, with ten times what is late', () => {
    const job = { rank: 0, due_s: Number.POSITIVE_INFINITY };
    const jobs = [
      { ...job, tasks: [0, 2], weight: 2, due_s: 25 },
      { ...job, tasks: [1], weight: 1 },
    ];
    const { score } = attempt({ ...queue(3), jobs }, { sequence: [0, 1, 2] });
    // Task 0 ends after 10 s, task 1 after 20 s, task 2 after 30 s.
    expect(score).toBeCloseTo((2 * (30 + 10 * 5) + 20) / 3 + 1e-7 * 60, 9);
  });
});

describe('the search', () => {
  it('ends with a plan that is as short as the bound', () => {
    expect(attemptsOf(search(queue(3), { lower_bound_s: 30 }))).toBe(1);
    expect(attemptsOf(search(queue(3), { lower_bound_s: 29.6 }))).toBe(1);
    expect(attemptsOf(search(queue(3), { lower_bound_s: 29, attempts: 40 }))).toBe(40);
  });

  it.each([1, 7, 15, 16, 24, 60])('makes %d attempts, no more', (attempts) => {
    expect(attemptsOf(search(queue(3), { attempts }))).toBe(attempts);
  });

  it('ends when it has found nothing better for a while', () => {
    // The 23 greedy attempts count for nothing; then 60 attempts for each of three operations.
    expect(attemptsOf(search(queue(3), { attempts: 2000 }))).toBe(23 + 181);
  });

  it('makes ten attempts more without a plan', () => {
    const found = search(swap([]), { attempts: 30 });
    expect(found.isStuck).toBe(true);
    expect(attemptsOf(found)).toBe(40);
  });

  it('tries a given order first', () => {
    const given = search(queue(3), { sequence: [2, 1, 0], lower_bound_s: 30 });
    expect(given.order).toEqual([2, 1, 0]);
    expect(attemptsOf(given)).toBe(1);
  });

  it('keeps the best of all attempts', () => {
    const tasks = [task('long', 50, { on: 0 }), task('short', 1, { on: 0 })];
    // The long task is before the short one in greedy attempts by tails.
    const { score } = search(problemOf({ instruments, tasks }), { attempts: 40 });
    expect(score).toBeCloseTo(51 + 1e-7 * (1 + 51), 12);
  });

  it('gives the same for the same seed', () => {
    const shape = { pieces: 3, steps: 2, instruments: 2, slots: 1, choice: true };
    const problem = randomProblem(createPrng(5), shape);
    const [one, other] = [search(problem, { seed: 8 }), search(problem, { seed: 8 })];
    expect(one.order).toEqual(other.order);
    expect(one.score).toBe(other.score);
  });

  it.each([1, 2, 3, 4])('finds the shortest of all orders of a few tasks of seed %d', (seed) => {
    const random = createPrng(seed);
    const tasks = Array.from({ length: 5 }, (_, t) =>
      task(`t${t}`, 1 + Math.floor(9 * random()), {
        on: t % 3,
        after: t >= 3 ? [Math.floor(3 * random())] : [],
      }),
    );
    const problem = problemOf({ instruments: instruments.slice(0, 3), tasks });
    const least = Math.min(
      ...ordersOf(5).map((sequence) => attempt(problem, { sequence }).schedule.makespan_s),
    );
    expect(search(problem, { seed, attempts: 60 }).schedule.makespan_s).toBe(least);
  });

  /** Random workcells with a plan as short as the bound, which greedy attempts miss. */
  it.each([
    { seed: 3, from: 5, shape: { pieces: 3, steps: 3, instruments: 3, slots: 1 } },
    { seed: 1, from: 38, shape: { pieces: 3, steps: 3, instruments: 3, slots: 1 } },
    { seed: 1, from: 36, shape: { pieces: 4, steps: 2, instruments: 2, slots: 2 } },
    { seed: 3, from: 8, shape: { pieces: 3, steps: 2, instruments: 3, slots: 2, choice: true } },
  ])('improves the best attempt by changes until it is as short as the bound: %o', (one) => {
    const problem = randomProblem(createPrng(one.from), one.shape);
    const lower_bound_s = lowerBound_s(operationsOf(problem));
    const found = (attempts: number) =>
      search(problem, { seed: one.seed, attempts, lower_bound_s }).schedule.makespan_s;
    expect(found(23)).toBeGreaterThan(lower_bound_s);
    expect(found(200)).toBe(lower_bound_s);
  });
});

/** All orders of the numbers below a count. */
function ordersOf(count: number): number[][] {
  if (count === 0) return [[]];
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
  );
}
