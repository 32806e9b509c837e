/** Both simulated arms conform to the driver port and the world port. */

import { describe, expect, it } from 'vitest';
import { leavesNothing } from '../../physics/dynamics/heap.cases.ts';
import { armDriverCases, exchangeFor, stationarySetpoint } from '../arm-driver.cases.ts';
import { armWorldCases } from '../arm-world.cases.ts';
import { createSimulatedArm } from './simulated-arm.ts';

for (const plant of ['fast', 'rapier'] as const) {
  const create = () => createSimulatedArm({ plant, seed: 7 });
  armDriverCases(plant, create, { tracking_rad: 1e-5 });
  armWorldCases(plant, create);
}

describe('a simulated arm', () => {
  it('exchanges without allocation', async () => {
    const driver = createSimulatedArm({ plant: 'fast' });
    await driver.start();
    driver.world.push([1, 0, 0]);
    const backdrive = stationarySetpoint('backdrive', { detection: 'low' });
    expect(leavesNothing(() => exchangeFor(driver, backdrive, 2500))).toBe(true);
  });

  it('starts with drive temperatures from the seed', async () => {
    const temperatures = async (seed: number) => {
      const driver = createSimulatedArm({ plant: 'fast', seed });
      return Array.from((await driver.start()).temperature_c);
    };
    expect(await temperatures(1)).toEqual(await temperatures(1));
    expect(await temperatures(1)).not.toEqual(await temperatures(2));
  });

  it('starts at the given joints', async () => {
    const start = [0.1, -0.2, -0.3, 0.4, -0.5, 0.6];
    const feedback = await createSimulatedArm({ plant: 'rapier', start }).start();
    expect(Array.from(feedback.position_rad)).toEqual(start);
  });

  it('rejects a snapshot of the other plant', async () => {
    const [fast, rapier] = [
      createSimulatedArm({ plant: 'fast' }),
      createSimulatedArm({ plant: 'rapier' }),
    ];
    await fast.start();
    await rapier.start();
    expect(() => rapier.world.restore(fast.world.snapshot())).toThrow(/fast/);
  });
});
