/**
 * The fault-injecting driver: transparent without faults, reproducible noise, injected contacts.
 */
import { describe, expect, it } from 'vitest';
import { armDriverCases } from './arm-driver.cases.ts';
import {
  type ContactReactionReport,
  SETPOINT_SAMPLES,
  type Setpoint,
  TICK_S,
} from './arm-driver.ts';
import { FaultInjectingDriver, type SensorNoise } from './fault-injecting-driver.ts';
import { createSimulatedArm } from './simulated/simulated-arm.ts';

const HOLD: Setpoint = {
  mode: 'hold',
  samples: new Float64Array(6 * SETPOINT_SAMPLES),
  payload_kg: 0,
  detection: null,
};
const NOISE: SensorNoise = { position_rad: 0.01, velocity_rad_s: 0, temperature_c: 0, seed: 4 };

async function started() {
  const inner = createSimulatedArm({ plant: 'fast' });
  const arm = new FaultInjectingDriver(inner);
  await arm.start();
  return { inner, arm };
}

armDriverCases(
  'fault injection',
  () => new FaultInjectingDriver(createSimulatedArm({ plant: 'fast', seed: 7 })),
  { tracking_rad: 1e-5 },
);

describe('FaultInjectingDriver', () => {
  it('returns the inner feedback without active faults', async () => {
    const { inner, arm } = await started();
    expect(arm.exchange(HOLD, TICK_S)).toBe(inner.exchange(HOLD, TICK_S));
  });

  it('gives the same noise for one long exchange and for many short ones', async () => {
    const [one, many] = [await started(), await started()];
    for (const { arm } of [one, many]) arm.setNoise(NOISE);
    const long = one.arm.exchange(HOLD, 500 * TICK_S);
    let short = many.arm.exchange(HOLD, TICK_S);
    for (let i = 1; i < 500; i++) short = many.arm.exchange(HOLD, TICK_S);
    expect(Array.from(long.position_rad)).toEqual(Array.from(short.position_rad));
    expect(Math.max(...long.position_rad.map(Math.abs))).toBeLessThanOrEqual(0.0101);
    expect(long.at_rest).toBe(false);
  });

  it('reports the reaction of the arm to a contact, beside its faults', async () => {
    const reaction: ContactReactionReport = {
      ...{ phase: 'holding', force_n: 2, peak_n: 40, relieved: 0 },
      ...{ retreated_rad: 0.1, yielded_rad: 0 },
    };
    const { inner, arm } = await started();
    const exchange = inner.exchange.bind(inner);
    inner.exchange = (setpoint, dt_s) => ({ ...exchange(setpoint, dt_s), reaction });
    arm.setNoise(NOISE);
    expect(arm.exchange(HOLD, TICK_S).reaction).toEqual(reaction);
  });

  it('reports a contact until `recover`, also in the present feedback', async () => {
    const { arm } = await started();
    arm.injectContact(4);
    const feedback = arm.exchange(HOLD, TICK_S);
    expect(feedback.contact).toMatchObject({ joint: 4 });
    expect(arm.recover()).toBe(true);
    expect(feedback.contact).toBeNull();
  });

  it('continues identically after a restore', async () => {
    const { arm } = await started();
    arm.setNoise(NOISE);
    const memory = arm.save();
    const first = Array.from(arm.exchange(HOLD, TICK_S).position_rad);
    arm.restore(memory);
    expect(Array.from(arm.exchange(HOLD, TICK_S).position_rad)).toEqual(first);
  });
});
