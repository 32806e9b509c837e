/** Conformance of the servo arm to the driver port, in memory and over TCP, on both drives. */

import { describe, expect, it } from 'vitest';
import { armDriverCases } from '../arm-driver.cases.ts';
import type { ArmDriver } from '../arm-driver.ts';
import {
  type ArmFixture,
  createFeetechFixture,
  createServoFixture,
  passTick,
  type ServoFixture,
  steppedDriver,
} from './servo-arm.cases.ts';

/** Encoder steps are 1.5 mrad; a moving servo trails its goal by some 25 ms, and settles late. */
const tolerances = { tracking_rad: 0.05, holding_rad: 0.008 };

for (const [name, options] of [
  ['in memory', {}],
  ['over TCP', { tcp: true }],
  ['with ideal drives', { drive: 'ideal' }],
] as const) {
  const fixtures = new WeakMap<ArmDriver, ServoFixture>();
  const create = async () => {
    const fixture = await createServoFixture(options);
    const driver = steppedDriver(fixture);
    fixtures.set(driver, fixture);
    return driver;
  };
  armDriverCases(`emulated servos ${name}`, create, {
    ...tolerances,
    afterTick: (driver) => passTick(fixtures.get(driver)!),
  });
}

for (const tcp of [false, true]) {
  const fixtures = new WeakMap<ArmDriver, ArmFixture>();
  const create = async () => {
    const fixture = await createFeetechFixture({ tcp });
    const driver = steppedDriver(fixture);
    fixtures.set(driver, fixture);
    return driver;
  };
  armDriverCases(`emulated Feetech servos ${tcp ? 'over TCP' : 'in memory'}`, create, {
    ...tolerances,
    afterTick: (driver) => passTick(fixtures.get(driver)!),
  });
}

describe('a servo arm', () => {
  it('requires real time', async () => {
    expect((await createServoFixture()).arm.pace).toBe('real-time');
  });
});
