/**
 * A servo arm that has fallen out of its range comes back: by a motion into it, or by hand. Farther
 * out than its servos take goals it is refused with the joint, its angle and what to do.
 */

import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { JOINT_MAX_RAD } from '../../physics/arm/arm-model.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_START, ServoRobot } from './servo-robot.cases.ts';

const MAX_RAD = JOINT_MAX_RAD[1]!;
const lyingAt = (shoulder_rad: number) => [0, shoulder_rad, -1.4, 0, -1, 0];
/** The shoulder lies on its end stop, beyond the range of the arm (rad). */
const FALLEN = lyingAt(MAX_RAD + 0.07);
/** Farther out than a servo takes a goal (rad). */
const FAR_RAD = MAX_RAD + 0.14;
/** A hand lifts the arm (N m). */
const LIFT_N_M = -25;

async function expectMovesIn(arm: ServoRobot): Promise<void> {
  arm.goTo(SERVO_START);
  await arm.advance(8, () => arm.state !== 'running');
  expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
  expect(arm.plant.position_rad[1]).toBeCloseTo(SERVO_START[1]!, 1);
}

/** An arm whose shoulder has shut down, and lies at an angle (rad) by its own weight. */
async function fallen(create: (typeof FAMILIES)[number]['create'], shoulder_rad: number) {
  const arm = await ServoRobot.started(create);
  arm.emulator.servo(2).fail('overload');
  await arm.advance(0.1);
  expect(arm.state).toBe('error');
  lay(arm, shoulder_rad);
  await arm.advance(0.5);
  return arm;
}

function lay({ plant }: ServoRobot, shoulder_rad: number): void {
  plant.position_rad[1] = shoulder_rad;
  plant.velocity_rad_s.fill(0);
  plant.blocked.add(1);
}

/** Resets errors until the arm is ready, six times at most; what the last refusal said. */
async function reset(arm: ServoRobot): Promise<string> {
  let said = '';
  for (let i = 0; i < 6 && arm.state === 'error'; i++) {
    const refusal = arm.apply({ kind: 'reset_errors', caller: ADA });
    if (refusal) said = JSON.stringify(refusal);
    await arm.advance(0.5, () => arm.state === 'ready');
    said = arm.robot.memory.error ?? said;
  }
  return said;
}

describe.each(FAMILIES)('an arm of $family servos outside of its range', ({ create }) => {
  it('is moved back in by a go_to, at the first try', async () => {
    const arm = await ServoRobot.started(create, FALLEN);
    await arm.advance(0.5);
    expect(arm.state).toBe('ready');
    expect(arm.plant.position_rad[1]).toBeGreaterThan(MAX_RAD);
    await expectMovesIn(arm);
    await arm.close();
  });

  it('is guided back in by hand', async () => {
    const arm = await ServoRobot.started(create, FALLEN);
    await arm.advance(0.5);
    expect(arm.apply({ kind: 'backdriving', pressed: true })).toBeNull();
    arm.plant.external_n_m[1] = LIFT_N_M;
    await arm.advance(10, () => arm.plant.position_rad[1]! < MAX_RAD - 0.05);
    arm.plant.external_n_m[1] = 0;
    arm.apply({ kind: 'backdriving', pressed: false });
    await arm.advance(2);
    expect(arm.state).toBe('ready');
    expect(arm.plant.position_rad[1]).toBeLessThan(MAX_RAD);
    await expectMovesIn(arm);
    await arm.close();
  });

  it('is reset to ready with both ways back, where it has fallen', async () => {
    const arm = await fallen(create, MAX_RAD + 0.07);
    await reset(arm);
    expect(arm.state).toBe('ready');
    expect(arm.log).toContainEqual(
      expect.stringMatching(
        /^warning: J2 is 0\.0[67]\d rad outside of its range: a go_to into .* guiding it by hand$/,
      ),
    );
    arm.plant.blocked.clear();
    await expectMovesIn(arm);
    await arm.close();
  });

  it('is refused where no servo takes a goal, until it is moved inside', async () => {
    const arm = await fallen(create, FAR_RAD);
    expect(await reset(arm)).toMatch(
      /J2 \(servo 2\) is at \d\.\d+ rad, outside of its .*: move it inside by hand \(armtwin release/,
    );
    expect(arm.state).toBe('error');
    const name = arm.robot.refusalOf({ kind: 'go_to', caller: ADA });
    expect(JSON.stringify(name)).toMatch(/error/);
    // Where the reset has let the joint hold again, armtwin release frees it.
    arm.emulator.servo(2).loseTorque();
    lay(arm, MAX_RAD - 0.1);
    await reset(arm);
    expect(arm.state).toBe('ready');
    arm.plant.blocked.clear();
    await expectMovesIn(arm);
    await arm.close();
  });
});
