/** Transporters on an ideal arm and on a timer: what they command, report and refuse. */
import { describe, expect, it } from 'vitest';
import { ADA, BEN } from '../../server/robot/robot-harness.cases.ts';
import { CONFIG } from '../definition/small-model.cases.ts';
import { LABWARE, listening, PUT_DOWN, Stage } from './arm-stage.cases.ts';
import { SmallArm } from './small-arm.cases.ts';
import { TimedTransporter } from './timed-transporter.ts';

describe('moves on a timer', () => {
  const order = { toolpath: null, time_s: 5, isHolding: false, labware: LABWARE };

  function timed() {
    const small = new SmallArm();
    const transporter = new TimedTransporter(small.loop, small.timers);
    const { heard, observer } = listening(() => `${small.loop.now_s} ${transporter.isBusy}`);
    return { small, transporter, heard, observer };
  }

  it('pick at once, place and end after their time', () => {
    const { small, transporter, heard, observer } = timed();
    expect([transporter.isBusy, transporter.isAtRest, transporter.isReady]).toEqual([
      false,
      true,
      true,
    ]);
    expect(transporter.start(order, observer)).toBeNull();
    small.run(1250);
    expect(heard).toEqual([['picked', '0 true']]);
    small.run(1);
    expect(heard.slice(1)).toEqual([
      ['placed', '5 false'],
      ['done', '5 false'],
    ]);
    small.run(2000);
    expect(heard.length).toBe(3);
  });

  it('have picked their piece already where it is in the gripper', () => {
    const { small, transporter, heard, observer } = timed();
    transporter.start({ ...order, isHolding: true }, observer);
    small.run(1251);
    expect(heard.map(([what]) => what)).toEqual(['placed', 'done']);
  });

  it('take as much longer as they are paused, however often that is asked', async () => {
    const { small, transporter, heard, observer } = timed();
    transporter.pause();
    transporter.start(order, observer);
    small.run(500);
    transporter.pause();
    small.run(1000);
    transporter.pause();
    expect([transporter.isBusy, await transporter.prepareResume()]).toEqual([true, null]);
    expect(transporter.resume()).toBeNull();
    small.run(100);
    expect(transporter.resume()).toBeNull();
    small.run(649);
    expect(heard.length).toBe(1);
    small.run(2);
    expect(heard.at(-1)).toEqual(['done', '9 false']);
    expect(transporter.resume()).toBeNull();
    small.run(2000);
    expect(heard.length).toBe(3);
  });

  it.each(['cancel', 'detach'] as const)('end without a report by %s', (how) => {
    const { small, transporter, heard, observer } = timed();
    transporter.start(order, observer);
    transporter[how]();
    expect(transporter.isBusy).toBe(false);
    small.run(1500);
    expect(heard.length).toBe(1);
    transporter.resume();
    expect(small.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('do not go on after a pause and a cancellation', () => {
    const { small, transporter, observer } = timed();
    transporter.start(order, observer);
    transporter.pause();
    transporter.cancel();
    transporter.resume();
    expect(small.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the lock of the arm', () => {
  it('is acquired, renewed each minute, and released', () => {
    const stage = new Stage();
    const { transporter, small } = stage;
    expect(transporter.acquireLock()).toBeNull();
    expect(stage.kinds).toEqual(['lock', 'renew_lock']);
    expect(small.robot.holdsLock(ADA)).toBe(true);
    expect(small.timers.nextDue_tick()).toBe(15_000);
    small.loop.tick = 15_000;
    small.timers.fire(15_000);
    expect(stage.kinds.slice(2)).toEqual(['renew_lock']);
    expect(small.timers.nextDue_tick()).toBe(30_000);
    expect(transporter.acquireLock()).toBeNull();
    expect(stage.kinds.slice(3)).toEqual(['renew_lock']);
    transporter.releaseLock();
    expect(stage.kinds.slice(4)).toEqual(['release_lock']);
    expect(small.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
    expect(small.robot.lockHolder).toBeNull();
    transporter.releaseLock();
    expect(stage.kinds.length).toBe(5);
  });

  it('is kept by a user who had it before', () => {
    const stage = new Stage();
    stage.apply({ kind: 'lock', caller: ADA });
    expect(stage.transporter.acquireLock()).toBeNull();
    stage.transporter.releaseLock();
    expect(stage.kinds).toEqual(['lock', 'renew_lock']);
    expect(stage.small.robot.holdsLock(ADA)).toBe(true);
  });

  it('of another user is a fault of a start and of a resumption', async () => {
    const stage = new Stage();
    stage.apply({ kind: 'lock', caller: BEN });
    const fault = 'could not acquire the robot lock: lock held by other';
    expect(stage.transporter.acquireLock()).toBe(fault);
    expect(stage.start()).toBe(fault);
    expect(await stage.transporter.prepareResume({ isHolding: true })).toBe(fault);
    expect([stage.transporter.isBusy, stage.small.timers.nextDue_tick()]).toEqual([
      false,
      Number.POSITIVE_INFINITY,
    ]);
    stage.transporter.releaseLock();
    expect(stage.small.robot.holdsLock(BEN)).toBe(true);
  });

  it('is left alone after a restored snapshot', () => {
    const stage = new Stage();
    stage.start();
    stage.transporter.detach();
    expect(stage.transporter.isBusy).toBe(false);
    expect(stage.small.timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
    stage.transporter.releaseLock();
    expect(stage.kinds).not.toContain('release_lock');
    stage.small.run(2000);
    expect(stage.events).toEqual([]);
  });
});

describe('a move of the arm', () => {
  it('is picked when the gripper closes, placed when it opens, done at the end', () => {
    const stage = new Stage();
    expect(stage.start()).toBeNull();
    expect(stage.kinds).toEqual(['lock', 'renew_lock', 'load', 'run']);
    expect(stage.commands.at(-1)).toMatchObject({ mode: 'automatic', loop: 1, caller: ADA });
    stage.small.run(1);
    expect([stage.transporter.isBusy, stage.transporter.isAtRest]).toEqual([true, false]);
    stage.until(() => stage.isClosed === true);
    const closed = stage.small.loop.tick;
    stage.until(() => stage.isClosed === false);
    const opened = stage.small.loop.tick;
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.heard).toEqual([
      ['picked', closed],
      ['placed', opened],
      ['done', stage.small.loop.tick],
    ]);
    expect([stage.state, stage.transporter.isAtRest]).toEqual(['ready', true]);
    stage.small.run(100);
    expect(stage.heard.length).toBe(3);
  });

  it('closes the gripper first where it holds its piece', () => {
    const stage = new Stage();
    stage.start({ toolpath: PUT_DOWN, isHolding: true });
    expect(stage.kinds.slice(2)).toEqual(['globals', 'load', 'run']);
    const changes = [{ key: 'outputs.ee_d0', value: true }];
    expect(stage.commands[2]).toMatchObject({ caller: ADA, changes });
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['placed', 'done']);
    expect(stage.heard[0]![1]).toBeLessThan(stage.heard[1]![1]);
  });

  it('opens the gripper first where it does not', () => {
    const stage = new Stage();
    stage.apply({ kind: 'lock', caller: ADA });
    stage.apply({ kind: 'globals', caller: ADA, changes: [{ key: 'outputs.ee_d0', value: true }] });
    stage.start();
    expect(stage.isClosed).toBe(false);
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('opens a gripper that is closed without a signal with one', () => {
    const config = { ...CONFIG, gripper: { ...CONFIG.gripper, closed: false } };
    const stage = new Stage({ config });
    stage.start();
    expect(stage.isClosed).toBe(true);
    const holding = new Stage({ config });
    holding.start({ isHolding: true });
    expect(holding.kinds).not.toContain('globals');
  });

  it('does not begin where the arm refuses', () => {
    const stage = new Stage();
    stage.apply({ kind: 'lock', caller: ADA });
    stage.apply({ kind: 'estop', engaged: true });
    expect(stage.start()).toMatch(/^the arm cannot move: .*disabled/);
    expect([stage.transporter.isBusy, stage.kinds.at(-1)]).toEqual([false, 'load']);
  });

  it('fails where its motion ends before the piece is placed', () => {
    const stage = new Stage();
    stage.start();
    stage.small.run(10);
    stage.apply({ kind: 'abort_motion', caller: ADA });
    expect(stage.transporter.isReady).toBe(false);
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['the motion was cancelled']);
    expect(stage.transporter.isReady).toBe(true);
    stage.small.run(100);
    expect(stage.heard.length).toBe(1);
  });

  it.each([
    ['emergency stop', (stage: Stage) => stage.apply({ kind: 'estop', engaged: true })],
    ['the arm is shutting down', (stage: Stage) => stage.apply({ kind: 'shut_down' })],
    [
      'collision',
      ({ small, apply }: Stage) => {
        apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'high' });
        small.arm.feedback.contact = { joint: 1, at_s: 0.1 };
      },
    ],
    [
      'Joint 3 does not answer',
      ({ small }: Stage) => {
        const message = 'Joint 3 does not answer';
        small.arm.feedback.fault = { kind: 'lost', joint: 2, message };
      },
    ],
    ['the power of the arm was cycled', ({ transporter }: Stage) => transporter.losePower()],
  ])('fails by: %s', (reason, happen) => {
    const stage = new Stage();
    stage.start();
    stage.small.run(10);
    happen(stage);
    stage.small.run(3);
    expect(stage.events).toEqual([expect.stringContaining(reason)]);
    expect(stage.transporter.isBusy).toBe(false);
  });

  it('does not fail by a power cycle before it', () => {
    const stage = new Stage();
    stage.transporter.losePower();
    stage.small.run(2);
    stage.start();
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events.at(-1)).toBe('done');
  });

  it('is cancelled without a report', () => {
    const stage = new Stage();
    stage.transporter.cancel();
    expect(stage.kinds).toEqual([]);
    stage.start();
    stage.small.run(20);
    stage.transporter.cancel();
    expect([stage.kinds.at(-1), stage.transporter.isBusy]).toEqual(['abort_motion', false]);
    expect(stage.transporter.isAtRest).toBe(true);
    stage.small.run(500);
    expect([stage.events, stage.state]).toEqual([[], 'ready']);
  });
});
