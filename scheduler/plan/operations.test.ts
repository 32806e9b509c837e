/** The numbered operations of small problems, whose numbers, tails and places are known by hand. */

import { beforeEach, describe, expect, it } from 'vitest';
import { LocationTable, locationTableOf } from './location-table.ts';
import { bufferingOf, operationsOf, urgencyOf } from './operations.ts';
import type { PlanJob, PlanLabware, PlanProblem, TimeConstraint } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { topological } from './topological-order.ts';

const at = (on: number, slot: number) => ({ instrument: on, slot });

const INSTRUMENTS = [
  instrument('hotel', 9),
  instrument('washer'),
  instrument('reader'),
  instrument('bin', 9, true),
];

describe('a table of locations', () => {
  let asked: string[];
  let table: LocationTable;

  beforeEach(() => {
    asked = [];
    table = new LocationTable({
      instruments: INSTRUMENTS,
      move_s: (from, to) => {
        asked.push(`${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`);
        return to.slot === 9 ? null : to.slot - from.slot;
      },
    });
  });

  it('numbers each location once', () => {
    expect([at(0, 1), at(1, 1), at(0, 2), at(1, 1), at(0, 1)].map((one) => table.add(one))).toEqual(
      [0, 1, 2, 1, 0],
    );
    expect(table.list).toEqual([at(0, 1), at(1, 1), at(0, 2)]);
    expect([at(0, 1), at(1, 1), at(0, 2)].map((one) => table.find(one))).toEqual([0, 1, 2]);
  });

  it('does not know others', () => {
    table.add(at(1, 1));
    expect([at(0, 1), at(1, 0), at(1, 2), at(0, 4097)].map((one) => table.find(one))).toEqual([
      -1, -1, -1, 0,
    ]);
  });

  it('notes which hold any number of pieces', () => {
    for (const location of [at(0, 1), at(3, 1), at(3, 1), at(2, 1)]) table.add(location);
    expect(table.slotless).toEqual([false, true, false]);
  });

  it('asks for each time once, in each direction', () => {
    for (const slot of [1, 4, 9]) table.add(at(0, slot));
    for (let i = 0; i < 2; i++) {
      expect([table.move_s(0, 1), table.move_s(0, 2), table.move_s(0, 0)]).toEqual([3, -1, 0]);
    }
    expect(asked).toEqual(['0/1 0/4', '0/1 0/9', '0/1 0/1']);
    table.move_s(1, 2);
    expect(asked.at(-1)).toBe('0/4 0/9');
  });
});

describe('the locations of a problem', () => {
  const listOf = (parts: Partial<PlanProblem>) =>
    locationTableOf(problemOf({ instruments: INSTRUMENTS, ...parts })).list;
  const plate: PlanLabware = { id: 'p', location: at(0, 1), tasks: [0] };
  const wash = { ...task('wash', 9, { on: 1, uses: [[0, 5, 6]] }), candidates: [1, 2] };

  it('are where plates are, tasks use them and leave them, and buffers', () => {
    const buffers = [at(0, 8), at(0, 1)];
    expect(listOf({ labware: [plate], tasks: [wash], buffers })).toEqual([
      at(0, 1),
      at(1, 5),
      at(1, 6),
      at(2, 5),
      at(2, 6),
      at(0, 8),
    ]);
  });

  it('are where started moves begin and end, and started tasks leave their plates', () => {
    const times = { start_s: 0, end_s: 1 };
    const move = { kind: 'move', task: 0, labware: 0, from: at(0, 3), to: at(0, 4), ...times };
    const begun = { kind: 'task', task: 0, instrument: 3, ...times };
    const started = [move, begun] as PlanProblem['started'];
    const tasks = [{ ...wash, candidates: [] }];
    expect(listOf({ tasks, started })).toEqual([at(0, 3), at(0, 4), at(3, 6)]);
  });
});

describe('the topological order', () => {
  it.each([
    ['of nothing', [], []],
    ['of tasks without links', [[], [], []], [0, 1, 2]],
    ['of a chain', [[1], [2], []], [2, 1, 0]],
    ['of a diamond', [[], [0], [0], [1, 2]], [0, 1, 2, 3]],
    ['of links given twice', [[1, 1], []], [1, 0]],
    ['of tasks of which some wait for each other', [[], [2], [1], [0], [2]], [0, 3]],
    ['of a task that waits for itself', [[0], []], [1]],
  ])('%s', (_, before, expected) => {
    expect(topological(before)).toEqual(expected);
  });
});

/** Two plates that are washed, and mixed on the reader; a note follows. */
function mixProblem(rest: Partial<PlanProblem> = {}): PlanProblem {
  const tasks = [
    task('wash a', 20, { on: 1, uses: [[0, 1]] }),
    task('wash b', 30, { on: 1, uses: [[1, 1]] }),
    task('mix', 10, {
      on: 2,
      uses: [
        [0, 1],
        [1, 2],
      ],
    }),
    { ...task('note', 4, { on: 0, after: [2] }), candidates: [] },
  ];
  const labware: PlanLabware[] = [
    { id: 'a', location: at(0, 1), tasks: [0, 2] },
    { id: 'b', location: at(0, 2), tasks: [1, 2] },
  ];
  return problemOf({ instruments: INSTRUMENTS, tasks, labware, ...rest });
}

const toSet = (list: number[]) => new Set(list);

const limit = (from: number, to: number): TimeConstraint => {
  const ends = { from_end: true, to_end: false, min_s: 0, max_s: 60 };
  return { id: `${from} ${to}`, from, to, ...ends };
};

describe('operations', () => {
  it('are the tasks, then the moves of each', () => {
    const operations = operationsOf(mixProblem());
    expect(operations).toMatchObject({
      tasks: 4,
      count: 8,
      firstMove: Int32Array.of(4, 5, 6, 8),
      taskOf: Int32Array.of(0, 1, 2, 3, 0, 1, 2, 2),
      tasksWithoutLabware: [3],
      firstBuffering: 8,
      bufferedPiece: new Int32Array(0),
      buffers: [],
      urgency_s: null,
    });
    expect(operations.problem.tasks.length).toBe(4);
  });

  it('follow what they wait for, and the tasks of their plates', () => {
    expect(operationsOf(mixProblem()).before).toEqual([[], [], [0, 1], [2]]);
  });

  it('have the longest work from their start, moves a second more', () => {
    const { tail_s } = operationsOf(mixProblem());
    expect([...tail_s]).toEqual([34, 44, 14, 4, 35, 45, 15, 15]);
  });

  it('have the longest of several chains', () => {
    const tasks = [
      task('a', 5, { on: 0 }),
      task('short', 1, { on: 0, after: [0] }),
      task('long', 9, { on: 0, after: [0] }),
      task('other', 2, { on: 0, after: [0] }),
    ];
    const { tail_s } = operationsOf(problemOf({ instruments: INSTRUMENTS, tasks }));
    expect([...tail_s]).toEqual([14, 1, 9, 2]);
  });

  it('have the places of each possible instrument as targets', () => {
    const problem = mixProblem();
    const tasks = problem.tasks.map((one, t) => (t === 0 ? { ...one, candidates: [1, 2] } : one));
    const { targets, locations } = operationsOf({ ...problem, tasks });
    const places = targets.map((list) => [...list].map((one) => locations.list[one]));
    expect(places).toEqual([
      ...[[], [], [], []],
      [at(1, 1), at(2, 1)],
      [at(1, 1)],
      [at(2, 1)],
      [at(2, 2)],
    ]);
  });

  it('with buffers have one to a buffer for each move, and one for each plate', () => {
    const operations = operationsOf(mixProblem({ buffers: [at(0, 8), at(0, 9)] }));
    expect(operations).toMatchObject({
      count: 14,
      firstBuffering: 8,
      bufferedPiece: Int32Array.of(0, 1, 0, 1, 0, 1),
    });
    expect([...operations.taskOf.slice(8)]).toEqual([0, 1, 2, 2, 2, 2]);
    const { buffers, locations } = operations;
    expect(buffers.map((one) => locations.list[one])).toEqual([at(0, 8), at(0, 9)]);
    expect([...operations.tail_s.slice(8)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(bufferingOf(operations, 0, 0)).toBe(8);
    expect(bufferingOf(operations, 1, 1)).toBe(9);
    expect(bufferingOf(operations, 0, 2)).toBe(10);
    expect(bufferingOf(operations, 1, 2)).toBe(11);
    expect(bufferingOf(operations, 0, undefined)).toBe(12);
    expect(bufferingOf(operations, 1, undefined)).toBe(13);
  });

  it('to a buffer after the last task of a plate belong to that', () => {
    const tasks = [0, 1, 2].map((t) => task(`t${t}`, 5, { on: 1, uses: [[0, 1]] }));
    const labware = [{ id: 'a', location: at(0, 1), tasks: [0, 1, 2] }];
    const { taskOf } = operationsOf(mixProblem({ tasks, labware, buffers: [at(0, 8)] }));
    expect(taskOf.at(-1)).toBe(2);
  });

  it('of urgent jobs are preferred', () => {
    const jobs = [0, 1].map((rank) => {
      return { tasks: [rank], rank, weight: 1, due_s: Number.POSITIVE_INFINITY };
    });
    // The longest tail is that of the move for task 1.
    const urgency_s = Float64Array.of(0, 22.5, 0, 0, 0, 22.5, 0, 0);
    expect(operationsOf(mixProblem({ jobs })).urgency_s).toEqual(urgency_s);
  });

  it('to a buffer of a plate without tasks belong to the first task', () => {
    const problem = mixProblem({ buffers: [at(0, 8)] });
    const labware = [...problem.labware, { id: 'x', location: at(0, 7), tasks: [] }];
    const { taskOf, bufferedPiece } = operationsOf({ ...problem, labware });
    expect([taskOf.at(-1), bufferedPiece.at(-1)]).toEqual([0, 2]);
  });
});

describe('limits of time', () => {
  it('put the first task before the second', () => {
    const constraints = [limit(1, 0), limit(2, 3)];
    const { before, constraintsTo } = operationsOf(mixProblem({ constraints }));
    expect(before.map((list) => new Set(list))).toEqual([[1], [], [0, 1], [2]].map(toSet));
    expect(constraintsTo).toEqual([[limit(1, 0)], [], [], [limit(2, 3)]]);
  });

  it.each([
    ['waits for the other', limit(2, 1)],
    ['waits through several others', limit(3, 0)],
    ['is the same', limit(1, 1)],
  ])('do not where the first %s', (_, one) => {
    const { before, constraintsTo } = operationsOf(mixProblem({ constraints: [one] }));
    expect(before).toEqual([[], [], [0, 1], [2]]);
    expect(constraintsTo[one.to]).toEqual([one]);
  });

  it('find their way through tasks that wait for each other', () => {
    const tasks = [
      task('a', 1, { on: 0, after: [1] }),
      task('b', 1, { on: 0, after: [0] }),
      task('c', 1, { on: 0 }),
      task('d', 1, { on: 0, after: [0] }),
    ];
    const { before } = operationsOf(problemOf({ tasks, constraints: [limit(0, 2), limit(3, 2)] }));
    expect(before).toEqual([[1], [0], [0, 3], [0]]);
  });
});

describe('urgency', () => {
  const INFINITE = Number.POSITIVE_INFINITY;
  const job = (tasks: number[], rank: number, due_s: number): PlanJob => {
    return { tasks, rank, weight: 1, due_s };
  };

  /** Two tasks with tails of 100 and 60 s, and the move of the second. */
  function urgencies(jobs: PlanJob[] | undefined, now_s = 0) {
    const numbers = { taskOf: Int32Array.of(0, 1, 1), tail_s: Float64Array.of(60, 99, 100) };
    const found = urgencyOf(problemOf({ now_s, ...(jobs && { jobs }) }), numbers);
    return found && [...found];
  }

  it('is none without jobs', () => {
    expect(urgencies(undefined)).toBeNull();
  });

  it('is half of the longest tail for each rank', () => {
    expect(urgencies([job([0], 0, INFINITE), job([1], 2, INFINITE)])).toEqual([0, 100, 100]);
  });

  it('is none for tasks of no job', () => {
    expect(urgencies([job([1], 1, INFINITE)])).toEqual([0, 50, 50]);
  });

  it.each([
    ['half of the longest tail without slack', 100, 0, 50],
    ['the same after that', 20, 0, 50],
    ['half as much with as much slack', 201, 0, 25],
    ['more the later it is', 201, 101, 50],
    ['less for later due times', 403, 0, 12.5],
  ])('by due time is %s: due at %d s, now %d s', (...[, due_s, now_s, expected]) => {
    expect(urgencies([job([0], 0, due_s), job([1], 0, INFINITE)], now_s)).toEqual([expected, 0, 0]);
  });

  it('adds both', () => {
    expect(urgencies([job([0, 1], 1, 201)])).toEqual([75, 75, 75]);
  });
});
