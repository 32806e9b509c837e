/**
 * A contact of a robot on servos in each situation that is no go_to: in a run's approach, in home,
 * while it pauses or is guided, of two joints at once, with a load. It is left as in a go_to.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { END_OF_LOOP } from '../../physics/toolpath/program.ts';
import { ADA, moveStep, toolpathOf } from './robot-harness.cases.ts';
import { SERVO_DRIVERS, SERVO_START, ServoRobot } from './servo-robot.cases.ts';

const AWAY = [0.8, 0.4, -1.4, 0, -1, 0];
const LOW = [0.8, 0.9, -1.4, 0, -1, 0];
/** Where the first joint meets the obstacle (rad). */
const MET_RAD = 0.4;
/** Torque of a joint beyond its load that may remain (N m), and the speed of a joint at rest. */
const REMAINS_N_M = 6;
const REST_RAD_S = 0.02;
/** A push of 40 N, and one of 25 N, at half a metre (N m). */
const PUSH_N_M = 20;
const GUIDE_N_M = 12.5;

type Create = (typeof SERVO_DRIVERS)[number]['create'];

async function standing(create: Create, payload_kg = 0): Promise<ServoRobot> {
  const arm = await ServoRobot.started(create);
  arm.plant.setPayload(payload_kg);
  const toolpath = toolpathOf([moveStep(AWAY, SERVO_START, END_OF_LOOP)], {
    home: Float64Array.from(AWAY),
    payload_kg,
  });
  arm.apply({ kind: 'load', caller: ADA, toolpath });
  arm.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'medium' });
  await arm.advance(0.5);
  return arm;
}

/** Blocks joints once the first is where the obstacle is, and waits for the end of the motion. */
async function meet(arm: ServoRobot, ...joints: readonly number[]): Promise<void> {
  await arm.advance(10, () => arm.plant.position_rad[0]! > MET_RAD);
  for (const joint of joints) arm.plant.blocked.add(joint);
  await arm.advance(5, () => arm.state !== 'running');
}

/** Five seconds later nothing presses; the contact is acknowledged, and the arm moves away. */
async function expectLeft(arm: ServoRobot, payload_kg = 0): Promise<void> {
  expect(arm.state).toBe('collision');
  await arm.advance(5);
  expect(arm.state).toBe('collision');
  expect(arm.pressing_n_m(payload_kg)).toBeLessThan(REMAINS_N_M);
  for (const rate of arm.plant.velocity_rad_s) expect(Math.abs(rate)).toBeLessThan(REST_RAD_S);
  expect(arm.apply({ kind: 'acknowledge_collision', caller: ADA })).toBeNull();
  await arm.advance(3, () => arm.state === 'ready');
  await expectMovesTo(arm, SERVO_START);
}

async function expectMovesTo(arm: ServoRobot, joints: readonly number[]): Promise<void> {
  arm.plant.blocked.clear();
  arm.goTo(joints);
  await arm.advance(8, () => arm.state !== 'running');
  expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
}

/** What starts a motion that leads into the obstacle. */
const MOTIONS: Readonly<Record<string, (arm: ServoRobot) => unknown>> = {
  home: (arm) => arm.apply({ kind: 'home', caller: ADA }),
  'the approach of a run': (arm) =>
    arm.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 }),
  'the approach of a run in teach': (arm) =>
    arm.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 1 }),
};

describe.each(SERVO_DRIVERS)('a contact of $family servos is left', ({ create }) => {
  it.each(Object.keys(MOTIONS))('in %s', async (name) => {
    const arm = await standing(create);
    expect(MOTIONS[name]!(arm)).toBeNull();
    await meet(arm, 0);
    await expectLeft(arm);
    await arm.close();
  });

  it('in a motion that is being paused', async () => {
    const arm = await standing(create);
    arm.goTo(AWAY);
    await arm.advance(5, () => arm.plant.position_rad[0]! > MET_RAD);
    arm.apply({ kind: 'pause', caller: ADA });
    arm.plant.blocked.add(0);
    await arm.advance(5, () => arm.state !== 'running');
    await expectLeft(arm);
    await arm.close();
  });

  it('while the arm is paused', async () => {
    const arm = await standing(create);
    arm.goTo(AWAY);
    await arm.advance(5, () => arm.plant.position_rad[0]! > MET_RAD);
    arm.apply({ kind: 'pause', caller: ADA });
    await arm.advance(3, () => arm.state === 'paused');
    await arm.advance(0.5);
    arm.plant.external_n_m[0] = -PUSH_N_M;
    await arm.advance(1);
    arm.plant.external_n_m[0] = 0;
    await expectLeft(arm);
    await arm.close();
  });

  it('of two joints at once', async () => {
    const arm = await standing(create);
    arm.goTo(LOW);
    await meet(arm, 0, 1);
    await expectLeft(arm);
    await arm.close();
  });

  it('with a load', async () => {
    const payload_kg = 0.75;
    const arm = await standing(create, payload_kg);
    arm.goTo(AWAY);
    await meet(arm, 0);
    await expectLeft(arm, payload_kg);
    await arm.close();
  });

  it('into which a person guides the arm', async () => {
    const arm = await standing(create);
    expect(arm.apply({ kind: 'backdriving', pressed: true })).toBeNull();
    arm.plant.external_n_m[0] = GUIDE_N_M;
    await arm.advance(6, () => arm.plant.position_rad[0]! > MET_RAD);
    expect(arm.plant.position_rad[0]).toBeGreaterThan(MET_RAD);
    arm.plant.blocked.add(0);
    await arm.advance(1);
    // A blocked joint is held from both sides, and the obstacle stands on one.
    arm.plant.blocked.clear();
    arm.plant.external_n_m[0] = 0;
    arm.apply({ kind: 'backdriving', pressed: false });
    await arm.advance(5);
    expect(arm.state).toBe('ready');
    expect(arm.pressing_n_m()).toBeLessThan(REMAINS_N_M);
    await expectMovesTo(arm, SERVO_START);
    await arm.close();
  });
});
