/**
 * Replay of a recording on a changed model: a one-bit change of a motion constant is detected, with
 * the first tick and field that differ.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';

const MODEL = '../../physics/arm/arm-model.ts';
type Constant = 'ACCELERATION_MAX_RAD_S2' | 'JERK_MAX_RAD_S3';

/** Records a motion of one joint that ends with an emergency stop. */
async function record(): Promise<{ readonly text: string; readonly stop_tick: number }> {
  let stop_tick = 0;
  let text = '';
  await withTwinClient({}, async ({ twin, arm }) => {
    await arm.startRecording();
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [1.2, 0, 0, 0, 0, 0], max_speed: 1.5 });
    await twin.advance(0.5);
    await arm.setEmergencyStop({ engaged: true });
    stop_tick = (await arm.getClock()).tick;
    await twin.advance(2);
    await arm.stopRecording();
    text = (await arm.getTape()).tape;
  });
  return { text, stop_tick };
}

/** Replays with freshly loaded modules and a model in which one bit is flipped. */
async function replay(text: string, flipped: { constant: Constant; joint: number } | null) {
  vi.resetModules();
  vi.doMock(MODEL, async (original) => {
    const model = await original<Record<Constant, Float64Array>>();
    if (!flipped) return model;
    const values = model[flipped.constant].slice();
    const bits = new BigInt64Array(values.buffer);
    bits[flipped.joint] = bits[flipped.joint]! ^ 1n;
    return { ...model, [flipped.constant]: values };
  });
  const { replayRecording } = await import('./replay.ts');
  const { parseRecording } = await import('./recording-format.ts');
  const { FaultInjectingDriver } = await import('../../bridge/fault-injecting-driver.ts');
  const { createSimulatedArm } = await import('../../bridge/simulated/simulated-arm.ts');
  const arm = createSimulatedArm({ plant: 'fast' });
  const target = { driver: new FaultInjectingDriver(arm), world: arm.world };
  const { divergence } = await replayRecording(parseRecording(text), target);
  return divergence;
}

describe('replay on a changed model', () => {
  let recording: Awaited<ReturnType<typeof record>>;
  beforeAll(async () => {
    recording = await record();
  });
  afterAll(() => {
    vi.doUnmock(MODEL);
    vi.resetModules();
  });

  it('finds no difference on an equal model', async () => {
    expect(await replay(recording.text, null)).toBeNull();
  });

  it.each(['ACCELERATION_MAX_RAD_S2', 'JERK_MAX_RAD_S3'] as const)(
    'reports tick and field of a flipped bit in %s',
    async (constant) => {
      const divergence = await replay(recording.text, { constant, joint: 0 });
      expect(divergence?.field).toMatch(/^(position_rad|velocity_rad_s) of J[1-6]$/);
      expect(divergence?.tick).toBeGreaterThan(recording.stop_tick);
      expect(divergence?.tick).toBeLessThan(recording.stop_tick + 100);
    },
  );

  it('ignores a flipped bit of a joint that does not move', async () => {
    const flipped = { constant: 'ACCELERATION_MAX_RAD_S2', joint: 4 } as const;
    expect(await replay(recording.text, flipped)).toBeNull();
  });
});
