/** Moves to buffers in a schedule: wanted, asked for, and where plates stand in the way. */

import { describe, expect, it } from 'vitest';
import { OfferBench } from './offers.cases.ts';
import type { PlanProblem, StartedOperation } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

const HOTEL = 0;
const WASHER = 1;
const READER = 2;
const RACK = 3;
const at = (on: number, slot: number) => ({ instrument: on, slot });

/**
 * Two plates are washed (tasks 0 and 2) and read (1 and 3) in one slot each. Moves to a buffer: 8
 * to 11 before these tasks, 12 and 13 after the last task of each plate.
 */
function shared(rest: Partial<PlanProblem> = {}): PlanProblem {
  const tasks = [0, 1].flatMap((l) => [
    task(`wash${l}`, 20, { on: WASHER, uses: [[l, 1]] }),
    task(`read${l}`, 10, { on: READER, uses: [[l, 1]] }),
  ]);
  const labware = [0, 1].map((l) => {
    return { id: `p${l}`, location: at(HOTEL, l + 1), tasks: [2 * l, 2 * l + 1] };
  });
  const instruments = [
    instrument('hotel', 9),
    instrument('washer'),
    instrument('reader'),
    instrument('rack', 9),
  ];
  const buffers = [at(RACK, 1), at(RACK, 2)];
  return problemOf({ instruments, tasks, labware, buffers, ...rest });
}

/** The wanted moves to a buffer, by their numbers from 8 on. */
const wanting = (...operations: number[]) => ({
  buffered: Uint8Array.from({ length: 6 }, (_, i) => Number(operations.includes(8 + i))),
});

const buffer = (bench: OfferBench, operation: number) =>
  bench.offersOf((schedule, selector) => schedule.offerBuffer(operation, selector));
const aside = (bench: OfferBench, piece: number) =>
  bench.offersOf((schedule, selector) => schedule.offerPutAside(piece, selector));
const unblocking = (bench: OfferBench) =>
  bench.offersOf((schedule, selector) => schedule.offerUnblocking(selector));

describe('a move to a buffer', () => {
  it('is possible before the next task of its plate', () => {
    const bench = new OfferBench(shared());
    expect([8, 9, 10, 11, 12, 13].map((operation) => buffer(bench, operation))).toEqual([
      ['p0 aside to rack 1, 0-15'],
      [],
      ['p1 aside to rack 1, 0-15'],
      [],
      [],
      [],
    ]);
    expect(bench.schedule.offerBuffer(8, bench.selector)).toBe(true);
    expect(bench.schedule.offerBuffer(9, bench.selector)).toBe(false);
  });

  it('names plate, task and target, but no instrument', () => {
    const bench = new OfferBench(shared());
    buffer(bench, 10);
    const { best } = bench.selector;
    expect(best).toMatchObject({ operation: 10, task: 2, use: -2, piece: 1, instrument: -1 });
  });

  it('is possible after the last task, and belongs to it', () => {
    const bench = new OfferBench(shared());
    bench.do(0);
    bench.do(1);
    expect([buffer(bench, 9), buffer(bench, 12)]).toEqual([[], ['p0 aside to rack 1, 60-75']]);
    expect(bench.selector.best.task).toBe(1);
  });

  it('is not possible once the plate has arrived for its task', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    expect(buffer(bench, 8)).toEqual([]);
  });

  it('leaves the plate in the buffer, free to be moved again', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    const { schedule } = bench;
    expect(schedule.locationOf(0)).toEqual(at(RACK, 1));
    const places = [at(HOTEL, 1), at(RACK, 1)];
    expect(places.map((one) => schedule.occupantOf(one))).toEqual([-1, 0]);
    expect(schedule.moves).toEqual([
      {
        ...{ task: 0, labware: 0, from: at(HOTEL, 1), to: at(RACK, 1), start_s: 0, end_s: 15 },
        toBuffer: true,
      },
    ]);
    expect(schedule.makespan_s).toBe(15);
    expect([schedule.nextTaskOf(0), schedule.isScheduled(0)]).toEqual([0, false]);
    expect(bench.do(0)).toEqual(['p0 to washer 1, 15-30', 'wash0 on washer, 30-50']);
  });

  it('is made once, and not from a buffer', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    expect(buffer(bench, 8)).toEqual([]);
    const labware = shared().labware.map((one, l) => (l ? one : { ...one, location: at(RACK, 2) }));
    expect(buffer(new OfferBench(shared({ labware })), 8)).toEqual([]);
  });

  it('is made once even if the plate has left the buffer', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    bench.do(0);
    expect(buffer(bench, 9)).toEqual(['p0 aside to rack 1, 50-65']);
    expect(buffer(bench, 8)).toEqual([]);
  });

  it('goes to the next free buffer', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    const second = bench.append((schedule, selector) => schedule.offerBuffer(10, selector));
    expect(second).toBe('p1 aside to rack 2, 15-30');
  });

  it('is not possible without a free buffer', () => {
    const bench = new OfferBench(shared({ buffers: [at(RACK, 1)] }));
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    expect(buffer(bench, 10)).toEqual([]);
    expect(bench.schedule.offerBuffer(10, bench.selector)).toBe(false);
  });

  it.each([
    [[15, 12], 'p0 aside to rack 2, 0-12'],
    [[12, 15], 'p0 aside to rack 1, 0-12'],
    [[15, 15], 'p0 aside to rack 1, 0-15'],
    [[null, 15], 'p0 aside to rack 2, 0-15'],
    [[0, 15], 'p0 aside to rack 1, 0-0'],
  ])('ends first: moves of %o s', (times, expected) => {
    const move_s: PlanProblem['move_s'] = (_, { slot }) => times[slot - 1]!;
    expect(buffer(new OfferBench(shared({ move_s })), 8)).toEqual([expected]);
  });

  it('is not possible where the arm reaches no buffer', () => {
    const bench = new OfferBench(shared({ move_s: () => null }));
    expect(buffer(bench, 8)).toEqual([]);
  });

  it('waits for its plate, and for the arm', () => {
    const bench = new OfferBench(shared());
    bench.do(0);
    expect(buffer(bench, 9)).toEqual(['p0 aside to rack 1, 35-50']);
    bench.append((schedule, selector) => schedule.offerMove(1, 0, selector));
    expect(buffer(bench, 10)).toEqual(['p1 aside to rack 1, 50-65']);
  });

  it('that has started is not work in progress, nor the arrival for a task', () => {
    const begun: StartedOperation = {
      ...{ kind: 'move', task: 0, labware: 0, from: at(HOTEL, 1), to: at(RACK, 1) },
      ...{ start_s: 0, end_s: 15, toBuffer: true },
    };
    const bench = new OfferBench(shared({ started: [begun], now_s: 1 }), { wipLimit: 1 });
    expect(bench.for(2)).toEqual(['p1 to washer 1, 15-30']);
    expect(bench.for(0)).toEqual(['p0 to washer 1, 15-30']);
    expect(bench.schedule.moves).toMatchObject([{ toBuffer: true }]);
  });
});

describe('a wanted move to a buffer', () => {
  it('is offered in the place of the move for the task', () => {
    const bench = new OfferBench(shared(), wanting(8));
    expect([bench.for(0), bench.for(2)]).toEqual([
      ['p0 aside to rack 1, 0-15'],
      ['p1 to washer 1, 0-15'],
    ]);
    expect(bench.do(0)).toEqual([
      'p0 aside to rack 1, 0-15',
      'p0 to washer 1, 15-30',
      'wash0 on washer, 30-50',
    ]);
  });

  it('is not offered by the task where none is wanted', () => {
    expect(new OfferBench(shared(), wanting()).for(0)).toEqual(['p0 to washer 1, 0-15']);
  });

  it('gives way to the move for the task where no buffer is free', () => {
    const bench = new OfferBench(shared({ buffers: [at(RACK, 1)] }), wanting(8, 10));
    bench.append((schedule, selector) => schedule.offerBuffer(8, selector));
    expect(bench.for(2)).toEqual(['p1 to washer 1, 15-30']);
  });

  it('comes after the last task', () => {
    const bench = new OfferBench(shared(), wanting(12));
    expect(aside(bench, 0)).toEqual([]);
    bench.do(0);
    bench.do(1);
    expect(aside(bench, 0)).toEqual(['p0 aside to rack 1, 60-75']);
    expect(aside(new OfferBench(shared()), 0)).toEqual([]);
  });

  it('never moves plates without tasks', () => {
    const labware = shared().labware.map((one, l) => (l ? { ...one, tasks: [] } : one));
    const tasks = shared().tasks.slice(0, 2);
    const all = { buffered: new Uint8Array(4).fill(1) };
    const bench = new OfferBench(shared({ labware, tasks }), all);
    expect(aside(bench, 1)).toEqual([]);
    bench.do(0);
    bench.do(1);
    expect(aside(bench, 0)).toHaveLength(1);
  });

  it('is not offered where its rank cannot win', () => {
    const rank = new Float64Array(14).fill(5);
    rank[10] = 3;
    rank[4] = 4;
    const bench = new OfferBench(shared(), { ...wanting(8, 10), rank });
    const offers = bench.offersOf((schedule, selector) => {
      schedule.offerOperations(2, selector);
      schedule.offerOperations(0, selector);
    });
    expect(offers).toEqual(['p1 aside to rack 1, 0-15']);
  });
});

describe('plates in the way', () => {
  it('are put aside where another needs their slot', () => {
    const bench = new OfferBench(shared());
    expect(unblocking(bench)).toEqual([]);
    bench.do(0);
    expect(unblocking(bench)).toEqual(['p0 aside to rack 1, 35-50']);
    expect(bench.selector.best.operation).toBe(9);
  });

  it('are put aside after their last task, too', () => {
    const bench = new OfferBench(shared());
    for (const t of [0, 1, 2]) bench.do(t);
    expect(bench.for(3)).toEqual([]);
    expect(unblocking(bench)).toEqual(['p0 aside to rack 1, 65-80']);
    expect(bench.selector.best.operation).toBe(12);
  });

  it('are none for plates that have arrived or have no more tasks', () => {
    const bench = new OfferBench(shared());
    bench.append((schedule, selector) => schedule.offerMove(0, 0, selector));
    // Plate 1 waits for the washer, but plate 0 has arrived for its task there.
    expect(unblocking(bench)).toEqual([]);
    const alone = new OfferBench(shared());
    alone.do(0);
    alone.append((schedule, selector) => schedule.offerMove(1, 0, selector));
    expect(unblocking(alone)).toEqual([]);
  });

  it('are not those that belong to no run, nor the plate itself', () => {
    const [plate] = shared().labware;
    const labware = [plate!, { id: 'x', location: at(WASHER, 1), tasks: [] }];
    const tasks = shared().tasks.slice(0, 2);
    expect(unblocking(new OfferBench(shared({ labware, tasks })))).toEqual([]);
    const there = [{ ...plate!, location: at(WASHER, 1) }];
    expect(unblocking(new OfferBench(shared({ labware: there, tasks })))).toEqual([]);
  });

  it('are found at every instrument that could do the task, and for every use', () => {
    const mix = {
      ...task('mix', 5, {
        on: HOTEL,
        uses: [
          [0, 8],
          [1, 1],
        ],
      }),
      candidates: [HOTEL, READER],
    };
    const hold = task('hold', 5, { on: HOTEL, uses: [[2, 9]] });
    const labware = [
      { id: 'p0', location: at(HOTEL, 3), tasks: [0] },
      { id: 'p1', location: at(HOTEL, 4), tasks: [0] },
      { id: 'p2', location: at(READER, 1), tasks: [1] },
    ];
    const bench = new OfferBench(shared({ labware, tasks: [mix, hold] }));
    expect(unblocking(bench)).toEqual(['p2 aside to rack 1, 0-15']);
    // Both plates have arrived in the hotel.
    for (const use of [0, 1]) {
      bench.append((schedule, selector) => schedule.offerMove(0, use, selector));
    }
    expect(unblocking(bench)).toEqual([]);
  });

  it('stay without buffers', () => {
    const bench = new OfferBench(shared({ buffers: [] }));
    bench.do(0);
    expect(unblocking(bench)).toEqual([]);
  });
});
