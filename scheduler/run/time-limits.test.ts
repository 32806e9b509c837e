/** The limits of time between tasks, on a stepped clock and a progress that the test makes. */

import { describe, expect, it } from 'vitest';
import type { LimitViolation, WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import { limitsOf } from '../definition/task-limit.ts';
import { RunProgress } from './progress.ts';
import {
  limitOf,
  modelOf,
  planOf,
  READ_A,
  READ_B,
  READER,
  StepClock,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';
import { TimeLimits, violationText } from './time-limits.ts';

/** Limits over a new progress; the run began at `start_s` of the twin. */
class Stage {
  readonly clock = new StepClock();
  readonly progress: RunProgress;
  readonly limits: TimeLimits;
  readonly violations: LimitViolation[] = [];
  /** The times at which tasks were released (s of the run). */
  readonly released: number[] = [];
  onViolation = () => {};

  constructor(constraints: readonly Partial<WorkflowTimeConstraint>[], start_s = 0) {
    const model = modelOf({ constraints: constraints.map(limitOf) });
    this.clock.advanceTo(start_s);
    const { clock } = this;
    const now_s = () => clock.now_s - start_s;
    this.progress = new RunProgress(model);
    this.limits = new TimeLimits({
      model,
      progress: this.progress,
      time: clock,
      timers: clock.timers,
      now_s,
      onViolation: (violation) => {
        this.violations.push(violation);
        this.onViolation();
      },
      onReleased: () => this.released.push(now_s()),
    });
  }

  start(task: number): this {
    this.progress.startTask(task, task % 2 === 0 ? WASHER : READER, this.clock.now_s);
    return this;
  }

  end(task: number, error: string | null = null): this {
    this.progress.endTask(task, this.clock.now_s, error);
    return this;
  }

  /** Checks the limits at a time of the twin (s). */
  checkAt(time_s: number): LimitViolation[] {
    this.clock.advanceTo(time_s);
    this.limits.check();
    return this.violations;
  }

  get state() {
    return this.limits.states(planOf())[0]!.state;
  }
}

const run = (task: number, stage: Stage, [start_s, end_s]: [number, number]) => {
  stage.clock.advanceTo(start_s);
  stage.start(task);
  stage.clock.advanceTo(end_s);
  stage.end(task);
};

describe('the limits of a model', () => {
  it.each([
    ['start_to_start', false, false],
    ['start_to_end', false, true],
    ['end_to_start', true, false],
    ['end_to_end', true, true],
  ] as const)('%s are read from the names of tasks', (type, from_end, to_end) => {
    const constraint = limitOf({ type, end_task_id: 'read_b' });
    expect(limitsOf(modelOf({ constraints: [constraint] }))).toEqual([
      {
        constraint,
        from: WASH_A,
        from_end,
        to: READ_B,
        to_end,
        min_s: 0,
        max_s: Number.POSITIVE_INFINITY,
      },
    ]);
  });

  it('have their durations', () => {
    const constraints = [limitOf({ min_duration: 3, max_duration: 8 })];
    expect(limitsOf(modelOf({ constraints }))[0]).toMatchObject({ min_s: 3, max_s: 8 });
  });
});

describe('the text of a violation', () => {
  const base = { constraint_id: 'soon', at_s: 1, on_violation: 'continue', limit_s: 5 } as const;
  it.each([
    ['too_long', 9.12, 'more than 5 s'],
    ['too_short', 3.16, '3.2 instead of 5 s'],
  ] as const)('%s has the limit', (kind, elapsed_s, part) => {
    const text = violationText({ ...base, kind, elapsed_s });
    expect(text).toContain('soon');
    expect(text.endsWith(part)).toBe(true);
  });
});

describe('a longest time', () => {
  it('is broken after its last moment, without a call', () => {
    const stage = new Stage([{ max_duration: 10 }], 100).start(WASH_A);
    stage.progress.tasks[WASH_A]!.start_s = 0;
    expect(stage.checkAt(100)).toEqual([]);
    stage.clock.advanceTo(110);
    expect([stage.violations, stage.state]).toEqual([[], 'running']);
    stage.released.length = 0;
    stage.clock.advanceTo(110.004);
    const violation = {
      constraint_id: 'soon',
      kind: 'too_long',
      limit_s: 10,
      elapsed_s: expect.closeTo(10.004, 9),
      at_s: expect.closeTo(10.004, 9),
      on_violation: 'continue',
    };
    expect([stage.violations, stage.limits.violations]).toEqual([[violation], [violation]]);
    expect([stage.limits.isBroken('soon'), stage.limits.isBroken('late')]).toEqual([true, false]);
    expect([stage.released.length, stage.state]).toEqual([1, 'broken']);
    stage.clock.advanceTo(500);
    expect([stage.violations.length, stage.released.length]).toEqual([1, 1]);
  });

  it('is broken at the next tick where it is checked at its last moment', () => {
    const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
    expect(stage.checkAt(10)).toEqual([]);
    stage.clock.advanceTo(10.004);
    expect(stage.violations).toMatchObject([{ kind: 'too_long' }]);
  });

  it('is recorded once, with the time of its end', () => {
    const stage = new Stage([{ max_duration: 10, on_violation: 'pause' }]).start(WASH_A);
    expect(stage.checkAt(12)).toMatchObject([{ elapsed_s: 12, on_violation: 'pause' }]);
    stage.checkAt(13);
    expect(stage.limits.violations).toMatchObject([{ elapsed_s: 12 }]);
    stage.clock.advanceTo(14);
    stage.start(READ_A).checkAt(16);
    expect(stage.limits.violations).toMatchObject([{ elapsed_s: 14, at_s: 12, kind: 'too_long' }]);
    expect(stage.violations).toHaveLength(1);
  });

  it.each([
    ['at the limit', 10, 0],
    ['within rounding', 10 + 5e-7, 0],
    ['above it', 10 + 2e-6, 1],
  ])('ends %s', (_, start_s, count) => {
    const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
    stage.progress.startTask(READ_A, READER, start_s);
    expect(stage.checkAt(60)).toHaveLength(count);
    expect(stage.state).toBe(count === 0 ? 'held' : 'broken');
  });

  it('begins at the end of its task, if that succeeds', () => {
    const stage = new Stage([{ type: 'end_to_start', max_duration: 10 }]).start(WASH_A);
    expect([stage.checkAt(20), stage.state]).toEqual([[], 'waiting']);
    stage.end(WASH_A).limits.check();
    stage.clock.advanceTo(30);
    expect([stage.violations, stage.state]).toEqual([[], 'running']);
    stage.clock.advanceTo(31);
    expect(stage.violations).toMatchObject([{ elapsed_s: expect.closeTo(10.004, 9) }]);
  });

  it('does not begin with a task that failed', () => {
    const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
    stage.clock.advanceTo(5);
    stage.end(WASH_A, 'jammed');
    expect([stage.checkAt(60), stage.state]).toEqual([[], 'waiting']);
  });

  it('counts a task that an operator has done', () => {
    const stage = new Stage([{ type: 'end_to_start', max_duration: 10 }]);
    stage.clock.advanceTo(5);
    stage.progress.complete(WASH_A, 5);
    expect(stage.checkAt(14)).toEqual([]);
    stage.clock.advanceTo(16);
    expect(stage.violations).toHaveLength(1);
  });

  it('to an end runs on while its task runs', () => {
    const stage = new Stage([{ type: 'start_to_end', max_duration: 30 }]);
    run(WASH_A, stage, [0, 10]);
    stage.start(READ_A);
    expect([stage.checkAt(12), stage.state]).toEqual([[], 'running']);
    stage.clock.advanceTo(31);
    expect(stage.violations).toHaveLength(1);
  });

  it.each(['skipped', 'aborted'] as const)('is void with a task that is %s', (state) => {
    for (const task of [WASH_A, READ_A]) {
      const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
      stage.progress.tasks[task]!.state = state;
      expect([stage.checkAt(60), stage.state]).toEqual([[], 'void']);
      expect(stage.clock.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
    }
  });
});

describe('a least time', () => {
  it.each([
    ['at the limit', 10, 0],
    ['within rounding', 10 - 5e-7, 0],
    ['below it', 10 - 2e-6, 1],
  ])('ends %s', (_, start_s, count) => {
    const stage = new Stage([{ min_duration: 10 }]).start(WASH_A);
    stage.progress.startTask(READ_A, READER, start_s);
    expect(stage.checkAt(start_s)).toHaveLength(count);
    if (count > 0) expect(stage.violations).toMatchObject([{ kind: 'too_short', limit_s: 10 }]);
  });

  it('is not broken before its task starts', () => {
    const stage = new Stage([{ min_duration: 10 }]).start(WASH_A);
    expect(stage.checkAt(3)).toEqual([]);
  });

  it('releases its task at its end', () => {
    const stage = new Stage([{ min_duration: 10 }], 50).start(WASH_A);
    stage.progress.tasks[WASH_A]!.start_s = 0;
    stage.limits.check();
    stage.clock.advanceTo(59.9);
    expect(stage.released).toEqual([]);
    stage.clock.advanceTo(200);
    expect(stage.released).toEqual([expect.closeTo(10.004, 9)]);
  });

  it('to an end releases its task earlier by the time that the task takes', () => {
    const stage = new Stage([{ type: 'start_to_end', min_duration: 50 }]).start(WASH_A);
    stage.limits.check();
    stage.clock.advanceTo(200);
    expect(stage.released).toEqual([expect.closeTo(30.004, 9)]);
  });

  it('holds its task, in whole seconds', () => {
    const stage = new Stage([{ min_duration: 10 }, { id: 'late', max_duration: 50 }]);
    expect(stage.limits.reasons(READ_A)).toEqual([
      'limit soon has not begun',
      'limit late has not begun',
    ]);
    expect(stage.limits.isUnbegun(READ_A)).toBe(true);
    stage.start(WASH_A).clock.advanceTo(2.5);
    expect(stage.limits.reasons(READ_A)).toEqual([expect.stringMatching(/soon .* 8 s$/)]);
    expect(stage.limits.isUnbegun(READ_A)).toBe(false);
    expect(stage.limits.reasons(WASH_A)).toEqual([]);
    expect(stage.limits.reasons(READ_B)).toEqual([]);
    stage.clock.advanceTo(10);
    expect(stage.limits.reasons(READ_A)).toEqual([]);
  });

  it('to an end holds its task until it has begun', () => {
    const stage = new Stage([{ type: 'start_to_end', min_duration: 50 }]);
    expect(stage.limits.reasons(READ_A)).toEqual(['limit soon has not begun']);
    expect(stage.limits.isUnbegun(READ_A)).toBe(true);
    stage.start(WASH_A).clock.advanceTo(2.5);
    // Reading takes 20 s of the 50 s.
    expect(stage.limits.reasons(READ_A)).toEqual([expect.stringMatching(/soon .* 28 s$/)]);
  });

  it('holds no other task, and none when it is void', () => {
    const stage = new Stage([{ min_duration: 10 }]);
    expect([WASH_A, WASH_B].map((task) => stage.limits.isUnbegun(task))).toEqual([false, false]);
    stage.progress.skip(WASH_A);
    expect([stage.limits.reasons(READ_A), stage.limits.isUnbegun(READ_A)]).toEqual([[], false]);
  });

  it.each<[string, Partial<WorkflowTimeConstraint>]>([
    ['to its end alone', { type: 'start_to_end', max_duration: 10 }],
    ['of itself', { type: 'start_to_end', min_duration: 5, start_task_id: 'read_a' }],
  ])('holds no task of a limit %s', (_, limit) => {
    const free = new Stage([limit]);
    expect([free.limits.reasons(READ_A), free.limits.isUnbegun(READ_A)]).toEqual([[], false]);
  });
});

describe('several limits', () => {
  it('wake up at the first time that matters, one after the other', () => {
    const stage = new Stage([
      { id: 'last', max_duration: 30 },
      { id: 'first', max_duration: 10 },
    ]).start(WASH_A);
    stage.limits.check();
    stage.clock.advanceTo(1);
    stage.limits.check();
    expect(stage.clock.timers.nextDue_tick()).toBe(10 * 250 + 1);
    stage.released.length = 0;
    stage.clock.advanceTo(11);
    expect(stage.violations.map(({ constraint_id }) => constraint_id)).toEqual(['first']);
    stage.clock.advanceTo(31);
    expect(stage.violations.map(({ constraint_id }) => constraint_id)).toEqual(['first', 'last']);
    expect(stage.released).toHaveLength(2);
  });

  it('are watched no more once one of them has ended the run', () => {
    const stage = new Stage([{ max_duration: 10 }, { id: 'other', max_duration: 11 }]);
    stage.onViolation = () => stage.limits.stop();
    stage.start(WASH_A);
    expect(stage.checkAt(12)).toHaveLength(1);
    expect(stage.clock.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('wake up no more for another one once one of them has ended the run', () => {
    const stage = new Stage([{ max_duration: 10 }, { id: 'other', max_duration: 30 }]);
    stage.onViolation = () => stage.limits.stop();
    stage.start(WASH_A);
    expect(stage.checkAt(12)).toHaveLength(1);
    expect(stage.clock.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it.each<[string, (stage: Stage) => unknown]>([
    ['has not begun', () => {}],
    ['has ended', (stage) => stage.start(WASH_A).start(READ_A)],
    ['is void', (stage) => stage.start(WASH_A).progress.skip(READ_A)],
  ])('wake up for none that %s', (_, happen) => {
    const stage = new Stage([{ min_duration: 5, max_duration: 10 }]);
    happen(stage);
    stage.checkAt(1);
    expect(stage.clock.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('cancel their wake-up when they stop', () => {
    const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
    stage.limits.check();
    stage.limits.stop();
    stage.clock.advanceTo(60);
    expect([stage.violations, stage.released]).toEqual([[], []]);
  });

  it('are copied with their violations for another progress', () => {
    const stage = new Stage([{ max_duration: 10 }]).start(WASH_A);
    stage.checkAt(12);
    const copy = stage.limits.copyFor(new RunProgress(modelOf()));
    expect(copy.violations).toEqual(stage.violations);
    expect(copy.violations).not.toBe(stage.limits.violations);
    expect(copy.states(planOf())[0]).toMatchObject({ state: 'broken', elapsed_s: null });
  });
});

describe('the states of limits in a plan', () => {
  const tasks = [
    { task: WASH_A, instrument: WASHER, start_s: 5, end_s: 25 },
    { task: READ_A, instrument: READER, start_s: 32, end_s: 52 },
  ];
  it.each([
    ['start_to_start', 27],
    ['start_to_end', 47],
    ['end_to_start', 7],
    ['end_to_end', 27],
  ] as const)('%s have their planned time and slack', (type, planned_s) => {
    const { limits } = new Stage([{ type, min_duration: 2, max_duration: 60 }]);
    expect(limits.states(planOf({ tasks }))).toEqual([
      {
        constraint_id: 'soon',
        state: 'waiting',
        min_s: 2,
        max_s: 60,
        elapsed_s: null,
        planned_s,
        slack_s: 60 - planned_s,
      },
    ]);
  });

  it('have none without a longest time, or without a plan of both tasks', () => {
    const open = new Stage([{ min_duration: 2 }]).limits;
    const none = { max_s: null, slack_s: null };
    expect(open.states(planOf({ tasks }))).toMatchObject([{ ...none, planned_s: 27 }]);
    const { limits } = new Stage([{ max_duration: 60 }]);
    for (const one of tasks) {
      const found = limits.states(planOf({ tasks: [one] }));
      expect(found).toMatchObject([{ max_s: 60, planned_s: null, slack_s: null }]);
    }
  });

  it('have the times that have been', () => {
    const stage = new Stage([{ max_duration: 60 }]);
    stage.clock.advanceTo(9);
    stage.start(WASH_A).clock.advanceTo(12);
    const running = { state: 'running', elapsed_s: 3, planned_s: 23, slack_s: 37 };
    expect(stage.limits.states(planOf({ tasks }))).toMatchObject([running]);
    stage.clock.advanceTo(30);
    stage.start(READ_A).clock.advanceTo(40);
    const held = { state: 'held', elapsed_s: 21, planned_s: 21, slack_s: 39 };
    expect(stage.limits.states(planOf({ tasks }))).toMatchObject([held]);
  });
});

describe('labware of a broken limit', () => {
  it('is that of the task at its end', () => {
    const stage = new Stage([{ max_duration: 10 }, { id: 'other', end_task_id: 'read_b' }]);
    stage.progress.abortLimited('other');
    expect(stage.progress.abortedTasks).toEqual([WASH_B, READ_B]);
    stage.progress.abortLimited('soon');
    expect(stage.progress.abortedTasks).toEqual([WASH_A, READ_A, WASH_B, READ_B]);
  });
});
