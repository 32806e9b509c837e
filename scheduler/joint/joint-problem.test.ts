/** The joint problem as plain data: composed of runs made by hand, and divided among them again. */

import { beforeEach, describe, expect, it } from 'vitest';
import { failure, success } from '../../contract/result.ts';
import type { PlanFault } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import {
  allStarted,
  composeProblem,
  frozenTasks,
  type Part,
  previousPlan,
  resultOf,
  slicesOf,
} from './joint-problem.ts';
import {
  follow,
  HOTEL,
  plannedRun,
  plannedTask,
  planOf,
  plateMove,
  RACK,
  READER,
  type TestRun,
  WASHER,
  washModel,
} from './planned-run.cases.ts';
import type { JointWorld } from './planned-run.ts';

/** Run `b` begins 100 s after run `a`, and follows its two plates and four tasks. */
const B_S = 100;

let a: TestRun;
let b: TestRun;

beforeEach(() => {
  a = plannedRun(washModel(['a1', 'a2']));
  b = plannedRun(washModel(['b1'], 5), { start_s: B_S });
});

function partOf(run: TestRun, rest: Partial<Part> = {}): Part {
  const { progress } = run;
  const frozen = frozenTasks(run, progress);
  return { run, progress, offset_s: 0, firstTask: 0, firstPiece: 0, frozen, removals: [], ...rest };
}

const partsOf = () => [partOf(a), partOf(b, { offset_s: B_S, firstTask: 4, firstPiece: 2 })];

function worldOf(rest: Partial<JointWorld> = {}): JointWorld {
  return {
    runs: [a, b],
    statics: new Map(),
    version: 1,
    begun_tick: 0,
    clockAt_s: () => 0,
    downSince: () => null,
    ...rest,
  };
}

describe('the tasks that are not planned', () => {
  it('are none of an active run without held labware', () => {
    expect([...frozenTasks(a, a.progress)]).toEqual([]);
  });

  it('are those of held labware in an active run', () => {
    a.progress.held.add(1);
    expect([...frozenTasks(a, a.progress)]).toEqual([2, 3]);
  });

  it('are all of a paused run that have not begun', () => {
    a.isActive = false;
    a.progress.startTask(0, WASHER, 5);
    a.progress.skip(3);
    expect([...frozenTasks(a, a.progress)]).toEqual([1, 2]);
  });

  it('are found in the given progress, not in that of the run', () => {
    const copy = a.progress.copy();
    copy.held.add(0);
    expect([...frozenTasks(a, copy)]).toEqual([0, 1]);
    expect([...frozenTasks(a, a.progress)]).toEqual([]);
  });
});

describe('started operations', () => {
  it('of the first run are those of its progress', () => {
    a.progress.startMove(plateMove([0, 0], 1), 1).end_s = 6;
    a.progress.startTask(0, WASHER, 6);
    a.progress.endTask(0, 26, null);
    const started = allStarted([partOf(a)], 30);
    expect(started).toEqual([
      { kind: 'move', ...plateMove([0, 0], 1) },
      { kind: 'task', ...plannedTask(0, 6) },
    ]);
    // A plan begins within a tick: what has ended is not copied.
    expect(started.map((one, i) => one === a.progress.started(30)[i])).toEqual([true, true]);
  });

  it('of a later run have the indices and times of the problem', () => {
    b.progress.startMove(plateMove([0, 0], 1), 1).end_s = 6;
    b.progress.startTask(0, WASHER, 6);
    const [, part] = partsOf();
    expect(allStarted([part!], B_S + 7)).toEqual([
      { kind: 'move', ...plateMove([4, 2], B_S + 1) },
      { kind: 'task', ...plannedTask(4, B_S + 6) },
    ]);
  });

  it.each([
    ['an offset', { offset_s: 3 }, { task: 0, labware: 0, start_s: 4, end_s: 9 }],
    ['other tasks before', { firstTask: 2 }, { task: 2, labware: 0, start_s: 1, end_s: 6 }],
    ['other pieces before', { firstPiece: 1 }, { task: 0, labware: 1, start_s: 1, end_s: 6 }],
  ])('are converted for %s alone', (_, rest, expected) => {
    a.progress.startMove(plateMove([0, 0], 1), 1).end_s = 6;
    expect(allStarted([partOf(a, rest)], 20)).toMatchObject([expected]);
  });

  it('end no earlier than now while they go on, and later where they are late', () => {
    b.progress.startTask(0, WASHER, 6);
    const [, part] = partsOf();
    expect(allStarted([part!], B_S + 27)).toMatchObject([{ start_s: B_S + 6, end_s: B_S + 27 }]);
    expect(allStarted([part!], B_S + 40)).toMatchObject([{ start_s: B_S + 6, end_s: B_S + 54 }]);
  });

  it('are in the order of starts, whatever run they belong to', () => {
    a.progress.startTask(0, WASHER, B_S + 8);
    a.progress.startTask(2, WASHER, B_S + 30);
    b.progress.startTask(0, WASHER, 9);
    b.progress.startTask(1, READER, 40);
    const starts = allStarted(partsOf(), B_S + 40).map(({ task, start_s }) => [task, start_s]);
    expect(starts).toEqual([
      [0, B_S + 8],
      [4, B_S + 9],
      [2, B_S + 30],
      [5, B_S + 40],
    ]);
  });

  it('without a task in the plan are moves to a buffer', () => {
    a.progress.startMove(plateMove([-1, 0], 1), 1);
    a.progress.startMove(plateMove([2, 1], 6), 6);
    a.progress.startMove(plateMove([1, 0], 11, { toBuffer: true }), 11);
    a.progress.startMove(plateMove([0, 0], 16), 16);
    a.progress.held.add(1);
    const moves = allStarted([partOf(a)], 20);
    expect(moves.map((one) => [one.task, 'toBuffer' in one && one.toBuffer])).toEqual([
      [0, true],
      [2, true],
      [1, true],
      [0, false],
    ]);
    const later = allStarted([partOf(a, { firstTask: 7 })], 20);
    expect(later.map((one) => [one.task, 'toBuffer' in one && one.toBuffer])).toEqual([
      [7, true],
      [9, true],
      [8, true],
      [7, false],
    ]);
  });
});

describe('a composed problem', () => {
  it('of one run is the problem of that run without jobs', () => {
    const { problem, parts } = composeProblem(worldOf(), [partOf(a)], 3);
    expect(parts).toEqual([partOf(a)]);
    expect(problem.now_s).toBe(3);
    expect('jobs' in problem).toBe(false);
    expect(problem.instruments.map(({ id }) => id)).toEqual(['hotel', 'washer', 'reader', 'rack']);
    expect(problem.tasks.map(({ id }) => id)).toEqual(['wash_a1', 'read_a1', 'wash_a2', 'read_a2']);
    expect(problem.tasks.every((one) => !('release_s' in one))).toBe(true);
    expect(problem.labware).toEqual(a.model.labware);
  });

  it('of several runs counts tasks and pieces on', () => {
    const type = 'end_to_start';
    const ends = { start_task_id: 'wash_b1', end_task_id: 'read_b1', max_duration: 60 };
    b = plannedRun(washModel(['b1'], 5, { constraints: [{ id: 'soon', type, ...ends }] }), {
      start_s: B_S,
    });
    const { problem } = composeProblem(worldOf(), partsOf(), B_S);
    expect(problem.tasks.map(({ id, after, uses }) => [id, after, uses[0]!.labware])).toEqual([
      ['wash_a1', [], 0],
      ['read_a1', [0], 0],
      ['wash_a2', [], 1],
      ['read_a2', [2], 1],
      ['wash_b1', [], 2],
      ['read_b1', [4], 2],
    ]);
    expect(problem.labware.map(({ id, tasks }) => [id, tasks])).toEqual([
      ['a1', [0, 1]],
      ['a2', [2, 3]],
      ['b1', [4, 5]],
    ]);
    expect(problem.constraints).toMatchObject([{ id: 'soon', from: 4, to: 5, max_s: 60 }]);
    expect(problem.tasks[4]!.uses[0]).toEqual({ labware: 2, slot: 1, slot_after: 1 });
  });

  it('leaves out what is skipped, held, down or broken', () => {
    const type = 'end_to_start';
    const ends = { start_task_id: 'wash_a1', end_task_id: 'read_a1', max_duration: 60 };
    const buffers = [
      { instrument: RACK, slot: 1 },
      { instrument: HOTEL, slot: 9 },
    ];
    const constraints = ['kept', 'broken'].map((id) => ({ id, type, ...ends }) as const);
    a = plannedRun(washModel(['a1', 'a2'], 1, { constraints, buffers }));
    a.limits.isBroken = (id) => id === 'broken';
    a.progress.held.add(1);
    const downSince = (id: string) => (id === 'reader' || id === 'rack' ? 0 : null);
    const { problem } = composeProblem(worldOf({ downSince }), [partOf(a)], 0);
    expect(problem.constraints.map(({ id }) => id)).toEqual(['kept']);
    expect(problem.tasks.map(({ candidates }) => candidates)).toEqual([[WASHER], [READER], [], []]);
    expect(problem.tasks[1]!.down).toEqual(['reader']);
    expect(problem.labware.map(({ tasks }) => tasks)).toEqual([[0, 1], []]);
    expect(problem.buffers).toEqual([{ instrument: HOTEL, slot: 9 }]);
    const withoutHotel = worldOf({ downSince: (id) => (id === 'hotel' ? 0 : null) });
    const others = composeProblem(withoutHotel, [partOf(a)], 0).problem;
    expect(others.buffers).toEqual([{ instrument: RACK, slot: 1 }]);
    a.progress.held.clear();
    a.progress.skip(0);
    const after = composeProblem(worldOf(), [partOf(a)], 0).problem;
    expect(after.labware.map(({ tasks }) => tasks)).toEqual([[1], [2, 3]]);
  });

  it('keeps a task that has begun on an instrument that is down, by its own time', () => {
    b.progress.startTask(0, WASHER, 6);
    const downSince = (id: string) => (id === 'washer' ? 0 : null);
    const { problem } = composeProblem(worldOf({ downSince }), partsOf(), B_S + 7);
    expect(problem.tasks.map(({ down }) => down)).toEqual([
      ['washer'],
      undefined,
      ['washer'],
      undefined,
      undefined,
      undefined,
    ]);
    expect(problem.started).toEqual([{ kind: 'task', ...plannedTask(4, B_S + 6) }]);
  });

  it.each([
    [0, -1, undefined],
    [0, 0, undefined],
    [0, 7, 7],
    [B_S, 7, B_S + 7],
    [B_S, -B_S, undefined],
  ])(
    'of a run at %d s that starts after %d s releases it at %s',
    (offset_s, after_s, release_s) => {
      a = plannedRun(a.model, { schedule: { start_after_s: after_s } });
      const { problem } = composeProblem(worldOf(), [partOf(a, { offset_s })], 0);
      expect(problem.tasks.map((one) => one.release_s)).toEqual(Array(4).fill(release_s));
      expect(problem.tasks.some((one) => 'release_s' in one)).toBe(release_s !== undefined);
    },
  );

  it('has the statics once, and not the pieces of its runs', () => {
    const at = (slot: number): SlotLocation => ({ instrument: HOTEL, slot });
    const statics = new Map([
      ['x', at(8)],
      ['b1', at(9)],
    ]);
    const { problem } = composeProblem(worldOf({ statics }), partsOf(), 0);
    expect(problem.labware.map(({ id }) => id)).toEqual(['a1', 'a2', 'b1', 'x']);
    expect(problem.labware.at(-1)).toEqual({ id: 'x', location: at(8), tasks: [] });
  });

  it('moves as the first run can that can', () => {
    const to = (slot: number): SlotLocation => ({ instrument: RACK, slot });
    a = plannedRun(a.model, { move_s: (_, { slot }) => (slot === 1 ? 3 : null) });
    b = plannedRun(b.model, { move_s: (_, { slot }) => (slot < 3 ? 8 : null), start_s: B_S });
    const { problem } = composeProblem(worldOf(), partsOf(), 0);
    const times = [1, 2, 3].map((slot) => problem.move_s({ instrument: HOTEL, slot: 1 }, to(slot)));
    expect(times).toEqual([3, 8, null]);
  });

  it('of several runs has a job for each, by the order of their priorities', () => {
    const priorities = [9, 10, 9, 2];
    const runs = priorities.map((priority) =>
      plannedRun(washModel(['p']), { schedule: { priority, due_s: 50 } }),
    );
    const parts = runs.map((run, i) =>
      partOf(run, { offset_s: 10 * i, firstTask: 2 * i, firstPiece: i }),
    );
    expect(composeProblem(worldOf(), parts, 0).problem.jobs).toEqual([
      { tasks: [0, 1], rank: 1, weight: 20, due_s: 50 },
      { tasks: [2, 3], rank: 2, weight: 400, due_s: 60 },
      { tasks: [4, 5], rank: 1, weight: 20, due_s: 70 },
      { tasks: [6, 7], rank: 0, weight: 1, due_s: 80 },
    ]);
  });
});

describe('the part of a run in a plan', () => {
  const compositionAt = (now_s: number, parts = partsOf()) =>
    composeProblem(worldOf(), parts, now_s);

  it('has the tasks and moves of the run, in its own indices and times', () => {
    const plan = planOf({
      tasks: [0, 4, 2, 5, 1, 3].map((task, i) => plannedTask(task, B_S + 30 * i)),
      moves: [plateMove([0, 0], B_S), plateMove([4, 2], B_S + 5), plateMove([3, 1], B_S + 9)],
    });
    const [own, other] = slicesOf(plan, compositionAt(B_S));
    expect(own!.tasks).toEqual([
      plannedTask(0, B_S),
      plannedTask(2, B_S + 60),
      plannedTask(1, B_S + 120),
      plannedTask(3, B_S + 150),
    ]);
    expect(own!.moves).toEqual([plateMove([0, 0], B_S), plateMove([3, 1], B_S + 9)]);
    expect(own!.makespan_s).toBe(B_S + 160);
    expect(other!.tasks).toEqual([plannedTask(0, 30), plannedTask(1, 90)]);
    expect(other!.moves).toEqual([plateMove([0, 0], 5)]);
    expect(other!.makespan_s).toBe(100);
  });

  it('ends with its last move where that ends last, and at 0 without work', () => {
    const plan = planOf({ tasks: [plannedTask(0, 0)], moves: [plateMove([0, 0], 90)] });
    const [own, other] = slicesOf(plan, compositionAt(0));
    expect(own!.makespan_s).toBe(95);
    expect(other).toEqual({ tasks: [], moves: [], makespan_s: 0, lower_bound_s: 0 });
  });

  it('has whole microseconds where the run begins later, and exact times where not', () => {
    const third_s = B_S + 1 / 3;
    const plan = planOf({ tasks: [plannedTask(0, third_s), plannedTask(4, third_s)] });
    const [own, other] = slicesOf(plan, compositionAt(0));
    expect(own!.tasks[0]!.start_s).toBe(third_s);
    expect(other!.tasks[0]).toMatchObject({ start_s: 0.333333, end_s: 20.333333 });
  });

  it('has no frozen tasks', () => {
    a.progress.held.add(0);
    const tasks = [0, 1, 2, 3].map((task) => plannedTask(task, 30 * task));
    const [own] = slicesOf(planOf({ tasks }), compositionAt(0));
    expect(own!.tasks.map(({ task }) => task)).toEqual([2, 3]);
  });

  it('has the started moves of its progress first, and none of them twice', () => {
    const aside = { toBuffer: true };
    a.progress.startTask(2, WASHER, 0);
    a.progress.startMove(plateMove([0, 0], 1), 2).end_s = 8;
    b.progress.startMove(plateMove([0, 0], 9), 9);
    const composition = compositionAt(B_S + 10);
    const moves = [
      { ...plateMove([0, 0], 2), end_s: 8 },
      plateMove([4, 2], B_S + 9),
      plateMove([0, 0], 2, aside),
      plateMove([0, 0], 30),
      plateMove([1, 0], 2),
      plateMove([0, 1], 2),
    ];
    const [own, other] = slicesOf(planOf({ moves }), composition);
    expect(own!.moves).toEqual([
      { kind: 'move', ...plateMove([0, 0], 2), end_s: 8 },
      plateMove([0, 0], 2, aside),
      plateMove([0, 0], 30),
      plateMove([1, 0], 2),
      plateMove([0, 1], 2),
    ]);
    expect(other!.moves).toEqual([{ kind: 'move', ...plateMove([0, 0], 9) }]);
  });

  it('has the expected end of a move that goes on', () => {
    b.progress.startMove(plateMove([0, 0], 9), 9);
    const [, other] = slicesOf(planOf({}), compositionAt(B_S + 40));
    expect(other!.moves).toMatchObject([{ start_s: 9, end_s: 66 }]);
  });
});

describe('bound and cycle of the part of a run', () => {
  const cycleOf = (units: number) => ({
    units,
    pieces_per_unit: 1,
    units_per_cycle: 1,
    cycle_s: 20,
    lower_bound_s: 20,
    resource: WASHER,
  });
  const whole = (lower_bound_s: number) =>
    planOf({
      tasks: [0, 1, 2, 3].map((task) => plannedTask(task, 20 * task)),
      lower_bound_s,
      cycle: cycleOf(3),
    });
  const alone = (part: Partial<Part> = {}) => composeProblem(worldOf(), [partOf(a, part)], 0);

  it('are those of the plan for a run alone', () => {
    const [own] = slicesOf(whole(60), alone());
    expect(own).toMatchObject({ makespan_s: 70, lower_bound_s: 60, cycle: cycleOf(3) });
  });

  it('are at most the end of the part', () => {
    const [own] = slicesOf(whole(75), alone());
    expect(own!.lower_bound_s).toBe(70);
  });

  it('has cycle and bound of the first plan', () => {
    follow(a, { lower_bound_s: 40, cycle: cycleOf(7) });
    expect(slicesOf(whole(60), alone())[0]).toMatchObject({ lower_bound_s: 40, cycle: cycleOf(7) });
    follow(a, { lower_bound_s: 40 });
    const again = slicesOf(whole(0), alone())[0]!;
    expect(again.lower_bound_s).toBe(40);
    expect('cycle' in again).toBe(false);
  });

  it.each([
    ['begins later', { offset_s: 10 }, 0],
    ['is one of several', {}, 1],
  ])('are not those of the plan where the run %s', (_, part, more) => {
    const plan = whole(60);
    const tasks = more ? [...plan.tasks, plannedTask(4, 0)] : plan.tasks;
    const composition = more ? composeProblem(worldOf(), partsOf(), 0) : alone(part);
    const first = slicesOf({ ...plan, tasks }, composition)[0]!;
    expect(first.lower_bound_s).toBe(0);
    expect('cycle' in first).toBe(false);
    follow(a, { lower_bound_s: 33, cycle: cycleOf(5) });
    const next = slicesOf({ ...plan, tasks }, composition)[0]!;
    expect(next).toMatchObject({ lower_bound_s: 33, cycle: cycleOf(5) });
  });
});

describe('the previous plan', () => {
  it('of a run alone is its own, without moves for no task', () => {
    const tasks = [plannedTask(0, 5)];
    const moves = [plateMove([-1, 1], 0), plateMove([0, 0], 0), plateMove([1, 0], 25)];
    follow(a, { tasks, moves });
    const previous = previousPlan([partOf(a)]);
    expect(previous.tasks).toBe(tasks);
    expect(previous.moves).toEqual(moves.slice(1));
  });

  it('is empty without plans and without runs', () => {
    expect(previousPlan([])).toEqual({ tasks: [], moves: [] });
    expect(previousPlan([partOf(a)])).toEqual({ tasks: [], moves: [] });
    expect(previousPlan(partsOf())).toEqual({ tasks: [], moves: [] });
  });

  it('of several runs has the indices and times of the problem', () => {
    follow(a, { tasks: [plannedTask(0, 5)], moves: [plateMove([0, 0], 0)] });
    follow(b, {
      tasks: [plannedTask(1, 30)],
      moves: [plateMove([-1, 0], 9), plateMove([0, 0], 25)],
    });
    expect(previousPlan(partsOf())).toEqual({
      tasks: [plannedTask(0, 5), { ...plannedTask(1, B_S + 30), task: 5 }],
      moves: [plateMove([0, 0], 0), plateMove([4, 2], B_S + 25)],
    });
  });

  it.each([
    [{ offset_s: 2 }, [0, 0, 2]],
    [{ firstTask: 3 }, [3, 0, 0]],
    [{ firstPiece: 4 }, [0, 4, 0]],
  ])('of a run alone at %o is converted', (rest, [task, labware, start_s]) => {
    follow(a, { moves: [plateMove([0, 0], 0)] });
    expect(previousPlan([partOf(a, rest)]).moves).toMatchObject([{ task, labware, start_s }]);
  });
});

describe('the result of a planning', () => {
  it('has a plan for each active run, and null for a paused one', () => {
    b.isActive = false;
    const plan = planOf({ tasks: [plannedTask(0, 0), plannedTask(4, B_S)] });
    const composition = composeProblem(worldOf(), partsOf(), 0);
    const { faults, plans } = resultOf(success(plan), composition);
    expect(faults).toEqual([]);
    expect(plans).toEqual([slicesOf(plan, composition)[0], null]);
    expect(plans[0]!.tasks).toEqual([plannedTask(0, 0)]);
  });

  it('has the messages and no plans where there is none', () => {
    const fault: PlanFault = { kind: 'deadlock', messages: ['one', 'two'] };
    const composition = composeProblem(worldOf(), partsOf(), 0);
    const expected = { faults: ['one', 'two'], plans: [null, null] };
    expect(resultOf(failure(fault), composition)).toEqual(expected);
  });
});
