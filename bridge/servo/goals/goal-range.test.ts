/** The range of a real arm: the narrower of calibration and limits in the servos. */

import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../../physics/arm/arm-model.ts';
import { EMULATED_CALIBRATION } from '../../dynamixel/emulated-calibration.ts';
import { DEFAULT_SERVOS } from '../../dynamixel/emulator/servo-setup.ts';
import { JointUnits } from '../calibration/joint-units.ts';
import { createServoFixture, FAMILIES } from '../servo-arm.cases.ts';
import { changed, createFixture } from '../start/safe-start.cases.ts';
import { goalRangeOf, jointRange } from './goal-range.ts';

function narrowed(max_rad: number) {
  const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
    j === 0 ? { ...joint, max_rad } : joint,
  );
  return { ...EMULATED_CALIBRATION, joints };
}

describe('the range of an arm', () => {
  it.each(FAMILIES)('of $family servos is that of the model by default', async ({ create }) => {
    const { arm, clock, close } = await create();
    await clock.until(arm.start());
    expect(arm.range_rad).toBeNull();
    await close();
  });

  it('is that of a narrower calibration', async () => {
    const { arm, clock, close } = await createServoFixture({ calibration: narrowed(0.5) });
    await clock.until(arm.start());
    expect(arm.range_rad!.max_rad[0]).toBe(0.5);
    expect(arm.range_rad!.min_rad[0]).toBe(JOINT_MIN_RAD[0]);
    expect(arm.range_rad!.max_rad[1]).toBe(JOINT_MAX_RAD[1]);
    await close();
  });

  it('is narrower by as much as the limits in a servo are', async () => {
    const [low, high] = goalRangeOf(EMULATED_CALIBRATION.joints[1]!);
    const registers = { baud: 3, position_min: low + 200, position_max: high - 400 };
    const { start } = await createFixture({ servos: changed(2, { registers }) });
    const started = await start();
    if (!started.ok) throw new Error(started.error.message);
    const { min_rad, max_rad } = started.value.range_rad;
    const step_rad = Math.PI / 2048;
    expect(min_rad[1]).toBeCloseTo(JOINT_MIN_RAD[1]! + 200 * step_rad, 6);
    expect(max_rad[1]).toBeCloseTo(JOINT_MAX_RAD[1]! - 400 * step_rad, 6);
  });

  it('is turned round where a servo turns the other way', () => {
    const joint = { ...EMULATED_CALIBRATION.joints[1]!, direction: -1 as const };
    const [low, high] = goalRangeOf(joint);
    const [min_rad, max_rad] = jointRange(joint, [low + 100, high]);
    expect(min_rad).toBe(joint.min_rad);
    expect(max_rad).toBeCloseTo(joint.max_rad - new JointUnits(joint).rateOf(-100), 6);
  });

  it('is refused where a servo leaves none', async () => {
    const registers = { baud: 3, position_min: 2040, position_max: 2060 };
    const servos = DEFAULT_SERVOS.map((setup) =>
      setup.id === 5 ? { ...setup, registers } : setup,
    );
    const { emulator, start } = await createFixture({ servos });
    expect(await start()).toMatchObject({
      ok: false,
      error: { joint: 4, message: expect.stringMatching(/J5 .*position limits.*no range.*widen/) },
    });
    expect(emulator.servo(5).torqueOn).toBe(false);
  });
});
