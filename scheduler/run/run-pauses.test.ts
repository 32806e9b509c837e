/** Pauses, safety stops and resumptions of a run, among hand-made parts. */

import { describe, expect, it } from 'vitest';
import { at, BRING, PLATE_A, planOf, READ_A, WASH, WASHER } from './run-parts.cases.ts';
import { onePlate, RunStage, washing } from './run-stage.cases.ts';

/** A stage whose run carries plate a since 0 s. */
async function carrying(options: ConstructorParameters<typeof RunStage>[0] = {}) {
  const stage = new RunStage(options);
  await stage.run.start();
  stage.transporter.pick();
  stage.news();
  return stage;
}

/** A second run on the workcell, which is paused. */
function withOther(stage: RunStage): RunStage {
  const other = new RunStage();
  other.run.becomePaused('');
  stage.shared.runs.push(other.run);
  return stage;
}

const failure = (...messages: string[]) => ({ ok: false as const, error: { messages } });

describe('a pause', () => {
  it('waits for what is under way, and starts nothing', async () => {
    const stage = await washing();
    const { run } = stage;
    expect(run.pause(false)).toBeNull();
    expect([run.state, run.isPausing, run.isActive, run.canStart]).toEqual([
      'started',
      true,
      false,
      false,
    ]);
    expect(run.hold).toMatchObject({ what: 'all', reason: expect.stringContaining('pausing') });
    stage.to(24);
    expect(stage.news()).toEqual([]);
    stage.to(25);
    expect(stage.news()).toEqual(['25 wash_a succeeded', '25 paused']);
    expect([run.state, run.isPausing, stage.transporter.orders.length]).toEqual([
      'paused',
      false,
      1,
    ]);
    expect(run.hold).toMatchObject({ what: 'all', reason: expect.stringContaining('paused') });
    expect(stage.loop.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('waits for the end of a move', async () => {
    const stage = await carrying();
    stage.run.pause(false);
    expect(stage.run.state).toBe('started');
    stage.to(5).transporter.finish();
    expect(stage.news()).toEqual(['5 plate_a finished', '5 paused']);
  });

  it('comes at once where nothing is under way', async () => {
    const stage = new RunStage();
    stage.shared.isNext = false;
    await stage.run.start();
    stage.run.pause(false);
    expect(stage.run.state).toBe('paused');
  });

  it('does not come where the run is completed meanwhile', async () => {
    const plan = planOf({ tasks: [WASH], moves: [BRING] });
    const model = onePlate({ changed: { [READ_A]: { skip: true } } });
    const stage = await washing({ model, plan });
    stage.run.pause(false);
    stage.to(25);
    expect(stage.news()).toEqual(['25 wash_a succeeded', '25 stopped (completed)']);
  });

  it('that is immediate comes once the arm is at rest', async () => {
    const stage = await carrying();
    const { run, transporter } = stage;
    transporter.isAtRest = false;
    expect(run.pause(true)).toBeNull();
    expect([run.state, run.isPausing, transporter.calls]).toEqual(['started', true, ['pause']]);
    stage.tick();
    run.dispatch();
    expect(run.state).toBe('started');
    expect([run.pause(true), run.pause(false), transporter.calls.includes('cancel')]).toEqual([
      null,
      null,
      false,
    ]);
    expect(transporter.calls.filter((call) => call === 'pause')).toHaveLength(1);
    expect(await run.resume()).toMatch(/at rest/);
    transporter.isAtRest = true;
    stage.tick();
    expect([run.state, stage.news()]).toEqual(['paused', ['0 paused']]);
  });

  it('that is immediate comes at once where the arm rests, and tasks end meanwhile', async () => {
    const stage = await washing();
    stage.run.pause(true);
    expect(stage.run.state).toBe('paused');
    stage.to(60);
    expect(stage.news()).toEqual(['5 paused', '25 wash_a succeeded']);
    expect(stage.transporter.orders).toHaveLength(1);
  });

  it('that is immediate starts nothing while the arm brakes', async () => {
    const stage = await washing();
    stage.transporter.isAtRest = false;
    stage.run.pause(true);
    stage.to(60);
    expect([stage.news(), stage.transporter.orders.length]).toEqual([['25 wash_a succeeded'], 1]);
  });

  it('can become immediate', async () => {
    const stage = await washing();
    stage.run.pause(false);
    stage.run.pause(true);
    expect(stage.run.state).toBe('paused');
  });

  it('is not possible twice, or after the end', async () => {
    const stage = await washing();
    stage.run.pause(true);
    expect(stage.run.pause(false)).toBe('The run is paused');
    stage.run.becomePaused('again');
    expect(stage.news()).toEqual(['5 paused']);
    stage.run.stop();
    expect(stage.run.pause(true)).toBe('The run is stopped');
  });

  it('that waits can be withdrawn', async () => {
    const stage = await washing();
    stage.run.pause(false);
    expect(await stage.run.resume()).toBeNull();
    expect([stage.run.isPausing, stage.shared.calls]).toEqual([false, ['changed']]);
    stage.to(25);
    expect(stage.transporter.orders).toHaveLength(2);
  });

  it('is made known to the other runs, and only to them', async () => {
    const alone = await washing();
    alone.run.pause(false);
    alone.to(25);
    expect(alone.shared.calls).toEqual([]);
    const stage = withOther(await washing());
    stage.run.pause(false);
    expect(stage.shared.calls).toEqual(['changed']);
    stage.to(25);
    expect(stage.shared.calls).toEqual(['changed', 'changed']);
  });
});

describe('a resumption', () => {
  async function paused(options = {}): Promise<RunStage> {
    const stage = await washing(options);
    stage.run.pause(true);
    stage.to(30);
    stage.news();
    return stage;
  }

  it('publishes a plan and goes on', async () => {
    const stage = await paused();
    expect(await stage.run.resume()).toBeNull();
    expect(stage.news()).toEqual(['30 resumed', '30 plan 20']);
    expect(stage.shared.asked).toEqual([{ isQuick: true, tick: 130 * 250 }]);
    expect(stage.shared.calls).toEqual(['replan true']);
    expect(stage.transporter.orders).toHaveLength(2);
    expect([stage.run.state, stage.run.canStart, stage.run.hold]).toEqual(['started', true, null]);
  });

  it('goes on with the paused move, whose delay counts', async () => {
    const stage = await carrying();
    stage.to(2).run.pause(true);
    stage.transporter.isBusy = true;
    stage.to(9);
    expect(await stage.run.resume()).toBeNull();
    expect(stage.transporter.calls).toEqual(['pause', 'prepare false', 'resume']);
    expect(stage.progress.moves[0]!.delay_s).toBe(7);
  });

  it('pauses again where the arm cannot go on', async () => {
    const stage = await paused();
    stage.transporter.fault = 'no way';
    await stage.run.resume();
    expect(stage.news()).toEqual(['30 resumed', '30 plan 20', '30 paused (no way)']);
  });

  it('is one at a time', async () => {
    const stage = await paused();
    const first = stage.run.resume();
    expect(stage.run.canStart).toBe(false);
    expect(await stage.run.resume()).toMatch(/being resumed/);
    expect(await first).toBeNull();
    expect(await stage.run.resume()).toBe('The run is started');
  });

  it('starts nothing while it is prepared', async () => {
    const stage = await paused();
    stage.shared.nextPlan = null;
    stage.shared.replanning.replanNow = async (run) => {
      expect(run.state).toBe('started');
      expect(run.canStart).toBe(false);
      run.dispatch();
      expect(stage.transporter.orders).toHaveLength(1);
    };
    expect(await stage.run.resume()).toBeNull();
    expect(stage.transporter.orders).toHaveLength(2);
  });

  it('is possible again after an error', async () => {
    const stage = await paused();
    stage.transporter.onPrepare = () => {
      throw new Error('disk');
    };
    await expect(stage.run.resume()).rejects.toThrow('disk');
    stage.transporter.onPrepare = () => null;
    expect(await stage.run.resume()).toBeNull();
  });

  it('needs an arm that can go on, and a safe workcell', async () => {
    const stage = await paused();
    stage.transporter.onPrepare = () => 'locked';
    expect(await stage.run.resume()).toBe('locked');
    expect(stage.shared.asked).toEqual([]);
    Object.assign(stage.robot.memory, { estop: true });
    expect(await stage.run.resume()).toContain('emergency stop');
    expect([stage.run.state, stage.news()]).toEqual(['paused', []]);
  });

  it('does not come where a stop begins while it is prepared', async () => {
    const stage = await paused();
    stage.shared.onPlanFor = () => stage.safety({ estop: true }, 'emergency_stop');
    expect(await stage.run.resume()).toContain('emergency stop');
    expect([stage.run.state, stage.news()]).toEqual(['paused', ['30 emergency_stop']]);
  });

  it('does not come where a stop began and ended while it was prepared', async () => {
    const stage = await paused();
    stage.shared.onPlanFor = () => stage.safety({}, 'protective_stop', 'ok');
    expect(await stage.run.resume()).toMatch(/resume .* again$/);
    expect([stage.run.state, stage.news()]).toEqual(['paused', ['30 protective_stop', '30 ok']]);
    stage.shared.onPlanFor = () => {};
    expect(await stage.run.resume()).toBeNull();
  });

  it('does not come where the run ends while it is prepared', async () => {
    const stage = await paused();
    stage.shared.onPlanFor = () => stage.run.stop();
    expect(await stage.run.resume()).toBe('The run is stopped');
  });

  it('needs a plan for the rest', async () => {
    const stage = await paused();
    stage.shared.answers.push(failure('one', 'two'));
    expect(await stage.run.resume()).toContain('one; two');
    expect(stage.run.plan.faults).toEqual(['one', 'two']);
    expect(stage.shared.asked).toHaveLength(1);
    stage.run.plan.faults = ['before'];
    expect(await stage.run.resume()).toBeNull();
    expect(stage.run.plan.faults).toEqual([]);
  });

  it('needs a plan with the other paused runs at least', async () => {
    const stage = withOther(await paused());
    stage.shared.answers.push(failure('alone'), failure('together'));
    expect(await stage.run.resume()).toContain('together');
    const { tick } = stage.loop;
    expect(stage.shared.asked).toEqual([
      { isQuick: true, tick },
      { isQuick: true, withPaused: true, tick },
    ]);
    expect(stage.run.plan.faults).toEqual(['alone']);
    stage.shared.answers.push(failure('alone'));
    expect(await stage.run.resume()).toBeNull();
    expect(stage.run.state).toBe('started');
  });

  it('without a plan waits for one', async () => {
    const stage = await paused();
    stage.shared.nextPlan = null;
    expect(await stage.run.resume()).toBeNull();
    const { run, transporter, loop } = stage;
    expect([run.hasPlan, transporter.orders.length, loop.isNeeded!()]).toEqual([false, 1, false]);
    expect(transporter.calls.includes('resume')).toBe(false);
    expect(run.hold).toMatchObject({ what: 'all', reason: expect.stringContaining('plan') });
    run.publisher.settle(false);
    run.dispatch();
    expect([run.hasPlan, run.hold, transporter.orders.length]).toEqual([true, null, 2]);
    expect(transporter.calls.includes('resume')).toBe(true);
  });
});

describe('a safety stop', () => {
  it('fails the move and pauses the run, in the order of the events', async () => {
    const stage = await carrying();
    stage.to(2).safety({ estop: true }, 'emergency_stop');
    expect([stage.run.state, stage.news()]).toEqual(['started', []]);
    stage.tick();
    expect(stage.news()).toEqual([
      '2 emergency_stop',
      '2 plate_a failed',
      '2 paused (emergency stop)',
    ]);
    expect([stage.run.state, stage.progress.failedTasks]).toEqual(['paused', []]);
    expect(stage.transporter.calls).toEqual(['update', 'cancel', 'update']);
    stage.safety({ estop: false }, 'ok');
    stage.tick();
    stage.tick();
    expect([stage.run.state, stage.news()]).toEqual(['paused', ['2 ok']]);
  });

  it('reads the gripper at its tick only while it is in force', async () => {
    const stage = await carrying();
    stage.safety({}, 'emergency_stop', 'ok');
    stage.run.followSafety();
    expect(stage.transporter.calls).toEqual(['cancel']);
    expect(stage.news()).toEqual([
      '0 emergency_stop',
      '0 plate_a failed',
      '0 paused (emergency stop)',
      '0 ok',
    ]);
  });

  it('comes before the other events of its tick', async () => {
    const stage = await washing();
    stage.safety({ state: 'collision' }, 'protective_stop');
    stage.to(25);
    expect(stage.news()).toEqual([
      '25 protective_stop',
      '25 paused (protective stop)',
      '25 wash_a succeeded',
    ]);
  });

  it('comes before a start', async () => {
    const stage = new RunStage();
    stage.transporter.isReady = false;
    await stage.run.start();
    stage.news();
    stage.transporter.isReady = true;
    stage.safety({ estop: true }, 'emergency_stop');
    stage.run.dispatch();
    expect([stage.transporter.orders, stage.news()]).toEqual([
      [],
      ['0 emergency_stop', '0 paused (emergency stop)'],
    ]);
  });

  it('is published once, and not after the end', async () => {
    const stage = await washing();
    stage.safety({ estop: true }, 'ok', 'emergency_stop', 'emergency_stop', 'protective_stop');
    stage.run.followSafety();
    expect(stage.news()).toEqual([
      '5 emergency_stop',
      '5 paused (emergency stop)',
      '5 protective_stop',
    ]);
    const { listener } = stage.loop;
    stage.run.stop();
    stage.news();
    listener!.onEvents!([{ kind: 'safety', state: 'ok' }], 0);
    listener!.onTick!({} as never, 0);
    expect(stage.news()).toEqual([]);
  });

  it('is not every event of the loop', async () => {
    const stage = await washing();
    const log = { kind: 'log', level: 'info', text: 'a', state: 'emergency_stop' } as const;
    stage.loop.listener!.onEvents!([log], 0);
    stage.tick();
    expect([stage.run.state, stage.news()]).toEqual(['started', []]);
  });

  it('that is in force at the start pauses the run at once', async () => {
    const stage = new RunStage({ robot: { estop: true } });
    await stage.run.start();
    expect(stage.news()).toEqual([
      '0 plan 50',
      '0 started',
      '0 emergency_stop',
      '0 paused (emergency stop)',
    ]);
    expect(stage.transporter.orders).toEqual([]);
  });
});

describe('a loss of power', () => {
  it.each([
    ['power_cycle', true],
    ['finish_update', true],
    ['pause', false],
  ])('by %s is known to the arm: %s', async (kind, isKnown) => {
    const stage = await carrying();
    stage.loop.listener!.onCommand!({ kind } as never, null, 0);
    expect(stage.transporter.calls).toEqual(isKnown ? ['lose power'] : []);
  });
});

describe('a piece in the gripper at the start', () => {
  const held = { ...BRING, start_s: 0, end_s: 4 };

  it('is put down first', async () => {
    const stage = new RunStage({ held });
    const started = stage.run.start();
    stage.run.dispatch();
    expect([stage.transporter.orders, stage.run.canStart]).toEqual([[], false]);
    await started;
    expect(stage.transporter.calls).toEqual(['prepare true']);
    expect(stage.transporter.orders).toMatchObject([{ isHolding: true, time_s: 4 }]);
    expect(stage.news()).toEqual(['0 plan 50', '0 started', '0 plate_a started']);
    stage.to(4).transporter.finish();
    expect(stage.progress.locations[PLATE_A]).toEqual(at(WASHER, 1));
    expect(stage.run.canStart).toBe(true);
  });

  it('pauses the run where that is not possible', async () => {
    const stage = new RunStage({ held });
    stage.transporter.onPrepare = () => 'locked';
    await stage.run.start();
    expect(stage.news().slice(2)).toEqual(['0 paused (locked)']);
    stage.transporter.onPrepare = () => null;
    expect(await stage.run.resume()).toBeNull();
    expect(stage.transporter.orders).toHaveLength(1);
  });

  it('stays there where the run ends meanwhile', async () => {
    const stage = new RunStage({ held });
    const started = stage.run.start();
    stage.run.stop();
    stage.news();
    await started;
    expect([stage.news(), stage.transporter.orders]).toEqual([[], []]);
  });
});

describe('an unpaced clock', () => {
  const isNeeded = ({ loop }: RunStage) => loop.isNeeded!();

  it('runs ahead while something ends by itself', async () => {
    const stage = await washing();
    expect(isNeeded(stage)).toBe(true);
    stage.run.pause(true);
    expect(isNeeded(stage)).toBe(false);
    const waiting = new RunStage();
    waiting.shared.isNext = false;
    await waiting.run.start();
    expect(isNeeded(waiting)).toBe(false);
  });

  it('waits while a run is resumed, or the arm that it uses is paused', async () => {
    const stage = await washing({ usesArm: true });
    Object.assign(stage.robot.memory, { state: 'paused' });
    expect(isNeeded(stage)).toBe(false);
    expect(stage.run.hold).toMatchObject({ what: 'moves', reason: expect.stringContaining('arm') });
    Object.assign(stage.robot.memory, { state: 'idle' });
    expect([isNeeded(stage), stage.run.hold]).toEqual([true, null]);
    const other = await washing();
    Object.assign(other.robot.memory, { state: 'paused' });
    expect(isNeeded(other)).toBe(true);
    const begins = new RunStage({ held: BRING });
    const started = begins.run.start();
    expect(isNeeded(begins)).toBe(false);
    await started;
    expect(isNeeded(begins)).toBe(true);
  });

  it('hears of a paused run no more what is due', async () => {
    const stage = await washing();
    stage.run.pause(true);
    stage.run.onDispatched();
    expect(isNeeded(stage)).toBe(false);
  });
});
