/**
 * What may happen while servos let go of what the arm has run into: the arm ends at rest, presses
 * on nothing, and its state is true.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_DRIVERS, SERVO_START, ServoRobot } from './servo-robot.cases.ts';

const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
/** Torque of a joint beyond its load that may remain (N m), and the speed of a joint at rest. */
const REMAINS_N_M = 6;
const REST_RAD_S = 0.02;
/** A hand that pushes with 30 N at half a metre (N m). */
const HAND_N_M = 15;

/** An obstacle that follows: how fast (rad/s), how far (rad), and its spring (N m/rad). */
const FOLLOWS_RAD_S = 0.05;
const FOLLOWS_RAD = 0.12;
const SPRING_N_M_RAD = 400;

function expectCalm(arm: ServoRobot, states: readonly string[]): void {
  expect(states).toContain(arm.state);
  for (const rate of arm.plant.velocity_rad_s) expect(Math.abs(rate)).toBeLessThan(REST_RAD_S);
  expect(arm.pressing_n_m()).toBeLessThan(REMAINS_N_M);
}

/** Runs into an obstacle, and plays on for so long (s). */
async function touched(
  create: (typeof SERVO_DRIVERS)[number]['create'],
  after_s: number,
  enabled = true,
) {
  const arm = await ServoRobot.started(create);
  arm.apply({ kind: 'collision_detection', caller: ADA, enabled, sensitivity: 'medium' });
  arm.goTo(AWAY);
  await arm.advance(3, () => arm.plant.position_rad[0]! > 0.4);
  arm.plant.blocked.add(0);
  await arm.advance(3, () => arm.state !== 'running');
  expect(arm.state).toBe(enabled ? 'collision' : 'error');
  await arm.advance(after_s);
  return arm;
}

/** A springy obstacle pushes the first joint back from where it is, as far as it follows. */
async function follow(arm: ServoRobot): Promise<void> {
  const { external_n_m, position_rad } = arm.plant;
  const from_rad = position_rad[0]!;
  const gone_rad = () => Math.min(FOLLOWS_RAD, FOLLOWS_RAD_S * t_s);
  let t_s = 0;
  for (; t_s < 2 * (FOLLOWS_RAD / FOLLOWS_RAD_S); t_s += TICK_S) {
    const depth_rad = Math.max(0, position_rad[0]! - (from_rad - gone_rad()));
    external_n_m[0] = -SPRING_N_M_RAD * depth_rad;
    await arm.advance(TICK_S);
  }
  external_n_m[0] = 0;
}

describe.each(SERVO_DRIVERS)('$family servos that let go of an obstacle', ({ create }) => {
  it('while their cable is cut: hold where they are, in error', async () => {
    const arm = await touched(create, 0.05);
    arm.faults.cut = true;
    await arm.advance(5);
    expect(arm.robot.memory.error).toMatch(/No servo answers/);
    expect(arm.state).toBe('error');
    for (const rate of arm.plant.velocity_rad_s) expect(Math.abs(rate)).toBeLessThan(REST_RAD_S);
    await arm.close();
  });

  it('while the emergency stop is pressed: go on until nothing presses', async () => {
    const arm = await touched(create, 0.05);
    arm.apply({ kind: 'estop', engaged: true });
    await arm.advance(5);
    expectCalm(arm, ['disabled']);
    await arm.close();
  });

  it('while it is acknowledged: press no more 5 s later, whatever state it came to', async () => {
    const arm = await touched(create, 0.05);
    arm.apply({ kind: 'acknowledge_collision', caller: ADA });
    await arm.advance(5);
    expectCalm(arm, ['ready', 'collision']);
    await arm.close();
  });

  it('and are held by a hand for 3 s: end at rest', async () => {
    const arm = await touched(create, 0.5);
    arm.plant.blocked.clear();
    arm.plant.external_n_m[0] = -HAND_N_M;
    await arm.advance(3);
    arm.plant.external_n_m[0] = 0;
    await arm.advance(2);
    expectCalm(arm, ['collision']);
    await arm.close();
  });

  it('which follows them: give way, and end at rest', async () => {
    const arm = await touched(create, 0.5);
    arm.plant.blocked.clear();
    const from_rad = arm.plant.position_rad[0]!;
    await follow(arm);
    expect(from_rad - arm.plant.position_rad[0]!).toBeGreaterThan(FOLLOWS_RAD - 0.03);
    await arm.advance(2);
    expectCalm(arm, ['collision']);
    expect(arm.apply({ kind: 'acknowledge_collision', caller: ADA })).toBeNull();
    await arm.advance(3, () => arm.state === 'ready');
    arm.goTo(SERVO_START);
    await arm.advance(5, () => arm.state !== 'running');
    expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
    await arm.close();
  });

  it('without detection while errors are reset: press no more, and can move away', async () => {
    const arm = await touched(create, 0.02, false);
    expect(arm.apply({ kind: 'reset_errors', caller: ADA })).toBeNull();
    await arm.advance(5);
    expectCalm(arm, ['ready']);
    arm.plant.blocked.clear();
    arm.goTo(SERVO_START);
    await arm.advance(5, () => arm.state !== 'running');
    expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
    await arm.close();
  });

  it('20 times in a row: move away each time, at the first try', async () => {
    const arm = await touched(create, 1);
    for (let i = 0; i < 20; i++) {
      expect(arm.apply({ kind: 'acknowledge_collision', caller: ADA })).toBeNull();
      await arm.advance(0.5, () => arm.state === 'ready');
      expect([i, arm.state]).toEqual([i, 'ready']);
      arm.plant.blocked.clear();
      arm.goTo(SERVO_START);
      await arm.advance(5, () => arm.state !== 'running');
      expect([i, arm.state, arm.robot.memory.error]).toEqual([i, 'ready', null]);
      arm.goTo(AWAY);
      await arm.advance(3, () => arm.plant.position_rad[0]! > 0.4);
      arm.plant.blocked.add(0);
      await arm.advance(3, () => arm.state !== 'running');
      expect([i, arm.state]).toEqual([i, 'collision']);
      await arm.advance(1);
    }
    await arm.advance(4);
    expectCalm(arm, ['collision']);
    await arm.close();
  }, 240_000);
});
