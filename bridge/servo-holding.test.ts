/** An arm with factory gains stays where it is held; the slow test repeats each case 50 times. */
import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { EMULATED_CALIBRATION } from './servo/calibration.ts';
import { createServoFixture, holdFor, passTick } from './servo-arm.cases.ts';
import { holdingCases, LEANING } from './servo-holding.cases.ts';

holdingCases(4, 2);

describe('an arm whose calibration does not describe its drives', () => {
  it('holds still in guiding mode instead of sinking', async () => {
    const joints = EMULATED_CALIBRATION.joints.map(({ drive: _, ...joint }) => joint);
    const calibration = { ...EMULATED_CALIBRATION, joints };
    const fixture = await createServoFixture({ start: LEANING, calibration });
    await fixture.clock.until(fixture.arm.start());
    await holdFor(fixture, 500);
    const goals = fixture.emulator.servos.map(({ memory }) => memory.get('goal_position'));
    for (let i = 0; i < 500; i++) {
      fixture.arm.exchange(stationarySetpoint('backdrive'), TICK_S);
      await passTick(fixture);
    }
    expect(fixture.emulator.servos.map(({ memory }) => memory.get('goal_position'))).toEqual(goals);
    await fixture.close();
  });
});
