/** A servo arm that has fallen out of its range comes back by a motion into it. */

import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { JOINT_MAX_RAD } from '../../physics/arm/arm-model.ts';
import { SERVO_START, ServoRobot } from './servo-robot.cases.ts';

/** The shoulder lies on its end stop, beyond the range of the arm (rad). */
const FALLEN = [0, JOINT_MAX_RAD[1]! + 0.07, -1.4, 0, -1, 0];

describe.each(FAMILIES)('an arm of $family servos outside of its range', ({ create }) => {
  it('is moved back in by a go_to, at the first try', async () => {
    const arm = await ServoRobot.started(create, FALLEN);
    await arm.advance(0.5);
    expect(arm.state).toBe('ready');
    expect(arm.plant.position_rad[1]).toBeGreaterThan(JOINT_MAX_RAD[1]!);
    arm.goTo(SERVO_START);
    await arm.advance(8, () => arm.state !== 'running');
    expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
    expect(arm.plant.position_rad[1]).toBeCloseTo(SERVO_START[1]!, 1);
    await arm.close();
  });
});
