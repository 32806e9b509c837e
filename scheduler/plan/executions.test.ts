/** Executions of plans made by hand: their order, least times, limits of time, and spread. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import type { Plan, PlanProblem, TimeConstraint } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { planRobustness, type Robustness, type RobustnessOptions } from './robustness.ts';

const INSTRUMENTS = [instrument('x'), instrument('y'), instrument('rack', 9)];

interface Given extends Partial<RobustnessOptions> {
  readonly plan?: Partial<Pick<Plan, 'tasks' | 'moves'>>;
  readonly limits?: readonly Partial<TimeConstraint>[];
}

/** Task 0 takes 100 s on x, task 1 takes 50 s on y. */
const TASKS = [task('a', 100, { on: 0 }), task('b', 50, { on: 1 })];

const A = { task: 0, instrument: 0, start_s: 0, end_s: 100 };
const B = { task: 1, instrument: 1, start_s: 200, end_s: 250 };

/** Executes a plan; without scatter and once, if nothing else is given. */
function executed(problem: PlanProblem, given: Given): Robustness & { readonly steps: number } {
  const { plan = {}, limits = [], seed = 1, executions = 1, scatter = 0 } = given;
  const ends = { from: 0, from_end: true, to: 1, to_end: false, min_s: 0 };
  const constraints = limits.map((one, i) => {
    return { id: `limit ${i}`, ...ends, max_s: Number.POSITIVE_INFINITY, ...one };
  });
  const options = { seed, executions, scatter, constraints };
  const run = planRobustness(problem, { tasks: [], moves: [], ...plan }, options);
  let steps = 0;
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return { ...step.value, steps };
    steps++;
  }
}

/** When a plan ends without scatter. */
const end_s = (problem: PlanProblem, given: Given) => executed(problem, given).mean_makespan_s;

const pair = (rest: Partial<PlanProblem> = {}) =>
  problemOf({ instruments: INSTRUMENTS, tasks: TASKS, ...rest });

describe('an execution', () => {
  it('of nothing ends at once', () => {
    const found = executed(problemOf({}), { executions: 2 });
    expect(found).toMatchObject({ executions: 2, mean_makespan_s: 0, p90_makespan_s: 0 });
    expect([found.limits, found.steps]).toEqual([[], 2]);
  });

  it('begins each task as soon as it can', () => {
    expect(end_s(pair(), { plan: { tasks: [A, B] } })).toBe(100);
  });

  it('follows the order of the tasks of an instrument', () => {
    const tasks = [task('a', 100, { on: 0 }), task('b', 50, { on: 0 })];
    const plan = { tasks: [{ ...B, instrument: 0 }, A] };
    expect(end_s(pair({ tasks }), { plan })).toBe(150);
  });

  it('follows what must end before', () => {
    const tasks = [TASKS[0]!, task('b', 50, { on: 1, after: [0] })];
    expect(end_s(pair({ tasks }), { plan: { tasks: [A, B] } })).toBe(150);
  });

  it('follows a plate through its moves', () => {
    const tasks = [
      task('a', 100, { on: 0, uses: [[0, 1]] }),
      task('b', 50, { on: 1, uses: [[0, 1]] }),
    ];
    const [from, to] = [
      { instrument: 0, slot: 1 },
      { instrument: 1, slot: 1 },
    ];
    const labware = [{ id: 'p', location: from, tasks: [0, 1] }];
    const moves = [{ task: 1, labware: 0, from, to, start_s: 150, end_s: 165 }];
    expect(end_s(pair({ tasks, labware }), { plan: { tasks: [A, B], moves } })).toBe(165);
  });

  it('moves a plate into a slot after the one that leaves it, one move at a time', () => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 2, uses: [[l, l + 1]] }));
    const labware = [0, 1].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: [l] };
    });
    const [first, second] = labware.map(({ location }) => location);
    const moves = [
      {
        ...{ task: 0, labware: 0, from: first!, start_s: 0, end_s: 15 },
        to: { ...first!, slot: 3 },
      },
      { ...{ task: 1, labware: 1, from: second!, start_s: 20, end_s: 35 }, to: first! },
    ];
    expect(end_s(pair({ tasks, labware }), { plan: { moves } })).toBe(30);
  });

  it('ends with the last end, not with the last start', () => {
    const tasks = [A, { ...B, start_s: 10, end_s: 60 }];
    expect(end_s(pair(), { plan: { tasks } })).toBe(100);
  });
});

describe('a least time between two tasks', () => {
  const plan = { tasks: [A, B] };

  it.each([
    [true, false, 100 + 200 + 50],
    [false, false, 200 + 50],
    [true, true, 100 + 200],
    [false, true, 200],
  ])('from the end %s to the end %s makes the plan end at %d s', (from_end, to_end, expected) => {
    const limits = [{ from_end, to_end, min_s: 200 }];
    expect(end_s(pair(), { plan, limits })).toBe(expected);
  });

  it('does not shorten what others ask for', () => {
    const longer = { min_s: 200 };
    const shorter = { min_s: 30 };
    expect(end_s(pair(), { plan, limits: [longer, shorter] })).toBe(350);
    expect(end_s(pair(), { plan, limits: [shorter, longer] })).toBe(350);
    const tasks = [TASKS[0]!, task('b', 50, { on: 1, after: [0] })];
    const early = { min_s: 30, from_end: false };
    expect(end_s(pair({ tasks }), { plan, limits: [early] })).toBe(150);
  });

  it('binds no task that is not in the plan', () => {
    const limits = [{ min_s: 200, to_end: true }];
    expect(executed(pair(), { plan: { tasks: [A] }, limits })).toMatchObject({
      mean_makespan_s: 100,
      limits: [{ id: 'limit 0', holds: 1 }],
    });
    expect(executed(pair(), { plan: { tasks: [B] }, limits })).toMatchObject({
      mean_makespan_s: 50,
      limits: [{ id: 'limit 0', holds: 1 }],
    });
  });

  it('is that of tasks, not of the moves for them', () => {
    const uses = [[0, 1]] as const;
    const tasks = [task('a', 100, { on: 0, uses }), task('b', 50, { on: 1 })];
    const [from, to] = [
      { instrument: 2, slot: 1 },
      { instrument: 0, slot: 1 },
    ];
    const labware = [{ id: 'p', location: from, tasks: [0] }];
    const moves = [{ task: 0, labware: 0, from, to, start_s: 0, end_s: 20 }];
    const late = { ...A, start_s: 20, end_s: 120 };
    const given = { plan: { tasks: [late, B], moves }, limits: [{ min_s: 7 }] };
    expect(end_s(pair({ tasks, labware }), given)).toBe(20 + 100 + 7 + 50);
  });
});

describe('a limit', () => {
  const plan = { tasks: [A, B] };

  it.each([
    [true, false, 30],
    [false, false, 130],
    [true, true, 80],
    [false, true, 180],
  ])('from the end %s to the end %s holds up to %d s', (from_end, to_end, elapsed_s) => {
    // Task b begins 30 s after the end of a.
    const wait = { id: 'wait', min_s: 30 };
    const one = { from_end, to_end };
    const limits = [
      wait,
      { id: 'exact', ...one, max_s: elapsed_s },
      { id: 'shorter', ...one, max_s: elapsed_s - 1 },
    ];
    expect(executed(pair(), { plan, limits }).limits).toEqual([
      { id: 'wait', holds: 1 },
      { id: 'exact', holds: 1 },
      { id: 'shorter', holds: 0 },
    ]);
  });

  it('holds in a share of the executions', () => {
    const given = { plan: { tasks: [A] }, scatter: 0.2, executions: 8 };
    const one = { from: 0, from_end: false, to: 0, to_end: true };
    const random = createPrng(1);
    const below = Array.from({ length: 8 }, random).filter((u) => u < 1 / 3).length;
    const found = executed(pair(), { ...given, limits: [{ ...one, max_s: 100 }] });
    expect(below).toBeGreaterThan(0);
    expect(found.limits).toEqual([{ id: 'limit 0', holds: below / 8 }]);
  });
});

/** Share of the triangle on 1 − scatter to 1 + 2 · scatter with its mode at 1 that is below x. */
function shareBelow(x: number, scatter: number): number {
  const [low, high] = [1 - scatter, 1 + 2 * scatter];
  if (x <= 1) return (x - low) ** 2 / (3 * scatter * scatter);
  return 1 - (high - x) ** 2 / (3 * scatter * 2 * scatter);
}

/** The value below which a share of the triangle is, by bisection. */
function valueAt(share: number, scatter: number): number {
  let [low, high] = [1 - scatter, 1 + 2 * scatter];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (shareBelow(middle, scatter) < share) low = middle;
    else high = middle;
  }
  return low;
}

describe('scattered durations', () => {
  it.each([0.1, 0.2, 0.5])('are triangular with the scatter %d', (scatter) => {
    for (let seed = 1; seed <= 20; seed++) {
      const expected_s = 100 * valueAt(createPrng(seed)(), scatter);
      const found = executed(pair(), { plan: { tasks: [A] }, seed, scatter });
      expect(found.mean_makespan_s).toBeCloseTo(expected_s, 6);
      expect(found.p90_makespan_s).toBe(found.mean_makespan_s);
    }
  });

  it.each([1, 2, 9, 10, 11, 20])('give mean and spread of %d executions in order', (executions) => {
    const tasks = [task('a', 100, { on: 0 }), task('b', 50, { on: 0 })];
    const plan = { tasks: [{ ...B, instrument: 0 }, A] };
    const random = createPrng(5);
    const ends_s: number[] = [];
    for (let i = 0; i < executions; i++) {
      const a_s = 100 * valueAt(random(), 0.2);
      ends_s.push(a_s + 50 * valueAt(random(), 0.2));
    }
    const found = executed(pair({ tasks }), { plan, seed: 5, executions, scatter: 0.2 });
    expect(found.executions).toBe(executions);
    expect(found.steps).toBe(executions);
    const sum_s = ends_s.reduce((sum, one) => sum + one, 0);
    expect(found.mean_makespan_s).toBeCloseTo(sum_s / executions, 6);
    // At most a tenth of the executions ends later.
    const later = (at_s: number) => ends_s.filter((one) => one > at_s + 1e-6).length;
    expect(later(found.p90_makespan_s)).toBe(Math.floor(executions / 10));
  });

  it('leave moves as they are', () => {
    const tasks = [task('a', 100, { on: 0, uses: [[0, 1]] })];
    const [from, to] = [
      { instrument: 2, slot: 1 },
      { instrument: 0, slot: 1 },
    ];
    const labware = [{ id: 'p', location: from, tasks: [0] }];
    const moves = [{ task: 0, labware: 0, from, to, start_s: 0, end_s: 40 }];
    const plan = { tasks: [{ ...A, start_s: 40, end_s: 140 }], moves };
    const found = executed(pair({ tasks, labware }), { plan, scatter: 0.3 });
    expect(found.mean_makespan_s).toBeCloseTo(40 + 100 * valueAt(createPrng(1)(), 0.3), 6);
  });
});
