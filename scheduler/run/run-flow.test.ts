/** How a run goes from its start to its end, among hand-made parts. */

import { describe, expect, it } from 'vitest';
import { failureActionsOf, failurePolicyOf } from '../definition/workflow-model.ts';
import {
  at,
  BRING,
  FETCH,
  limitOf,
  PLAN,
  PLATE_A,
  planOf,
  READ,
  READ_A,
  READER,
  WASH,
  WASH_A,
  WASHER,
} from './run-parts.cases.ts';
import { onePlate, RunStage, washing } from './run-stage.cases.ts';

const NO_ACTIONS = failureActionsOf({ retry: false, complete_manually: false, ignore: false });
/** A task whose failure ends the run. */
const STOPS = { failureActions: NO_ACTIONS, onFailure: failurePolicyOf(NO_ACTIONS) };

describe('a run', () => {
  it('publishes its plan and start, and starts each operation when it is ready', async () => {
    const stage = new RunStage();
    const { run, transporter, shared } = stage;
    await run.start();
    expect(stage.news()).toEqual(['0 plan 50', '0 started']);
    expect(transporter.orders).toMatchObject([{ labware: { id: 'plate_a' }, time_s: 5 }]);
    transporter.pick();
    stage.to(5).transporter.finish();
    expect(stage.news()).toEqual(['0 plate_a started', '5 plate_a finished', '5 wash_a started']);
    stage.to(25);
    expect(stage.news()).toEqual(['25 wash_a succeeded']);
    expect([transporter.orders.length, run.now_s, run.tick]).toEqual([2, 25, 125 * 250]);
    transporter.pick();
    stage.to(30).transporter.finish();
    stage.to(50);
    expect(stage.news().slice(2)).toEqual([
      '30 read_a started',
      '50 read_a succeeded',
      '50 stopped (completed)',
    ]);
    expect(run.state).toBe('stopped');
    expect(shared.calls).toEqual(['stop planning', 'remove true']);
    expect([stage.loop.listener, stage.loop.isNeeded]).toEqual([null, null]);
    expect(transporter.calls).toEqual(['cancel']);
    expect(stage.loop.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('compares each start and end with its planned time', async () => {
    const stage = await washing();
    expect(stage.shared.drifts).toEqual([
      { planned_s: 0, actual_s: 0 },
      { planned_s: 5, actual_s: 5 },
      { planned_s: 5, actual_s: 5 },
    ]);
    stage.run.plan.adopt(planOf({ ...PLAN, tasks: [{ ...WASH, end_s: 24 }, READ] }));
    stage.to(25);
    expect(stage.shared.drifts[3]).toEqual({ planned_s: 24, actual_s: 25 });
    stage.run.plan.adopt(planOf({ tasks: [READ], moves: [{ ...FETCH, end_s: 29 }] }));
    stage.transporter.pick();
    stage.to(33).transporter.finish();
    expect(stage.shared.drifts[5]).toEqual({ planned_s: 29, actual_s: 33 });
  });

  it('compares no end of a task that its plan does not have', async () => {
    const stage = await washing();
    const { length } = stage.shared.drifts;
    stage.run.plan.adopt(planOf());
    stage.to(26);
    expect([stage.shared.drifts.length, stage.news()]).toEqual([length, ['25 wash_a succeeded']]);
  });

  it('waits for planned times with a timer', async () => {
    const tasks = [{ ...WASH, start_s: 12, end_s: 32 }];
    const stage = new RunStage({ plan: planOf({ tasks }) });
    stage.progress.locations[PLATE_A] = at(WASHER, 1);
    await stage.run.start();
    expect(stage.news()).toHaveLength(2);
    stage.to(11.9);
    expect(stage.news()).toEqual([]);
    stage.to(13);
    expect(stage.news()).toEqual(['12 wash_a started']);
  });

  it('starts nothing that is the turn of another run', async () => {
    const stage = new RunStage();
    stage.shared.isNext = false;
    await stage.run.start();
    expect(stage.transporter.orders).toEqual([]);
    stage.progress.startMove(BRING, 0);
    stage.progress.locations[PLATE_A] = at(WASHER, 1);
    stage.to(6).run.dispatch();
    expect(stage.progress.runningTasks).toEqual([]);
    stage.shared.isNext = true;
    stage.run.dispatch();
    expect(stage.progress.runningTasks).toEqual([WASH_A]);
  });

  it('goes on at the tick at which its second plan is published', async () => {
    const stage = await washing();
    stage.to(25);
    stage.transporter.pick();
    stage.to(30);
    stage.run.publisher.publish();
    stage.run.publisher.publish();
    expect(stage.run.hasPlan).toBe(false);
    stage.transporter.finish();
    expect(stage.news().slice(-1)).toEqual(['30 plate_a finished']);
    stage.to(30.004);
    expect(stage.news()).toEqual(['30.004 plan 20', '30.004 read_a started']);
    expect(stage.run.hasPlan).toBe(true);
  });

  it('starts nothing before its first joint plan', async () => {
    const stage = new RunStage();
    stage.run.isProvisional = true;
    await stage.run.start();
    expect([stage.transporter.orders, stage.run.hasPlan, stage.run.canStart]).toEqual([
      [],
      false,
      false,
    ]);
    stage.run.isProvisional = false;
    expect([stage.run.isActive, stage.run.canStart]).toEqual([true, true]);
  });

  it('pauses when a move cannot start', async () => {
    const stage = new RunStage();
    stage.transporter.fault = 'no way';
    await stage.run.start();
    expect(stage.news().slice(2)).toEqual(['0 paused (no way)']);
  });

  it('starts no move while the arm comes to rest', async () => {
    const stage = new RunStage();
    stage.transporter.isReady = false;
    await stage.run.start();
    stage.tick();
    expect(stage.transporter.orders).toEqual([]);
    stage.transporter.isReady = true;
    stage.tick();
    expect(stage.transporter.orders).toHaveLength(1);
    const { dispatches } = stage.shared;
    stage.tick();
    expect(stage.shared.dispatches).toBe(dispatches);
  });

  it('completes only when the arm is free', async () => {
    const model = onePlate({ changed: { 1: { skip: true } } });
    const toBuffer = { ...FETCH, task: WASH_A, toBuffer: true };
    const stage = await washing({
      model,
      plan: planOf({ tasks: [WASH], moves: [BRING, toBuffer] }),
    });
    stage.to(25);
    stage.transporter.pick();
    expect(stage.run.state).toBe('started');
    stage.to(30).transporter.finish();
    expect(stage.news().at(-1)).toBe('30 stopped (completed)');
  });
});

describe('a failed task', () => {
  const faults = [{ task_id: 'wash_a', error: 'clogged' }];

  it('pauses the run where an operator has a choice', async () => {
    const stage = await washing({ faults });
    stage.to(25);
    expect(stage.news()).toEqual([
      '25 wash_a failed (clogged)',
      '25 paused (task wash_a failed: clogged)',
    ]);
    expect(stage.run.conditions).toEqual({
      state: 'paused',
      progress: stage.progress,
      model: stage.run.model,
      safety: 'ok',
    });
  });

  it('ends the run where there is none', async () => {
    const model = onePlate({ changed: { [WASH_A]: STOPS } });
    const stage = await washing({ faults, model });
    stage.to(25);
    expect(stage.news().at(-1)).toBe('25 stopped (failure: task wash_a failed: clogged)');
  });

  it('follows a move that fails before the pick-up, with an event', async () => {
    const stage = new RunStage();
    await stage.run.start();
    stage.to(2).transporter.fail('stuck');
    expect(stage.news().slice(2)).toEqual([
      '2 wash_a failed (stuck)',
      '2 paused (task wash_a failed: stuck)',
    ]);
    expect(stage.progress.tasks[WASH_A]).toMatchObject({ state: 'failed', instrument: WASHER });
  });

  it('follows a move that fails with its piece, whose event says so', async () => {
    const stage = new RunStage();
    await stage.run.start();
    stage.transporter.pick();
    stage.to(2).transporter.fail('stuck');
    expect(stage.news().slice(2)).toEqual([
      '0 plate_a started',
      '2 plate_a failed',
      '2 paused (task wash_a failed: stuck)',
    ]);
  });

  it('does not follow a move into a buffer', async () => {
    const moves = [{ ...BRING, toBuffer: true }];
    const stage = new RunStage({ plan: planOf({ ...PLAN, moves }) });
    await stage.run.start();
    stage.to(2).transporter.fail('stuck');
    expect(stage.news().slice(2)).toEqual(['2 paused (stuck)']);
    expect(stage.progress.failedTasks).toEqual([]);
  });

  it('does not follow a move that a safety stop has ended', async () => {
    const stage = new RunStage();
    await stage.run.start();
    stage.transporter.isReady = false;
    stage.safety({ state: 'collision' }, 'protective_stop');
    stage.tick();
    expect(stage.progress.failedTasks).toEqual([]);
    expect(stage.news().slice(2)).toEqual(['0 protective_stop', '0 paused (protective stop)']);
  });
});

describe('a limit of time', () => {
  const limited = (on_violation: 'continue' | 'pause' | 'stop' | 'abort_labware') =>
    onePlate({ constraints: [limitOf({ max_duration: 10, on_violation })] });

  it.each([
    ['continue', 'started', []],
    ['pause', 'paused', [expect.stringMatching(/^15.004 paused \(.*soon/)]],
    [
      'stop',
      'stopped',
      [
        expect.stringMatching(/^15.004 wash_a failed/),
        expect.stringMatching(/^15.004 stopped \(failure: .*soon/),
      ],
    ],
    ['abort_labware', 'started', []],
  ] as const)('that is broken lets the run %s', async (action, state, lines) => {
    const stage = await washing({ model: limited(action) });
    stage.shared.replanning.isDue = false;
    stage.to(15.004);
    expect([stage.run.state, stage.news()]).toEqual([state, lines]);
    expect(stage.shared.replanning.isDue).toBe(true);
    const isAborted = action === 'abort_labware';
    expect(stage.progress.abortedTasks).toEqual(isAborted ? [READ_A] : []);
  });

  it('that ends the run lets nothing follow', async () => {
    const limit = { type: 'start_to_end', end_task_id: 'wash_a', max_duration: 10 } as const;
    const model = onePlate({
      constraints: [limitOf({ ...limit, on_violation: 'stop' })],
      changed: { [WASH_A]: { execution_s: 10.004 } },
    });
    const stage = await washing({ model });
    const { length } = stage.shared.drifts;
    stage.to(25);
    expect(stage.news()).toEqual([
      '15.004 wash_a succeeded',
      expect.stringMatching(/^15.004 stopped \(failure: .*soon/),
    ]);
    expect(stage.shared.drifts).toHaveLength(length);
  });

  it('releases its task when its least time has passed', async () => {
    const constraints = [limitOf({ min_duration: 40 })];
    const stage = await washing({ model: onePlate({ constraints }) });
    stage.to(25);
    stage.transporter.pick();
    stage.to(30).transporter.finish();
    stage.to(44.9);
    expect(stage.progress.runningTasks).toEqual([]);
    stage.to(46);
    expect(stage.news().slice(-1)).toEqual(['45.004 read_a started']);
  });

  it('is in the message of a completed run', async () => {
    const plan = planOf({ tasks: [WASH], moves: [BRING] });
    const model = onePlate({
      constraints: [limitOf({ type: 'start_to_end', end_task_id: 'wash_a', max_duration: 10 })],
      changed: { [READ_A]: { skip: true } },
    });
    const stage = await washing({ model, plan });
    stage.to(25);
    expect(stage.news().at(-1)).toBe('25 stopped (completed; broken limits: soon)');
  });
});

describe('an instrument that changes', () => {
  it('fails its tasks when it goes down, and makes a new plan due', async () => {
    const stage = await washing();
    stage.down.add('washer');
    stage.to(9).run.instrumentChanged('washer is down');
    expect(stage.news()).toEqual([
      '9 wash_a failed (washer is down)',
      '9 paused (task wash_a failed: washer is down)',
    ]);
    expect(stage.shared.replanning.isDue).toBe(true);
    const { downSince_s } = stage.run.workcell;
    expect([WASHER, READER, -1].map(downSince_s)).toEqual([0, null, null]);
  });

  it('lets the run go on when it comes up', async () => {
    const stage = new RunStage();
    stage.down.add('washer');
    await stage.run.start();
    expect(stage.transporter.orders).toEqual([]);
    stage.down.delete('washer');
    stage.run.instrumentChanged('washer is down');
    expect(stage.transporter.orders).toHaveLength(1);
  });

  it('makes no plan due for a run that it ends', async () => {
    const model = onePlate({ changed: { [WASH_A]: STOPS } });
    const stage = await washing({ model });
    stage.down.add('washer');
    stage.shared.replanning.isDue = false;
    stage.run.instrumentChanged('washer is down');
    expect([stage.run.state, stage.shared.replanning.isDue]).toEqual(['stopped', false]);
  });
});

describe('the end of a run', () => {
  it('by its user fails what has begun', async () => {
    const stage = await washing();
    stage.to(9);
    expect(stage.run.stop()).toBeNull();
    expect(stage.news()).toEqual([
      expect.stringMatching(/^9 wash_a failed/),
      '9 stopped (stopped by user)',
    ]);
    expect(stage.run.stop()).toMatch(/stopped$/);
    expect(stage.news()).toEqual([]);
  });

  it('fails a movement that has begun', async () => {
    const stage = new RunStage();
    await stage.run.start();
    stage.transporter.pick();
    stage.run.stop();
    expect(stage.news().slice(-2)).toEqual(['0 plate_a failed', '0 stopped (stopped by user)']);
    expect(stage.transporter.calls).toEqual(['cancel']);
  });

  it('leaves the planning to the other runs', async () => {
    const stage = await washing();
    stage.shared.runs.push(new RunStage().run);
    stage.run.stop();
    expect(stage.shared.calls).toEqual(['remove true']);
  });

  it('by a reset has no events', async () => {
    const stage = new RunStage();
    await stage.run.start();
    stage.transporter.pick();
    stage.news();
    stage.run.dispose();
    expect([stage.run.state, stage.news()]).toEqual(['stopped', []]);
    expect(stage.shared.calls).toEqual(['stop planning', 'remove false']);
    stage.run.dispose();
    expect(stage.shared.calls).toHaveLength(2);
  });

  it('by a restored twin leaves the arm and the other runs alone', async () => {
    const stage = await washing();
    stage.loop.listener!.onRestore!(0, {} as never);
    expect(stage.news().at(-1)).toMatch(/^5 stopped \(\w/);
    expect(stage.transporter.calls).toEqual(['detach', 'cancel']);
    expect(stage.shared.calls).toEqual(['stop planning', 'remove false']);
  });

  it('stops its timers', async () => {
    const constraints = [limitOf({ max_duration: 100 })];
    const stage = await washing({ model: onePlate({ constraints }) });
    stage.to(6);
    stage.run.publisher.publish();
    stage.run.publisher.publish();
    stage.run.stop();
    expect(stage.loop.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });
});
