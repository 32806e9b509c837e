/** Obstacles that a refusal names, and previous plans with moves that fit no task. */

import { describe, expect, it } from 'vitest';
import { plan } from './planner.ts';
import type { Plan, PlannedLabwareMove, PlanProblem } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

const instruments = [instrument('x'), instrument('y'), instrument('z')];

function refused(parts: Partial<PlanProblem>) {
  const found = plan(problemOf({ instruments, ...parts }), { seed: 1, effort: 0.001 });
  if (found.ok) throw new Error('has a plan');
  return found.error;
}

/** A piece in slot 1 of an instrument. */
const piece = (id: string, on: number, ...tasks: number[]) => {
  return { id, location: { instrument: on, slot: 1 }, tasks };
};

describe('a refusal', () => {
  it('names all tasks for which one waits', () => {
    const tasks = [
      task('a', 1, { on: 1, uses: [[0, 1]] }),
      task('b', 1, { on: 1, uses: [[0, 1]] }),
      task('c', 1, { on: 2, after: [0, 1] }),
    ];
    const labware = [piece('red', 0, 0, 1), piece('blue', 1)];
    expect(refused({ tasks, labware })).toEqual({
      kind: 'deadlock',
      messages: ['a waits for y slot 1 for red, held by blue', 'b waits for a', 'c waits for a, b'],
    });
  });

  it('says how many tasks never start where nothing is in their way', () => {
    // The pieces belong to no run, so that no move brings them.
    const tasks = [
      task('done', 1, { on: 2 }),
      task('a', 1, { on: 1, uses: [[0, 1]] }),
      task('b', 1, { on: 1, uses: [[1, 2]] }),
    ];
    const labware = [
      piece('red', 0),
      { ...piece('blue', 0), location: { instrument: 0, slot: 2 } },
    ];
    const { kind, messages } = refused({ tasks, labware });
    expect(kind).toBe('deadlock');
    expect(messages).toEqual([expect.stringMatching(/^2 /)]);
  });

  it('names another slot of the same instrument that the arm cannot reach', () => {
    const tasks = [task('a', 1, { on: 0, uses: [[0, 2]] })];
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.instrument === 0 && from.slot === 1 && to.slot === 2 ? null : 15;
    expect(refused({ tasks, labware: [piece('red', 0, 0)], move_s })).toEqual({
      kind: 'unreachable',
      messages: ['a needs red in x slot 2; the arm cannot move it there from x slot 1'],
    });
  });

  it('has nothing against a slot that a piece keeps, and the next slot that is free', () => {
    const tasks = [
      task('a', 1, {
        on: 0,
        uses: [
          [0, 1],
          [1, 3, 4],
          [2, 5, 5],
        ],
      }),
    ];
    const labware = [
      piece('red', 0, 0),
      { ...piece('blue', 0, 0), location: { instrument: 0, slot: 3 } },
      { ...piece('green', 1, 0) },
      { ...piece('gray', 0), location: { instrument: 0, slot: 5 } },
    ];
    expect(refused({ tasks, labware }).messages).toEqual([
      'a waits for x slot 5 for green, held by gray',
    ]);
  });
});

describe('an obstacle', () => {
  /** A piece by its place, such as `0/2`: slot 2 of instrument 0. */
  const pieceIn = (id: string, place: string, ...tasks: number[]) => {
    const [on, slot] = place.split('/').map(Number);
    return { id, location: { instrument: on!, slot: slot! }, tasks };
  };

  it('is no other piece beside the place that a piece has to leave anyway', () => {
    const tasks = [
      task('a', 1, {
        on: 1,
        uses: [
          [0, 1],
          [1, 2],
        ],
      }),
    ];
    const labware = [
      // It belongs to no run, so that no move brings it.
      pieceIn('red', '0/2'),
      pieceIn('blue', '0/3', 0),
      pieceIn('gray', '0/1'),
      pieceIn('white', '1/2'),
    ];
    expect(refused({ tasks, labware }).messages).toEqual([
      'a waits for y slot 2 for blue, held by white',
    ]);
  });

  it('is no piece for itself in the slot in which its task leaves it', () => {
    const tasks = [
      task('a', 1, {
        on: 1,
        uses: [
          [0, 1, 2],
          [1, 3],
        ],
      }),
    ];
    // The first one belongs to no run, so that no move brings it.
    const labware = [pieceIn('red', '1/2'), pieceIn('blue', '0/1', 0), pieceIn('gray', '1/3')];
    expect(refused({ tasks, labware }).messages).toEqual([
      'a waits for y slot 3 for blue, held by gray',
    ]);
  });

  it('is of no account for a task that can end', () => {
    const tasks = [
      task('a', 1, { on: 0, uses: [[0, 1]] }),
      task('b', 1, { on: 1, uses: [[0, 1]] }),
      task('c', 1, { on: 2, uses: [[1, 2]] }),
    ];
    const labware = [
      pieceIn('red', '2/1', 0, 1),
      pieceIn('blue', '2/3', 2),
      pieceIn('gray', '2/2'),
    ];
    // What a leaves cannot come back to it.
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.instrument === 1 && to.instrument === 0 ? null : 15;
    expect(refused({ tasks, labware, move_s })).toEqual({
      kind: 'deadlock',
      messages: ['c waits for z slot 2 for blue, held by gray'],
    });
  });
});

describe('the order of a previous plan', () => {
  /** Two pieces that meet for a task, with another task after it. */
  const uses = [
    [0, 1],
    [1, 2],
  ] as const;
  const tasks = [task('meet', 10, { on: 1, uses }), task('after', 10, { on: 2, after: [0] })];
  const labware = [1, 2].map((slot, l) => {
    return { id: `p${l}`, location: { instrument: 0, slot }, tasks: [0] };
  });
  const move = (piece_index: number, start_s: number, index = 0): PlannedLabwareMove => ({
    task: index,
    labware: piece_index,
    from: { instrument: 0, slot: 1 + piece_index },
    to: { instrument: 1, slot: 1 + piece_index },
    start_s,
    end_s: start_s + 15,
  });
  const planned = [
    { task: 0, instrument: 1, start_s: 31, end_s: 41 },
    { task: 1, instrument: 2, start_s: 41, end_s: 51 },
  ];

  it.each([[[0, 1]], [[1, 0]]])(
    'is kept with a move of a piece that its task does not use: %j',
    (order) => {
      const known = order.map((one, i) => move(one, 1 + 15 * i));
      const previous: Pick<Plan, 'tasks' | 'moves'> = {
        tasks: planned,
        moves: [move(0, 0, 1), ...known],
      };
      const found = plan(problemOf({ instruments, tasks, labware }), { seed: 1, previous });
      expect(found).toMatchObject({ value: { moves: order.map((one) => ({ labware: one })) } });
    },
  );

  /** A piece that goes on after a task of no length, and another one. */
  const passing = (move_s: PlanProblem['move_s']) => {
    const own = [
      task('scan', 0, { on: 1, uses: [[0, 1]] }),
      task('read', 10, { on: 2, uses: [[0, 1]] }),
      task('other', 10, { on: 2, uses: [[1, 2]] }),
    ];
    const pieces = [[0, 1], [2]].map((chain, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: chain };
    });
    const many = [instrument('x'), instrument('y'), instrument('z', 2)];
    return problemOf({ instruments: many, tasks: own, labware: pieces, move_s });
  };
  const carriedIn = (problem: PlanProblem, previous: Pick<Plan, 'tasks' | 'moves'>) => {
    const found = plan(problem, { seed: 1, previous, effort: 0.0001 });
    return found.ok && found.value.moves.map((one) => one.task);
  };

  it('has a task of no length before the move that begins then', () => {
    const previous = {
      tasks: [{ task: 0, instrument: 1, start_s: 15, end_s: 15 }],
      moves: [move(0, 0), move(0, 15, 1), move(1, 30, 2)],
    };
    expect(
      carriedIn(
        passing(() => 15),
        previous,
      ),
    ).toEqual([0, 1, 2]);
  });

  it('has a move of no length before another that begins then', () => {
    const problem = passing((from) => (from.slot === 2 ? 0 : 15));
    const previous = { tasks: [], moves: [move(0, 0), { ...move(1, 0, 2), end_s: 0 }] };
    expect(carriedIn(problem, previous)).toEqual([2, 0, 1]);
  });
});
