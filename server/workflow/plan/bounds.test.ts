/** Lower bounds: never above a plan, and tight if one resource decides. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPrng } from '../../../physics/math/portable.ts';
import { lowerBound_s, singleMachineBound_s } from './bounds.ts';
import { operationsOf } from './operations.ts';
import { plan } from './planner.ts';
import type { Plan, PlanProblem, StartedOperation } from './problem.ts';
import { instrument, problemOf, randomProblem, task } from './problems.cases.ts';

const boundOf = (problem: PlanProblem) => lowerBound_s(operationsOf(problem));

/** The operations of a plan that have started by a time, in the order of starts. */
function begunBy({ tasks, moves }: Plan, now_s: number): StartedOperation[] {
  return [
    ...moves.map((one): StartedOperation => ({ kind: 'move', ...one })),
    ...tasks.map((one): StartedOperation => ({ kind: 'task', ...one })),
  ]
    .filter(({ start_s }) => start_s < now_s)
    .sort((a, b) => a.start_s - b.start_s);
}

describe('a bound', () => {
  it('is never above a plan, before its start or later', () => {
    const draw = fc.record({
      seed: fc.integer({ min: 0, max: 1e6 }),
      pieces: fc.integer({ min: 1, max: 4 }),
      steps: fc.integer({ min: 1, max: 3 }),
      choice: fc.boolean(),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(draw, ({ seed, at, ...drawn }) => {
        const problem = randomProblem(createPrng(seed), { ...drawn, instruments: 4, slots: 2 });
        const found = plan(problem, { seed, effort: 0.05 });
        if (!found.ok) return;
        const { makespan_s } = found.value;
        expect(boundOf(problem)).toBeLessThanOrEqual(makespan_s);
        const now_s = Math.floor(at * makespan_s);
        const left = { ...problem, now_s, started: begunBy(found.value, now_s) };
        expect(boundOf(left)).toBeLessThanOrEqual(makespan_s);
        expect(boundOf(left)).toBeGreaterThanOrEqual(now_s);
      }),
      { numRuns: 100 },
    );
  });

  it('adds up the moves of the arm and the tail of the last', () => {
    const pieces = [0, 1, 2];
    const problem = problemOf({
      instruments: [instrument('hotel', 9), instrument('reader', 3)],
      tasks: pieces.map((l) => task(`t${l}`, 20, { on: 1, uses: [[l, l + 1]] })),
      labware: pieces.map((l) => {
        return { id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: [l] };
      }),
    });
    expect(boundOf(problem)).toBe(3 * 15 + 20);
    expect(plan(problem, { seed: 1 })).toMatchObject({ value: { makespan_s: 65 } });
  });

  it('adds up the tasks of an instrument by its capacity', () => {
    const tasks = [0, 1, 2, 3].map((i) => task(`t${i}`, 10, { on: 0 }));
    expect(boundOf(problemOf({ instruments: [instrument('a')], tasks }))).toBe(40);
    expect(boundOf(problemOf({ instruments: [instrument('a', 2)], tasks }))).toBe(20);
  });

  it('includes the remaining time of started operations', () => {
    const tasks = [task('a', 10, { on: 0 }), task('b', 30, { on: 0, after: [0] })];
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: 0, start_s: 0, end_s: 25 },
    ];
    const problem = problemOf({ instruments: [instrument('x')], tasks, now_s: 5, started });
    expect(boundOf(problem)).toBe(55);
  });
});

describe('the single-machine bound', () => {
  it('runs the ready job with the longest tail first', () => {
    const long = { head_s: 0, work_s: 10, tail_s: 0 };
    const urgent = { head_s: 4, work_s: 3, tail_s: 20 };
    expect(singleMachineBound_s([long, urgent])).toBe(27);
    expect(singleMachineBound_s([{ ...long, tail_s: 30 }, urgent])).toBe(40);
    expect(singleMachineBound_s([{ head_s: 7, work_s: 2, tail_s: 1 }])).toBe(10);
    expect(singleMachineBound_s([])).toBe(0);
  });
});
