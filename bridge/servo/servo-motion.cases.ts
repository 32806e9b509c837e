/** Fixtures and expectations for arms of emulated servos in the middle of a motion. */

import { expect } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { SETPOINT_SAMPLES, type Setpoint, TICK_S } from '../arm-driver.ts';
import {
  type ArmFixture,
  createServoFixture,
  holdFor,
  passTick,
  type ServoFixture,
  type ServoFixtureOptions,
} from './servo-arm.cases.ts';

const RATE_RAD_S = 0.5;

/** A started arm in the middle of a steady motion of its first joint. */
export async function moving(
  options: ServoFixtureOptions & { readonly prepare?: (fixture: ServoFixture) => void } = {},
) {
  const fixture = await createServoFixture(options);
  options.prepare?.(fixture);
  return movingFrom(fixture);
}

/** Starts the arm of a fixture, and moves its first joint at a rate (rad/s). */
export async function movingFrom<Fixture extends ArmFixture>(
  fixture: Fixture,
  rate_rad_s = RATE_RAD_S,
) {
  await fixture.clock.until(fixture.arm.start());
  const motion = motionOf(fixture, rate_rad_s);
  await motion.go(60);
  expect(fixture.emulator.plant.velocity_rad_s[0]).toBeGreaterThan(0.3);
  return { ...fixture, ...motion };
}

/** Keeps joint 0 moving until the driver reports a fault or a contact. */
function motionOf(fixture: ArmFixture, rate_rad_s: number) {
  let t_s = 0;
  const base = Array.from(fixture.joints.measured.position_rad);
  const setpoint: Setpoint = { ...stationarySetpoint('hold'), mode: 'follow' };
  const tick = (detection: Setpoint['detection'] = null) => {
    for (let i = 0; i < 6 * SETPOINT_SAMPLES; i++) {
      const t_row_s = t_s + (Math.floor(i / 6) - 1) * 0.001;
      setpoint.samples[i] = base[i % 6]! + (i % 6 === 0 ? rate_rad_s * t_row_s : 0);
    }
    t_s += TICK_S;
    return fixture.arm.exchange({ ...setpoint, detection }, TICK_S);
  };
  const go = async (ticks: number, detection: Setpoint['detection'] = null) => {
    let feedback = tick(detection);
    for (let i = 1; i < ticks && !feedback.fault && !feedback.contact; i++) {
      await passTick(fixture);
      feedback = tick(detection);
    }
    return feedback;
  };
  return { go };
}

/** Holds, and expects joint 0 to be at rest. */
export async function expectRest(fixture: ArmFixture, ticks = 120): Promise<number> {
  await holdFor(fixture, ticks);
  fixture.emulator.catchUp();
  const before = fixture.emulator.plant.position_rad[0]!;
  await holdFor(fixture, 60);
  fixture.emulator.catchUp();
  expect(Math.abs(fixture.emulator.plant.position_rad[0]! - before)).toBeLessThan(0.003);
  return before;
}

/** Resets errors until it succeeds, and expects that nothing moved. */
export async function expectRecovery(fixture: ArmFixture): Promise<void> {
  const { arm, clock, emulator } = fixture;
  const before = Array.from(emulator.plant.position_rad);
  for (let i = 0; i < 5 && !arm.recover(); i++) {
    for (let k = 0; k < 400 && arm.exchange(stationarySetpoint('hold'), TICK_S); k++)
      await passTick(fixture);
  }
  expect(arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
  await holdFor(fixture, 60);
  emulator.catchUp();
  Array.from(emulator.plant.position_rad).forEach((angle, j) => {
    expect(Math.abs(angle - before[j]!), `joint ${j} at ${clock.now_ms()} ms`).toBeLessThan(0.02);
  });
}
