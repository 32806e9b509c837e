/** The work of one unit of a steady cycle: moves, tasks, orders and visits, worked out by hand. */

import { describe, expect, it } from 'vitest';
import { equalUnits } from './equal-units.ts';
import { operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask, TimeConstraint } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { UnitBuilder } from './unit-builder.ts';

const HOTEL = 0;
const WASHER = 1;
const READER = 2;
const RACK = 4;
const INSTRUMENTS = [
  instrument('hotel', 9),
  instrument('washer'),
  instrument('reader'),
  instrument('other reader'),
  instrument('rack', 9),
];

type UnitTasks = (plate: number, first: number) => PlanTask[];

/** Three plates, each with the given tasks and with hotel slot 1, 2 or 3. */
function platesProblem(tasksOf: UnitTasks, rest: Partial<PlanProblem> = {}): PlanProblem {
  const tasks: PlanTask[] = [];
  const labware = [0, 1, 2].map((l) => {
    const first = tasks.length;
    tasks.push(...tasksOf(l, first));
    const own = tasks.flatMap(({ uses }, t) => (t >= first && uses.length > 0 ? [t] : []));
    return { id: `p${l}`, location: { instrument: HOTEL, slot: l + 1 }, tasks: own };
  });
  return problemOf({ instruments: INSTRUMENTS, tasks, labware, ...rest });
}

/** The work of the n-th unit of a cycle, in the order of its tasks. */
function workOf(problem: PlanProblem, number = 0) {
  const found = equalUnits(problem);
  if (!found) throw new Error('the units are not equal');
  const order = found.units[0]!.tasks;
  return new UnitBuilder(operationsOf(problem), found, number).build(order);
}

/** Washed, read on either reader, and kept in the hotel again. */
const washReadKeep: UnitTasks = (l, first) => [
  task('wash', 20, { on: WASHER, uses: [[l, 1]] }),
  { ...task('read', 10, { on: READER, uses: [[l, 1]] }), candidates: [READER, 3] },
  task('keep', 5, { on: HOTEL, uses: [[l, l + 1]], after: [first] }),
];

const move = (of: number, duration_s: number, use = 0) => {
  return { task: of, use, duration_s, instrument: -1 };
};
const work = (of: number, duration_s: number, on: number) => {
  return { task: of, use: -1, duration_s, instrument: on };
};

describe('the work of a unit', () => {
  it('has moves and tasks, what follows what, and visits of shared slots', () => {
    // Moves from slot n take 10 + n s: the longest is that of the third plate.
    const problem = platesProblem(washReadKeep, { move_s: ({ slot }) => 10 + slot });
    expect(workOf(problem)).toEqual({
      operations: [
        move(0, 13),
        work(0, 20, WASHER),
        move(1, 11),
        work(1, 10, READER),
        move(2, 11),
        work(2, 5, HOTEL),
      ],
      visits: [
        { key: '1/1', from: 0, to: 2, plus_s: 0 },
        { key: '2/1', from: 2, to: 4, plus_s: 0 },
      ],
      orders: [
        { from: 0, to: 1, least_s: 13 },
        { from: 1, to: 2, least_s: 20 },
        { from: 2, to: 3, least_s: 11 },
        { from: 3, to: 4, least_s: 10 },
        { from: 1, to: 5, least_s: 20 },
        { from: 4, to: 5, least_s: 11 },
      ],
    });
  });

  it.each([
    [0, READER],
    [1, 3],
    [2, READER],
    [3, 3],
  ])('takes turns at the instruments: unit %d at %d', (number, expected) => {
    const found = workOf(platesProblem(washReadKeep), number)!;
    expect(found.operations[3]).toEqual(work(1, 10, expected));
    expect(found.visits[1]!.key).toBe(`${expected}/1`);
  });

  it('goes on from where the plate was left, with the longest move of any unit', () => {
    const tasksOf: UnitTasks = (l) => [
      task('park', 1, { on: RACK, uses: [[l, l + 1, l + 5]] }),
      task('wash', 20, { on: WASHER, uses: [[l, 1]] }),
      task('keep', 5, { on: HOTEL, uses: [[l, l + 1]] }),
    ];
    // Into the rack: by hotel slots; out of it: by rack slots 5 to 7, the first of which is far.
    const times_s = new Map([
      ['0/1', 4],
      ['0/2', 9],
      ['0/3', 6],
      ['4/5', 30],
      ['4/6', 12],
      ['4/7', 13],
    ]);
    const move_s: PlanProblem['move_s'] = (from) =>
      times_s.get(`${from.instrument}/${from.slot}`) ?? 8;
    const found = workOf(platesProblem(tasksOf, { move_s }))!;
    expect(found.operations.map(({ duration_s }) => duration_s)).toEqual([9, 1, 30, 20, 8, 5]);
    // The slots of the rack are its own.
    expect(found.visits).toEqual([{ key: '1/1', from: 2, to: 4, plus_s: 0 }]);
  });

  it('asks for moves from where the plates of all units are', () => {
    const asked = new Set<string>();
    const move_s: PlanProblem['move_s'] = (from, to) => {
      asked.add(`${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`);
      return 5;
    };
    workOf(platesProblem(washReadKeep, { move_s }), 1);
    expect([...asked]).toEqual([
      '0/1 1/1',
      '0/2 1/1',
      '0/3 1/1',
      '1/1 3/1',
      '3/1 0/1',
      '3/1 0/2',
      '3/1 0/3',
    ]);
  });

  it('needs no move where the plate is already', () => {
    const tasksOf: UnitTasks = (l, first) => [
      task('scan', 2, { on: HOTEL, uses: [[l, l + 1]] }),
      ...washReadKeep(l, first + 1),
    ];
    const found = workOf(platesProblem(tasksOf))!;
    expect(found.operations.slice(0, 2)).toEqual([work(0, 2, HOTEL), move(1, 15)]);
    expect(found.orders[0]).toEqual({ from: 0, to: 1, least_s: 2 });
  });

  it('frees a slot at the end of a task that shifts the plate', () => {
    const tasksOf: UnitTasks = (l) => [
      task('spin', 20, { on: WASHER, uses: [[l, 1, 2]] }),
      task('keep', 5, { on: HOTEL, uses: [[l, l + 1]] }),
    ];
    expect(workOf(platesProblem(tasksOf))!.visits).toEqual([
      { key: '1/1', from: 0, to: 1, plus_s: 20 },
      { key: '1/2', from: 1, to: 2, plus_s: 0 },
    ]);
  });

  it('has tasks without an instrument', () => {
    const tasksOf: UnitTasks = (l, first) => [
      ...washReadKeep(l, first),
      { id: 'note', duration_s: 0, candidates: [], after: [first + 2], uses: [] },
    ];
    const found = workOf(platesProblem(tasksOf))!;
    expect(found.operations.at(-1)).toEqual(work(3, 0, -1));
    expect(found.orders.at(-1)).toEqual({ from: 5, to: 6, least_s: 5 });
  });

  it('leaves a slot of its own without a visit', () => {
    const tasksOf: UnitTasks = (l) => [
      task('wash', 20, { on: WASHER, uses: [[l, 1]] }),
      task('read', 10, { on: READER, uses: [[l, 1]] }),
      task('park', 1, { on: RACK, uses: [[l, l + 1]] }),
      task('keep', 5, { on: HOTEL, uses: [[l, l + 1]] }),
    ];
    expect(workOf(platesProblem(tasksOf))!.visits).toEqual([
      { key: '1/1', from: 0, to: 2, plus_s: 0 },
      { key: '2/1', from: 2, to: 4, plus_s: 0 },
    ]);
  });

  it('visits a slot with one plate after the other', () => {
    const tasks = [0, 1, 2].flatMap((l) => [
      task('wash', 20, { on: WASHER, uses: [[2 * l, 1]] }),
      task('read', 10, { on: READER, uses: [[2 * l, 1]] }),
      task('keep', 5, { on: HOTEL, uses: [[2 * l, 2 * l + 1]] }),
      task('wash', 20, { on: WASHER, uses: [[2 * l + 1, 1]], after: [5 * l + 2] }),
      task('keep', 5, { on: HOTEL, uses: [[2 * l + 1, 2 * l + 2]] }),
    ]);
    const labware = [0, 1, 2, 3, 4, 5].map((p) => {
      const first = 5 * Math.floor(p / 2);
      const own = p % 2 === 0 ? [first, first + 1, first + 2] : [first + 3, first + 4];
      return { id: `p${p}`, location: { instrument: HOTEL, slot: p + 1 }, tasks: own };
    });
    expect(workOf(problemOf({ instruments: INSTRUMENTS, tasks, labware }))!.visits).toEqual([
      { key: '1/1', from: 0, to: 2, plus_s: 0 },
      { key: '2/1', from: 2, to: 4, plus_s: 0 },
      { key: '1/1', from: 6, to: 8, plus_s: 0 },
    ]);
  });

  it('brings every plate that a task needs', () => {
    const uses = (l: number) => [[2 * l, 1] as const, [2 * l + 1, 2] as const];
    const tasks = [0, 1, 2].flatMap((l) => [
      task('mix', 10, { on: READER, uses: uses(l) }),
      task('keep', 5, { on: HOTEL, uses: [[2 * l, 2 * l + 1]] }),
      task('drop', 6, { on: HOTEL, uses: [[2 * l + 1, 2 * l + 2]] }),
    ]);
    const labware = [0, 1, 2, 3, 4, 5].map((p) => {
      const mix = 3 * Math.floor(p / 2);
      const location = { instrument: HOTEL, slot: p + 1 };
      return { id: `p${p}`, location, tasks: [mix, mix + 1 + (p % 2)] };
    });
    const move_s: PlanProblem['move_s'] = ({ instrument: on, slot }) => 10 * on + slot;
    const problem = problemOf({ instruments: INSTRUMENTS, tasks, labware, move_s });
    expect(workOf(problem)).toEqual({
      operations: [
        move(0, 5, 0),
        move(0, 6, 1),
        work(0, 10, READER),
        move(1, 21),
        work(1, 5, HOTEL),
        move(2, 22),
        work(2, 6, HOTEL),
      ],
      visits: [
        { key: '2/1', from: 0, to: 3, plus_s: 0 },
        { key: '2/2', from: 1, to: 5, plus_s: 0 },
      ],
      orders: [
        { from: 0, to: 2, least_s: 5 },
        { from: 1, to: 2, least_s: 6 },
        { from: 2, to: 3, least_s: 10 },
        { from: 3, to: 4, least_s: 21 },
        { from: 2, to: 5, least_s: 10 },
        { from: 5, to: 6, least_s: 22 },
      ],
    });
  });
});

describe('there is no work of a unit', () => {
  it('where plates begin in a slot that others come to', () => {
    const problem = platesProblem(washReadKeep);
    const labware = problem.labware.map((piece) => {
      return { ...piece, location: { instrument: WASHER, slot: 1 } };
    });
    expect(workOf({ ...problem, labware })).toBeNull();
  });

  it('where a plate stays in a shared slot', () => {
    const tasksOf: UnitTasks = (l) => [task('wash', 20, { on: WASHER, uses: [[l, 1]] })];
    expect(workOf(platesProblem(tasksOf))).toBeNull();
  });

  it.each([
    ['the first', 1],
    ['the last', 3],
  ])('where the plate of %s unit cannot be moved', (_, slot) => {
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.instrument === HOTEL && from.slot === slot && to.instrument === WASHER ? null : 5;
    expect(workOf(platesProblem(washReadKeep, { move_s }))).toBeNull();
    expect(workOf(platesProblem(washReadKeep, { move_s: () => 0 }))).not.toBeNull();
  });

  it('where one of two plates cannot be moved', () => {
    const tasks = [0, 1, 2].map((l) =>
      task('mix', 10, {
        on: RACK,
        uses: [
          [2 * l, 2 * l + 1],
          [2 * l + 1, 2 * l + 2],
        ],
      }),
    );
    const labware = [0, 1, 2, 3, 4, 5].map((p) => {
      return {
        id: `p${p}`,
        location: { instrument: HOTEL, slot: p + 1 },
        tasks: [Math.floor(p / 2)],
      };
    });
    const parts = { instruments: INSTRUMENTS, tasks, labware };
    expect(workOf(problemOf(parts))?.operations.length).toBe(3);
    const move_s: PlanProblem['move_s'] = (_, { slot }) => (slot === 2 ? null : 5);
    expect(workOf(problemOf({ ...parts, move_s }))).toBeNull();
  });
});

describe('limits of time of a unit', () => {
  const ends = [
    [false, false, 0],
    [true, false, 20],
    [false, true, -10],
    [true, true, 10],
  ] as const;

  /** The orders that a limit from washing to reading adds, which the plan of each unit has. */
  function limitOrders(rest: Partial<TimeConstraint>) {
    const constraints = [0, 3, 6].map((from): TimeConstraint => {
      const kind = { from_end: false, to_end: false, min_s: 7, max_s: 90 };
      return { id: `l${from}`, from, to: from + 1, ...kind, ...rest };
    });
    const without = workOf(platesProblem(washReadKeep))!.orders.length;
    return workOf(platesProblem(washReadKeep, { constraints }))!.orders.slice(without);
  }

  it.each(ends)(
    'bind starts: from its end %s to its end %s, %d s',
    (from_end, to_end, offset_s) => {
      expect(limitOrders({ from_end, to_end })).toEqual([
        { from: 1, to: 3, least_s: 7 + offset_s },
        { from: 3, to: 1, least_s: -90 - offset_s },
      ]);
    },
  );

  it('have one order without a most time', () => {
    expect(limitOrders({ max_s: Number.POSITIVE_INFINITY })).toEqual([
      { from: 1, to: 3, least_s: 7 },
    ]);
  });
});
