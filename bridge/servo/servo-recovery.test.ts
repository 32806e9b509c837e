/**
 * Resets of errors: the servos that hold are never without packets, read, and where they were.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { createServoFixture, FAMILIES, holdFor, type ServoFixture } from './servo-arm.cases.ts';
import { expectRecovery, expectRest } from './servo-motion.cases.ts';

/** A stretched arm: its shoulder hangs below its goal by its load (rad). */
const STRETCHED = [0, 1.2, -0.3, 0, -0.4, 0];

/** A started arm that has held this pose for a second. */
async function holding() {
  const fixture = await createServoFixture({ start: STRETCHED, supported: true });
  await fixture.clock.until(fixture.arm.start());
  await holdFor(fixture, 400);
  return fixture;
}

function watchdogs({ emulator }: ServoFixture): number[] {
  return emulator.servos.map(({ memory }) => memory.get('watchdog'));
}

/** Asks for a reset, and lets the arm hold for a while after it. */
async function reset(fixture: ServoFixture): Promise<boolean> {
  const done = fixture.arm.recover();
  await holdFor(fixture, 500);
  return done;
}

describe('a reset of errors', () => {
  it('lets no healthy joint sink, however often it is repeated', async () => {
    const fixture = await holding();
    const { emulator } = fixture;
    const before = Array.from(emulator.plant.position_rad);
    for (let time = 0; time < 3; time++) {
      emulator.servo(5).raiseHardwareError(0x20);
      await expectRest(fixture);
      await expectRecovery(fixture);
      expect(watchdogs(fixture)).not.toContain(255);
    }
    for (const j of [0, 1, 2, 3]) {
      expect(Math.abs(emulator.plant.position_rad[j]! - before[j]!)).toBeLessThan(0.003);
    }
    await fixture.close();
  });

  it('that is refused leaves the arm read, held and fed', async () => {
    const fixture = await holding();
    const { arm, emulator, bus } = fixture;
    const goals = () => emulator.servos.map(({ memory }) => memory.get('goal_position'));
    const before = goals();
    emulator.servo(5).dead = true;
    await holdFor(fixture, 300);
    for (let time = 0; time < 3; time++) expect(await reset(fixture)).toBe(false);
    const { transactions } = bus.counts;
    emulator.plant.position_rad[0]! += 0.004;
    await holdFor(fixture, 250);
    expect(bus.counts.transactions - transactions).toBeGreaterThan(100);
    const feedback = arm.exchange(stationarySetpoint('hold'), TICK_S);
    expect(feedback.fault).toMatchObject({ joint: 4, message: /J5 \(servo 5\) does not answer/ });
    expect(feedback.position_rad[0]).toBeCloseTo(emulator.plant.position_rad[0]!, 2);
    expect(watchdogs(fixture)).not.toContain(255);
    expect(goals().toSpliced(4, 1)).toEqual(before.toSpliced(4, 1));
    emulator.servo(5).reboot();
    emulator.servo(5).dead = false;
    const stood = Array.from(emulator.plant.position_rad);
    for (let time = 0; time < 5 && !(await reset(fixture)); time++);
    expect(arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
    for (const j of [0, 1, 2, 3]) expect(emulator.plant.position_rad[j]).toBeCloseTo(stood[j]!, 2);
    await fixture.close();
  });

  it('succeeds once the cause of an alert is gone', async () => {
    const fixture = await holding();
    const { arm, emulator } = fixture;
    emulator.servo(5).raiseHardwareError(0x01);
    await holdFor(fixture, 200);
    expect(await reset(fixture)).toBe(false);
    const { fault } = arm.exchange(stationarySetpoint('hold'), TICK_S);
    expect(fault!.message).toMatch(/J5 \(servo 5\) is in alert \(.*voltage.*\) but holds/);
    emulator.servo(5).memory.set('hardware_error', 0);
    await expectRecovery(fixture);
    await fixture.close();
  });
});

describe.each(FAMILIES)('$family servos after a refused reset', ({ create }) => {
  it('are still read, and keep their goals', async () => {
    const fixture = await create({ start: STRETCHED, supported: true });
    const { arm, bus, clock, emulator } = fixture;
    await clock.until(arm.start());
    await holdFor(fixture, 200);
    emulator.servo(6).dead = true;
    await holdFor(fixture, 200);
    expect(arm.recover()).toBe(false);
    await holdFor(fixture, 500);
    const before = Array.from(emulator.plant.position_rad);
    const { transactions } = bus.counts;
    await holdFor(fixture, 250);
    expect(bus.counts.transactions - transactions).toBeGreaterThan(100);
    before.forEach((angle, j) => {
      if (j < 5) expect(emulator.plant.position_rad[j]).toBeCloseTo(angle, 3);
    });
    await fixture.close();
  });
});
