/**
 * The emergency stop wired to the port of a servo: it brakes the arm in the middle of a motion, and
 * is released only after a safe start.
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { EMULATED_CALIBRATION } from '../dynamixel/emulated-calibration.ts';
import { createServoFixture, FAMILIES, holdFor, type ServoFixture } from './servo-arm.cases.ts';
import { expectRest, moving, movingFrom } from './servo-motion.cases.ts';

const calibration = { ...EMULATED_CALIBRATION, emergency_stop: { id: 2, port: 3 } } as const;

/** Wires the contact: to ground in normal operation. */
function wire({ emulator }: ServoFixture, to: 'ground' | 'supply' | null): void {
  emulator.servo(2).port.wired[2] = to;
}

/** An arm with its stop released, in the middle of a motion. */
function movingWithStop() {
  return moving({ calibration, prepare: (fixture) => wire(fixture, 'ground') });
}

async function stopped(to: 'supply' | null) {
  const fixture = await movingWithStop();
  wire(fixture, to);
  // The robot keeps sending setpoints.
  const feedback = await fixture.go(12);
  expect(feedback.estop).toBe(true);
  return fixture;
}

describe('a stop wired to the servos', () => {
  it.each(['supply', null] as const)('brakes and holds (contact: %s)', async (to) => {
    const fixture = await stopped(to);
    await fixture.go(120);
    const before = fixture.emulator.plant.position_rad[0]!;
    const feedback = await fixture.go(60);
    expect(fixture.emulator.plant.position_rad[0]).toBeCloseTo(before, 2);
    expect([feedback.fault, feedback.estop]).toEqual([null, true]);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    await fixture.close();
  });

  it('is released after a safe start, without a motion', async () => {
    const fixture = await stopped(null);
    await expectRest(fixture);
    const before = Array.from(fixture.emulator.plant.position_rad);
    wire(fixture, 'ground');
    const feedback = await holdFor(fixture, 150);
    expect([feedback.fault, feedback.estop]).toEqual([null, false]);
    Array.from(fixture.emulator.plant.position_rad).forEach((angle, j) => {
      expect(angle).toBeCloseTo(before[j]!, 2);
    });
    await fixture.close();
  });

  it('is not released by a bouncing contact', async () => {
    const fixture = await stopped(null);
    for (let i = 0; i < 6; i++) {
      wire(fixture, i % 2 === 0 ? 'ground' : null);
      expect((await holdFor(fixture, 15)).estop).toBe(true);
    }
    await fixture.close();
  });

  it('pressed before the start is reported by the start', async () => {
    const fixture = await createServoFixture({ calibration });
    expect((await fixture.clock.until(fixture.arm.start())).estop).toBe(true);
    await fixture.close();
  });
});

describe.each(FAMILIES)('the end of the program with $family servos', ({ create }) => {
  it('does not wait for a line that is silent', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.cut = true;
    // A gateway that is gone may take longer than any servo.
    Object.assign(fixture.joints, { end: () => new Promise(() => {}) });
    const from_ms = fixture.clock.now_ms();
    await fixture.clock.until(fixture.arm.stop());
    expect(fixture.clock.now_ms() - from_ms).toBeLessThan(2400);
    await fixture.close();
  });
});

it('the end of the program switches off all watchdogs, though a servo is silent', async () => {
  const fixture = await createServoFixture();
  await fixture.clock.until(fixture.arm.start());
  await holdFor(fixture, 400);
  fixture.emulator.servo(6).dead = true;
  await fixture.clock.until(fixture.arm.stop());
  const watchdogs = fixture.emulator.servos.map(({ memory }) => memory.get('watchdog'));
  expect(watchdogs.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  await fixture.close();
});

describe('a stop that cuts the power of the motors', () => {
  async function cut() {
    const fixture = await stopped(null);
    for (const servo of fixture.emulator.servos) servo.dead = true;
    await holdFor(fixture, 200);
    return fixture;
  }

  it('leaves an arm without torque, held at its position when power is back', async () => {
    const fixture = await cut();
    for (const servo of fixture.emulator.servos) servo.dead = false;
    for (const servo of fixture.emulator.servos) servo.reboot();
    wire(fixture, 'ground');
    expect((await holdFor(fixture, 50)).estop).toBe(true);
    const { fault, estop } = await holdFor(fixture, 300);
    expect([fault, estop]).toEqual([null, false]);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    const { position_rad, velocity_rad_s } = fixture.emulator.plant;
    const resting = Array.from(position_rad);
    await holdFor(fixture, 100);
    expect(Math.max(...velocity_rad_s.map(Math.abs))).toBeLessThan(0.01);
    position_rad.forEach((angle, j) => {
      expect(angle).toBeCloseTo(resting[j]!, 2);
    });
    await fixture.close();
  });

  it('is released with a fault when a servo stays silent', async () => {
    const fixture = await cut();
    for (const servo of fixture.emulator.servos) servo.dead = servo.id === 5;
    wire(fixture, 'ground');
    await holdFor(fixture, 400);
    const { fault, estop } = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
    expect(estop).toBe(false);
    expect(fault).toMatchObject({ kind: 'lost', joint: 4, message: /servo 5\) does not answer/ });
    await fixture.close();
  });
});

describe('a stop on a servo without a port', () => {
  it('is rejected at the start with a message', async () => {
    const wrong = { ...calibration, emergency_stop: { id: 4, port: 1 } } as const;
    const fixture = await createServoFixture({ calibration: wrong });
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(
      /J4 \(servo 4\) has no port for the emergency stop .*: wire it to an XM540/,
    );
  });
});
