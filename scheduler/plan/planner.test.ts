import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { criticalPath } from './critical-path.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem, TimeConstraint } from './problem.ts';
import {
  assayProblem,
  instrument,
  limitOf,
  problemOf,
  randomProblem,
  task,
} from './problems.cases.ts';

function solved(problem: PlanProblem, seed = 1) {
  const result = plan(problem, { seed });
  if (!result.ok) throw new Error(result.error.messages.join('; '));
  expect(planFaults(problem, result.value)).toEqual([]);
  return result.value;
}

function refused(problem: PlanProblem) {
  const result = plan(problem, { seed: 1 });
  expect(result.ok).toBe(false);
  return result.ok ? { kind: null, messages: [] } : result.error;
}

describe('the planner', () => {
  it('plans the assay of 8 tasks and 7 moves in 375 s, the proven optimum', () => {
    const found = solved(assayProblem());
    expect(found.makespan_s).toBe(375);
    expect(found.lower_bound_s).toBe(375);
    expect(found.moves.length).toBe(7);
    const path = criticalPath(assayProblem(), found);
    expect([path[0], path.at(-1)]).toEqual(['unload tubes', 'load plate']);
  });

  it('does not delay a plan for a limit that cannot be held', () => {
    // Any plan has a move of 15 s between the two.
    const [wash, read] = [task('wash', 20, { on: 1 }), task('read', 10, { on: 2, after: [0] })];
    const use = { labware: 0, slot: 1, slot_after: 1 };
    const problem = problemOf({
      instruments: [instrument('hotel'), instrument('washer'), instrument('reader')],
      tasks: [
        { ...wash, uses: [use] },
        { ...read, uses: [use] },
      ],
      labware: [{ id: 'plate', location: { instrument: 0, slot: 1 }, tasks: [0, 1] }],
      constraints: [limitOf({ max_s: 1 })],
    });
    const found = plan(problem, { seed: 1, relax: true, effort: 0.015 });
    expect(found.ok && found.value.makespan_s).toBe(15 + 20 + 15 + 10);
  });

  it('does what there is time for before an urgent move that has to wait', () => {
    const read = { ...task('read', 10, { on: 2, uses: [[0, 1]] }), release_s: 50 };
    const wash = task('wash', 200, { on: 1, uses: [[1, 1]] });
    const job = { weight: 1, due_s: Number.POSITIVE_INFINITY };
    const problem = problemOf({
      instruments: [instrument('hotel', 2), instrument('washer'), instrument('reader')],
      tasks: [read, wash],
      labware: [0, 1].map((l) => {
        return { id: 'ab'[l]!, location: { instrument: 0, slot: l + 1 }, tasks: [l] };
      }),
      jobs: [
        { ...job, tasks: [0], rank: 1, weight: 20 },
        { ...job, tasks: [1], rank: 0 },
      ],
    });
    const found = plan(problem, { seed: 1, attempts: 1 });
    expect(found.ok && found.value.moves).toMatchObject([
      { labware: 1, start_s: 0, end_s: 15 },
      { labware: 0, start_s: 50, end_s: 65 },
    ]);
    // One that ends too late for it waits.
    const later = { ...problem, tasks: [read, { ...wash, release_s: 40 }] };
    const second = plan(later, { seed: 1, attempts: 1 });
    expect(second.ok && second.value.moves).toMatchObject([
      { labware: 0, start_s: 50, end_s: 65 },
      { labware: 1, start_s: 65, end_s: 80 },
    ]);
  });

  it('gives the same plan for the same seed', () => {
    const problem = randomProblem(createPrng(3), { pieces: 4, steps: 3, instruments: 3, slots: 2 });
    expect(plan(problem, { seed: 9 })).toEqual(plan(problem, { seed: 9 }));
  });

  it('makes valid plans for random workcells', () => {
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
          const problem = randomProblem(createPrng(seed), shape);
          const result = plan(problem, { seed, effort: 0.1 });
          if (result.ok) expect(planFaults(problem, result.value)).toEqual([]);
          else expect(result.error.messages.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('uses the full capacity of an instrument', () => {
    const tasks = [0, 1, 2].map((i) => task(`t${i}`, 10, { on: 0 }));
    expect(solved(problemOf({ instruments: [instrument('a')], tasks })).makespan_s).toBe(30);
    expect(solved(problemOf({ instruments: [instrument('a', 3)], tasks })).makespan_s).toBe(10);
  });

  it('selects the free instrument', () => {
    const both = { duration_s: 10, candidates: [0, 1], after: [], uses: [] };
    const tasks = [
      { id: 'a', ...both },
      { id: 'b', ...both },
    ];
    const instruments = [instrument('x'), instrument('y')];
    expect(solved(problemOf({ instruments, tasks })).makespan_s).toBe(10);
  });

  it('keeps a skipped task in the order', () => {
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

  it('keeps the minimum time', () => {
    const found = solved(pair([limitOf({ min_s: 60 })]));
    expect(found.tasks.find((one) => one.task === 1)!.start_s).toBe(70);
  });

  it('delays a task to keep the maximum time', () => {
    const order = limitOf({ id: 'order', from: 2, to: 1 });
    const found = solved(pair([limitOf({ max_s: 5 }), order]));
    const [a, b] = [0, 1].map((t) => found.tasks.find((one) => one.task === t)!);
    expect(b!.start_s - a!.end_s).toBeLessThanOrEqual(5);
    expect(found.makespan_s).toBe(80);
  });

  it('names constraints that cannot be met', () => {
    const { kind, messages } = refused(
      pair([limitOf({ id: 'near', max_s: 5 }), limitOf({ id: 'far', from_end: false, min_s: 90 })]),
    );
    expect(kind).toBe('constraint');
    expect(messages.join()).toMatch(/time constraint (near|far) .* misses it by \d+ s/);
  });

  it('refuses a minimum above its maximum', () => {
    expect(refused(pair([limitOf({ min_s: 9, max_s: 5 })])).messages[0]).toContain('at least 9 s');
  });
});

describe('problems without a plan', () => {
  const instruments = [instrument('x'), instrument('y')];

  it('reports a deadlock of two pieces that exchange locations, and names both', () => {
    const { kind, messages } = refused(
      problemOf({
        instruments,
        tasks: [task('a', 1, { on: 1, uses: [[0, 1]] }), task('b', 1, { on: 0, uses: [[1, 1]] })],
        labware: [
          { id: 'red', location: { instrument: 0, slot: 1 }, tasks: [0] },
          { id: 'blue', location: { instrument: 1, slot: 1 }, tasks: [1] },
        ],
      }),
    );
    expect(kind).toBe('deadlock');
    expect(messages).toEqual([
      'a waits for y slot 1 for red, held by blue',
      'b waits for x slot 1 for blue, held by red',
    ]);
  });

  it('reports a location that the arm cannot reach', () => {
    const { kind, messages } = refused(
      problemOf({
        instruments,
        tasks: [task('a', 1, { on: 1, uses: [[0, 1]] })],
        labware: [{ id: 'red', location: { instrument: 0, slot: 1 }, tasks: [0] }],
        move_s: () => null,
      }),
    );
    expect([kind, messages[0]]).toEqual([
      'unreachable',
      'a needs red in y slot 1; the arm cannot move it there from x slot 1',
    ]);
  });

  it('names tasks that wait for each other', () => {
    const tasks = [task('a', 1, { on: 0, after: [1] }), task('b', 1, { on: 0, after: [0] })];
    expect(refused(problemOf({ instruments, tasks })).messages).toEqual([
      'tasks wait for each other: a, b',
    ]);
  });
});

describe('a plan for the remaining work', () => {
  it('keeps started operations and starts none in the past', () => {
    const problem = assayProblem();
    const first = solved(problem);
    const now_s = 100;
    const started = [
      ...first.tasks.map((one) => ({ kind: 'task' as const, ...one })),
      ...first.moves.map((one) => ({ kind: 'move' as const, ...one })),
    ]
      .filter(({ start_s }) => start_s < now_s)
      .sort((a, b) => a.start_s - b.start_s || (a.kind === 'move' ? -1 : 1));
    const again = plan({ ...problem, now_s, started }, { seed: 1 });
    if (!again.ok) throw new Error(again.error.messages.join('; '));
    expect(again.value.makespan_s).toBe(375);
    for (const one of started) {
      const rows = one.kind === 'task' ? again.value.tasks : again.value.moves;
      const { kind: _, ...plain } = one;
      expect(rows).toContainEqual(plain);
    }
    expect(planFaults(problem, { ...again.value, lower_bound_s: 0 })).toEqual([]);
  });
});
