/** A bus of servos keeps what the port promises, in memory and over TCP. */
import { describe, expect, it } from 'vitest';
import { armDriverCases } from './arm-driver.cases.ts';
import type { ArmDriver } from './arm-driver.ts';
import { passTick, type ServoBench, servoBench, steppedDriver } from './servo-arm.cases.ts';

/** Encoder steps are 1.5 mrad; a moving servo trails its goal by some 25 ms. */
const tolerances = { tracking_rad: 0.04, holding_rad: 0.004 };

for (const tcp of [false, true]) {
  const benches = new WeakMap<ArmDriver, ServoBench>();
  const create = async () => {
    const bench = await servoBench({ tcp });
    const driver = steppedDriver(bench);
    benches.set(driver, bench);
    return driver;
  };
  armDriverCases(`emulated servos ${tcp ? 'over TCP' : 'in memory'}`, create, {
    ...tolerances,
    turn: (driver) => passTick(benches.get(driver)!),
  });
}

describe('a servo arm', () => {
  it('is for real time alone', async () => {
    expect((await servoBench()).arm.pace).toBe('real-time');
  });
});
