/** Lower bounds: never above a plan, and tight if one resource decides. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { lowerBound_s } from './lower-bound.ts';
import { operationsOf } from './operations.ts';
import { plan } from './planner.ts';
import type { Plan, PlanProblem, StartedOperation } from './problem.ts';
import { instrument, problemOf, randomProblem, task } from './problems.cases.ts';
import { shortestMove_s } from './shortest-move.ts';
import { type MachineJob, singleMachineBound_s } from './single-machine-bound.ts';
import type { SlotLocation } from './slot-location.ts';

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

  it('is the largest sum of head, work and tail of any group of jobs', () => {
    const whole = fc.integer({ min: 0, max: 12 });
    const jobs = fc.array(fc.record({ head_s: whole, work_s: whole, tail_s: whole }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(jobs, (drawn) => {
        let most_s = 0;
        for (let mask = 1; mask < 2 ** drawn.length; mask++) {
          const group = drawn.filter((_, i) => (mask >> i) % 2 === 1);
          most_s = Math.max(most_s, groupBound_s(group));
        }
        expect(singleMachineBound_s(drawn)).toBe(most_s);
      }),
      { numRuns: 150 },
    );
  });
});

/** All of the group must follow its first head and precede its shortest tail. */
function groupBound_s(group: readonly MachineJob[]): number {
  const work_s = group.reduce((sum, one) => sum + one.work_s, 0);
  const head_s = Math.min(...group.map((one) => one.head_s));
  return head_s + work_s + Math.min(...group.map((one) => one.tail_s));
}

/** The place with a name such as `1/2`: slot 2 of instrument 1. */
function place(name: string): SlotLocation {
  const [on, slot] = name.split('/').map(Number);
  return { instrument: on!, slot: slot! };
}

/** Moves with the times of a table such as `{ '0/1 1/1': 5 }`; others are not possible. */
function moveTable(times: Readonly<Record<string, number>>): PlanProblem['move_s'] {
  return (from, to) => times[`${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`] ?? null;
}

/** A piece that begins in a place. */
const pieceAt = (name: string, ...tasks: number[]) => ({
  id: `from ${name}`,
  location: place(name),
  tasks,
});

interface ShortestMove {
  readonly times: Record<string, number>;
  readonly buffers?: string[];
  readonly piece?: number;
  /** Index in the chain of the piece. */
  readonly step?: number;
  readonly least_s: number;
}

describe('the shortest move of a piece for a task', () => {
  const instruments = [instrument('hotel', 9), instrument('a'), instrument('b'), instrument('c')];
  /** Two pieces with a common task that each leaves in another slot, and one task more each. */
  const problemWith = (times: Record<string, number>, buffers: string[] = []) => {
    const uses = [
      { labware: 1, slot: 4, slot_after: 6 },
      { labware: 0, slot: 5, slot_after: 7 },
    ];
    const both = { id: 'both', duration_s: 1, candidates: [1, 2], after: [], uses };
    const tasks = [both, task('next', 1, { on: 3, uses: [[0, 8]] })];
    return problemOf({
      instruments,
      tasks,
      labware: [pieceAt('0/3', 0, 1), pieceAt('0/2', 0)],
      buffers: buffers.map(place),
      move_s: moveTable(times),
    });
  };

  it.each<[string, ShortestMove]>([
    ['takes the nearest instrument', { times: { '0/3 1/5': 9, '0/3 2/5': 7 }, least_s: 7 }],
    [
      'takes the slot of its own piece',
      { times: { '0/2 1/4': 6, '0/2 2/5': 1 }, piece: 1, least_s: 6 },
    ],
    ['leaves out moves that are not possible', { times: { '0/3 2/5': 8 }, least_s: 8 }],
    ['is 0 where no move is possible', { times: {}, least_s: 0 }],
    [
      'may begin in a buffer',
      { times: { '0/3 1/5': 9, '3/1 2/5': 4 }, buffers: ['3/1'], least_s: 4 },
    ],
    ['is 0 from the place itself', { times: { '0/3 1/5': 9 }, buffers: ['2/5'], least_s: 0 }],
    [
      'is not 0 from another slot',
      { times: { '0/3 1/5': 9, '2/4 2/5': 3 }, buffers: ['2/4'], least_s: 3 },
    ],
    [
      'is not 0 from another instrument',
      { times: { '0/3 1/5': 9, '3/5 1/5': 2 }, buffers: ['3/5'], least_s: 2 },
    ],
    [
      'begins where the task before ends',
      { times: { '1/7 3/8': 9, '2/7 3/8': 5, '1/6 3/8': 1 }, step: 1, least_s: 5 },
    ],
    [
      'may begin in a buffer later',
      { times: { '1/7 3/8': 9, '3/1 3/8': 4 }, buffers: ['3/1'], step: 1, least_s: 4 },
    ],
  ])('%s', (_, { times, buffers = [], piece = 0, step = 0, least_s }) => {
    expect(shortestMove_s(problemWith(times, buffers), piece, step)).toBe(least_s);
  });
});

/** A task without an instrument. */
const free = (id: string, duration_s: number, ...after: number[]) => {
  return { id, duration_s, candidates: [], after, uses: [] };
};

describe('the bound of the arm', () => {
  // Without slots, so that no bound of a slot counts.
  const instruments = ['hotel', 'a', 'b', 'c', 'd'].map((id) => instrument(id, 1, true));

  it('adds what follows the tasks that wait for the pieces', () => {
    const tasks = [
      task('a', 20, { on: 1, uses: [[0, 1]] }),
      task('b', 20, { on: 2, uses: [[1, 1]] }),
      free('after a', 100, 0),
      free('after b', 100, 1),
    ];
    const labware = [pieceAt('0/1', 0), pieceAt('0/2', 1)];
    expect(boundOf(problemOf({ instruments, tasks, labware }))).toBe(2 * 15 + 20 + 100);
  });

  it('takes the longest of what follows a task, in whatever order it is given', () => {
    const tasks = [
      task('a', 20, { on: 1, uses: [[0, 1]] }),
      task('b', 20, { on: 2, uses: [[1, 1]] }),
      ...[100, 30].flatMap((time_s) => [free('after a', time_s, 0), free('after b', time_s, 1)]),
    ];
    const labware = [pieceAt('0/1', 0), pieceAt('0/2', 1)];
    expect(boundOf(problemOf({ instruments, tasks, labware }))).toBe(2 * 15 + 20 + 100);
    const [a, b, ...rest] = tasks;
    const reversed = [a!, b!, ...rest.toReversed()];
    expect(boundOf(problemOf({ instruments, tasks: reversed, labware }))).toBe(150);
  });

  it('counts the later moves of a piece, each after the task before', () => {
    const tasks = [
      task('a', 20, { on: 1, uses: [[0, 1]] }),
      task('then a', 50, { on: 3, uses: [[0, 1]] }),
      task('b', 20, { on: 2, uses: [[1, 1]] }),
      task('then b', 50, { on: 4, uses: [[1, 1]] }),
    ];
    const labware = [pieceAt('0/1', 0, 1), pieceAt('0/2', 2, 3)];
    // The second piece comes 15 s later than a single one, which takes 15 + 20 + 15 + 50 s.
    expect(boundOf(problemOf({ instruments, tasks, labware }))).toBe(115);
  });

  it('has a task wait for all its pieces, which come one after the other', () => {
    const tasks = [
      task('a', 40, { on: 1, uses: [[0, 1]] }),
      free('early', 5),
      {
        ...task('meet', 10, {
          on: 2,
          uses: [
            [0, 1],
            [1, 2],
            [2, 3],
          ],
        }),
        after: [1],
      },
    ];
    const labware = [pieceAt('0/1', 0, 2), pieceAt('0/2', 2), pieceAt('0/3', 2)];
    // The moves of the others fit into the 40 s.
    expect(boundOf(problemOf({ instruments, tasks, labware }))).toBe(15 + 40 + 15 + 10);
    const short = [{ ...tasks[0]!, duration_s: 1 }, ...tasks.slice(1)];
    expect(boundOf(problemOf({ instruments, tasks: short, labware }))).toBe(4 * 15 + 10);
  });

  it('leaves out moves that take no time', () => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 30, { on: 1 + l, uses: [[l, 1]] }));
    const labware = [pieceAt('1/1', 0), pieceAt('2/1', 1)];
    expect(boundOf(problemOf({ instruments, tasks, labware, now_s: 4 }))).toBe(34);
  });

  const pair = (started: StartedOperation[]) => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 1 + l, uses: [[l, 1]] }));
    const labware = [pieceAt('0/1', 0), pieceAt('0/2', 1)];
    return boundOf(problemOf({ instruments, tasks, labware, now_s: 20, started }));
  };
  const move = (labware: number, end_s: number): StartedOperation => {
    const [from, to] = [place(`0/${1 + labware}`), place(`${1 + labware}/1`)];
    return { kind: 'move', task: labware, labware, from, to, start_s: end_s - 15, end_s };
  };

  it.each<[string, StartedOperation[], number]>([
    ['two moves from now on', [], 20 + 15 + 15 + 10],
    ['the next move after the current one', [move(0, 33)], 33 + 15 + 10],
    ['the next move not in the past', [move(0, 12)], 20 + 15 + 10],
    ['a piece that is on its way', [move(0, 10), move(1, 33)], 33 + 10],
    [
      'a move from a buffer as well',
      [{ ...move(0, 33), to: place('3/1'), toBuffer: true } as StartedOperation],
      33 + 15 + 15 + 10,
    ],
    [
      'no move for a started task',
      [move(0, 15), { kind: 'task', task: 0, instrument: 1, start_s: 15, end_s: 25 }],
      20 + 15 + 10,
    ],
  ])('counts %s', (_, started, bound_s) => {
    expect(pair(started)).toBe(bound_s);
  });
});

describe('the bound of a group of instruments', () => {
  const instruments = [instrument('a'), instrument('b', 2), instrument('c')];
  const on = (candidates: number[], duration_s: number, after: number[] = []) => {
    return { id: 't', duration_s, candidates, after, uses: [] };
  };

  it('shares the work of the same instruments, in whatever order they are named', () => {
    const tasks = [on([0, 1], 30), on([1, 0], 30), on([0, 1], 30), on([1, 0], 30)];
    expect(boundOf(problemOf({ instruments, tasks }))).toBe(40);
  });

  it('keeps the work of different instruments apart, and that of none', () => {
    const tasks = [on([0], 30), on([2], 35), on([0, 2], 30), on([], 20), on([], 20)];
    expect(boundOf(problemOf({ instruments, tasks }))).toBe(35);
  });

  it('adds what comes before and after', () => {
    const tasks = [
      free('before', 10),
      on([0], 30, [0]),
      on([0], 30, [0]),
      free('after', 7, 1),
      free('after', 7, 2),
    ];
    expect(boundOf(problemOf({ instruments, tasks }))).toBe(10 + 60 + 7);
  });

  it('leaves out started tasks, which may end sooner than expected', () => {
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: 0, start_s: 0, end_s: 25 },
    ];
    const tasks = [on([0], 100), on([0], 30, [0])];
    expect(boundOf(problemOf({ instruments, tasks, started, now_s: 5 }))).toBe(55);
  });

  it.each([
    [10.2, 11],
    [10 + 1e-10, 10],
    [10, 10],
  ])('rounds %d s up to %d s, but not for an error of rounding', (duration_s, bound_s) => {
    expect(boundOf(problemOf({ instruments, tasks: [on([0], duration_s)] }))).toBe(bound_s);
  });

  it('is now without work', () => {
    expect(boundOf(problemOf({ instruments, now_s: 7 }))).toBe(7);
  });

  it('is the longest chain of tasks', () => {
    const tasks = [
      free('a', 10),
      free('b', 5),
      free('c', 3, 0, 1),
      free('d', 9, 1),
      free('e', 2, 2),
    ];
    expect(boundOf(problemOf({ instruments, tasks }))).toBe(10 + 3 + 2);
  });
});

/** Two pieces through one slot of a reader with capacity for many, then each to its own end. */
function slotProblem(parts: Partial<PlanProblem> = {}): PlanProblem {
  const instruments = [instrument('hotel', 9), instrument('reader', 9), instrument('end', 9)];
  const tasks = [0, 1].flatMap((l) => [
    task(`read ${l}`, 20, { on: 1, uses: [[l, 5]] }),
    task(`end ${l}`, 4, { on: 2, uses: [[l, 1 + l]] }),
  ]);
  const move_s: PlanProblem['move_s'] = (_, to) => (to.instrument === 1 ? 3 : 7);
  const labware = [pieceAt('0/1', 0, 1), pieceAt('0/2', 2, 3)];
  return problemOf({ instruments, tasks, labware, move_s, ...parts });
}

type ReadTask = PlanProblem['tasks'][number];

describe('the bound of a slot', () => {
  const base = slotProblem();
  const { instruments } = base;
  const reading = (change: (task: ReadTask) => Partial<ReadTask>) =>
    slotProblem({
      tasks: base.tasks.map((one, t) => (t % 2 === 0 ? { ...one, ...change(one) } : one)),
    });

  it('takes a slot from the move into it until the arm has taken the piece away', () => {
    expect(boundOf(base)).toBe(2 * (3 + 20 + 7) + 4);
    expect(plan(base, { seed: 1 })).toMatchObject({ value: { makespan_s: 64 } });
  });

  // The arm alone: both pieces wait for their second move.
  const arm_s = 3 + 20 + 7 + 7 + 4;
  it.each<[string, PlanProblem]>([
    [
      'the slot has no limit',
      slotProblem({ instruments: instruments.map((one) => ({ ...one, slotless: true })) }),
    ],
    [
      'the slots differ',
      reading(({ uses: [use] }) => ({
        uses: [{ ...use!, slot: use!.labware, slot_after: use!.labware }],
      })),
    ],
    [
      'the pieces change slots',
      reading(({ uses: [use] }) => ({ uses: [{ ...use!, slot_after: 6 }] })),
    ],
    ['the tasks have a choice', reading(() => ({ candidates: [1, 2] }))],
  ])('does not hold where %s', (_, problem) => {
    expect(boundOf(problem)).toBe(arm_s);
  });

  it('counts no moves to and from work without an instrument', () => {
    expect(boundOf(reading(() => ({ candidates: [] })))).toBe(20 + 4);
  });

  it('keeps a slot until the end of a last task only', () => {
    const tasks = [0, 1].map((l) => task(`read ${l}`, 20, { on: 1, uses: [[l, 5]] }));
    const after = [free('later', 9, 0), free('later', 9, 1)];
    const labware = [pieceAt('0/1', 0), pieceAt('0/2', 1)];
    expect(boundOf(slotProblem({ tasks: [...tasks, ...after], labware }))).toBe(2 * 23 + 9);
  });

  it('begins with the move after the task before', () => {
    const tasks = [0, 1].flatMap((l) => [
      task(`open ${l}`, 11, { on: 2, uses: [[l, 1 + l]] }),
      task(`read ${l}`, 20, { on: 1, uses: [[l, 5]] }),
    ]);
    // Both could be open after 7 + 11 s.
    expect(boundOf(slotProblem({ tasks }))).toBe(18 + 2 * 23);
  });

  it('needs no arm where the next task is in the same place', () => {
    const tasks = [0, 1].flatMap((l) => [
      task(`read ${l}`, 20, { on: 1, uses: [[l, 5]] }),
      task(`wait ${l}`, 4, { on: 1, uses: [[l, 5]] }),
    ]);
    // Each task has its own stay: 23 s and 4 s twice, and 4 s follow the first stays.
    expect(boundOf(slotProblem({ tasks }))).toBe(2 * 23 + 2 * 4);
  });

  const leaving = (times: Record<string, number>, parts: Partial<PlanProblem> = {}) => {
    const into = { '0/1 1/5': 3, '0/2 1/5': 3 };
    return slotProblem({ move_s: moveTable({ ...into, ...times }), ...parts });
  };

  const toEnd = { '1/5 2/1': 8, '1/5 2/2': 8 };
  const aside = { '1/5 2/9': 5, '2/9 2/1': 6, '2/9 2/2': 6 };
  const buffers = [place('2/9')];

  it.each<[string, PlanProblem, number]>([
    ['to the next place', leaving(toEnd), 31],
    ['to a buffer, if this is sooner', leaving({ ...toEnd, ...aside }, { buffers }), 28],
    ['to a buffer, if the next place is not possible', leaving(aside, { buffers }), 28],
    ['in no time, if nothing is possible', leaving({}), 23],
  ])('takes a piece away %s', (_, problem, stay_s) => {
    expect(boundOf(problem)).toBe(2 * stay_s + 4);
  });

  it('takes the least time to the instruments of the next task', () => {
    const tasks = base.tasks.map((one, t) => (t % 2 === 0 ? one : { ...one, candidates: [0, 2] }));
    const times = { '1/5 2/1': 8, '1/5 2/2': 8, '1/5 0/1': 6, '1/5 0/2': 6 };
    expect(boundOf(leaving(times, { tasks }))).toBe(2 * 29 + 4);
  });

  const bring = (end_s: number): StartedOperation => {
    const [from, to] = [place('0/1'), place('1/5')];
    return { kind: 'move', task: 0, labware: 0, from, to, start_s: end_s - 3, end_s };
  };

  it.each<[string, StartedOperation[], number]>([
    ['no move into it for a piece on its way', [bring(12)], 10 + 20 + 7 + 30 + 4],
    ['from now on, if it has arrived', [bring(3)], 10 + 20 + 7 + 30 + 4],
    [
      'not for a task that has started',
      [bring(3), { kind: 'task', task: 0, instrument: 1, start_s: 3, end_s: 11 }],
      10 + 30 + 4,
    ],
  ])('counts %s', (_, started, bound_s) => {
    expect(boundOf(slotProblem({ now_s: 10, started }))).toBe(bound_s);
  });
});
