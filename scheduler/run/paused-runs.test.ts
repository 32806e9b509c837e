/** What a run that pauses, is paused or is resumed leaves to its rest, among hand-made parts. */

import { describe, expect, it } from 'vitest';
import {
  at,
  BRING,
  FETCH,
  HOTEL,
  modelOf,
  moveOf,
  PLATE_B,
  planOf,
  READ,
  WASH,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';
import { onePlate, RunStage, washing } from './run-stage.cases.ts';

/** A stage whose run carries plate a since 0 s, and paused at 2 s. */
async function pausedCarrying(): Promise<RunStage> {
  const stage = new RunStage();
  await stage.run.start();
  stage.transporter.pick();
  stage.to(2).run.pause(true);
  stage.to(9).news();
  return stage;
}

const NEVER = Number.POSITIVE_INFINITY;

describe('a run that pauses', () => {
  it('begins no move that becomes due while a task runs', async () => {
    const next = moveOf({ task: WASH_B, labware: PLATE_B, from: at(HOTEL, 2), to: at(WASHER, 2) });
    const plan = planOf({ tasks: [WASH], moves: [BRING, { ...next, start_s: 10, end_s: 15 }] });
    const stage = await washing({ model: modelOf(), plan });
    stage.to(8).run.pause(false);
    stage.to(24);
    expect(stage.transporter.orders).toHaveLength(1);
    stage.run.dispatch();
    expect([stage.transporter.orders.length, stage.news()]).toEqual([1, []]);
    stage.to(25);
    expect(stage.news()).toEqual(['25 wash_a succeeded', '25 paused']);
  });

  it('cannot be resumed once it is stopped', async () => {
    const stage = await washing();
    stage.run.pause(false);
    stage.run.stop();
    expect([stage.run.isPausing, stage.run.isActive]).toEqual([false, false]);
    expect(await stage.run.resume()).toBe('The run is stopped');
    expect(stage.shared.calls).not.toContain('changed');
  });
});

describe('a run that a move pauses', () => {
  it('starts no task at that time, and not before it is resumed', async () => {
    const next = moveOf({ task: WASH_B, labware: PLATE_B, from: at(HOTEL, 2), to: at(WASHER, 2) });
    const moves = [BRING, { ...next, start_s: 5, end_s: 10 }];
    const plan = planOf({ tasks: [{ ...WASH, start_s: 5, end_s: 25 }, READ], moves });
    const stage = new RunStage({ model: modelOf(), plan });
    await stage.run.start();
    stage.transporter.pick();
    stage.transporter.fault = 'no way';
    stage.to(5).transporter.finish();
    stage.to(6).run.dispatch();
    expect(stage.news()).toEqual([
      '0 plan 50',
      '0 started',
      '0 plate_a started',
      '5 plate_a finished',
      '5 paused (no way)',
    ]);
    expect(stage.loop.timers.nextDue_tick()).toBe(NEVER);
  });
});

describe('a paused run', () => {
  it('takes no part in the joint plan', async () => {
    const stage = await pausedCarrying();
    expect([stage.run.state, stage.run.isActive, stage.run.canStart]).toEqual([
      'paused',
      false,
      false,
    ]);
  });

  it('wakes up for no planned time', async () => {
    const plan = planOf({ tasks: [WASH], moves: [{ ...BRING, start_s: 30, end_s: 35 }] });
    const stage = new RunStage({ plan });
    await stage.run.start();
    expect(stage.loop.timers.nextDue_tick()).toBe(105 * 250);
    stage.run.pause(true);
    expect([stage.run.state, stage.loop.timers.nextDue_tick()]).toEqual(['paused', NEVER]);
  });

  it('keeps its arm at rest where it was not resumed for lack of a plan', async () => {
    const stage = await pausedCarrying();
    stage.shared.answers.push({ ok: false, error: { messages: ['none'] } });
    expect(await stage.run.resume()).toContain('none');
    stage.run.dispatch();
    expect(stage.transporter.calls).toEqual(['pause', 'prepare false']);
  });
});

describe('a resumption', () => {
  it('ends in a pause where the arm cannot go on with its move', async () => {
    const stage = await pausedCarrying();
    stage.transporter.fault = 'no way';
    await stage.run.resume();
    expect(stage.news()).toEqual(['9 resumed', '9 plan 41', '9 paused (no way)']);
  });

  it('counts the delay of its move before it is planned, and then until it goes on', async () => {
    const stage = await pausedCarrying();
    const [move] = stage.progress.moves;
    const seen: unknown[] = [];
    stage.shared.replanning.replanNow = async (run) => {
      run.publisher.mustPublish = true;
      seen.push(move!.delay_s, run.hold);
    };
    expect(await stage.run.resume()).toBeNull();
    // It holds nothing while it is planned: it has not been refused a plan.
    expect(seen).toEqual([7, null]);
    expect(stage.run.hold).toMatchObject({ reason: expect.stringContaining('plan') });
    stage.to(12).run.publisher.settle(false);
    stage.run.dispatch();
    expect([move!.delay_s, stage.transporter.calls.at(-1)]).toEqual([10, 'resume']);
  });

  it('that still waits for a plan holds nothing once the run is stopped', async () => {
    const stage = await pausedCarrying();
    stage.shared.nextPlan = null;
    await stage.run.resume();
    expect(stage.run.hold).not.toBeNull();
    stage.run.stop();
    expect(stage.run.hold).toBeNull();
  });

  it('asks for one plan where that is found, although another run is paused', async () => {
    const stage = await pausedCarrying();
    const other = new RunStage();
    other.run.becomePaused('');
    stage.shared.runs.push(other.run);
    stage.shared.answers.push({ ok: true, value: planOf({ tasks: [WASH, READ], moves: [FETCH] }) });
    stage.shared.answers.push({ ok: false, error: { messages: ['none'] } });
    expect(await stage.run.resume()).toBeNull();
    expect(stage.shared.asked).toHaveLength(1);
  });
});

it('a task on the first instrument fails when that goes down', async () => {
  const changed = { [WASH_A]: { candidates: [HOTEL] } };
  const plan = planOf({ tasks: [{ ...WASH, instrument: HOTEL, start_s: 0, end_s: 20 }] });
  const stage = new RunStage({ model: onePlate({ changed }), plan });
  await stage.run.start();
  stage.to(3).news();
  stage.down.add('hotel');
  stage.run.instrumentChanged('hotel is down');
  expect(stage.news()).toEqual([
    '3 wash_a failed (hotel is down)',
    '3 paused (task wash_a failed: hotel is down)',
  ]);
});
