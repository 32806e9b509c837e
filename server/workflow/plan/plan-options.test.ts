/** Plans by the options of a call, and refusals with their reasons. */
import { describe, expect, it } from 'vitest';
import type { WallClock } from '../../clock/clock.ts';
import { operationsOf } from './operations.ts';
import { type PlanOptions, plan, planCooperatively, planSteps } from './planner.ts';
import type {
  Plan,
  PlanProblem,
  SlotLocation,
  StartedOperation,
  TimeConstraint,
} from './problem.ts';
import { assayProblem, instrument, problemOf, task } from './problems.cases.ts';

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

const limitOf = (parts: Partial<TimeConstraint>): TimeConstraint => ({
  id: 'c',
  from: 0,
  from_end: true,
  to: 1,
  to_end: false,
  min_s: 0,
  max_s: Number.POSITIVE_INFINITY,
  ...parts,
});

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

  it('has now as its bound when the effort allows one attempt', () => {
    const options = { effort: 0.0001 };
    expect(solved({ ...assayProblem(), now_s: 3 }, options).lower_bound_s).toBe(3);
    expect(solved(assayProblem(), { effort: 0.002 }).lower_bound_s).toBe(375);
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
});
