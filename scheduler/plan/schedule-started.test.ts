/** Schedules with started operations, shifted plates, and limits of work and of rank. */
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
import type { PlanJob, PlanProblem } from './problem.ts';
import { task } from './problems.cases.ts';

describe('a task that leaves its plate in another slot', () => {
  /** A spinner takes plates in slot 1 and leaves them in slot 2; then they are read. */
  function spinProblem(): PlanProblem {
    const tasks = [0, 1].flatMap((l) => [
      task(`spin${l}`, 20, { on: READER, uses: [[l, 1, 2]] }),
      task(`wash${l}`, 10, { on: WASHER, uses: [[l, l + 1]] }),
    ]);
    return platesProblem(tasks);
  }

  it('frees its first slot at its end', () => {
    const bench = new OfferBench(spinProblem());
    expect(bench.do(0)).toEqual(['p0 to reader 1, 0-15', 'spin0 on reader, 15-35']);
    const { schedule } = bench;
    expect(schedule.locationOf(0)).toEqual(at(READER, 2));
    expect([1, 2].map((slot) => schedule.occupantOf(at(READER, slot)))).toEqual([-1, 0]);
    expect(bench.for(2)).toEqual(['p1 to reader 1, 35-50']);
    expect(bench.for(1)).toEqual(['p0 to washer 1, 35-50']);
  });

  it('waits until its other slot is free', () => {
    const bench = new OfferBench(spinProblem());
    bench.do(0);
    bench.append((schedule, selector) => schedule.offerMove(2, 0, selector));
    expect(bench.for(2)).toEqual([]);
    // The slot is free as soon as the move out of it begins.
    expect(bench.do(1)[0]).toBe('p0 to washer 1, 50-65');
    expect(bench.for(2)).toEqual(['spin1 on reader, 50-70']);
  });

  it('waits for the start of a late move out of it', () => {
    const bench = new OfferBench(spinProblem(), { releases_s: { 5: 90 } });
    bench.do(0);
    bench.append((schedule, selector) => schedule.offerMove(2, 0, selector));
    bench.append((schedule, selector) => schedule.offerMove(1, 0, selector));
    expect(bench.for(2)).toEqual(['spin1 on reader, 90-110']);
  });

  it('in a bin frees no slot', () => {
    const tasks = [0, 1].map((l) => task('sort', 20, { on: BIN, uses: [[l, 1, 2]] }));
    const bench = new OfferBench(platesProblem(tasks));
    bench.do(0);
    expect(bench.for(1)).toEqual(['p1 to bin 1, 15-30']);
    expect(bench.schedule.locationOf(0)).toEqual(at(BIN, 2));
    expect([1, 2].map((slot) => bench.schedule.occupantOf(at(BIN, slot)))).toEqual([-1, -1]);
  });
});

describe('the limit of work in progress', () => {
  it('admits no new plate until the last task of one has ended', () => {
    const bench = new OfferBench(washAndRead(), { wipLimit: 1 });
    expect([bench.for(0).length, bench.for(2).length]).toEqual([1, 1]);
    bench.do(0);
    expect([bench.for(1).length, bench.for(2).length]).toEqual([1, 0]);
    bench.do(1);
    expect(bench.for(2).length).toBe(1);
    bench.do(2);
    expect(bench.for(3).length).toBe(1);
  });

  it('counts a plate from its first move, once, and where no move is needed from its task', () => {
    const tasks = [
      task('scan0', 5, { on: HOTEL, uses: [[0, 1]] }),
      task('wash0', 5, { on: WASHER, uses: [[0, 1]] }),
      ...[1, 2].map((l) => task(`t${l}`, 5, { on: READER, uses: [[l, l + 1]] })),
    ];
    const bench = new OfferBench(platesProblem(tasks), { wipLimit: 2 });
    bench.do(0);
    expect([bench.for(2).length, bench.for(3).length]).toEqual([1, 1]);
    bench.append((schedule, selector) => schedule.offerMove(2, 0, selector));
    expect([bench.for(2).length, bench.for(3).length]).toEqual([1, 0]);
    bench.do(1);
    expect(bench.for(3).length).toBe(1);
  });

  it('admits tasks with a plate in progress, and those without plates', () => {
    const tasks = [
      task('wash', 5, { on: WASHER, uses: [[1, 1]] }),
      task('mix', 5, {
        on: READER,
        uses: [
          [0, 1],
          [1, 2],
        ],
      }),
      task('clean', 5, { on: WASHER }),
    ];
    const bench = new OfferBench(platesProblem(tasks), { wipLimit: 1 });
    bench.do(0);
    expect(bench.for(1)).toEqual(['p0 to reader 1, 15-30', 'p1 to reader 2, 20-35']);
    expect(bench.for(2)).toEqual(['clean on washer, 20-25']);
  });
});

describe('operations that cannot win by rank', () => {
  it('are not offered', () => {
    const rank = Float64Array.of(5, 5, 1, 5, 4, 5, 3, 5);
    const bench = new OfferBench(washAndRead(), { rank });
    const both = bench.offersOf((schedule, selector) => {
      schedule.offerOperations(2, selector);
      schedule.offerOperations(0, selector);
    });
    expect(both).toEqual(['p1 to washer 1, 0-15']);
    bench.append((schedule, selector) => schedule.offerMove(2, 0, selector));
    const tasks = bench.offersOf((schedule, selector) => {
      schedule.offerOperations(2, selector);
      schedule.offerOperations(2, selector);
    });
    expect(tasks).toEqual(['wash1 on washer, 15-35']);
  });
});

describe('the rank of the second move of a task', () => {
  it('decides whether that is offered', () => {
    const uses = [
      [0, 1],
      [1, 2],
    ] as const;
    const tasks = [task('mix', 10, { on: READER, uses }), task('t', 5, { on: HOTEL })];
    // Tasks 0 and 1, then the moves 2 and 3 of task 0.
    const rank = Float64Array.of(9, 5, 7, 3);
    const bench = new OfferBench(platesProblem(tasks), { rank });
    const offers = bench.offersOf((schedule, selector) => {
      schedule.offerOperations(1, selector);
      schedule.offerOperations(0, selector);
    });
    expect(offers).toEqual(['t on hotel, 0-5', 'p1 to reader 2, 0-15']);
  });
});

describe('what has started', () => {
  const times = (start_s: number, end_s: number) => ({ start_s, end_s });
  const move = {
    kind: 'move',
    task: 0,
    labware: 0,
    from: at(HOTEL, 1),
    to: at(WASHER, 1),
  } as const;
  const wash = { kind: 'task', task: 0, instrument: WASHER } as const;

  it('is in the schedule with its own times', () => {
    const started = [
      { ...move, ...times(0, 15) },
      { ...wash, ...times(15, 35) },
    ];
    const { schedule } = new OfferBench(washAndRead({ started, now_s: 20 }));
    expect(schedule.tasks).toEqual([{ task: 0, instrument: WASHER, ...times(15, 35) }]);
    expect(schedule.moves).toMatchObject([{ task: 0, labware: 0, ...times(0, 15) }]);
    expect(schedule.moves[0]).not.toHaveProperty('toBuffer');
    expect([schedule.scheduledCount, schedule.makespan_s]).toEqual([1, 35]);
    expect([schedule.locationOf(0), schedule.nextTaskOf(0)]).toEqual([at(WASHER, 1), 1]);
  });

  it('occupies arm, plate, slot and instrument until it ends', () => {
    const started = [{ ...move, ...times(0, 15) }];
    const bench = new OfferBench(washAndRead({ started, now_s: 3 }));
    expect(bench.for(0)).toEqual(['wash0 on washer, 15-35']);
    expect(bench.for(2)).toEqual([]);
    bench.do(0);
    expect(bench.do(1)[0]).toBe('p0 to reader 1, 35-50');
  });

  it('that has ended leaves arm and instrument free from now on', () => {
    const started = [
      { ...move, ...times(0, 15) },
      { ...wash, ...times(15, 35) },
    ];
    const bench = new OfferBench(washAndRead({ started, now_s: 40 }));
    expect(bench.do(1)[0]).toBe('p0 to reader 1, 40-55');
    expect(bench.do(2)).toEqual(['p1 to washer 1, 55-70', 'wash1 on washer, 70-90']);
  });

  it('of an instrument that is free again does not delay the next task', () => {
    const tasks = [task('was', 5, { on: WASHER }), task('next', 5, { on: WASHER })];
    const started = [{ ...wash, ...times(0, 5) }];
    const bench = new OfferBench(platesProblem(tasks, { started, now_s: 30 }));
    expect(bench.for(1)).toEqual(['next on washer, 30-35']);
  });

  it('counts as work in progress', () => {
    const started = [{ ...move, ...times(0, 15) }];
    const bench = new OfferBench(washAndRead({ started, now_s: 3 }), { wipLimit: 1 });
    expect([bench.for(0).length, bench.for(2).length]).toEqual([1, 0]);
  });

  it('of an earlier run leaves the place of a later one to its plate', () => {
    const job: PlanJob = { tasks: [0, 1], rank: 0, weight: 1, due_s: Number.POSITIVE_INFINITY };
    const labware = [
      { id: 'later', location: at(HOTEL, 1), tasks: [2, 3] },
      { id: 'p0', location: at(HOTEL, 1), tasks: [0, 1] },
    ];
    const swapped = washAndRead().tasks.map((one) => ({
      ...one,
      uses: one.uses.map((use) => ({ ...use, labware: 1 - use.labware })),
    }));
    const started = [{ ...move, labware: 1, ...times(0, 15) }];
    const jobs = [job, { ...job, tasks: [2, 3] }];
    const problem = washAndRead({ tasks: swapped, labware, started, jobs, now_s: 20 });
    const { schedule } = new OfferBench(problem);
    const places = [at(HOTEL, 1), at(WASHER, 1)];
    expect(places.map((one) => schedule.occupantOf(one))).toEqual([0, 1]);
  });

  it('of several runs leaves the place free that a plate left without the arm', () => {
    // An operator carried the plate from its first place to another.
    const started = [{ ...move, from: at(HOTEL, 5), ...times(0, 15) }];
    const jobs = [
      [0, 1],
      [2, 3],
    ].map((tasks): PlanJob => {
      return { tasks, rank: 0, weight: 1, due_s: Number.POSITIVE_INFINITY };
    });
    const { schedule } = new OfferBench(washAndRead({ started, jobs, now_s: 20 }));
    const places = [at(HOTEL, 1), at(HOTEL, 2), at(HOTEL, 5), at(WASHER, 1)];
    expect(places.map((one) => schedule.occupantOf(one))).toEqual([-1, 1, -1, 0]);
  });
});
