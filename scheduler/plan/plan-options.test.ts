/** Plans by the options of a call, and refusals with their reasons. */

import { describe, expect, it } from 'vitest';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import { planCooperatively } from './cooperative-planner.ts';
import { operationsOf } from './operations.ts';
import { type PlanOptions, plan, planSteps } from './planner.ts';
import type { Plan, PlanProblem, StartedOperation, TimeConstraint } from './problem.ts';
import { assayProblem, instrument, limitOf, problemOf, task } from './problems.cases.ts';
import type { SlotLocation } from './slot-location.ts';
import { steadyCycle } from './steady-cycle.ts';

function solved(problem: PlanProblem, options: Partial<PlanOptions> = {}): Plan {
  const found = plan(problem, { seed: 1, ...options });
  if (!found.ok) throw new Error(found.error.messages.join('; '));
  return found.value;
}

function refused(problem: PlanProblem, options: Partial<PlanOptions> = {}) {
  const found = plan(problem, { seed: 1, ...options });
  if (found.ok) throw new Error('has a plan');
  return found.error;
}

const instruments = [instrument('x'), instrument('y'), instrument('z')];

describe('a plan', () => {
  it('is in the order of starts, then of tasks', () => {
    const tasks = [
      task('late', 5, { on: 0, after: [1] }),
      task('first', 5, { on: 0 }),
      task('also first', 9, { on: 1 }),
    ];
    const found = solved(problemOf({ instruments, tasks }));
    expect(found.tasks.map((one) => one.task)).toEqual([1, 2, 0]);
    expect(found).toMatchObject({ makespan_s: 10, lower_bound_s: 10, moves: [] });
    expect(found).not.toHaveProperty('cycle');
  });

  it('has its moves in the order of starts', () => {
    const { moves } = solved(assayProblem());
    const starts = moves.map(({ start_s }) => start_s);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('has now as its bound during a run', () => {
    const options = { attempts: 20 };
    expect(solved({ ...assayProblem(), now_s: 3 }, options).lower_bound_s).toBe(3);
    expect(solved(assayProblem(), { effort: 0.0001 }).lower_bound_s).toBe(375);
  });

  it('comes in steps that count work', () => {
    const steps = planSteps(assayProblem(), { seed: 1 });
    const { count } = operationsOf(assayProblem());
    const yielded: number[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) yielded.push(step.value);
    expect(yielded.slice(0, 3)).toEqual([count, count, count]);
    expect(yielded.every((one) => one >= 0)).toBe(true);
    expect(step.value).toEqual(plan(assayProblem(), { seed: 1 }));
  });

  it('is the same without blocking the event loop', async () => {
    const wall: WallClock = {
      now_ms: () => 0,
      epoch_ms: () => 0,
      after: () => () => {},
      afterUnreferenced: () => () => {},
      soon: (callback) => {
        queueMicrotask(callback);
        return () => {};
      },
    };
    const found = await planCooperatively(assayProblem(), { seed: 1 }, wall);
    expect(found).toEqual(plan(assayProblem(), { seed: 1 }));
  });

  /** Tasks of equal length on one instrument: every order is as short. */
  const equal = () => {
    const tasks = ['a', 'b', 'c'].map((id) => task(id, 10, { on: 0 }));
    return problemOf({ instruments, tasks });
  };

  it('keeps the order of a previous plan that is as short', () => {
    const previous = {
      moves: [],
      tasks: [2, 0, 1].map((t, i) => {
        return { task: t, instrument: 0, start_s: 10 * i, end_s: 10 * i + 10 };
      }),
    };
    expect(solved(equal(), { previous }).tasks.map((one) => one.task)).toEqual([2, 0, 1]);
    const shuffled = { ...previous, tasks: previous.tasks.toReversed() };
    expect(solved(equal(), { previous: shuffled }).tasks.map((one) => one.task)).toEqual([2, 0, 1]);
    expect(solved(equal()).tasks.map((one) => one.task)).toEqual([0, 1, 2]);
  });

  it('keeps the moves and buffers of a previous plan', () => {
    const labware = [0, 1].map((l) => {
      return { id: `p${l}`, location: { instrument: l, slot: 1 }, tasks: [l] };
    });
    const tasks = [0, 1].map((l) => task(`t${l}`, 10, { on: 1 - l, uses: [[l, 1]] }));
    const buffers = [{ instrument: 2, slot: 1 }];
    const effort = 0.02;
    const problem = problemOf({ instruments, tasks, labware, buffers });
    const base = solved(problem, { effort });
    const asideOf = ({ moves }: Plan) => moves.find((one) => one.toBuffer)!.labware;
    expect(solved(problem, { previous: base, effort })).toEqual(base);
    // The mirror image of the plan, with the other piece put aside.
    const mirrored = {
      tasks: base.tasks.map((one) => ({ ...one, task: 1 - one.task })),
      moves: base.moves.map((one) => ({ ...one, task: 1 - one.task, labware: 1 - one.labware })),
    };
    expect(asideOf(solved(problem, { previous: mirrored, effort }))).toBe(1 - asideOf(base));
  });

  it('keeps the order of a previous plan that puts pieces aside after their last tasks', () => {
    // The pieces need one slot in turn; those that are done have no place to go but the buffers.
    const labware = [0, 1, 2].map((l) => {
      return { id: `p${l}`, location: { instrument: l, slot: 1 }, tasks: [l] };
    });
    const tasks = [0, 1, 2].map((l) => task(`t${l}`, 10, { on: 3, uses: [[l, 1]] }));
    const buffers = [1, 2].map((slot) => ({ instrument: 4, slot }));
    const five = [...instruments, instrument('w'), instrument('buffer')];
    const problem = problemOf({ instruments: five, tasks, labware, buffers });
    const orderOf = (found: Pick<Plan, 'tasks'>) => found.tasks.map((one) => one.task);
    const base = solved(problem);
    for (const order of [base.tasks.map(({ task: t }) => t), [2, 1, 0], [1, 0, 2], [0, 2, 1]]) {
      const other = (t: number) => order[orderOf(base).indexOf(t)]!;
      const from = ({ from: slot }: Plan['moves'][number]) =>
        slot.instrument < 3 ? { ...slot, instrument: other(slot.instrument) } : slot;
      const previous = {
        tasks: base.tasks.map((one) => ({ ...one, task: other(one.task) })),
        moves: base.moves.map((one) => {
          return { ...one, task: other(one.task), labware: other(one.labware), from: from(one) };
        }),
      };
      const found = solved(problem, { previous, effort: 0.0001 });
      expect(orderOf(found)).toEqual(order);
      expect(found.makespan_s).toBe(base.makespan_s);
    }
  });

  it('takes operations that are known', () => {
    const operations = operationsOf(equal());
    expect(solved(equal(), { operations })).toEqual(solved(equal()));
  });

  it('may break limits of time that it cannot hold', () => {
    const tasks = [task('a', 10, { on: 0 }), task('b', 30, { on: 1 })];
    const far = limitOf({ id: 'far', from_end: false, min_s: 90 });
    const problem = problemOf({ instruments, tasks, constraints: [limitOf({ max_s: 5 }), far] });
    expect(solved(problem, { relax: true, effort: 0.001 }).makespan_s).toBeGreaterThanOrEqual(120);
    expect(refused(problem, { effort: 0.001 }).kind).toBe('constraint');
  });
});

describe('the plan of equal pieces', () => {
  /** Each piece goes from its slot in a hotel to a reader and back. */
  const equal = (parts: Partial<PlanProblem> = {}) => {
    const tasks = [0, 1, 2, 3].flatMap((l) => [
      task(`read ${l}`, 20, { on: 1, uses: [[l, 1]] }),
      task(`store ${l}`, 0, { on: 0, uses: [[l, 1 + l]] }),
    ]);
    const labware = [0, 1, 2, 3].map((l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [2 * l, 2 * l + 1] };
    });
    return problemOf({ instruments, tasks, labware, ...parts });
  };

  it('has a cycle, and its order where that is as short', () => {
    const found = solved(equal());
    expect(found.cycle).toMatchObject({ units: 4, cycle_s: 50, resource: 1 });
    expect(found.makespan_s).toBe(200);
    expect(found.tasks.map((one) => one.task)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('has none with less effort, or once something has started', () => {
    expect(solved(equal(), { effort: 0.9 })).not.toHaveProperty('cycle');
    const started: StartedOperation[] = [
      {
        kind: 'move',
        task: 0,
        labware: 0,
        from: { instrument: 0, slot: 1 },
        to: { instrument: 1, slot: 1 },
        start_s: 0,
        end_s: 15,
      },
    ];
    expect(solved(equal({ started, now_s: 15 }))).not.toHaveProperty('cycle');
  });
});

describe('the order of a steady cycle', () => {
  /** Pieces that a reader with a slot for each takes for some time. */
  const cyclic = (count: number, [capacity, read_s]: [number, number]) => {
    const tasks = Array.from({ length: count }, (_, l) => [
      task(`read ${l}`, read_s, { on: 1, uses: [[l, l]] }),
      task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
    ]).flat();
    const labware = Array.from({ length: count }, (_, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: [2 * l, 2 * l + 1] };
    });
    const own = [instrument('hotel', 9), instrument('reader', capacity)];
    return problemOf({ instruments: own, tasks, labware });
  };

  /** The pieces in the order in which a cycle moves them. */
  function cycleOrder(problem: PlanProblem): number[] {
    const operations = operationsOf(problem);
    const { tasks, firstMove } = operations;
    const steps = steadyCycle(operations);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const moves = step.value!.sequence.filter((one) => one >= tasks);
    return moves.map((one) => problem.tasks[firstMove.indexOf(one)]!.uses[0]!.labware);
  }
  const carried = ({ moves }: Plan) => moves.map(({ labware }) => labware);

  it.each<[number, [number, number]]>([
    [4, [1, 20]],
    [5, [2, 50]],
  ])('is that of a plan for %d pieces where it is as short', (count, kind) => {
    const problem = cyclic(count, kind);
    expect(carried(solved(problem))).toEqual(cycleOrder(problem));
    const { makespan_s } = solved(problem, { effort: 0.05 });
    expect(solved(problem).makespan_s).toBe(makespan_s);
  });

  it('is not that of a plan for jobs where another has better ends', () => {
    const problem = cyclic(5, [2, 50]);
    const job = { tasks: problem.tasks.map((_, t) => t), rank: 0, weight: 1, due_s: Infinity };
    const sum = ({ tasks }: Plan) => tasks.reduce((total, { end_s }) => total + end_s, 0);
    const found = solved({ ...problem, jobs: [job] });
    expect(found.cycle).toEqual(solved(problem).cycle);
    expect(sum(found)).toBeLessThan(sum(solved(problem)));
  });
});

describe('a refusal', () => {
  const piece = (id: string, on: number, ...tasks: number[]) => {
    return { id, location: { instrument: on, slot: 1 }, tasks };
  };

  it('names the tasks without an instrument, and those that are down', () => {
    const tasks = [
      { ...task('a', 1, { on: 0, uses: [[0, 1]] }), candidates: [], down: ['x', 'y'] },
      { ...task('b', 1, { on: 0, uses: [[0, 1]] }), candidates: [] },
      { ...task('skipped', 0, { on: 0 }), candidates: [] },
    ];
    const { kind, messages } = refused(
      problemOf({ instruments, tasks, labware: [piece('red', 0, 0, 1)] }),
    );
    expect(kind).toBe('no_instrument');
    expect(messages.length).toBe(2);
    expect(messages[0]).toMatch(/ a: x is down, y is down$/);
    expect(messages[1]).toMatch(/ b$/);
  });

  it('names limits that contradict themselves', () => {
    const tasks = [task('a', 1, { on: 0 }), task('b', 1, { on: 1 })];
    const constraints = [
      limitOf({ min_s: 5, max_s: 5 }),
      limitOf({ id: 'bad', min_s: 9, max_s: 5 }),
    ];
    const { kind, messages } = refused(problemOf({ instruments, tasks, constraints }));
    expect(kind).toBe('constraint');
    expect(messages.length).toBe(1);
    expect(messages[0]).toMatch(/ bad \(.*end of a .*start of b\).* 9 s .* 5 s$/);
    expect(
      solved(problemOf({ instruments, tasks, constraints: [constraints[0]!] })).makespan_s,
    ).toBe(7);
  });

  it('names the tasks that wait for each other only', () => {
    const tasks = [
      task('free', 1, { on: 0 }),
      task('a', 1, { on: 0, after: [2] }),
      task('b', 1, { on: 0, after: [1] }),
    ];
    const { kind, messages } = refused(problemOf({ instruments, tasks }));
    expect(kind).toBe('constraint');
    expect(messages).toEqual(['tasks wait for each other: a, b']);
  });

  /** Task a has ended at 10 s, task b has run from 12 s to 20 s. */
  const broken = (parts: Partial<TimeConstraint>) => {
    const tasks = [task('a', 10, { on: 0 }), task('b', 8, { on: 0 })];
    const started: StartedOperation[] = [
      { kind: 'task', task: 0, instrument: 0, start_s: 0, end_s: 10 },
      { kind: 'task', task: 1, instrument: 0, start_s: 12, end_s: 20 },
    ];
    const constraints = [limitOf(parts)];
    return refused(problemOf({ instruments, tasks, started, constraints, now_s: 30 }), {
      effort: 0.01,
    });
  };

  it.each<[Partial<TimeConstraint>, RegExp]>([
    [{ max_s: 0.5 }, /end of a to the start of b.* at most 0.5 s.* by 2 s$/],
    [{ min_s: 5 }, / at least 5 s.* by 3 s$/],
    [{ from_end: false, to_end: true, max_s: 19 }, /start of a to the end of b.* by 1 s$/],
  ])('says by how much a limit is missed: %j', (parts, text) => {
    const { kind, messages } = broken(parts);
    expect(kind).toBe('constraint');
    expect(messages).toEqual([expect.stringMatching(text)]);
  });

  const stuck = (parts: Partial<PlanProblem>) =>
    refused(problemOf({ instruments, ...parts }), { effort: 0.001 });

  it('names tasks that wait for others, and what these wait for', () => {
    const tasks = [
      task('a', 1, { on: 1, uses: [[0, 1]] }),
      task('b', 1, { on: 2, uses: [[0, 1]] }),
      task('free', 1, { on: 2 }),
    ];
    const labware = [piece('red', 0, 0, 1), piece('blue', 1)];
    expect(stuck({ tasks, labware })).toEqual({
      kind: 'deadlock',
      messages: ['a waits for y slot 1 for red, held by blue', 'b waits for a'],
    });
  });

  it('names the first of several instruments that cannot be reached', () => {
    const tasks = [{ ...task('a', 1, { on: 1, uses: [[0, 1]] }), candidates: [1, 2] }];
    const labware = [piece('red', 0, 0)];
    expect(stuck({ tasks, labware, move_s: () => null })).toEqual({
      kind: 'unreachable',
      messages: ['a needs red in y slot 1; the arm cannot move it there from x slot 1'],
    });
  });

  it('names the piece in a slot into which a task puts its own', () => {
    const tasks = [task('a', 1, { on: 0, uses: [[0, 1, 2]] })];
    const labware = [
      piece('red', 0, 0),
      { ...piece('blue', 0), location: { instrument: 0, slot: 2 } },
    ];
    expect(stuck({ tasks, labware })).toEqual({
      kind: 'deadlock',
      messages: ['a puts red into x slot 2, held by blue'],
    });
  });

  it('passes over pieces that are in place or can move', () => {
    const tasks = [
      task('a', 1, {
        on: 0,
        uses: [
          [0, 1],
          [1, 3],
          [2, 4],
        ],
      }),
    ];
    const at = (id: string, location: SlotLocation, ...own: number[]) => {
      return { id, location, tasks: own };
    };
    const labware = [
      at('red', { instrument: 0, slot: 1 }, 0),
      at('blue', { instrument: 1, slot: 1 }, 0),
      at('green', { instrument: 1, slot: 2 }, 0),
      at('gray', { instrument: 0, slot: 4 }),
    ];
    expect(stuck({ tasks, labware }).messages).toEqual([
      'a waits for x slot 4 for green, held by gray',
    ]);
  });

  it('names a piece that waits for the first piece of all', () => {
    const tasks = [task('a', 1, { on: 1, uses: [[1, 1]] })];
    const labware = [piece('first', 1), piece('red', 0, 0)];
    expect(stuck({ tasks, labware }).messages).toEqual([
      'a waits for y slot 1 for red, held by first',
    ]);
    const inside = [task('a', 1, { on: 0, uses: [[1, 1, 2]] })];
    const holder = { ...piece('first', 0), location: { instrument: 0, slot: 2 } };
    expect(stuck({ tasks: inside, labware: [holder, piece('red', 0, 0)] }).messages).toEqual([
      'a puts red into x slot 2, held by first',
    ]);
  });

  it('asks the arm for the move from the slot of a piece to that of its task only', () => {
    const tasks = [
      task('a', 1, {
        on: 1,
        uses: [
          [0, 2],
          [1, 3],
          [2, 4],
        ],
      }),
      task('z', 1, { on: 2, uses: [[3, 1]] }),
    ];
    const at = (id: string, location: SlotLocation, ...own: number[]) => {
      return { id, location, tasks: own };
    };
    const labware = [
      at('red', { instrument: 1, slot: 1 }, 0),
      at('blue', { instrument: 1, slot: 3 }, 0),
      at('green', { instrument: 0, slot: 4 }, 0),
      at('gray', { instrument: 0, slot: 5 }, 1),
    ];
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.slot === 1 && to.instrument === 1 && to.slot === 2 ? 15 : null;
    // Red can move within y, and blue stands where it is needed.
    expect(stuck({ tasks, labware, move_s })).toEqual({
      kind: 'unreachable',
      messages: [
        'a needs green in y slot 4; the arm cannot move it there from x slot 4',
        'z needs gray in z slot 1; the arm cannot move it there from x slot 5',
      ],
    });
  });

  it('is unreachable as soon as one place is, and leaves out tasks that can end', () => {
    const tasks = [
      task('done', 1, { on: 2 }),
      task('far', 1, { on: 2, uses: [[0, 1]], after: [0] }),
      task('held', 1, { on: 1, uses: [[1, 1]] }),
    ];
    const labware = [
      piece('red', 0, 1),
      { ...piece('blue', 0, 2), location: { instrument: 0, slot: 7 } },
      piece('gray', 1),
    ];
    const { kind, messages } = stuck({ tasks, labware, move_s: () => null });
    expect(kind).toBe('unreachable');
    expect(messages.map((text) => text.split(' ')[0])).toEqual(['far', 'held']);
  });
});

describe('the order of a previous plan', () => {
  /** Two pieces that meet for a task, with another task after it. */
  const meeting = () => {
    const tasks = [
      task('meet', 10, {
        on: 1,
        uses: [
          [0, 1],
          [1, 2],
        ],
      }),
      task('after', 10, { on: 2, after: [0] }),
    ];
    const labware = [1, 2].map((slot, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot }, tasks: [0] };
    });
    return problemOf({ instruments, tasks, labware });
  };
  const move = (labware: number, start_s: number, task_index = 0) => ({
    task: task_index,
    labware,
    from: { instrument: 0, slot: 1 + labware },
    to: { instrument: 1, slot: 1 + labware },
    start_s,
    end_s: start_s + 15,
  });
  const taskAt = (index: number, start_s: number) => {
    return { task: index, instrument: 1 + index, start_s, end_s: start_s + 10 };
  };
  const tasks = [taskAt(0, 30), taskAt(1, 40)];
  const carriedIn = (previous: Pick<Plan, 'tasks' | 'moves'>) =>
    solved(meeting(), { previous }).moves.map(({ labware }) => labware);

  it('has its moves in their order', () => {
    expect(carriedIn({ tasks, moves: [move(0, 0), move(1, 15)] })).toEqual([0, 1]);
    expect(carriedIn({ tasks, moves: [move(1, 0), move(0, 15)] })).toEqual([1, 0]);
    expect(carriedIn({ tasks, moves: [move(0, 15), move(1, 0)] })).toEqual([1, 0]);
  });

  it('passes over moves of pieces that their task does not use', () => {
    const foreign = move(0, 0, 1);
    expect(carriedIn({ tasks, moves: [foreign, move(1, 1), move(0, 16)] })).toEqual([1, 0]);
  });

  it('has at equal times what takes no time first, then moves, then tasks', () => {
    const equal = [0, 1, 2].map((t) => task(`t${t}`, t === 2 ? 0 : 10, { on: 0 }));
    const at = (index: number, [start_s, end_s]: [number, number]) => {
      return { task: index, instrument: 0, start_s, end_s };
    };
    const previous = { moves: [], tasks: [at(1, [0, 10]), at(0, [10, 20]), at(2, [10, 10])] };
    const { tasks: found } = solved(problemOf({ instruments, tasks: equal }), { previous });
    expect(found.map((one) => [one.task, one.start_s])).toEqual([
      [1, 0],
      [0, 10],
      [2, 10],
    ]);
  });
});
