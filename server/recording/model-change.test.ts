/**
 * A tape against a model that is no longer the one it was recorded with: a single bit of one
 * motion constant is named by the tick and the field at which it first shows.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { onStage } from '../sim/sim.cases.ts';

const MODEL = '../../physics/arm/arm-model.ts';
type Constant = 'ACCELERATION_MAX_RAD_S2' | 'JERK_MAX_RAD_S3';

/** A motion of one joint that the emergency stop cuts short. */
async function record(): Promise<{ readonly text: string; readonly stop_tick: number }> {
  let stop_tick = 0;
  let text = '';
  await onStage({}, async ({ twin, arm }) => {
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

/** Repeats the tape with every module made anew, over a model of which one bit is turned. */
async function repeat(text: string, turned: { constant: Constant; joint: number } | null) {
  vi.resetModules();
  vi.doMock(MODEL, async (original) => {
    const model = await original<Record<Constant, Float64Array>>();
    if (!turned) return model;
    const values = model[turned.constant].slice();
    const bits = new BigInt64Array(values.buffer);
    bits[turned.joint] = bits[turned.joint]! ^ 1n;
    return { ...model, [turned.constant]: values };
  });
  const { replayTape } = await import('./replay.ts');
  const { readTape } = await import('./tape.ts');
  const { DisturbedArm } = await import('../../bridge/disturbed-arm.ts');
  const { createSimulatedArm } = await import('../../bridge/simulated-arm.ts');
  const arm = createSimulatedArm({ plant: 'fast' });
  const stage = { driver: new DisturbedArm(arm), world: arm.world };
  const { parting } = await replayTape(readTape(text), stage);
  return parting;
}

describe('a tape against a model', () => {
  let tape: Awaited<ReturnType<typeof record>>;
  beforeAll(async () => {
    tape = await record();
  });
  afterAll(() => {
    vi.doUnmock(MODEL);
    vi.resetModules();
  });

  it('of the same bits repeats', async () => {
    expect(await repeat(tape.text, null)).toBeNull();
  });

  it.each(['ACCELERATION_MAX_RAD_S2', 'JERK_MAX_RAD_S3'] as const)(
    'with one bit turned in %s names tick and field',
    async (constant) => {
      const parting = await repeat(tape.text, { constant, joint: 0 });
      expect(parting?.field).toMatch(/^(position_rad|velocity_rad_s) of joint [0-5]$/);
      expect(parting?.tick).toBeGreaterThan(tape.stop_tick);
      expect(parting?.tick).toBeLessThan(tape.stop_tick + 100);
    },
  );

  it('with one bit turned where nothing moves is the same', async () => {
    const turned = { constant: 'ACCELERATION_MAX_RAD_S2', joint: 4 } as const;
    expect(await repeat(tape.text, turned)).toBeNull();
  });
});
