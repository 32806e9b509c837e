/** Conformance of the servo arm to the driver port, in memory and over TCP, for every family. */

import { describe, expect, it } from 'vitest';
import { armDriverCases } from '../arm-driver.cases.ts';
import type { ArmDriver } from '../arm-driver.ts';
import {
  type ArmFixture,
  createServoFixture,
  FAMILIES,
  passTick,
  steppedDriver,
} from './servo-arm.cases.ts';

/** Encoder steps are 1.5 mrad; a moving servo trails its goal by some 25 ms, and settles late. */
const tolerances = { tracking_rad: 0.05, holding_rad: 0.008 };

/** Defines the cases of the port on arms that a fixture makes. */
function portCases(name: string, createFixture: () => Promise<ArmFixture>): void {
  const fixtures = new WeakMap<ArmDriver, ArmFixture>();
  const create = async () => {
    const fixture = await createFixture();
    const driver = steppedDriver(fixture);
    fixtures.set(driver, fixture);
    return driver;
  };
  armDriverCases(name, create, {
    ...tolerances,
    afterTick: (driver) => passTick(fixtures.get(driver)!),
  });
}

for (const { family, create } of FAMILIES) {
  portCases(`emulated ${family} servos in memory`, () => create());
  portCases(`emulated ${family} servos over TCP`, () => create({ tcp: true }));
}
portCases('emulated servos with ideal drives', () => createServoFixture({ drive: 'ideal' }));

describe('a servo arm', () => {
  it('requires real time', async () => {
    expect((await createServoFixture()).arm.pace).toBe('real-time');
  });
});
