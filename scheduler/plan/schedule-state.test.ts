/** Schedules built operation by operation: what is offered when, worked out by hand. */
import { describe, expect, it } from 'vitest';
import {
  at,
  BIN,
  HOTEL,
  OfferBench,
  platesProblem,
  READER,
  WASHER,
  washAndRead,
} from './offers.cases.ts';
import type { PlanProblem, PlanTask, StartedOperation } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

describe('a new schedule', () => {
  it('is empty, with every plate in its place', () => {
    const { schedule } = new OfferBench(washAndRead());
    expect(schedule.scheduledCount).toBe(0);
    expect(schedule.makespan_s).toBe(0);
    expect([...schedule.start_s, ...schedule.end_s]).toEqual(Array(8).fill(-1));
    expect([0, 1, 2, 3].map((t) => schedule.isScheduled(t))).toEqual([false, false, false, false]);
    expect([0, 1].map((l) => schedule.locationOf(l))).toEqual([at(HOTEL, 1), at(HOTEL, 2)]);
    expect([0, 1].map((l) => schedule.nextTaskOf(l))).toEqual([0, 2]);
    const places = [at(HOTEL, 1), at(HOTEL, 2), at(WASHER, 1), at(WASHER, 7)];
    expect(places.map((one) => schedule.occupantOf(one))).toEqual([0, 1, -1, -1]);
    expect([schedule.tasks, schedule.moves]).toEqual([[], []]);
  });

  it('offers the move that the next task of a plate needs', () => {
    const bench = new OfferBench(washAndRead({ now_s: 7 }));
    expect([0, 1, 2, 3].map((t) => bench.for(t))).toEqual([
      ['p0 to washer 1, 7-22'],
      [],
      ['p1 to washer 1, 7-22'],
      [],
    ]);
  });
});

describe('a schedule', () => {
  it('has its tasks and moves with their times', () => {
    const bench = new OfferBench(washAndRead());
    expect([...bench.do(0), ...bench.do(1), ...bench.do(2)]).toEqual([
      'p0 to washer 1, 0-15',
      'wash0 on washer, 15-35',
      'p0 to reader 1, 35-50',
      'read0 on reader, 50-60',
      'p1 to washer 1, 50-65',
      'wash1 on washer, 65-85',
    ]);
    const { schedule } = bench;
    expect(schedule.tasks).toEqual([
      { task: 0, instrument: WASHER, start_s: 15, end_s: 35 },
      { task: 1, instrument: READER, start_s: 50, end_s: 60 },
      { task: 2, instrument: WASHER, start_s: 65, end_s: 85 },
    ]);
    const [hotel, other] = [at(HOTEL, 1), at(HOTEL, 2)];
    const [washer, reader] = [at(WASHER, 1), at(READER, 1)];
    expect(schedule.moves).toEqual([
      { task: 0, labware: 0, from: hotel, to: washer, start_s: 0, end_s: 15 },
      { task: 1, labware: 0, from: washer, to: reader, start_s: 35, end_s: 50 },
      { task: 2, labware: 1, from: other, to: washer, start_s: 50, end_s: 65 },
    ]);
    expect([schedule.scheduledCount, schedule.makespan_s]).toEqual([3, 85]);
    expect([0, 1, 2, 3].map((t) => schedule.isScheduled(t))).toEqual([true, true, true, false]);
    expect([schedule.nextTaskOf(0), schedule.nextTaskOf(1)]).toEqual([undefined, 3]);
    expect([schedule.locationOf(0), schedule.locationOf(1)]).toEqual([reader, washer]);
    const places = [hotel, other, washer, reader];
    expect(places.map((one) => schedule.occupantOf(one))).toEqual([-1, -1, 1, 0]);
    expect(bench.for(0)).toEqual([]);
  });

  it('ends with a move that comes last', () => {
    const bench = new OfferBench(washAndRead());
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    expect(bench.schedule.makespan_s).toBe(15);
    expect(bench.schedule.scheduledCount).toBe(0);
  });

  it('keeps the longest end as its own', () => {
    const tasks = [task('long', 90, { on: HOTEL }), task('short', 10, { on: READER })];
    const bench = new OfferBench(platesProblem(tasks));
    expect([...bench.do(0), ...bench.do(1)]).toEqual([
      'long on hotel, 0-90',
      'short on reader, 0-10',
    ]);
    expect(bench.schedule.makespan_s).toBe(90);
  });

  it('holds a slot until the move out of it, and any number in a bin', () => {
    const tasks = [0, 1].flatMap((l) => [
      task(`wash${l}`, 20, { on: WASHER, uses: [[l, 1]] }),
      task(`drop${l}`, 1, { on: BIN, uses: [[l, 1]] }),
    ]);
    const bench = new OfferBench(platesProblem(tasks));
    bench.do(0);
    expect(bench.for(2)).toEqual([]);
    bench.append((schedule, selector) => schedule.offerMove(1, 0, selector));
    expect(bench.for(2)).toEqual(['p1 to washer 1, 50-65']);
    bench.do(1);
    bench.do(2);
    expect(bench.do(3)).toEqual(['p1 to bin 1, 85-100', 'drop1 on bin, 100-101']);
    expect(bench.schedule.occupantOf(at(BIN, 1))).toBe(-1);
  });
});

describe('the arm', () => {
  it('makes one move at a time, in the order of appending', () => {
    const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: READER, uses: [[l, l + 1]] }));
    const bench = new OfferBench(platesProblem(tasks));
    const moves = [0, 1].map((t) => bench.append((one, selector) => one.offerMove(t, 0, selector)));
    expect(moves).toEqual(['p0 to reader 1, 0-15', 'p1 to reader 2, 15-30']);
  });

  it('does not make moves that it cannot', () => {
    const move_s: PlanProblem['move_s'] = (_, to) => (to.instrument === WASHER ? null : 4);
    const bench = new OfferBench(washAndRead({ move_s }));
    expect(bench.for(0)).toEqual([]);
    expect(bench.offersOf((one, selector) => one.offerMove(0, 0, selector))).toEqual([]);
  });

  it('makes moves without time', () => {
    const bench = new OfferBench(washAndRead({ move_s: () => 0 }));
    expect(bench.do(0)).toEqual(['p0 to washer 1, 0-0', 'wash0 on washer, 0-20']);
  });

  it('moves no plate that is there: it only arrives', () => {
    const tasks = [task('scan', 5, { on: HOTEL, uses: [[0, 1]] })];
    const bench = new OfferBench(platesProblem(tasks));
    expect(bench.for(0)).toEqual(['p0 to hotel 1, 0-0']);
    bench.do(0);
    expect(bench.schedule.moves).toEqual([]);
    expect(bench.schedule.tasks).toEqual([{ task: 0, instrument: HOTEL, start_s: 0, end_s: 5 }]);
  });
});

describe('a move for a task', () => {
  const offered = (bench: OfferBench, task: number) =>
    bench.offersOf((schedule, selector) => schedule.offerMove(task, 0, selector));

  it('is offered for the next task of its plate only, and once', () => {
    const bench = new OfferBench(washAndRead());
    expect([offered(bench, 0), offered(bench, 1)]).toEqual([['p0 to washer 1, 0-15'], []]);
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    expect([offered(bench, 0), offered(bench, 1)]).toEqual([[], []]);
    expect(bench.for(0)).toEqual(['wash0 on washer, 15-35']);
  });

  it('goes to where its task begins, not to where nothing is done', () => {
    const candidates = [READER, WASHER];
    const choose = { ...task('choose', 10, { on: WASHER, uses: [[0, 1]] }), candidates };
    const move_s: PlanProblem['move_s'] = (_, to) => (to.instrument === READER ? 25 : 15);
    const bench = new OfferBench(platesProblem([choose], { move_s }));
    expect(bench.for(0)).toEqual(['p0 to washer 1, 0-15']);
    const preferred = Int32Array.of(0);
    const other = new OfferBench(platesProblem([choose], { move_s }), { preferred });
    expect(other.for(0)).toEqual(['p0 to reader 1, 0-25']);
  });

  it('decides on the instrument of its task, also the first of all', () => {
    const uses = [
      [0, 8],
      [1, 9],
    ] as const;
    const mix = { ...task('mix', 10, { on: HOTEL, uses }), candidates: [READER, HOTEL] };
    const move_s: PlanProblem['move_s'] = (_, to) => (to.instrument === READER ? 25 : 15);
    const busy = task('busy', 50, { on: HOTEL });
    const bench = new OfferBench(
      platesProblem([mix, ...Array.from({ length: 9 }, () => busy)], { move_s }),
    );
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    for (let t = 1; t <= 9; t++) bench.do(t);
    expect(bench.do(0)).toEqual(['p1 to hotel 9, 15-30', 'mix on hotel, 50-60']);
  });

  it('waits for its release and for its plate', () => {
    const bench = new OfferBench(washAndRead(), { releases_s: { 4: 12, 5: 20, 2: 70 } });
    expect(offered(bench, 0)).toEqual(['p0 to washer 1, 12-27']);
    bench.do(0);
    expect(bench.do(1)[0]).toBe('p0 to reader 1, 47-62');
    expect(bench.do(2)).toEqual(['p1 to washer 1, 62-77', 'wash1 on washer, 77-97']);
  });

  it('goes to the instrument where the task begins first, the first of equal ones', () => {
    const tasks = [
      task('busy', 40, { on: WASHER }),
      {
        ...task('choose', 10, { on: WASHER, uses: [[0, 1]] }),
        candidates: [WASHER, READER, HOTEL],
      },
    ];
    const far: PlanProblem['move_s'] = (_, to) => [90, 15, 25][to.instrument]!;
    const near: PlanProblem['move_s'] = (_, to) => [25, 15, 25][to.instrument]!;
    const labware = [{ id: 'p0', location: at(HOTEL, 8), tasks: [1] }];
    for (const move_s of [far, near]) {
      const bench = new OfferBench(platesProblem(tasks, { move_s, labware }));
      expect(bench.for(1)).toEqual(['p0 to washer 1, 0-15']);
      bench.do(0);
      expect(bench.do(1)).toEqual(['p0 to reader 1, 0-25', 'choose on reader, 25-35']);
    }
  });

  it('goes to the preferred instrument, and to that of the other plates of its task', () => {
    const uses = [
      [0, 1],
      [1, 2],
    ] as const;
    const mix = { ...task('mix', 10, { on: WASHER, uses }), candidates: [WASHER, READER] };
    const free = new OfferBench(platesProblem([mix]));
    expect(free.for(0)).toEqual(['p0 to washer 1, 0-15', 'p1 to washer 2, 0-15']);
    const bench = new OfferBench(platesProblem([mix]), { preferred: Int32Array.of(1) });
    expect(bench.do(0)).toEqual([
      'p0 to reader 1, 0-15',
      'p1 to reader 2, 15-30',
      'mix on reader, 30-40',
    ]);
    const first = new OfferBench(platesProblem([mix]), { preferred: Int32Array.of(0) });
    expect(first.do(0)[0]).toBe('p0 to washer 1, 0-15');
  });

  it('follows the first plate of its task to an instrument that begins later', () => {
    const uses = [
      [0, 1],
      [1, 2],
    ] as const;
    const mix = { ...task('mix', 10, { on: WASHER, uses }), candidates: [WASHER, READER] };
    const busy = task('busy', 50, { on: READER });
    const started: StartedOperation[] = [
      {
        ...{ kind: 'move', task: 0, labware: 0, from: at(HOTEL, 1), to: at(READER, 1) },
        ...{ start_s: 0, end_s: 15 },
      },
    ];
    const problem = platesProblem([mix, busy, busy], { started, now_s: 1 });
    const bench = new OfferBench(problem);
    bench.do(1);
    bench.do(2);
    expect(bench.do(0)).toEqual(['p1 to reader 2, 15-30', 'mix on reader, 51-61']);
  });

  it('does not go where another plate is, but where it is itself', () => {
    const tasks = [
      task('there', 10, { on: HOTEL, uses: [[0, 2]] }),
      task('here', 10, { on: HOTEL, uses: [[1, 2]] }),
    ];
    const bench = new OfferBench(platesProblem(tasks));
    expect([bench.for(0), bench.for(1)]).toEqual([[], ['p1 to hotel 2, 0-0']]);
  });
});

describe('a task', () => {
  it('waits for what must end before, and for its release', () => {
    const tasks = [
      task('first', 30, { on: HOTEL }),
      task('then', 10, { on: READER, after: [0] }),
      task('late', 10, { on: HOTEL }),
    ];
    const bench = new OfferBench(platesProblem(tasks, { now_s: 3 }), { releases_s: { 2: 80 } });
    expect(bench.for(1)).toEqual([]);
    expect(bench.do(0)).toEqual(['first on hotel, 3-33']);
    expect([bench.for(1), bench.for(2)]).toEqual([
      ['then on reader, 33-43'],
      ['late on hotel, 80-90'],
    ]);
  });

  it('does not begin in the past', () => {
    const bench = new OfferBench(platesProblem([task('t', 9, { on: HOTEL })], { now_s: 5 }), {
      releases_s: { 0: 0 },
    });
    expect(bench.for(0)).toEqual(['t on hotel, 5-14']);
  });

  it('needs all of its plates', () => {
    const uses = [
      [0, 1],
      [1, 2],
    ] as const;
    const bench = new OfferBench(platesProblem([task('mix', 10, { on: READER, uses })]));
    expect(bench.for(0)).toEqual(['p0 to reader 1, 0-15', 'p1 to reader 2, 0-15']);
    bench.append((schedule, selector) => schedule.offerMove(0, 1, selector));
    expect(bench.for(0)).toEqual(['p0 to reader 1, 15-30']);
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    expect(bench.for(0)).toEqual(['mix on reader, 30-40']);
  });

  it('brings a plate whose turn it is, while another is still in use', () => {
    const tasks = [
      task('wash', 20, { on: WASHER, uses: [[0, 1]] }),
      task('mix', 10, {
        on: READER,
        uses: [
          [0, 1],
          [1, 2],
        ],
      }),
    ];
    const bench = new OfferBench(platesProblem(tasks));
    expect(bench.for(1)).toEqual(['p1 to reader 2, 0-15']);
  });

  it('is offered once, even if it takes no time', () => {
    const tasks = [task('mark', 0, { on: HOTEL }), task('then', 5, { on: HOTEL, after: [0] })];
    const bench = new OfferBench(platesProblem(tasks));
    expect(bench.for(1)).toEqual([]);
    expect(bench.do(0)).toEqual(['mark on hotel, 0-0']);
    expect([bench.for(0), bench.for(1)]).toEqual([[], ['then on hotel, 0-5']]);
  });

  it('without an instrument takes its time only', () => {
    const note: PlanTask = { id: 'note', duration_s: 5, candidates: [], after: [], uses: [] };
    const bench = new OfferBench(platesProblem([note, note]));
    expect([...bench.do(0), ...bench.do(1)]).toEqual([
      'note on nothing, 0-5',
      'note on nothing, 0-5',
    ]);
    expect(bench.schedule.tasks[0]).toEqual({ task: 0, instrument: -1, start_s: 0, end_s: 5 });
  });
});

describe('limits of time', () => {
  const tasks = [task('a', 10, { on: HOTEL }), task('b', 4, { on: READER })];
  const limit = { id: 'l', from: 0, to: 1, max_s: Number.POSITIVE_INFINITY };

  it.each([
    [true, false, 25, 'b on reader, 35-39'],
    [false, false, 25, 'b on reader, 25-29'],
    [true, true, 25, 'b on reader, 31-35'],
    [false, true, 25, 'b on reader, 21-25'],
    [true, true, 2, 'b on reader, 8-12'],
    [false, true, 2, 'b on reader, 0-4'],
  ])('from the end %s to the end %s of at least %d s: %s', (...[from_end, to_end, min_s, text]) => {
    const constraints = [{ ...limit, from_end, to_end, min_s }];
    const bench = new OfferBench(platesProblem(tasks, { constraints }));
    expect(bench.for(1)).toEqual([]);
    bench.do(0);
    expect(bench.for(1)).toEqual([text]);
  });

  it('bind together, and not before their first task', () => {
    const waits = { ...limit, from_end: true, to_end: false };
    const constraints = [
      { ...waits, min_s: 7 },
      { ...waits, min_s: 3 },
      { ...waits, from: 1, to: 0, min_s: 90 },
    ];
    const bench = new OfferBench(platesProblem(tasks, { constraints }));
    expect(bench.do(0)).toEqual(['a on hotel, 0-10']);
    expect(bench.for(1)).toEqual(['b on reader, 17-21']);
  });
});

describe('an instrument', () => {
  /** Starts of tasks with the given durations, appended in this order. */
  function startsWith(capacity: number, durations_s: readonly number[]): number[] {
    const tasks = durations_s.map((duration_s, t) => task(`t${t}`, duration_s, { on: 0 }));
    const instruments = [instrument('x', capacity), instrument('y')];
    const bench = new OfferBench(problemOf({ instruments, tasks }));
    tasks.forEach((_, t) => {
      bench.do(t);
    });
    return [...bench.schedule.start_s];
  }

  it.each([
    [1, [10, 30, 20], [0, 10, 40]],
    [2, [10, 30, 20, 5, 5], [0, 0, 10, 30, 30]],
    [2, [10, 30, 50, 20], [0, 0, 10, 30]],
    [3, [30, 10, 20, 5, 50, 1], [0, 0, 0, 10, 15, 20]],
    [3, [30, 20, 10, 5, 50, 1], [0, 0, 0, 10, 15, 20]],
    [9, [10, 30, 20], [0, 0, 0]],
    [0, [10, 30], [0, 10]],
  ])('of capacity %d does tasks of %o s from %o s', (capacity, durations_s, expected) => {
    expect(startsWith(capacity, durations_s)).toEqual(expected);
  });

  it('is chosen by when it is free, the first of equal ones, or by preference', () => {
    const tasks = [
      task('busy', 30, { on: 0 }),
      task('longer', 50, { on: 2 }),
      { ...task('choose', 5, { on: 0 }), candidates: [0, 1, 2] },
      { ...task('again', 5, { on: 0 }), candidates: [2, 0, 1] },
      { ...task('last', 5, { on: 0 }), candidates: [2, 0] },
    ];
    const instruments = [instrument('x'), instrument('y'), instrument('z')];
    const bench = new OfferBench(problemOf({ instruments, tasks }));
    expect(bench.for(2)).toEqual(['choose on x, 0-5']);
    bench.do(0);
    bench.do(1);
    expect([bench.for(2), bench.for(3), bench.for(4)]).toEqual([
      ['choose on y, 0-5'],
      ['again on y, 0-5'],
      ['last on x, 30-35'],
    ]);
    const preferred = Int32Array.of(-1, -1, 2, 0, -1);
    const other = new OfferBench(problemOf({ instruments, tasks }), { preferred });
    other.do(1);
    expect([other.for(2), other.for(3)]).toEqual([['choose on z, 50-55'], ['again on z, 50-55']]);
  });

  it('is free from now on', () => {
    const bench = new OfferBench(platesProblem([task('t', 9, { on: WASHER })], { now_s: 5 }));
    expect(bench.for(0)).toEqual(['t on washer, 5-14']);
  });
});
