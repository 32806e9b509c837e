/**
 * A robot on emulated servos after it has run into something: one call leads out of it, the move
 * away succeeds, and no state hides what becomes of a servo. Robot and driver without the service.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { EmulatedServo } from '../../bridge/dynamixel/emulator/emulated-servo.ts';
import { StsServo } from '../../bridge/feetech/emulator/emulated-servo.ts';
import { FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import { DRIVE } from '../../physics/arm/arm-model.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_DRIVERS, SERVO_START, ServoRobot } from './servo-robot.cases.ts';

/** A pose in which shoulder and elbow carry a load. */
const LEANING = [0.3, 0.9, -0.8, 0.4, -0.7, 0.2];
/** A force that may remain, by the estimate of the servos (N). */
const FORCE_BOUND_N = 20;
/** A joint moves by so much in the play of its gears (rad). */
const PLAY_RAD = 0.004;
/** The largest load of the arm (kg). */
const PAYLOAD_KG = 1.25;
/**
 * Each joint in a pose in which it carries more than its friction. The weight of the arm loads
 * neither the first nor the last one: something pushes them (N m).
 */
const LOADED: readonly { id: number; pose: readonly number[]; push_n_m?: number }[] = [
  { id: 1, pose: LEANING, push_n_m: 4 },
  { id: 2, pose: LEANING },
  { id: 3, pose: LEANING },
  { id: 4, pose: [0, -0.68, -0.91, -1.65, -1.02, 0] },
  { id: 5, pose: [0, -0.99, -0.79, 0, -0.53, 0.42] },
  { id: 6, pose: LEANING, push_n_m: 0.4 },
];

describe.each(SERVO_DRIVERS)('a robot on $family servos after a contact', ({ create }) => {
  it.each([true, false])('leaves it by one call and moves away, detection: %s', async (detects) => {
    const arm = await ServoRobot.started(create);
    await arm.runInto(detects);
    const { reaction } = arm;
    expect(reaction).toMatchObject({ phase: 'holding' });
    expect(reaction!.force_n).toBeLessThan(FORCE_BOUND_N);
    expect(reaction!.peak_n).toBeGreaterThan(FORCE_BOUND_N);
    expect(arm.log).toContainEqual(
      expect.stringMatching(
        /^info: The contact is left: estimated peak \d+ N, now \d+ N; the arm /,
      ),
    );
    const kind = detects ? 'acknowledge_collision' : 'reset_errors';
    expect(arm.apply({ kind, caller: ADA })).toBeNull();
    await arm.advance(0.1);
    expect([arm.state, arm.reaction]).toEqual(['ready', null]);
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
  it.each(LOADED)(
    'names joint $id before it has fallen, when its force goes',
    async ({ id, pose, push_n_m = 0 }) => {
      const arm = await ServoRobot.started(create, pose);
      const joint = id - 1;
      arm.carry(PAYLOAD_KG);
      arm.plant.external_n_m[joint] = push_n_m;
      await arm.advance(1.5);
      expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
      const before = arm.plant.position_rad[joint]!;
      const way = () => Math.abs(arm.plant.position_rad[joint]! - before);
      // The torque register of the servo still says that it holds.
      const servo = arm.emulator.servo(id);
      if (servo instanceof EmulatedServo) servo.memory.set('goal_pwm', 0);
      else if (servo instanceof StsServo) servo.memory.set('torque_limit', 0);
      let moving_s = 0;
      await arm.advance(3, () => {
        if (way() > PLAY_RAD) moving_s += TICK_S;
        return arm.state !== 'ready';
      });
      const said = `^J${id} \\(servo ${id}\\) moved by .* rad while it holds; it has lost its force`;
      expect([arm.state, arm.robot.memory.error]).toEqual([
        'error',
        expect.stringMatching(new RegExp(said)),
      ]);
      expect(way()).toBeLessThan(0.03);
      expect(moving_s).toBeLessThan(0.1);
      await arm.close();
    },
  );

  it.each(LOADED)(
    'says of joint $id that is pushed that something moves it',
    async ({ id, pose }) => {
      const arm = await ServoRobot.started(create, pose);
      const joint = id - 1;
      arm.carry(PAYLOAD_KG);
      await arm.advance(1.5);
      arm.plant.external_n_m[joint] = 0.6 * DRIVE.torque_max_n_m[joint]!;
      await arm.advance(1, () => arm.state !== 'ready');
      expect([arm.state, arm.robot.memory.error]).toEqual([
        'error',
        expect.stringMatching(new RegExp(`^J${id} .* while it holds; free what pushes it`)),
      ]);
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
