/**
 * An arm with factory gains stays where it is held; the slow test repeats each case 50 times.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { EMULATED_CALIBRATION } from '../dynamixel/emulated-calibration.ts';
import { createServoFixture, FAMILIES, holdFor, passTick } from './servo-arm.cases.ts';
import { holdingCases, LEANING } from './servo-holding.cases.ts';

// The slow test holds those of the other families, too.
holdingCases({ times: 1, guided_s: 1, settling: 150, families: FAMILIES.slice(-1) });

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

/** Peak speed of the API in automatic mode (rad/s), and a lift of the stretched arm. */
const FULL_RAD_S = 2.09;
const LIFT = { from_rad: 1.2, to_rad: -0.4 };

describe('a lift at the full speed of the API with the full payload', () => {
  it('raises no fault on servos with factory gains, and ends where it was sent', async () => {
    const start = [0, LIFT.from_rad, 0, 0, 0, 0];
    const fixture = await createServoFixture({ start, supported: true });
    fixture.emulator.plant.setPayload(1.25);
    await fixture.clock.until(fixture.arm.start());
    const payload = { payload_kg: 1.25 };
    for (let i = 0; i < 400; i++) {
      fixture.arm.exchange(stationarySetpoint('hold', payload), TICK_S);
      await passTick(fixture);
    }
    const base = Array.from(fixture.link.samples.position_rad);
    const distance = LIFT.to_rad - base[1]!;
    const duration_s = (1.875 * Math.abs(distance)) / FULL_RAD_S;
    const setpoint = { ...stationarySetpoint('hold', payload), mode: 'follow' as const };
    let fastest_rad_s = 0;
    for (let t_s = 0; t_s < duration_s + 0.5; t_s += TICK_S) {
      for (let i = 0; i < setpoint.samples.length; i++) {
        const u = Math.min(1, Math.max(0, (t_s + (Math.floor(i / 6) - 1) * 0.001) / duration_s));
        const share = u * u * u * (10 + u * (6 * u - 15));
        setpoint.samples[i] = base[i % 6]! + (i % 6 === 1 ? share * distance : 0);
      }
      const { fault, velocity_rad_s } = fixture.arm.exchange(setpoint, TICK_S);
      expect(fault).toBeNull();
      fastest_rad_s = Math.max(fastest_rad_s, Math.abs(velocity_rad_s[1]!));
      await passTick(fixture);
    }
    await holdFor(fixture, 250);
    fixture.emulator.catchUp();
    expect(fastest_rad_s).toBeGreaterThan(1.8);
    expect(Math.abs(fixture.emulator.plant.position_rad[1]! - LIFT.to_rad)).toBeLessThan(0.05);
    await fixture.close();
  });
});
