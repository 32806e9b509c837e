/** The mirror keeps the port's promises and tells how far the real arm is from its model. */
import { describe, expect, it } from 'vitest';
import { armDriverCases, pacedBy } from './arm-driver.cases.ts';
import type { ArmDriver } from './arm-driver.ts';
import { MirroredArm } from './mirrored-arm.ts';
import { passTick, type ServoBench, servoBench, steppedDriver } from './servo-arm.cases.ts';

const benches = new WeakMap<ArmDriver, ServoBench>();
const turn = (driver: ArmDriver) => passTick(benches.get(driver)!);

async function mirrored(tell: (text: string) => void = () => {}) {
  const bench = await servoBench();
  const arm = new MirroredArm({ real: steppedDriver(bench), link: bench.arm.link, tell });
  benches.set(arm, bench);
  return { arm, bench };
}

armDriverCases('a real arm and its shadow', async () => (await mirrored()).arm, {
  tracking_rad: 0.04,
  holding_rad: 0.004,
  turn,
});

/** Closer than two of the servos' own steps. */
function expectClose(arm: MirroredArm): void {
  for (const { position_max_rad } of arm.residuals.joints()) {
    expect(position_max_rad).toBeLessThan(0.003);
  }
}

describe('the mirror', () => {
  const { playMove } = pacedBy(turn);
  const move = (start: ArrayLike<number>) => ({
    start: Array.from(start),
    end: Array.from(start, (angle, j) => angle - 0.1 * (j + 1)),
    ticks: 300,
  });

  it('finds an arm that behaves as its model close to it, and reports it at the end', async () => {
    const told: string[] = [];
    const { arm } = await mirrored((text) => told.push(text));
    const { position_rad } = await arm.start();
    await playMove(arm, move(position_rad));
    for (const { position_rms_rad } of arm.residuals.joints()) {
      expect(position_rms_rad).toBeGreaterThan(0);
    }
    expectClose(arm);
    expect(told).toEqual([]);
    await arm.stop();
    expect(told).toEqual([expect.stringMatching(/real arm against its model over \d+ samples/)]);
  });

  it('takes no stall of this machine for a deviation of the arm', async () => {
    const told: string[] = [];
    const { arm, bench } = await mirrored((text) => told.push(text));
    const { position_rad } = await arm.start();
    let tick = 0;
    // Twenty ticks' time passes at once, and then the loop makes up for it.
    const late = pacedBy(async () => {
      const at = tick++ % 60;
      await passTick(bench, at === 0 ? 20 : Number(at >= 20));
    });
    await late.playMove(arm, move(position_rad));
    expect(bench.arm.link.period.percentile(1)).toBeGreaterThan(80);
    expectClose(arm);
    expect(told).toEqual([]);
    await arm.stop();
  });

  it('warns once of a joint that goes its own way', async () => {
    const told: string[] = [];
    const { arm, bench } = await mirrored((text) => told.push(text));
    const { position_rad } = await arm.start();
    bench.emulator.plant.blocked.add(5);
    await playMove(arm, { ...move(position_rad), ticks: 120 });
    const angles = told.filter((text) => text.includes('angle'));
    expect(angles).toEqual([expect.stringMatching(/The angle of joint 5 is 0\.1\d+ rad from/)]);
    await arm.stop();
  });
});
