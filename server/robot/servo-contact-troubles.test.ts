/**
 * What may happen while servos let go of what the arm has run into: the arm ends at rest, presses
 * on nothing, and its state is true.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { CURRENT_BASED, FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { InverseDynamics } from '../../physics/dynamics/inverse-dynamics.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_START, ServoRobot } from './servo-robot.cases.ts';

const VARIANTS = [...FAMILIES, { ...CURRENT_BASED, family: 'current-based dynamixel' }];
const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
/** Torque of a joint beyond its load that may remain (N m), and the speed of a joint at rest. */
const REMAINS_N_M = 6;
const REST_RAD_S = 0.02;
/** A hand that pushes with 30 N at half a metre (N m). */
const HAND_N_M = 15;

function pressing({ plant }: ServoRobot): number {
  const load_n_m = new Float64Array(6);
  new InverseDynamics().gravity(plant.position_rad, load_n_m);
  return Math.max(...plant.torque_n_m.map((torque, j) => Math.abs(torque - load_n_m[j]!)));
}

function expectCalm(arm: ServoRobot, states: readonly string[]): void {
  expect(states).toContain(arm.state);
  for (const rate of arm.plant.velocity_rad_s) expect(Math.abs(rate)).toBeLessThan(REST_RAD_S);
  expect(pressing(arm)).toBeLessThan(REMAINS_N_M);
}

/** Runs into an obstacle, and plays on for so long (s). */
async function touched(create: (typeof FAMILIES)[number]['create'], after_s: number) {
  const arm = await ServoRobot.started(create);
  arm.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'medium' });
  arm.goTo(AWAY);
  await arm.advance(3, () => arm.plant.position_rad[0]! > 0.4);
  arm.plant.blocked.add(0);
  await arm.advance(3, () => arm.state !== 'running');
  expect(arm.state).toBe('collision');
  await arm.advance(after_s);
  return arm;
}

describe.each(VARIANTS)('$family servos that let go of an obstacle', ({ create }) => {
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

  it('20 times in a row: move away each time, at the first try', async () => {
    const arm = await touched(create, 1);
    for (let i = 0; i < 20; i++) {
      expect(arm.apply({ kind: 'acknowledge_collision', caller: ADA })).toBeNull();
      await arm.advance(3, () => arm.state === 'ready');
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
