/**
 * A robot on emulated servos after it has run into something: one call leads out of it, the move
 * away succeeds, and no state hides what becomes of a servo. Robot and driver without the service.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { EmulatedServo } from '../../bridge/dynamixel/emulator/emulated-servo.ts';
import { StsServo } from '../../bridge/feetech/emulator/emulated-servo.ts';
import { CURRENT_BASED, FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_START, ServoRobot } from './servo-robot.cases.ts';

/** A pose in which shoulder and elbow carry a load. */
const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];

const VARIANTS = [...FAMILIES, { ...CURRENT_BASED, family: 'current-based dynamixel' }];

describe.each(VARIANTS)('a robot on $family servos that has run into something', ({ create }) => {
  it.each([true, false])('leaves it by one call and moves away, detection: %s', async (detects) => {
    const arm = await ServoRobot.started(create);
    await arm.runInto(detects);
    const kind = detects ? 'acknowledge_collision' : 'reset_errors';
    expect(arm.apply({ kind, caller: ADA })).toBeNull();
    await arm.advance(0.1);
    expect(arm.state).toBe('ready');
    await arm.advance(5);
    expect(arm.state).toBe('ready');
    // The obstacle stands where it stood: the way back is free.
    arm.plant.blocked.clear();
    arm.goTo(SERVO_START);
    await arm.advance(3, () => arm.state !== 'running');
    expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
    await arm.close();
  });

  it('says an overload of another servo in it', async () => {
    const arm = await ServoRobot.started(create);
    await arm.runInto(true);
    arm.emulator.servo(3).fail('overload');
    await arm.advance(0.05);
    expect([arm.state, arm.robot.memory.error]).toEqual([
      'error',
      expect.stringMatching(/J3 \(servo 3\) reports: it is overloaded/),
    ]);
    await arm.close();
  });

  it('says a servo without torque while the emergency stop is pressed', async () => {
    const arm = await ServoRobot.started(create);
    arm.apply({ kind: 'estop', engaged: true });
    await arm.advance(0.5);
    arm.emulator.servo(5).fail('overload');
    await arm.advance(0.05);
    const said = /J5 \(servo 5\) reports: it is overloaded/;
    expect([arm.state, arm.robot.memory.error]).toEqual(['disabled', expect.stringMatching(said)]);
    expect(arm.log.filter((text) => said.test(text))).toHaveLength(1);
    arm.apply({ kind: 'estop', engaged: false });
    await arm.advance(0.5, () => arm.state !== 'disabled');
    expect(arm.state).toBe('error');
    await arm.close();
  });
});

describe.each(FAMILIES)('a robot that holds an arm of $family servos', ({ create }) => {
  it.each([1, 2, 3, 4, 5, 6])(
    'names joint %i before it has fallen, when its force goes',
    async (id) => {
      const arm = await ServoRobot.started(create, LEANING);
      const joint = id - 1;
      const before = arm.plant.position_rad[joint]!;
      const way = () => Math.abs(arm.plant.position_rad[joint]! - before);
      // The torque register of the servo still says that it holds.
      const servo = arm.emulator.servo(id);
      if (servo instanceof EmulatedServo) servo.memory.set('goal_pwm', 0);
      else if (servo instanceof StsServo) servo.memory.set('torque_limit', 0);
      let moving_s = 0;
      await arm.advance(3, () => {
        if (way() > 0.002) moving_s += TICK_S;
        return arm.state !== 'ready';
      });
      // A joint without a load, or with less than its friction, stays where it is.
      if (arm.state === 'ready') {
        expect(way()).toBeLessThan(0.03);
        expect([2, 3]).not.toContain(id);
      } else {
        expect([arm.state, arm.robot.memory.error]).toEqual([
          'error',
          expect.stringMatching(
            new RegExp(
              `^J${id} \\(servo ${id}\\) moved by .* rad while it holds; it has lost its force`,
            ),
          ),
        ]);
        expect(way()).toBeLessThan(0.03);
        expect(moving_s).toBeLessThan(0.1);
      }
      await arm.close();
    },
  );

  it('hides no fault while it is updated', async () => {
    const arm = await ServoRobot.started(create, LEANING);
    expect(arm.apply({ kind: 'begin_update' })).toBeNull();
    await arm.advance(0.1);
    arm.emulator.servo(3).fail('overload');
    await arm.advance(0.1);
    const said = /J3 \(servo 3\) reports: it is overloaded/;
    expect([arm.state, arm.robot.memory.error]).toEqual(['updating', expect.stringMatching(said)]);
    expect(arm.log.filter((text) => said.test(text))).toHaveLength(1);
    arm.apply({ kind: 'finish_update' });
    await arm.advance(5, () => arm.state === 'error');
    expect(arm.state).toBe('error');
    await arm.close();
  });
});
