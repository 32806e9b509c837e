import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import { criticalPath } from './critical-path.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem, TimeConstraint } from './problem.ts';
import { assay, instrument, problemOf, randomProblem, task } from './problems.cases.ts';

function solved(problem: PlanProblem, seed = 1) {
  const result = plan(problem, { seed });
  if (!result.ok) throw new Error(result.error.sentences.join('; '));
  expect(planFaults(problem, result.value)).toEqual([]);
  return result.value;
}

function refused(problem: PlanProblem) {
  const result = plan(problem, { seed: 1 });
  expect(result.ok).toBe(false);
  return result.ok ? { kind: null, sentences: [] } : result.error;
}

const between = (rest: Partial<TimeConstraint>): TimeConstraint => ({
  id: 'c',
  from: 0,
  from_end: true,
  to: 1,
  to_end: false,
  min_s: 0,
  max_s: Number.POSITIVE_INFINITY,
  ...rest,
});

describe('the planner', () => {
  it('plans the assay of 8 tasks and 7 moves in 375 s, and proves it', () => {
    const found = solved(assay());
    expect(found.makespan_s).toBe(375);
    expect(found.lower_bound_s).toBe(375);
    expect(found.moves.length).toBe(7);
    const path = criticalPath(assay(), found);
    expect([path[0], path.at(-1)]).toEqual(['unload tubes', 'load plate']);
  });

  it('gives the same plan for the same seed', () => {
    const problem = randomProblem(chanceOf(3), { pieces: 4, steps: 3, instruments: 3, slots: 2 });
    expect(plan(problem, { seed: 9 })).toEqual(plan(problem, { seed: 9 }));
  });

  it('makes sound plans of random workcells', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.record({
          pieces: fc.integer({ min: 1, max: 4 }),
          steps: fc.integer({ min: 1, max: 3 }),
          choice: fc.boolean(),
        }),
        (seed, drawn) => {
          const shape = { ...drawn, instruments: 4, slots: 2 };
          const problem = randomProblem(chanceOf(seed), shape);
          const result = plan(problem, { seed, effort: 0.1 });
          if (result.ok) expect(planFaults(problem, result.value)).toEqual([]);
          else expect(result.error.sentences.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does as many tasks at a time as the instrument can', () => {
    const tasks = [0, 1, 2].map((i) => task(`t${i}`, 10, { on: 0 }));
    expect(solved(problemOf({ instruments: [instrument('a')], tasks })).makespan_s).toBe(30);
    expect(solved(problemOf({ instruments: [instrument('a', 3)], tasks })).makespan_s).toBe(10);
  });

  it('takes the instrument that is free', () => {
    const both = { duration_s: 10, candidates: [0, 1], after: [], uses: [] };
    const tasks = [
      { id: 'a', ...both },
      { id: 'b', ...both },
    ];
    const instruments = [instrument('x'), instrument('y')];
    expect(solved(problemOf({ instruments, tasks })).makespan_s).toBe(10);
  });

  it('skips a task that needs nothing, in its place in the order', () => {
    const skipped = { id: 's', duration_s: 0, candidates: [], after: [0], uses: [] };
    const tasks = [task('a', 10, { on: 0 }), skipped, task('b', 10, { on: 0, after: [1] })];
    expect(solved(problemOf({ instruments: [instrument('x')], tasks })).makespan_s).toBe(20);
  });
});

describe('time constraints', () => {
  const pair = (constraints: TimeConstraint[]) =>
    problemOf({
      instruments: [instrument('x'), instrument('y')],
      tasks: [task('a', 10, { on: 0 }), task('b', 30, { on: 1 }), task('c', 50, { on: 1 })],
      constraints,
    });

  it('keeps the least time between', () => {
    const found = solved(pair([between({ min_s: 60 })]));
    expect(found.tasks.find((one) => one.task === 1)!.start_s).toBe(70);
  });

  it('holds a task back so that the most time between is kept', () => {
    const order = between({ id: 'order', from: 2, to: 1 });
    const found = solved(pair([between({ max_s: 5 }), order]));
    const [a, b] = [0, 1].map((t) => found.tasks.find((one) => one.task === t)!);
    expect(b!.start_s - a!.end_s).toBeLessThanOrEqual(5);
    expect(found.makespan_s).toBe(80);
  });

  it('names bounds that cannot be kept', () => {
    const { kind, sentences } = refused(
      pair([between({ id: 'near', max_s: 5 }), between({ id: 'far', from_end: false, min_s: 90 })]),
    );
    expect(kind).toBe('constraint');
    expect(sentences.join()).toMatch(/time constraint (near|far) .* misses it by \d+ s/);
  });

  it('refuses a minimum above its maximum', () => {
    expect(refused(pair([between({ min_s: 9, max_s: 5 })])).sentences[0]).toContain('at least 9 s');
  });
});

describe('what cannot be planned', () => {
  const instruments = [instrument('x'), instrument('y')];

  it('finds a deadlock of two pieces that want to change places, and names both', () => {
    const { kind, sentences } = refused(
      problemOf({
        instruments,
        tasks: [task('a', 1, { on: 1, uses: [[0, 1]] }), task('b', 1, { on: 0, uses: [[1, 1]] })],
        labware: [
          { id: 'red', place: { instrument: 0, slot: 1 }, tasks: [0] },
          { id: 'blue', place: { instrument: 1, slot: 1 }, tasks: [1] },
        ],
      }),
    );
    expect(kind).toBe('deadlock');
    expect(sentences).toEqual([
      'a waits for y slot 1 for red, held by blue',
      'b waits for x slot 1 for blue, held by red',
    ]);
  });

  it('names a place that the arm cannot reach', () => {
    const { kind, sentences } = refused(
      problemOf({
        instruments,
        tasks: [task('a', 1, { on: 1, uses: [[0, 1]] })],
        labware: [{ id: 'red', place: { instrument: 0, slot: 1 }, tasks: [0] }],
        move_s: () => null,
      }),
    );
    expect([kind, sentences[0]]).toEqual([
      'unreachable',
      'a needs red in y slot 1, where the arm cannot bring it from x slot 1',
    ]);
  });

  it('names tasks that wait for each other', () => {
    const tasks = [task('a', 1, { on: 0, after: [1] }), task('b', 1, { on: 0, after: [0] })];
    expect(refused(problemOf({ instruments, tasks })).sentences).toEqual([
      'tasks wait for each other: a, b',
    ]);
  });
});

describe('a plan for what is left', () => {
  it('lets what has begun stand and begins nothing in the past', () => {
    const problem = assay();
    const first = solved(problem);
    const now_s = 100;
    const started = [
      ...first.tasks.map((one) => ({ kind: 'task' as const, ...one })),
      ...first.moves.map((one) => ({ kind: 'move' as const, ...one })),
    ]
      .filter(({ start_s }) => start_s < now_s)
      .sort((a, b) => a.start_s - b.start_s || (a.kind === 'move' ? -1 : 1));
    const again = plan({ ...problem, now_s, started }, { seed: 1 });
    if (!again.ok) throw new Error(again.error.sentences.join('; '));
    expect(again.value.makespan_s).toBe(375);
    for (const one of started) {
      const rows = one.kind === 'task' ? again.value.tasks : again.value.moves;
      const { kind: _, ...plain } = one;
      expect(rows).toContainEqual(plain);
    }
    expect(planFaults(problem, { ...again.value, lower_bound_s: 0 })).toEqual([]);
  });
});
