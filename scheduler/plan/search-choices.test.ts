/** What single attempts of a search are good for, and visits of buffers that it finds. */

import { describe, expect, it } from 'vitest';
import { attempt, search } from './attempts.cases.ts';
import { bufferingOf, operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask, StartedOperation, TimeConstraint } from './problem.ts';
import { instrument, limitOf, problemOf, task } from './problems.cases.ts';

/** An attempt yields as often as this one, which has as many rounds. */
const attemptsOf = ({ yielded }: { readonly yielded: readonly number[] }, each = 2) =>
  yielded.length / each;

const HOTEL = 0;
const X = 1;
const Y = 2;
const Z = 3;
const RACK = 4;
const instruments = [
  instrument('hotel', 9),
  instrument('x'),
  instrument('y'),
  instrument('z'),
  instrument('rack', 9),
];

interface Step {
  readonly on: number;
  readonly for_s: number;
  /** Names of tasks that end before. */
  readonly after?: readonly string[];
}

const store: Step = { on: HOTEL, for_s: 5 };

/**
 * Pieces from a hotel through single slots; tasks are named by piece and step, such as `a0`. A
 * piece without a name has tasks without labware, `free0` and so on.
 */
function workcell(steps: Record<string, readonly Step[]>, rest: Partial<PlanProblem> = {}) {
  const all = Object.entries(steps).flatMap(([name, own]) =>
    own.map((one, i) => ({ ...one, name, id: `${name}${i}` })),
  );
  const numberOf = (id: string) => all.findIndex((one) => one.id === id);
  const pieces = Object.keys(steps).filter((name) => name !== 'free');
  const tasks = all.map(({ id, name, on, for_s, after = [] }): PlanTask => {
    const l = pieces.indexOf(name);
    const slot = on === HOTEL ? 1 + l : 1;
    return task(id, for_s, { on, after: after.map(numberOf), uses: l < 0 ? [] : [[l, slot]] });
  });
  const labware = pieces.map((id, l) => ({
    id,
    location: { instrument: HOTEL, slot: 1 + l },
    tasks: all.flatMap(({ name }, t) => (name === id ? [t] : [])),
  }));
  return problemOf({ instruments, tasks, labware, ...rest });
}

/** Two pieces that change places, and a task on the third instrument. */
function swap(parts: Partial<PlanProblem>, release_s = 0): PlanProblem {
  const labware = [0, 1].map((l) => {
    return { id: `p${l}`, location: { instrument: l, slot: 1 }, tasks: [l] };
  });
  const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 1 - l, uses: [[l, 1]] }));
  const last = { ...task('free', 10, { on: 2 }), release_s };
  return problemOf({ instruments, tasks: [...tasks, last], labware, ...parts });
}

describe('an attempt without preferences', () => {
  it('moves labware before the other conditions of its task hold', () => {
    const problem = workcell({
      free: [{ on: Z, for_s: 50 }],
      a: [{ on: X, for_s: 10, after: ['free0'] }],
    });
    // The move is operation 2.
    expect(attempt(problem).order).toEqual([2, 0, 1]);
    expect(attempt(problem, { eager: false }).order).toEqual([0, 2, 1]);
  });

  it('makes the first move of an order without its task', () => {
    const problem = workcell({ a: [{ on: X, for_s: 10 }], b: [{ on: Y, for_s: 10 }] });
    expect(attempt(problem, { sequence: [2, 3, 1, 0] }).order).toEqual([2, 3, 1, 0]);
  });

  it('goes on with a piece that is on its way', () => {
    const problem = workcell({ a: [{ on: X, for_s: 10 }, store] });
    const started: StartedOperation[] = [
      {
        ...{ kind: 'move', task: 0, labware: 0, start_s: 0, end_s: 15 },
        ...{ from: { instrument: HOTEL, slot: 1 }, to: { instrument: X, slot: 1 } },
      },
    ];
    const found = attempt({ ...problem, started, now_s: 1 });
    expect([found.isStuck, found.order]).toEqual([false, [0, 3, 1]]);
    expect([...found.schedule.start_s]).toEqual([15, 40]);
  });

  it('puts a piece aside after its last task where this is wanted', () => {
    const base = workcell(
      { a: [{ on: X, for_s: 10 }], free: [{ on: Z, for_s: 10 }] },
      { buffers: [{ instrument: RACK, slot: 1 }] },
    );
    const tasks = base.tasks.map((one, t) => (t === 1 ? { ...one, release_s: 100 } : one));
    const problem = { ...base, tasks };
    const aside = bufferingOf(operationsOf(problem), 0, undefined);
    // The visits before a task, and after the last one.
    expect(attempt(problem, { buffered: Uint8Array.of(0, 1) }).order).toEqual([2, 0, aside, 1]);
    expect(attempt(problem, { buffered: Uint8Array.of(0, 0) }).order).toEqual([2, 0, 1]);
  });

  it('moves what stands in the way when nothing else is left', () => {
    const problem = swap({ buffers: [{ instrument: RACK, slot: 1 }] }, 40);
    const { order, isStuck } = attempt(problem);
    expect([order[0], isStuck]).toEqual([2, false]);
  });

  it('has nothing to do without tasks', () => {
    const labware = [{ id: 'a', location: { instrument: HOTEL, slot: 1 }, tasks: [] }];
    const buffers = [{ instrument: RACK, slot: 1 }];
    const found = attempt(problemOf({ instruments, labware, buffers }));
    expect(found).toMatchObject({ isStuck: false, order: [], score: 0, violations: [] });
  });
});

describe('the limits of time of an attempt', () => {
  it.each<[string, Partial<TimeConstraint>]>([
    ['to', { from: 2, to: 0, min_s: 0 }],
    ['from', { from: 0, to: 2, max_s: 1 }],
  ])('are of no account where the task that they lead %s never starts', (_, parts) => {
    const started: StartedOperation[] = [
      { kind: 'task', task: 2, instrument: 2, start_s: 0, end_s: 10 },
    ];
    const found = attempt(swap({ started, constraints: [limitOf(parts)], now_s: 1 }));
    expect(found).toMatchObject({ isStuck: true, violations: [], score: 3e12 });
  });

  it.each<[number, number, Partial<TimeConstraint>]>([
    [0, 1e-9, { max_s: 0 }],
    [1e-9, 0, { min_s: 0 }],
  ])('may be missed by a nanosecond: from %d s to %d s', (end_s, start_s, parts) => {
    const tasks = [task('a', 1, { on: X }), task('b', 1, { on: Y })];
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: X, start_s: -1, end_s },
      { kind: 'task', task: 1, instrument: Y, start_s, end_s: 1 },
    ];
    const constraints = [limitOf(parts)];
    const { violations } = attempt(problemOf({ instruments, tasks, started, constraints }));
    expect(violations).toEqual([]);
  });

  /** Task b waits 50 s for task c. */
  const waiting = (constraint: TimeConstraint, started: readonly StartedOperation[]) => {
    const base = workcell({
      a: [{ on: X, for_s: 10 }],
      free: [
        { on: Y, for_s: 30, after: ['free1'] },
        { on: Z, for_s: 50 },
      ],
    });
    return attempt({ ...base, started, constraints: [constraint], now_s: 1 });
  };

  it('delay a task whose labware is on its way', () => {
    const found = waiting(limitOf({ max_s: 5 }), [
      {
        ...{ kind: 'move', task: 0, labware: 0, start_s: 0, end_s: 15 },
        ...{ from: { instrument: HOTEL, slot: 1 }, to: { instrument: X, slot: 1 } },
      },
    ]);
    expect(found.violations).toEqual([]);
    expect([...found.schedule.start_s]).toEqual([36, 51, 1]);
  });

  it('delay nothing where they cannot be held', () => {
    const tasks = [task('a', 10, { on: X }), task('b', 30, { on: Y })];
    const constraints = [limitOf({ max_s: 5 }), limitOf({ from_end: false, min_s: 90 })];
    const found = attempt(problemOf({ instruments, tasks, constraints }));
    expect(found.violations).toMatchObject([{ excess_s: 75 }]);
    expect([...found.schedule.start_s]).toEqual([0, 90]);
  });

  it('delay nothing for a task that came too early', () => {
    const far = limitOf({ from: 1, from_end: false, to: 0, min_s: -20 });
    const found = waiting(far, [{ kind: 'task', task: 0, instrument: X, start_s: 0, end_s: 10 }]);
    expect(found.violations).toMatchObject([{ excess_s: -31 }]);
    expect(found.yielded.length).toBe(2);
  });
});

describe('the search', () => {
  it('makes ten attempts more without a plan that holds the limits', () => {
    const tasks = [task('a', 10, { on: X }), task('b', 8, { on: Y })];
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: X, start_s: 0, end_s: 10 },
      { kind: 'task', task: 1, instrument: Y, start_s: 12, end_s: 20 },
    ];
    const constraints = [limitOf({ max_s: 1 })];
    const problem = problemOf({ instruments, tasks, started, constraints, now_s: 30 });
    expect(attemptsOf(search(problem, { attempts: 30 }))).toBe(40);
  });

  const queue = problemOf({
    instruments,
    tasks: ['a', 'b', 'c'].map((id) => task(id, 10, { on: X })),
  });

  it('goes on with a score half a second above the bound', () => {
    const lower_bound_s = attempt(queue).score - 0.5;
    expect(attemptsOf(search(queue, { lower_bound_s, attempts: 40 }))).toBe(40);
  });

  it.each([1, 2, 15, 30, 31, 32, 60])('keeps the first of the best of %d attempts', (attempts) => {
    expect(search(queue, { sequence: [2, 1, 0], attempts }).order).toEqual([2, 1, 0]);
  });

  it('begins with an attempt that moves no labware too early', () => {
    // An early move of a keeps b from x.
    const problem = workcell({
      a: [{ on: X, for_s: 10, after: ['b0'] }, store],
      b: [{ on: X, for_s: 10 }, store],
    });
    const found = search(problem, { attempts: 1 });
    expect([found.isStuck, attemptsOf(found)]).toEqual([false, 1]);
  });

  it('tries early moves next', () => {
    const problem = workcell({
      a: [
        { on: X, for_s: 100 },
        { on: Y, for_s: 10 },
      ],
      b: [{ on: Z, for_s: 10, after: ['a1'] }],
    });
    const makespanOf = (attempts: number) => search(problem, { attempts }).schedule.makespan_s;
    // The arm has time for b at 15 s, not only when it has carried a to y, at 130 s.
    expect([makespanOf(1), makespanOf(2)]).toEqual([155, 150]);
  });

  it('has a plan for two pieces at a time where three block each other', () => {
    const problem = workcell({
      a: [{ on: X, for_s: 100 }, { on: Y, for_s: 10 }, store],
      b: [{ on: Y, for_s: 10 }, { on: Z, for_s: 10 }, store],
      c: [{ on: Z, for_s: 10 }, { on: X, for_s: 10 }, store],
      d: [
        { on: Y, for_s: 10, after: ['a1'] },
        { on: HOTEL, for_s: 20 },
      ],
    });
    // Eight attempts without a limit, then six with fewer and fewer pieces.
    expect(search(problem, { attempts: 3 }).isStuck).toBe(true);
    expect(search(problem, { attempts: 4 }).isStuck).toBe(false);
  });

  it('has a plan for one piece after the other where two block each other', () => {
    const there = [{ on: X, for_s: 10 }, { on: Y, for_s: 10 }, store];
    const back = [{ on: Y, for_s: 10 }, { on: X, for_s: 10 }, store];
    const free = [
      { on: Z, for_s: 10 },
      { on: Z, for_s: 10 },
      { on: RACK, for_s: 300, after: ['free1'] },
    ];
    const problem = workcell({ a: there, b: there, c: back, free });
    expect(search(problem, { attempts: 4 }).isStuck).toBe(true);
    const found = search(problem, { attempts: 5 });
    expect(found.isStuck).toBe(false);
    // A piece is back 65 s after it has left, and then the next one leaves. Of the work without
    // pieces, the longest comes first.
    expect([...found.schedule.start_s.slice(0, 9)]).toEqual([
      ...[15, 40, 65],
      ...[80, 105, 130],
      ...[145, 170, 195],
    ]);
    expect(found.schedule.makespan_s).toBe(310);
  });
});

describe('the end of the search', () => {
  /** Tasks on one of two instruments, which is hard to share out equally. */
  const shared = (lengths: readonly number[]) => {
    const tasks = lengths.map((for_s, t) => ({
      ...task(`t${t}`, for_s, { on: X }),
      candidates: [X, Y],
    }));
    return problemOf({ instruments, tasks });
  };

  it.each([[[901, 813, 722, 605, 531, 417, 322, 208]], [[510, 423, 386, 355, 290, 207, 120]]])(
    'comes 60 attempts for each operation after the last shorter plan: %j',
    (lengths) => {
      const problem = shared(lengths);
      const each = attempt(problem).yielded.length;
      const makespanOf = (attempts: number) => search(problem, { attempts }).schedule.makespan_s;
      const made = attemptsOf(search(problem, { attempts: 1000 }), each);
      const last = made - (60 * lengths.length + 1);
      expect(makespanOf(last)).toBe(makespanOf(1000));
      expect(makespanOf(last)).toBeLessThan(makespanOf(last - 1));
    },
  );
});

describe('a plan that is better by half a second', () => {
  it('is kept, but the search does not go on for longer', () => {
    // The second task comes late; to wait for it is better for the weighted ends of both jobs.
    const tasks = [
      task('long', 110, { on: X }),
      { ...task('late', 10, { on: X }), release_s: 70 },
      task('then', 1, { on: Y, after: [1] }),
    ];
    const jobs = [79, 161].map((weight, t) => {
      return { tasks: [t], rank: 0, weight, due_s: Number.POSITIVE_INFINITY };
    });
    const problem = problemOf({ instruments, tasks, jobs });
    const greedy = search(problem, { attempts: 23 });
    expect([...greedy.schedule.start_s]).toEqual([0, 110, 120]);
    const found = search(problem, { attempts: 2000 });
    expect([...found.schedule.start_s]).toEqual([80, 70, 80]);
    expect(found.score).toBe(greedy.score - 0.5);
    expect(attemptsOf(found)).toBe(23 + 60 * 3 + 1);
  });
});

describe('the search with buffers', () => {
  const buffers = [1, 2].map((slot) => ({ instrument: RACK, slot }));

  /** Pieces in x and z that wait until y is free, while others wait for x and z. */
  const waitingForY = (parts: Partial<PlanProblem>) => {
    const problem = workcell(
      {
        long: [{ on: Y, for_s: 1000 }, store],
        a: [{ on: X, for_s: 10 }, { on: Y, for_s: 10 }, store],
        b: [{ on: Z, for_s: 10 }, { on: Y, for_s: 10 }, store],
        c: [{ on: X, for_s: 10, after: ['a0'] }],
        d: [{ on: Z, for_s: 10, after: ['b0'] }],
      },
      parts,
    );
    const [long, ...others] = problem.labware;
    const inY = { ...long!, location: { instrument: Y, slot: 1 } };
    const job = { rank: 0, weight: 1, due_s: Number.POSITIVE_INFINITY };
    const jobs = ['c0', 'd0'].map((id) => {
      return { ...job, tasks: [problem.tasks.findIndex((one) => one.id === id)] };
    });
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: Y, start_s: 0, end_s: 1000 },
    ];
    return { ...problem, labware: [inY, ...others], jobs, started };
  };

  it.each([2, 3, 4, 5])('has pieces wait in buffers, by seed %d', (seed) => {
    const options = { seed, attempts: 1000, lower_bound_s: 199 };
    // Without a visit, c and d end after 1000 s, and one of them with one.
    const greedy = search(waitingForY({ buffers }), { ...options, attempts: 23 });
    expect([greedy.isStuck, greedy.score > 1000]).toEqual([false, true]);
    const found = search(waitingForY({ buffers }), options);
    expect(found.score).toBeLessThan(200);
    expect(found.schedule.moves.filter((one) => one.toBuffer).length).toBeGreaterThan(1);
  });

  it.each([1, 2, 3])('puts pieces aside after their last task, by seed %d', async (seed) => {
    const problem = workcell(
      {
        long: [{ on: Y, for_s: 100 }, store],
        a: [{ on: X, for_s: 10 }],
        last: [{ on: X, for_s: 200, after: ['a0'] }],
      },
      { buffers },
    );
    const options = { seed, attempts: 123, lower_bound_s: 255 };
    const greedy = search(problem, { ...options, attempts: 23 });
    expect(greedy.schedule.makespan_s).toBeGreaterThan(300);
    // To x 15 s, 10 s, to a buffer 15 s, then to x 15 s and 200 s.
    expect(search(problem, options).schedule.makespan_s).toBe(255);
  });
});
