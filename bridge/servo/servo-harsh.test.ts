/**
 * What the driver does not prevent, and docs/hardware.md says: a supply that sags, and another
 * master that sends few goals.
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { EmulatedServo } from '../dynamixel/emulator/emulated-servo.ts';
import { StsServo } from '../feetech/emulator/emulated-servo.ts';
import type { EmulatedDevice } from './emulator/emulated-device.ts';
import { type ArmFixture, FAMILIES, holdFor, passTick } from './servo-arm.cases.ts';

const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];
/** A supply below the range of the servos (0.1 V), and the nominal one. */
const SAGGED = 90;
const NOMINAL = 120;
/** Another master sends so many goals a second, so far away (rad). */
const FOREIGN_HZ = 17;
const FOREIGN_RAD = 0.5;

async function holding(create: (typeof FAMILIES)[number]['create']): Promise<ArmFixture> {
  const fixture = await create({ start: LEANING, supported: true });
  await fixture.clock.until(fixture.arm.start());
  await holdFor(fixture, 250);
  return fixture;
}

/** A goal (steps) that another master sends to a servo. */
function sendGoal(servo: EmulatedDevice, ticks: number): void {
  if (servo instanceof EmulatedServo) servo.memory.set('goal_position', ticks);
  else if (servo instanceof StsServo) servo.memory.set('goal', ticks);
}

function supply({ emulator }: ArmFixture, voltage: number): void {
  for (const servo of emulator.servos) servo.setSupply(voltage);
}

/** Largest way of a joint since `before` (rad). */
function wayOf({ emulator }: ArmFixture, before: readonly number[]): number {
  emulator.catchUp();
  return Math.max(...before.map((angle, j) => Math.abs(emulator.plant.position_rad[j]! - angle)));
}

describe.each(FAMILIES)('$family servos', ({ family, create }) => {
  it('whose supply sags to 9 V for half a second hold on', async () => {
    const fixture = await holding(create);
    const before = Array.from(fixture.emulator.plant.position_rad);
    supply(fixture, SAGGED);
    await holdFor(fixture, 125);
    supply(fixture, NOMINAL);
    const { fault } = await holdFor(fixture, 125);
    expect(wayOf(fixture, before)).toBeLessThan(0.03);
    // 9 V are in the range of the others.
    if (family === 'dynamixel') {
      expect(fault).toMatchObject({ kind: 'voltage', message: expect.stringMatching(/voltage/) });
      // The alert is latched: a reboot would let the joint fall.
      expect(fixture.arm.recover()).toBe(false);
      const refused = await holdFor(fixture, 500);
      expect(refused.fault!.message).toMatch(/in alert .* holds its joint.*power-cycle it/);
      expect(wayOf(fixture, before)).toBeLessThan(0.03);
    } else expect(fault).toBeNull();
    await fixture.close();
  });

  it('that get few goals of another master are moved by a little each time', async () => {
    const fixture = await holding(create);
    const { arm, emulator, clock } = fixture;
    const servo = emulator.servo(1);
    const before = Array.from(emulator.plant.position_rad);
    const away = Math.round((FOREIGN_RAD * 4096) / (2 * Math.PI));
    let next_ms = clock.now_ms();
    let most_rad = 0;
    for (let tick = 0; tick < 750; tick++) {
      const { fault } = arm.exchange(stationarySetpoint('hold'), TICK_S);
      if (fault) expect(fault.message).toMatch(/another program|its own servos drive it/);
      await passTick(fixture);
      most_rad = Math.max(most_rad, wayOf(fixture, before));
      if (clock.now_ms() < next_ms) continue;
      next_ms += 1000 / FOREIGN_HZ;
      sendGoal(servo, servo.goal_ticks + away);
    }
    expect(most_rad).toBeGreaterThan(0.002);
    expect(most_rad).toBeLessThan(0.08);
    await fixture.close();
  });
});
