/**
 * The lock of a client that renews it by its own clock, under a twin that is faster than that.
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { Timers } from '../clock/timers.ts';
import { tickOf } from '../clock/twin-time.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import type { Command } from './commands.ts';
import { LockKeeper } from './lock-keeper.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';

const PERIOD_S = limits.lock_expiry_automatic_s;

/** A robot under a clock of this factor, with the commands that it executed. */
function pacedRobot(factor: number, outrunsWall = factor > 1) {
  const harness = new RobotHarness();
  const timers = new Timers();
  const commands: Command['kind'][] = [];
  const loop = {
    get tick() {
      return harness.tick;
    },
    apply<Given extends Command>(command: Given) {
      const refusal = harness.robot.apply(command, harness.tick);
      commands.push(command.kind);
      keeper.onCommand();
      return refusal;
    },
  };
  const wall = { now_ms: () => (1000 * harness.tick * TICK_S) / factor };
  const clock = { outrunsWall };
  const keeper = new LockKeeper({ robot: harness.robot, loop, timers, clock, wall });
  /** Plays ticks up to a wall time (s). */
  const playTo = (wall_s: number) => {
    const end = tickOf(wall_s * factor);
    while (harness.tick < end) {
      timers.fire(harness.tick);
      harness.advance(TICK_S);
    }
  };
  const isHeld = () => harness.robot.holdsLock(ADA);
  return { loop, playTo, isHeld, commands };
}

it.each([10, 1.5])('lasts its period of wall time at %d times real time', (factor) => {
  const { loop, playTo, isHeld, commands } = pacedRobot(factor);
  loop.apply({ kind: 'lock', caller: ADA });
  playTo(PERIOD_S - 1);
  expect(isHeld()).toBe(true);
  loop.apply({ kind: 'renew_lock', caller: ADA });
  playTo(2 * PERIOD_S - 2);
  expect(isHeld()).toBe(true);
  playTo(3 * PERIOD_S);
  expect(isHeld()).toBe(false);
  // Commands, so that a recording of the run has what a replay needs.
  expect(commands.filter((kind) => kind === 'renew_lock').length).toBeGreaterThan(1);
});

it.each([
  ['at real time', 1, false],
  ['while a call advances the clock', 10, false],
])('expires in twin time %s', (_name, factor, outrunsWall) => {
  const { loop, playTo, isHeld, commands } = pacedRobot(factor, outrunsWall);
  loop.apply({ kind: 'lock', caller: ADA });
  playTo((PERIOD_S - 1) / factor);
  expect(isHeld()).toBe(true);
  playTo((PERIOD_S + 1) / factor);
  expect(isHeld()).toBe(false);
  expect(commands).toEqual(['lock']);
});

it.each([20, 'max'] as const)('lets a teach motion of 12 s of twin time end at clock %s', (clock) =>
  withTwinClient({ clock, webhooks: 'off' }, async ({ arm, twin }) => {
    await arm.takeLock();
    const joints = [...(twin.snapshot()['servos.telemetry.position'] as number[])];
    joints[0] = joints[0]! + 0.5;
    await arm.goTo({ mode: 'teach', joints: joints as never, time: 12 });
    await expect
      .poll(() => twin.snapshot()['control'], { timeout: 10_000 })
      .toMatchObject({
        state: 'ready',
      });
    const reached = twin.snapshot()['servos.telemetry.position'] as number[];
    expect(reached[0]).toBeCloseTo(joints[0]!, 2);
    expect((await arm.getLock()).owner).toBe('you');
    // A call that advances the clock asks for twin time.
    await twin.advance(PERIOD_S + 1);
    expect((await arm.getLock()).owner).toBe('none');
  }),
);
