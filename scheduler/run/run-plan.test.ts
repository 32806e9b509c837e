/** The plan of a run, its publication and the making of new plans, without a run. */

import { describe, expect, it } from 'vitest';
import { Replanning, WORK_PER_TICK } from '../joint/replanning.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { PlanPublisher } from './plan-publisher.ts';
import { RunProgress } from './progress.ts';
import {
  at,
  FETCH,
  HOTEL,
  modelOf,
  moveOf,
  PLATE_A,
  PLATE_B,
  planOf,
  quickWall,
  READ,
  READ_A,
  READ_B,
  READER,
  StepClock,
  WASH,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';
import { RunPlan } from './run-plan.ts';

const washNext = { task: WASH_B, instrument: WASHER, start_s: 27, end_s: 47 };

function planned(plan: Plan = planOf()): { progress: RunProgress; plan: RunPlan } {
  const progress = new RunProgress(modelOf());
  return { progress, plan: new RunPlan(progress, plan) };
}

describe('the open operations of a plan', () => {
  const all = planOf({ tasks: [WASH, washNext, READ], moves: [moveOf(), FETCH] });

  it('are the moves that have not begun, and none at the end', () => {
    const { plan, progress } = planned(all);
    expect(plan.openMoves).toEqual(all.moves);
    progress.startMove(moveOf(), 0);
    expect(plan.openMoves).toEqual([FETCH]);
    progress.startMove(FETCH, 25);
    expect(plan.openMoves).toEqual([]);
  });

  it('are the waiting tasks', () => {
    const { plan, progress } = planned(all);
    expect(plan.openTasks).toEqual([WASH, washNext, READ]);
    progress.startTask(WASH_A, WASHER, 5);
    expect(plan.openTasks).toEqual([washNext, READ]);
    progress.skip(READ_A);
    expect(plan.openTasks).toEqual([washNext]);
  });

  it('leave out pieces on hold', () => {
    const other = moveOf({ task: WASH_B, labware: PLATE_B, from: at(HOTEL, 2) });
    const { plan, progress } = planned({ ...all, moves: [...all.moves, other] });
    progress.held.add(PLATE_A);
    expect([plan.openMoves, plan.openTasks]).toEqual([[other], [washNext]]);
  });

  it('have a next start after a time', () => {
    const { plan } = planned({ ...all, moves: [FETCH] });
    const starts = [0, 4.999, 5, 24.9, 25, 29, 30].map((after_s) => plan.nextStart_s(after_s));
    expect(starts).toEqual([5, 5, 25, 25, 27, 30, null]);
    expect(planned().plan.nextStart_s(0)).toBeNull();
  });
});

describe('the planned times', () => {
  it('of the first plan stay when another plan is adopted', () => {
    const { plan } = planned(planOf({ tasks: [WASH], moves: [moveOf()] }));
    plan.adopt(planOf({ tasks: [{ ...WASH, start_s: 9 }, READ], moves: [] }));
    expect([plan.firstPlanned(WASH_A), plan.firstPlanned(READ_A)]).toEqual([WASH, undefined]);
    expect(plan.firstPlanned(moveOf({ start_s: 9, end_s: 12 }))).toEqual(moveOf());
    const others = [{ task: READ_A }, { labware: PLATE_B }, { toBuffer: true }].map(moveOf);
    expect(others.map((one) => plan.firstPlanned(one))).toEqual([undefined, undefined, undefined]);
    expect(plan.taskTimes(WASH_A)).toEqual({ ...WASH, start_s: 9 });
    expect([plan.taskTimes(READ_A), plan.taskTimes(WASH_B)]).toEqual([READ, undefined]);
  });

  it('of the end of a move are those of the current plan, or its own', () => {
    const moves = [
      moveOf({ toBuffer: true, end_s: 4 }),
      moveOf({ labware: PLATE_B, end_s: 6 }),
      moveOf({ task: READ_A, end_s: 7 }),
      moveOf({ end_s: 8 }),
    ];
    const { plan } = planned(planOf({ moves }));
    expect(plan.moveEnd_s(moveOf({ end_s: 99 }))).toBe(8);
    expect(plan.moveEnd_s(moveOf({ toBuffer: true, end_s: 99 }))).toBe(4);
    expect(plan.moveEnd_s(moveOf({ task: READ_B, end_s: 99 }))).toBe(99);
  });

  it.each([
    [10, 11, 5, false],
    [10, 11.01, 5, true],
    [10, 8.99, 5, true],
    [10, 9, 5, false],
    [100, 103, 30, false],
    [100, 103.1, 30, true],
    [100, 96.9, 30, true],
  ])('of %s s drift at %s s', (...row) => {
    const [planned_s, actual_s, duration_s, isDrift] = row;
    expect(planned().plan.isDrift(planned_s, actual_s, duration_s)).toBe(isDrift);
  });

  it.each([
    [0, 50],
    [10.5, 40],
    [49.5, 1],
    [50, 0],
    [60, 0],
    [9.9999999, 40],
  ])('at %s s leave %s s of work', (now_s, left_s) => {
    const { plan } = planned(planOf({ tasks: [READ] }));
    expect(plan.remaining_s(now_s)).toBe(left_s);
  });
});

describe('a plan that is adopted', () => {
  const first = planOf({ tasks: [WASH], moves: [moveOf()] });
  const near = 5e-6;
  it.each<[string, PlannedTask[], PlannedLabwareMove[], boolean]>([
    ['the same', [{ ...WASH }], [moveOf()], false],
    [
      'one with other rounding',
      [{ ...WASH, start_s: 5 + near }],
      [moveOf({ end_s: 5 - near })],
      false,
    ],
    ['one with another start', [{ ...WASH, start_s: 5.1 }], [moveOf()], true],
    ['one with another end', [{ ...WASH, end_s: 24.9 }], [moveOf()], true],
    ['one with another instrument', [{ ...WASH, instrument: READER }], [moveOf()], true],
    ['one with another task', [{ ...WASH, task: WASH_B }], [moveOf()], true],
    ['one with an earlier move', [WASH], [moveOf({ start_s: -1 })], true],
    ['one with a move that ends later', [WASH], [moveOf({ end_s: 6 })], true],
    ['one with a move of another piece', [WASH], [moveOf({ labware: PLATE_B })], true],
    ['one with a move from elsewhere', [WASH], [moveOf({ from: at(HOTEL, 3) })], true],
    ['one with a move to another slot', [WASH], [moveOf({ to: at(WASHER, 2) })], true],
    ['one with more', [WASH], [moveOf(), FETCH], true],
    ['one with less', [WASH], [], true],
    ['one with a task in place of a move', [WASH, { ...WASH, start_s: 0, end_s: 5 }], [], true],
    ['one with a move in place of a task', [], [moveOf({ start_s: 5, end_s: 25 }), moveOf()], true],
  ])('is new unless what has not started is equal: %s', (...row) => {
    const [, tasks, moves, isNew] = row;
    const { plan } = planned(first);
    const next = planOf({ tasks, moves });
    expect(plan.adopt(next)).toBe(isNew);
    expect(plan.current).toBe(next);
  });

  it('is not new where only what has started differs', () => {
    const { plan, progress } = planned(first);
    progress.startMove(moveOf(), 0);
    expect(plan.adopt(planOf({ tasks: [WASH], moves: [moveOf({ end_s: 9 })] }))).toBe(false);
    progress.startTask(WASH_A, WASHER, 5);
    expect(plan.adopt(planOf({ tasks: [{ ...WASH, end_s: 60 }] }))).toBe(false);
    expect(plan.adopt(planOf({ tasks: [WASH, READ] }))).toBe(true);
  });
});

/** A publisher with what it publishes, at a time of the twin that the test steps. */
class Publishing {
  readonly clock = new StepClock();
  readonly lines: string[] = [];
  readonly publisher: PlanPublisher;

  constructor() {
    const { clock, lines } = this;
    clock.advanceTo(2);
    const log = {
      publish: (_: string, { remaining_worktime }: { remaining_worktime: number }) =>
        lines.push(`${clock.tick} plan ${remaining_worktime}`),
    };
    this.publisher = new PlanPublisher({
      plan: planned(planOf({ tasks: [READ] })).plan,
      time: clock,
      timers: clock.timers,
      log: log as never,
      now_s: () => clock.now_s,
      onLate: () => lines.push(`${clock.tick} late`),
    });
  }
}

describe('the publication of plans', () => {
  it('has the work that is left, and happens once at a tick', () => {
    const { publisher, clock, lines } = new Publishing();
    expect([publisher.isPublishedNow, publisher.isAwaited]).toEqual([false, false]);
    publisher.publish();
    expect([lines, publisher.isPublishedNow, publisher.isAwaited]).toEqual([
      ['500 plan 48'],
      true,
      false,
    ]);
    publisher.publish();
    publisher.publish();
    expect([lines.length, publisher.isAwaited]).toEqual([1, true]);
    clock.advanceTo(2.004);
    expect(lines.slice(1)).toEqual(['501 plan 48', '501 late']);
    expect([publisher.isAwaited, publisher.isPublishedNow]).toEqual([false, true]);
    clock.advanceTo(9);
    expect([lines.length, publisher.isPublishedNow]).toEqual([3, false]);
  });

  it('waits for no tick at the first ones of the twin', () => {
    for (const tick of [0, 1, 2]) {
      const { publisher, clock, lines } = new Publishing();
      clock.tick = tick;
      expect(publisher.isPublishedNow).toBe(false);
      publisher.publish();
      expect([lines.length, publisher.isAwaited]).toEqual([1, false]);
    }
  });

  it('takes the place of one that waits', () => {
    const { publisher, clock, lines } = new Publishing();
    publisher.publish();
    publisher.publish();
    clock.tick += 1;
    publisher.publish();
    clock.advanceTo(9);
    expect(lines).toEqual(['500 plan 48', '501 plan 48']);
  });

  it('does not come after a stop', () => {
    const { publisher, clock, lines } = new Publishing();
    publisher.publish();
    publisher.publish();
    publisher.stop();
    clock.advanceTo(9);
    expect(lines).toHaveLength(1);
  });

  it.each([
    { isNew: true, mustPublish: false, count: 1 },
    { isNew: false, mustPublish: true, count: 1 },
    { isNew: false, mustPublish: false, count: 0 },
  ])('follows a planning that is new ($isNew) or wanted ($mustPublish)', (row) => {
    const { publisher, lines } = new Publishing();
    publisher.mustPublish = row.mustPublish;
    publisher.settle(row.isNew);
    expect([lines.length, publisher.mustPublish]).toEqual([row.count, false]);
  });

  it('of a wanted plan is that of the same tick', () => {
    const { publisher } = new Publishing();
    publisher.publish();
    publisher.mustPublish = true;
    publisher.settle(false);
    expect([publisher.isAwaited, publisher.mustPublish]).toEqual([false, false]);
    publisher.settle(true);
    expect(publisher.isAwaited).toBe(true);
  });
});

const newPlan = planOf({ tasks: [{ ...WASH, start_s: 6, end_s: 26 }] });

/** Replanning of two runs with a joint plan that takes `works`, one after the other. */
class Replans {
  readonly clock = new StepClock();
  works: number[] = [];
  plans: (Plan | null)[] = [newPlan, null];
  /** What the joint plan was asked for. */
  readonly asked: unknown[] = [];
  found: unknown = { ok: true, value: newPlan };
  faults: readonly string[] = [];
  private left: number[] | null = null;
  readonly members = [this.member(), this.member()];
  readonly replanning: Replanning;

  constructor(wall = quickWall) {
    this.clock.advanceTo(1);
    const parts = { joint: this.joint(), members: this.members, time: this.clock, wall };
    this.replanning = new Replanning(parts as never);
  }

  private member() {
    const { plan, progress } = planned(planOf({ tasks: [WASH] }));
    const publisher = {
      isPublishedNow: false,
      mustPublish: false,
      settled: [] as boolean[],
      reasons: [] as string[],
      settle: (isNew: boolean, reason = '') => {
        publisher.settled.push(isNew);
        publisher.reasons.push(reason);
      },
    };
    return { plan, progress, publisher, isActive: true, isProvisional: true };
  }

  private joint() {
    const of = (run: unknown) => this.members.indexOf(run as never);
    const stage = this;
    return {
      get isPlanning() {
        return stage.left !== null;
      },
      startPlanning: (tick: number, asking: unknown) => {
        stage.asked.push(['start', tick, of(asking)]);
        stage.left = [...stage.works];
      },
      cancelPlanning: () => {
        stage.left = null;
      },
      step: () => {
        const work = stage.left!.shift();
        if (work !== undefined) return { work, found: null };
        stage.left = null;
        return { work: 0, found: { faults: stage.faults, plans: stage.plans } };
      },
      planFor: async ({ run, progress }: { run: unknown; progress: unknown }, tick: number) => {
        stage.asked.push(['for', tick, of(run), progress === stage.members[of(run)]!.progress]);
        return stage.found;
      },
    };
  }
}

describe('a plan that is made beside the ticks', () => {
  it('begins when one is due, and gives the active runs their plans', () => {
    const stage = new Replans();
    const { replanning, members } = stage;
    expect([replanning.advance(), replanning.isActive, stage.asked]).toEqual([false, false, []]);
    replanning.isDue = true;
    expect(replanning.isActive).toBe(true);
    expect(replanning.advance()).toBe(true);
    expect([replanning.isDue, replanning.isActive]).toEqual([false, false]);
    expect(stage.asked).toEqual([['start', 250, -1]]);
    expect(members.map(({ publisher }) => publisher.settled)).toEqual([[true], []]);
    expect(members.map(({ plan }) => plan.current === newPlan)).toEqual([true, false]);
    expect(members.map(({ isProvisional }) => isProvisional)).toEqual([false, true]);
  });

  it('takes a limited amount of work of a tick', () => {
    const stage = new Replans();
    stage.works = [WORK_PER_TICK - 1, 1, WORK_PER_TICK, 1];
    const { replanning, clock } = stage;
    replanning.isDue = true;
    const advances = () => [replanning.advance(), replanning.advance(), replanning.isActive];
    expect(advances()).toEqual([false, false, true]);
    clock.tick += 1;
    expect(advances()).toEqual([false, false, true]);
    clock.tick += 1;
    expect([replanning.advance(), replanning.isActive]).toEqual([true, false]);
    expect(stage.asked).toHaveLength(1);
  });

  it('is adopted at the same tick where its work was done between ticks', async () => {
    const stage = new Replans();
    stage.works = [WORK_PER_TICK, WORK_PER_TICK, 1];
    const { replanning, clock } = stage;
    replanning.isDue = true;
    expect(replanning.advance()).toBe(false);
    await Promise.resolve().then(() => {});
    expect([replanning.advance(), replanning.isActive]).toEqual([false, true]);
    clock.tick += 1;
    expect(replanning.advance()).toBe(false);
    clock.tick += 1;
    expect([replanning.advance(), replanning.isActive]).toEqual([true, false]);
  });

  it('begins again at once after what changes meanwhile, and then a second after the last', () => {
    const stage = new Replans();
    stage.works = [WORK_PER_TICK + 1];
    const { replanning, clock } = stage;
    replanning.isDue = true;
    replanning.advance();
    replanning.isDue = true;
    clock.tick += 1;
    expect([replanning.advance(), stage.asked.length]).toEqual([false, 2]);
    clock.tick += 1;
    expect(replanning.advance()).toBe(false);
    clock.tick += 1;
    expect(replanning.advance()).toBe(true);
    replanning.isDue = true;
    clock.tick += 1;
    expect([replanning.advance(), stage.asked.length]).toEqual([false, 2]);
    expect(replanning.next_tick).toBe(clock.tick + 249);
    clock.tick += 249;
    replanning.advance();
    expect(stage.asked.length).toBe(3);
  });

  it('says why it was made', () => {
    const stage = new Replans();
    const { replanning, members } = stage;
    replanning.request('a is late');
    replanning.request('b is down');
    replanning.request('a is late');
    replanning.advance();
    expect(members[0]!.publisher.reasons).toEqual(['a is late; b is down']);
    stage.clock.tick += 250;
    replanning.request('c is back');
    replanning.advance();
    expect(members[0]!.publisher.reasons.at(-1)).toBe('c is back');
  });

  it('does not begin at a tick at which a plan was published', () => {
    const stage = new Replans();
    stage.members[1]!.publisher.isPublishedNow = true;
    stage.replanning.isDue = true;
    expect([stage.replanning.advance(), stage.asked]).toEqual([false, []]);
    expect(stage.replanning.isActive).toBe(true);
    stage.members[1]!.publisher.isPublishedNow = false;
    expect(stage.replanning.advance()).toBe(true);
  });

  it('is given up by a stop', () => {
    const stage = new Replans();
    stage.works = [WORK_PER_TICK + 1];
    stage.replanning.isDue = true;
    stage.replanning.advance();
    stage.replanning.isDue = true;
    stage.replanning.stop();
    expect([stage.replanning.isDue, stage.replanning.isActive]).toEqual([false, false]);
  });

  it('becomes due with drift, or while another is made', () => {
    const stage = new Replans();
    const { replanning } = stage;
    const { plan } = stage.members[0]!;
    const times = (actual_s: number) => ({ plan, actual_s, planned_s: 25 });
    replanning.recordTiming(WASH, times(26.9));
    expect(replanning.isDue).toBe(false);
    replanning.recordTiming(WASH, times(27.1));
    expect(replanning.isDue).toBe(true);
    stage.works = [WORK_PER_TICK + 1];
    replanning.advance();
    replanning.recordTiming(WASH, times(25));
    expect(replanning.isDue).toBe(true);
  });
});

describe('the plans of the runs', () => {
  const result = (...plans: (Plan | null)[]) => ({ faults: ['why'], plans });

  it('are new if one of them is', () => {
    const same = planOf({ tasks: [WASH] });
    const { replanning } = new Replans();
    expect(replanning.adopt(result(same, same), null)).toBe(false);
    expect(replanning.adopt(result(newPlan, same), null)).toBe(true);
    expect(replanning.adopt(result(newPlan, newPlan), null)).toBe(true);
    expect(replanning.adopt(result(newPlan, newPlan), null)).toBe(false);
    expect(replanning.adopt(result(null, null), null)).toBe(false);
  });

  it('are not for paused runs, other than the one that asks', () => {
    const stage = new Replans();
    const [first, second] = stage.members;
    Object.assign(first!, { isActive: false });
    Object.assign(second!, { isActive: false });
    expect(stage.replanning.adopt(result(newPlan, newPlan), second as never)).toBe(true);
    expect([first!.plan.faults, second!.plan.faults]).toEqual([[], ['why']]);
    expect([first!.publisher.settled, second!.publisher.settled]).toEqual([[], [true]]);
  });
});

describe('a plan on request', () => {
  it('is made for all runs at once', async () => {
    const stage = new Replans();
    stage.works = [WORK_PER_TICK, WORK_PER_TICK, WORK_PER_TICK];
    const [first, second] = stage.members;
    await stage.replanning.replanNow(first as never, { alwaysPublish: false });
    expect(stage.asked).toEqual([['start', 250, 0]]);
    expect([first!.publisher.settled, stage.replanning.isActive]).toEqual([[true], false]);
    expect([first!.publisher.mustPublish, second!.publisher.mustPublish]).toEqual([false, false]);
  });

  it('ends where its planning is given up between two turns', async () => {
    let now_ms = 0;
    const slow = { ...quickWall, now_ms: () => (now_ms += 1000) };
    const stage = new Replans(slow);
    stage.works = [1, 1, 1, 1];
    const [first] = stage.members;
    const done = stage.replanning.replanNow(first as never, { alwaysPublish: false });
    stage.replanning.stop();
    await done;
    expect([first!.publisher.settled, stage.replanning.isActive]).toEqual([[], false]);
  });

  it('is published in any case where that is wanted', async () => {
    const stage = new Replans();
    await stage.replanning.replanNow(stage.members[1] as never, { alwaysPublish: true });
    const wanted = stage.members.map(({ publisher }) => publisher.mustPublish);
    expect(wanted).toEqual([false, true]);
  });

  it('of a paused run is made for it alone while others go on', async () => {
    const stage = new Replans();
    const [first, second] = stage.members;
    Object.assign(second!, { isActive: false });
    second!.plan.faults = ['before'];
    await stage.replanning.replanNow(second as never, { alwaysPublish: false });
    expect(stage.asked).toEqual([['for', 250, 1, true]]);
    expect([second!.plan.faults, second!.plan.current]).toEqual([[], newPlan]);
    expect([first!.publisher.settled, second!.publisher.settled]).toEqual([[], [true]]);
    stage.found = { ok: false, error: { kind: 'deadlock', messages: ['none'] } };
    await stage.replanning.replanNow(second as never, { alwaysPublish: false });
    expect([second!.plan.faults, second!.publisher.settled]).toEqual([['none'], [true]]);
  });

  it('of a paused run is made for all while none is active', async () => {
    const stage = new Replans();
    const [first, second] = stage.members;
    for (const one of stage.members) Object.assign(one, { isActive: false });
    stage.plans = [newPlan, newPlan];
    await stage.replanning.replanNow(second as never, { alwaysPublish: false });
    expect(stage.asked).toEqual([['start', 250, 1]]);
    expect([first!.publisher.settled, second!.publisher.settled]).toEqual([[], [true]]);
  });
});
