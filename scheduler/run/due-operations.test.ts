/** Which planned operations of a run start, in what order, and when the run looks again. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowTimeConstraint } from '../../contract/types.generated.ts';
import { Timers } from '../../server/clock/timers.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { device, job, modelOf, piece } from '../definition/small-model.cases.ts';
import { JointPlan } from '../joint/joint-plan.ts';
import { Replanning } from '../joint/replanning.ts';
import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { FakeTransporter, loadingArm } from '../workcell/fake-moves.cases.ts';
import { DueOperations } from './due-operations.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { RunProgress } from './progress.ts';
import { RunLog } from './run-log.ts';
import { RunMoves } from './run-moves.ts';
import { RunPlan } from './run-plan.ts';
import { RunSupplies } from './run-supplies.ts';
import { RunTasks } from './run-tasks.ts';
import { SimulatedResults } from './simulated-results.ts';
import { TimeLimits } from './time-limits.ts';

const at = (instrument: number, slot: number) => ({ instrument, slot });

/** A plate goes to the washer at 10 s and is washed at 15 s; two readings need no plate. */
const MODEL = modelOf({
  instruments: [device('hotel', 3), device('washer'), device('reader'), device('camera')],
  tasks: [job('wash', [1], [[0, 1]]), job('read', [2]), job('film', [3]), job('last', [2])],
  labware: [piece('plate', [0, 1], [0]), piece('other', [0, 3])],
});
const MOVE = { task: 0, labware: 0, from: at(0, 1), to: at(1, 1), start_s: 10, end_s: 15 };
const task = (index: number, instrument: number, start_s: number): PlannedTask => {
  return { task: index, instrument, start_s, end_s: start_s + 10 };
};
const WASH = task(0, 1, 15);
const READ = task(1, 2, 20);
const FILM = task(2, 3, 20);
const LAST = task(3, 2, 40);

/** Planning that does what a test says. */
class FakeReplanning extends Replanning {
  active = false;
  /** Results of `advance`, the next one first. */
  readonly plans: boolean[] = [];
  advances = 0;
  readonly timings: [unknown, unknown][] = [];

  override get next_tick(): number {
    return 1001;
  }

  override get isActive(): boolean {
    return this.active;
  }

  override advance(): boolean {
    this.advances += 1;
    return this.plans.shift() ?? false;
  }

  readonly requests: string[] = [];

  override request(reason: string): void {
    this.requests.push(reason);
  }

  override recordTiming(one: unknown, times: unknown): void {
    this.timings.push([one, times]);
  }
}

interface Given {
  readonly moves?: readonly PlannedLabwareMove[];
  readonly tasks?: readonly PlannedTask[];
  readonly constraints?: readonly WorkflowTimeConstraint[];
}

let prepared: PreparedMoves;
beforeEach(async () => {
  prepared = await PreparedMoves.prepare(MODEL, { arm: loadingArm(), wall: systemClock });
});

/** A run of the model that follows a plan. */
class Following {
  now_s = 0;
  state: 'started' | 'paused' | 'stopped' = 'started';
  hasPlan = true;
  readonly messages: string[] = [];
  readonly begun: string[] = [];
  readonly down = new Set<number>();
  readonly time = { tick: 1000, now_s: 4, epoch_ms: 0 };
  readonly timers = new Timers();
  readonly transporter = new FakeTransporter();
  readonly order = { isNextMove: () => true, isNextTask: (_: PlannedTask) => true };
  readonly progress: RunProgress;
  readonly plan: RunPlan;
  readonly replanning: FakeReplanning;
  readonly due: DueOperations;
  dispatches = 0;

  constructor({ moves = [MOVE], tasks = [WASH, READ, FILM, LAST], constraints = [] }: Given = {}) {
    const model = { ...MODEL, constraints };
    const { time, timers, transporter, order } = this;
    const now_s = () => this.now_s;
    const progress = new RunProgress(model);
    this.progress = progress;
    this.plan = new RunPlan(progress, { moves, tasks, makespan_s: 50, lower_bound_s: 0 });
    const joint = new JointPlan(
      {
        runs: [],
        statics: new Map(),
        version: 0,
        begun_tick: 0,
        clockAt_s: () => 0,
        downSince: () => null,
      },
      1,
    );
    this.replanning = new FakeReplanning({ joint, members: [], time, wall: systemClock });
    const log = new RunLog(1, time, ({ body }) => {
      this.begun.push(`${Reflect.get(body, 'task_id')}`);
    });
    const shared = { model, progress, log, now_s, time, timers, transporter };
    const ended = { onDone: () => {}, onFailed: () => {}, onEnded: () => {} };
    const limits = new TimeLimits({ ...shared, onViolation: () => {}, onReleased: () => {} });
    const neighbours = {
      holderOf: () => undefined,
      runningOn: () => [],
      carriedAt: () => [],
      gripped: () => null,
    };
    const downSince_s = (instrument: number) => (this.down.has(instrument) ? 0 : null);
    const supplies = new RunSupplies(model, new Map());
    const results = new SimulatedResults(model, [], 1);
    this.due = new DueOperations({
      ...shared,
      order,
      plan: this.plan,
      workcell: {
        ...{ model, progress, limits, supplies, neighbours, now_s, downSince_s },
        lastEnd_s: (instrument) => progress.lastEnd_s(instrument),
        begun_s: 0,
        clock_s: 0,
      },
      labwareMoves: new RunMoves({ ...shared, ...ended, moves: prepared }),
      tasks: new RunTasks({ ...shared, ...ended, supplies, results }),
      replanning: this.replanning,
      dispatch: () => {
        this.dispatches += 1;
      },
    });
  }

  becomePaused(message: string): void {
    this.messages.push(message);
    this.state = 'paused';
  }

  startAt(now_s: number): boolean {
    this.now_s = now_s;
    return this.due.startReady(this);
  }

  get moved(): number {
    return this.transporter.orders.length;
  }

  /** The plate stands in the washer. */
  deliver(): void {
    this.startAt(10);
    this.transporter.observer.onPicked();
    this.transporter.observer.onPlaced();
    this.transporter.isBusy = false;
    this.transporter.observer.onDone();
    this.begun.splice(0);
  }
}

const never = () => false;

describe('a planned move', () => {
  it.each([
    [9.99, false],
    [10 - 2e-6, false],
    [10 - 1e-6, true],
    [10 - 5e-7, true],
    [10, true],
    [11, true],
  ])('at 10 s starts at %d s: %s', (now_s, isDue) => {
    const run = new Following();
    expect(run.startAt(now_s)).toBe(isDue);
    expect(run.moved).toBe(isDue ? 1 : 0);
    const times = { plan: run.plan, actual_s: now_s, planned_s: 10 };
    expect(run.replanning.timings).toEqual(isDue ? [[MOVE, times]] : []);
  });

  it('starts once, and the next one when the transporter is free', () => {
    const back = { ...MOVE, from: at(0, 3), to: at(0, 2), labware: 1, toBuffer: true, start_s: 11 };
    const run = new Following({ moves: [MOVE, back] });
    run.startAt(12);
    expect([run.moved, run.startAt(12)]).toEqual([1, false]);
    run.transporter.observer.onPicked();
    run.transporter.observer.onPlaced();
    run.transporter.isBusy = false;
    run.transporter.observer.onDone();
    expect([run.startAt(13), run.moved]).toEqual([true, 2]);
  });

  it('waits for its turn among the runs', () => {
    const run = new Following();
    run.order.isNextMove = never;
    expect([run.startAt(10), run.moved]).toEqual([false, 0]);
    run.transporter.isReady = false;
    run.startAt(10);
    expect(run.due.isArmAwaited).toBe(false);
  });

  it('waits for its target', () => {
    const run = new Following();
    run.progress.locations[1] = at(1, 1);
    expect([run.startAt(10), run.moved]).toEqual([false, 0]);
  });

  it('passes those before it that cannot begin', () => {
    const aside = { labware: 1, from: at(0, 3), to: at(0, 2), start_s: 12, toBuffer: true };
    const run = new Following({ moves: [MOVE, { ...MOVE, ...aside }] });
    run.down.add(1);
    expect([run.startAt(11), run.startAt(12), run.moved]).toEqual([false, true, 1]);
    expect(run.transporter.orders[0]!.labware.id).toBe('other');
  });

  it('takes no slot that one before it is to take first', () => {
    const other = { ...MOVE, labware: 1, from: at(0, 3), start_s: 12, toBuffer: true };
    const run = new Following({ moves: [MOVE, other] });
    run.progress.locations[0] = at(0, 2);
    expect([run.startAt(12), run.moved]).toEqual([false, 0]);
    run.progress.locations[0] = at(0, 1);
    expect([run.startAt(12), run.moved]).toEqual([true, 1]);
  });

  it('waits for an arm that comes to rest', () => {
    const run = new Following();
    expect(run.due.isArmAwaited).toBe(false);
    run.transporter.isReady = false;
    run.startAt(9);
    expect(run.due.isArmAwaited).toBe(false);
    expect([run.startAt(10), run.due.isArmAwaited, run.moved]).toEqual([false, true, 0]);
    run.transporter.isReady = true;
    expect([run.startAt(10), run.due.isArmAwaited, run.moved]).toEqual([true, false, 1]);
  });

  it('that cannot start pauses the run', () => {
    const run = new Following();
    run.transporter.startFault = 'no way';
    expect(run.startAt(10)).toBe(false);
    expect([run.messages, run.state, run.replanning.timings]).toEqual([['no way'], 'paused', []]);
    expect(run.moved).toBe(1);
  });
});

describe('planned tasks', () => {
  it('start together, the first of each instrument', () => {
    const run = new Following();
    run.order.isNextMove = never;
    expect(run.startAt(20 - 2e-6)).toBe(false);
    expect(run.startAt(20)).toBe(true);
    expect(run.begun).toEqual(['read', 'film']);
    expect(run.replanning.timings).toEqual(
      [READ, FILM].map((one) => [one, { plan: run.plan, actual_s: 20, planned_s: 20 }]),
    );
    expect(run.startAt(40)).toBe(false);
    expect(run.begun.length).toBe(2);
  });

  it('start once their labware has come', () => {
    const run = new Following({ tasks: [WASH] });
    run.deliver();
    expect(run.startAt(14)).toBe(false);
    expect([run.startAt(15), run.begun]).toEqual([true, ['wash']]);
    const early = new Following({ tasks: [WASH], moves: [] });
    expect([early.startAt(15), early.begun]).toEqual([false, []]);
  });

  it('wait for their turn among the runs', () => {
    const run = new Following({ moves: [] });
    run.order.isNextTask = ({ task: index }) => index === 2;
    expect([run.startAt(20), run.begun]).toEqual([true, ['film']]);
  });

  it('wait for the least time of a limit', () => {
    const limit = { id: 'rest', type: 'start_to_start', min_duration: 5 } as const;
    const constraints = [{ ...limit, start_task_id: 'read', end_task_id: 'film' }];
    const run = new Following({ constraints, moves: [] });
    run.startAt(20);
    expect(run.begun).toEqual(['read']);
    run.startAt(25);
    expect(run.begun).toEqual(['read', 'film']);
  });

  it('start although a move has not', () => {
    const run = new Following();
    run.transporter.isReady = false;
    expect([run.startAt(20), run.begun]).toEqual([true, ['read', 'film']]);
  });
});

describe('an operation that takes longer than planned', () => {
  const late = (seconds: number) => `wash is late by ${seconds} s`;

  it('is a reason for a new plan, and again when it is late for twice as long, and at its end', () => {
    const run = new Following({ tasks: [WASH] });
    run.deliver();
    run.startAt(15);
    const reasonsAt = (now_s: number) => {
      run.replanning.requests.splice(0);
      run.startAt(now_s);
      return run.replanning.requests.splice(0);
    };
    expect([26.9, 27, 28, 29, 30].map(reasonsAt)).toEqual([[], [late(2)], [], [late(4)], []]);
    run.now_s = 31;
    run.progress.endTask(0, 31, null);
    expect([31, 32].map(reasonsAt)).toEqual([['wash has ended'], []]);
  });

  it('wakes the run', () => {
    const run = new Following({ tasks: [WASH] });
    run.deliver();
    run.startAt(15);
    run.timers.clear();
    run.due.sleep(0);
    expect(run.timers.nextDue_tick()).toBe(27 * 250);
  });
});

describe('an instrument that is down', () => {
  it('is a reason for a new plan each time it is down for twice as long', () => {
    const run = new Following({ tasks: [], moves: [] });
    run.down.add(1);
    const reasonsAt = (now_s: number) => {
      run.startAt(now_s);
      return run.replanning.requests.splice(0);
    };
    expect([59, 60, 61, 120, 200, 240].map(reasonsAt)).toEqual([
      [],
      ['washer is still down'],
      [],
      ['washer is still down'],
      [],
      ['washer is still down'],
    ]);
    run.due.sleep(0);
    expect(run.timers.nextDue_tick()).toBe(480 * 250);
  });
});

describe('what is ready', () => {
  it('is all started in one call', () => {
    const run = new Following();
    expect(run.startAt(20)).toBe(true);
    expect([run.moved, run.begun]).toEqual([1, ['read', 'film']]);
    expect(run.replanning.timings.map(([one]) => one)).toEqual([MOVE, READ, FILM]);
  });

  it('waits while the run is not started, or has no plan', () => {
    const run = new Following();
    run.state = 'paused';
    expect([run.startAt(20), run.moved, run.replanning.advances]).toEqual([false, 0, 0]);
    run.state = 'started';
    run.hasPlan = false;
    expect([run.startAt(20), run.moved, run.replanning.advances]).toEqual([false, 0, 1]);
  });

  it('is looked for again after a new plan', () => {
    const run = new Following();
    run.replanning.plans.push(true, false);
    expect([run.startAt(5), run.replanning.advances]).toEqual([true, 2]);
    expect([run.startAt(5), run.replanning.advances]).toEqual([false, 3]);
  });

  it('is not looked for once the run has paused', () => {
    const run = new Following({ tasks: [READ] });
    run.transporter.startFault = 'no way';
    run.startAt(20);
    expect([run.moved, run.begun, run.messages]).toEqual([1, [], ['no way']]);
    expect(run.replanning.advances).toBe(0);
  });
});

describe('a run sleeps', () => {
  const NEVER = Number.POSITIVE_INFINITY;

  it.each([
    [0, 100 + 2500],
    [9.99, 100 + 2500],
    [10, 100 + 3750],
    [15, 100 + 5000],
    [20, 100 + 0],
  ])('at %d s until the next planned start', (now_s, tick) => {
    const run = new Following({ tasks: [WASH, READ] });
    run.now_s = now_s;
    run.due.sleep(100);
    expect(run.timers.nextDue_tick()).toBe(tick === 100 ? NEVER : tick);
  });

  it('until the next tick while a plan is made', () => {
    const run = new Following();
    run.replanning.active = true;
    run.due.sleep(100);
    expect(run.timers.nextDue_tick()).toBe(1001);
    run.timers.fire(1001);
    expect([run.dispatches, run.timers.nextDue_tick()]).toEqual([1, NEVER]);
  });

  it('with one time to wake up', () => {
    const run = new Following();
    run.due.stop();
    run.due.sleep(0);
    run.due.sleep(0);
    run.timers.fire(2499);
    expect(run.dispatches).toBe(0);
    run.timers.fire(2500);
    expect(run.dispatches).toBe(1);
    run.due.sleep(0);
    run.due.stop();
    expect(run.timers.nextDue_tick()).toBe(NEVER);
    run.replanning.active = true;
    run.due.sleep(0);
    run.due.sleep(0);
    run.timers.fire(1001);
    expect(run.dispatches).toBe(2);
  });
});

describe('a run goes on by itself', () => {
  /** Nothing but the operations of the plan, at 5 s. */
  function goesOn(given: Given, change: (run: Following) => unknown = () => {}): boolean {
    const run = new Following(given);
    run.now_s = 5;
    change(run);
    run.due.onDispatched();
    return run.due.goesOnByItself;
  }
  const nothing = { moves: [], tasks: [] };

  it('before its first dispatch, not with nothing planned', () => {
    expect(new Following(nothing).due.goesOnByItself).toBe(true);
    expect(goesOn(nothing)).toBe(false);
  });

  it.each<[string, (run: Following) => unknown]>([
    ['a plan is made', (run) => Object.assign(run.replanning, { active: true })],
    ['the arm comes to rest', (run) => Object.assign(run.due, { isArmAwaited: true })],
    ['a move is in progress', (run) => Object.assign(run.transporter, { isBusy: true })],
    ['a task runs', (run) => run.progress.startTask(1, 2, 0)],
  ])('while %s', (_, change) => {
    expect(goesOn(nothing, change)).toBe(true);
  });

  it('with a move that waits for its time only', () => {
    const given = { moves: [MOVE], tasks: [] };
    expect(goesOn(given)).toBe(true);
    expect(goesOn(given, (run) => Object.assign(run.order, { isNextMove: never }))).toBe(false);
    expect(goesOn(given, (run) => run.progress.locations.splice(1, 1, at(1, 1)))).toBe(false);
    expect(goesOn(given, (run) => run.down.add(1))).toBe(false);
  });

  it('with a task that waits for its time only', () => {
    const given = { moves: [], tasks: [READ] };
    expect(goesOn(given)).toBe(true);
    expect(goesOn(given, (run) => Object.assign(run.order, { isNextTask: never }))).toBe(false);
    expect(goesOn(given, (run) => run.down.add(2))).toBe(false);
    expect(goesOn({ moves: [], tasks: [WASH] })).toBe(false);
    expect(goesOn({ moves: [], tasks: [WASH, READ] })).toBe(true);
  });

  it('with a limit that has begun, not with one that has not', () => {
    const limit = { id: 'rest', type: 'start_to_start', min_duration: 50 } as const;
    const constraints = [{ ...limit, start_task_id: 'film', end_task_id: 'read' }];
    const given = { moves: [], tasks: [READ], constraints };
    expect(goesOn(given)).toBe(false);
    expect(
      goesOn(given, ({ progress }) => {
        progress.startTask(2, 3, 0);
        progress.endTask(2, 1, null);
      }),
    ).toBe(true);
  });
});
