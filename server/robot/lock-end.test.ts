/** When the keeper of the robot lock renews it, and when it lets it end, at times of the test. */
import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { Timers } from '../clock/timers.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Command } from './commands.ts';
import { LockKeeper } from './lock-keeper.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';

const PERIOD_S = limits.lock_expiry_automatic_s;

/** A keeper under a quick clock; the test sets the times. */
function keeperAt() {
  const { robot } = new RobotHarness();
  const timers = new Timers();
  const time = { tick: 0, now_ms: 5e6 };
  const renewed: Command[] = [];
  const loop = {
    get tick() {
      return time.tick;
    },
    apply<Given extends Command>(command: Given) {
      const refusal = robot.apply(command, time.tick);
      if (command.kind === 'renew_lock') renewed.push(command);
      keeper.onCommand();
      return refusal;
    },
  };
  const wall = { now_ms: () => time.now_ms };
  const keeper = new LockKeeper({ robot, loop, timers, wall, clock: { outrunsWall: true } });
  /** Goes to a time of the twin and of the wall (s); the renewals of the keeper there. */
  const goTo = (twin_s: number, wall_s: number) => {
    Object.assign(time, { tick: tickOf(twin_s), now_ms: 5e6 + 1000 * wall_s });
    timers.fire(time.tick);
    return renewed.splice(0);
  };
  return { robot, timers, loop, keeper, goTo };
}

const RENEWAL = { kind: 'renew_lock', caller: ADA };

describe('the end of a lock', () => {
  it('comes where its period of wall time ends, and no sooner', () => {
    const { loop, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    expect(goTo(PERIOD_S, PERIOD_S - 1)).toEqual([RENEWAL]);
    expect(goTo(2 * PERIOD_S, PERIOD_S)).toEqual([]);
  });

  it('is put off by each renewal of the client, after one of the keeper too', () => {
    const { loop, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    goTo(PERIOD_S, PERIOD_S - 2);
    goTo(PERIOD_S + 1, PERIOD_S - 1);
    loop.apply({ kind: 'renew_lock', caller: ADA });
    goTo(PERIOD_S + 2, PERIOD_S);
    expect(goTo(2 * PERIOD_S + 1, 2 * PERIOD_S - 2)).toEqual([RENEWAL]);
  });

  it('is not put off by commands that do not renew the lock', () => {
    const { loop, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    goTo(1, PERIOD_S - 1);
    loop.apply({ kind: 'inputs', values: { d0: true } });
    expect(goTo(PERIOD_S, PERIOD_S)).toEqual([]);
  });

  it('is one of the new period where a tick has begun one', () => {
    const { robot, loop, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    robot.memory.lock!.expires_tick += tickOf(10);
    expect(goTo(PERIOD_S, PERIOD_S - 1)).toEqual([]);
    expect(goTo(PERIOD_S + 10, 2 * PERIOD_S - 2)).toEqual([RENEWAL]);
  });

  it('is one of a new period where a snapshot has brought the lock back', () => {
    const { robot, loop, keeper, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    const held = robot.save(0);
    loop.apply({ kind: 'release_lock', caller: ADA });
    goTo(1, 60);
    robot.restore(held, tickOf(1));
    keeper.onRestore();
    const { expires_tick } = robot.memory.lock!;
    expect(goTo(expires_tick * TICK_S, PERIOD_S + 59)).toEqual([RENEWAL]);
  });

  it('is not waited for without a lock', () => {
    const { loop, timers } = keeperAt();
    const other = tickOf(2 * PERIOD_S);
    timers.at(other, () => {});
    loop.apply({ kind: 'inputs', values: { d0: true } });
    expect(timers.nextDue_tick()).toBe(other);
    loop.apply({ kind: 'lock', caller: ADA });
    expect(timers.nextDue_tick()).toBe(tickOf(PERIOD_S));
    loop.apply({ kind: 'release_lock', caller: ADA });
    expect(timers.nextDue_tick()).toBe(other);
  });

  it('needs nothing where the lock has ended meanwhile', () => {
    const { robot, loop, goTo } = keeperAt();
    loop.apply({ kind: 'lock', caller: ADA });
    // The command reaches the robot alone, as an expiry in a tick does.
    robot.apply({ kind: 'release_lock', caller: ADA }, 0);
    expect(goTo(PERIOD_S, 1)).toEqual([]);
  });
});
