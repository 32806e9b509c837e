/**
 * Stalls and supply failures: a late control loop, a blocked process, a supply that fails and
 * returns. The arm never resumes motion by itself.
 * @module-tag ci
 */
import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type ArmFault, TICK_S } from '../arm-driver.ts';
import {
  createServoFixture,
  FAMILIES,
  holdFor,
  passTick,
  type ServoFixture,
} from './servo-arm.cases.ts';
import { expectRecovery, moving, movingFrom } from './servo-motion.cases.ts';

describe('a late control loop', () => {
  it('finds fresh samples and watchdogs reset', async () => {
    const fixture = await createServoFixture();
    await fixture.clock.until(fixture.arm.start());
    for (let i = 0; i < 250; i++) await passTick(fixture);
    const feedback = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeLessThan(0.02);
    expect((await holdFor(fixture, 60)).fault).toBeNull();
    await fixture.close();
  });

  it('continues after a stall of 0.25 s, and faults when the bus is dead too', async () => {
    for (const cut of [false, true]) {
      const fixture = await moving();
      fixture.clock.advance(250);
      fixture.faults.cut = cut;
      const feedback = await fixture.go(60);
      expect(feedback.fault === null).toBe(!cut);
      await fixture.close();
    }
  });

  it('sends one request when it catches up, and stalls again without a fault', async () => {
    const fixture = await moving();
    const { counts } = fixture.link;
    for (let i = 0; i < 6; i++) {
      fixture.clock.advance(200);
      for (let tick = 0; tick < 21; tick++) {
        expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
      }
    }
    expect(counts.old_samples).toBe(0);
    expect(counts.missed_cycles).toBeGreaterThan(50);
    await fixture.close();
  });

  it('may be late at start-up: watchdogs are armed once it has settled', async () => {
    for (const cut of [false, true]) {
      const fixture = await createServoFixture();
      await fixture.clock.until(fixture.arm.start());
      fixture.clock.advance(900);
      fixture.faults.cut = cut;
      fixture.arm.exchange(stationarySetpoint('hold'), TICK_S);
      fixture.clock.advance(900);
      expect((await holdFor(fixture, 60)).fault === null).toBe(!cut);
      await holdFor(fixture, 100);
      const watching = cut ? 0 : 15;
      expect(fixture.emulator.servo(3).memory.get('watchdog')).toBe(watching);
      await fixture.close();
    }
  });

  it('sets the watchdog of a servo again that missed the write', async () => {
    const fixture = await moving();
    fixture.emulator.servo(3).memory.set('watchdog', 0);
    await fixture.go(60);
    expect(fixture.emulator.servo(3).memory.get('watchdog')).toBe(15);
    await fixture.close();
  });
});

it('a motion that went on while the joints were not read: the fault names the stall', async () => {
  const fixture = await moving();
  fixture.faults.cut = true;
  await fixture.go(45);
  fixture.faults.cut = false;
  for (let ms = 0; ms < 800; ms += 100) {
    const { fault } = await fixture.go(25);
    if (!fault) continue;
    expect(fault.message).not.toMatch(/setpoint that jumps/);
    expect(fault.message).toMatch(
      /not read for \d+ ms in a motion: the line or|No fresh joint|No servo answers on/,
    );
  }
  await fixture.close();
});

/** Supports all joints, or removes the support. */
function support({ emulator }: ServoFixture, there: boolean): void {
  for (let j = 0; j < 6; j++) {
    if (there) emulator.plant.blocked.add(j);
    else emulator.plant.blocked.delete(j);
  }
}

/** Supply failures of all servos in the middle of a motion. */
const DIPS: readonly [string, (fixture: ServoFixture) => Promise<void>][] = [
  [
    'a dip that reboots them',
    async ({ emulator }) => {
      for (const servo of emulator.servos) servo.reboot();
    },
  ],
  [
    'undervoltage for a while',
    async ({ emulator }) => {
      for (const servo of emulator.servos) servo.setSupply(30);
    },
  ],
  [
    'no supply for half a second',
    async (fixture) => {
      for (const servo of fixture.emulator.servos) servo.dead = true;
      await holdFor(fixture, 125);
      for (const servo of fixture.emulator.servos) servo.dead = false;
      for (const servo of fixture.emulator.servos) servo.reboot();
    },
  ],
];

describe('all servos at once', () => {
  it.each(DIPS)('%s: stays without torque; recovery holds it at its position', async (_, dip) => {
    const fixture = await moving();
    await dip(fixture);
    const { fault } = await fixture.go(150);
    expect(fault).toMatchObject({ kind: expect.stringMatching(/lost|bus|stale/) });
    support(fixture, true);
    for (const servo of fixture.emulator.servos) servo.setSupply(120);
    await holdFor(fixture, 200);
    expect(fixture.emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
    const resting = Array.from(fixture.emulator.plant.position_rad);
    await expectRecovery(fixture);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    support(fixture, false);
    await holdFor(fixture, 60);
    Array.from(fixture.emulator.plant.position_rad).forEach((angle, j) => {
      expect(Math.abs(angle - resting[j]!), `joint ${j}`).toBeLessThan(0.02);
    });
    await fixture.close();
  });
});

describe.each(FAMILIES)('a blocked control loop over $family servos', ({ create }) => {
  it('ends the motion: the servos stop, and nothing moves afterwards', async () => {
    const fixture = await movingFrom(await create());
    const { plant } = fixture.emulator;
    fixture.emulator.catchUp();
    const blocked = plant.position_rad[0]!;
    fixture.clock.advance(1000);
    fixture.emulator.catchUp();
    const stopped = plant.position_rad[0]!;
    // 0.5 rad/s until the watchdog trips, or to the last goal.
    expect(stopped - blocked).toBeLessThan(0.2);
    expect((await fixture.go(100)).fault).toMatchObject({ kind: 'stale' });
    await holdFor(fixture, 100);
    fixture.emulator.catchUp();
    expect(Math.abs(plant.position_rad[0]! - stopped)).toBeLessThan(0.02);
    await expectRecovery(fixture);
    await fixture.close();
  });
});

describe('late replies', () => {
  it.each([90, 150, 200, 290])('by %i ms: no servo is reported as faulty', async (late_ms) => {
    const fixture = await moving();
    fixture.faults.delay_ms = late_ms;
    let fault: ArmFault | null = null;
    // Ticks of uneven length, as on a busy machine.
    for (let i = 0; i < 200; i++) {
      await passTick(fixture, 1 + ((i * 7) % 5));
      ({ fault } = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S));
    }
    expect(fault?.joint ?? null).toBeNull();
    await fixture.close();
  });
});
