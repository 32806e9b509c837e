/**
 * The mirrored arm conforms to the driver port and reports the deviation of the real arm from its
 * model.
 */
import { describe, expect, it } from 'vitest';
import { armDriverCases, pacedBy, stationarySetpoint } from './arm-driver.cases.ts';
import { type ArmDriver, TICK_S } from './arm-driver.ts';
import { MirroredArm } from './mirrored-arm.ts';
import {
  createServoFixture,
  passTick,
  type ServoFixture,
  type ServoFixtureOptions,
  steppedDriver,
} from './servo/servo-arm.cases.ts';

const fixtures = new WeakMap<ArmDriver, ServoFixture>();
const afterTick = (driver: ArmDriver) => passTick(fixtures.get(driver)!);

async function mirrored(options: ServoFixtureOptions = {}) {
  const fixture = await createServoFixture(options);
  const logged: unknown[] = [];
  const log = {
    warn: (text: string) => logged.push(text),
    info: (text: string, fields: object) => logged.push({ text, ...fields }),
  };
  const arm = new MirroredArm({ real: steppedDriver(fixture), timed: fixture.link, log });
  fixtures.set(arm, fixture);
  return { arm, fixture, logged };
}

armDriverCases('a mirrored arm', async () => (await mirrored()).arm, {
  tracking_rad: 0.05,
  holding_rad: 0.008,
  afterTick,
});

/** Closer than two encoder steps. */
function expectClose(arm: MirroredArm): void {
  for (const { position_max_rad } of arm.residuals.joints()) {
    expect(position_max_rad).toBeLessThan(0.003);
  }
}

describe('a mirrored arm', () => {
  const { playMove } = pacedBy(afterTick);
  const move = (start: ArrayLike<number>) => ({
    start: Array.from(start),
    end: Array.from(start, (angle, j) => angle - 0.1 * (j + 1)),
    ticks: 300,
  });

  it('reports a small deviation of an arm that behaves like its model', async () => {
    const { arm, logged } = await mirrored({ drive: 'ideal' });
    const { position_rad } = await arm.start();
    await playMove(arm, move(position_rad));
    for (const { position_rms_rad } of arm.residuals.joints()) {
      expect(position_rms_rad).toBeGreaterThan(0);
    }
    expectClose(arm);
    expect(logged).toEqual([]);
    await arm.stop();
    const text = 'Deviation of the real arm from its model';
    expect(logged).toEqual([
      { text, samples: arm.residuals.count, joints: arm.residuals.joints() },
    ]);
    expect(arm.residuals.count).toBeGreaterThan(100);
  });

  it('does not take a stall of this machine for a deviation', async () => {
    const { arm, fixture, logged } = await mirrored({ drive: 'ideal' });
    const { position_rad } = await arm.start();
    let tick = 0;
    // Twenty ticks pass at once, and the loop then catches up.
    const late = pacedBy(async () => {
      const at = tick++ % 60;
      await passTick(fixture, at === 0 ? 20 : Number(at >= 20));
    });
    await late.playMove(arm, move(position_rad));
    expect(fixture.link.period.percentile(1)).toBeGreaterThan(80);
    expectClose(arm);
    expect(logged).toEqual([]);
    await arm.stop();
  });

  it('shows no difference of an arm that is not known', async () => {
    const { arm, fixture } = await mirrored();
    const { position_rad } = await arm.start();
    await playMove(arm, move(position_rad));
    expect(arm.differences()).toHaveLength(6);
    fixture.faults.cut = true;
    for (let i = 0; i < 200; i++) {
      arm.exchange(stationarySetpoint('hold'), TICK_S);
      await passTick(fixture);
    }
    expect(arm.exchange(stationarySetpoint('hold'), TICK_S).fault).not.toBeNull();
    expect(arm.differences()).toBeNull();
    await fixture.close();
  });

  it('warns once about a joint that deviates', async () => {
    const { arm, fixture, logged } = await mirrored();
    const { position_rad } = await arm.start();
    fixture.emulator.plant.blocked.add(5);
    await playMove(arm, { ...move(position_rad), ticks: 120 });
    const angles = logged.filter((text) => String(text).includes('angle'));
    expect(angles).toEqual([expect.stringMatching(/The angle of J6 is 0\.1\d+ rad from/)]);
    await arm.stop();
  });
});
