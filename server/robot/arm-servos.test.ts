/**
 * The arm of this process on its servos, emulated as they leave the factory: it moves, is left after
 * contacts, and comes back after restarts of its servos. For another arm set ARMTWIN_ARM.
 */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SERVOS } from '../../bridge/dynamixel/emulator/servo-setup.ts';
import { JAWS } from '../../bridge/servo/emulator/emulated-jaws.ts';
import { FAMILIES } from '../../bridge/servo/servo-arm.cases.ts';
import {
  ARM_NAME,
  DETECTION,
  IS_DEFAULT_ARM,
  PAYLOAD_MAX_KG,
} from '../../physics/arm/arm-model.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { ADA } from './robot-harness.cases.ts';
import { SERVO_START, ServoRobot } from './servo-robot.cases.ts';

/** A pose in which no link lies on the ground: the zero angles of others are bent at the elbow. */
const START = IS_DEFAULT_ARM ? SERVO_START : [0, -0.3, 0.3, 0, 0.3, 0];
const AWAY = [0.8, ...START.slice(1)];
const AT_RAD = 0.02;
/** Without a current sensor in each servo a contact is felt by lag alone. */
const MEASURES_TORQUE = DEFAULT_SERVOS.every(({ model }) => model !== 'XL430-W250');
/** Way into an obstacle (rad), and a speed that leaves the back-EMF little (m/s). */
const WAY_RAD = 0.6;
const MODERATE_M_S = 0.2;
/** Torque of an obstacle by which it is felt, in multiples of what counts at high sensitivity. */
const FELT = 2.5;
const CONTACTS = IS_DEFAULT_ARM ? 2 : 20;
/** Free motions, which the plan alone limits (m/s). */
const FREE = IS_DEFAULT_ARM ? 2 : 40;
const FASTEST_M_S = 1;
const RESTARTS = IS_DEFAULT_ARM ? 2 : 20;

const { create } = FAMILIES.find(({ family }) => family === 'dynamixel')!;

async function goesTo(arm: ServoRobot, joints: readonly number[]): Promise<void> {
  arm.goTo(joints);
  await arm.advance(8, () => arm.state !== 'running');
  expect([arm.state, arm.robot.memory.error]).toEqual(['ready', null]);
  await arm.advance(1);
  expect(largestDifference(arm.plant.position_rad, joints)).toBeLessThan(AT_RAD);
}

describe(`${ARM_NAME} on its servos`, () => {
  it('has as many as its maker gives it, each joint with one that leads', async () => {
    const arm = await ServoRobot.started(create, START);
    expect(arm.emulator.servos.map(({ id }) => id)).toEqual(DEFAULT_SERVOS.map(({ id }) => id));
    const joints = DEFAULT_SERVOS.map(({ joint }) => joint).filter((joint) => joint !== JAWS);
    expect(new Set(joints).size).toBe(6);
    await arm.close();
  });

  it('moves each joint, and stands there', async () => {
    const arm = await ServoRobot.started(create, START);
    for (const joint of [0, 1, 2, 3, 4, 5]) {
      await goesTo(
        arm,
        START.map((angle, j) => (j === joint ? angle + 0.2 : angle)),
      );
    }
    await goesTo(arm, START);
    await arm.close();
  });

  it(`is left after ${CONTACTS} contacts, and moves on`, { timeout: 600_000 }, async () => {
    const arm = await ServoRobot.started(create, START);
    for (let contact = 0; contact < CONTACTS; contact++) {
      const detects = contact % 2 === 0;
      arm.apply({
        kind: 'collision_detection',
        caller: ADA,
        enabled: detects,
        sensitivity: 'medium',
      });
      arm.goTo(AWAY);
      await arm.advance(5, () => arm.plant.position_rad[0]! > 0.4);
      arm.plant.blocked.add(0);
      await arm.advance(5, () => arm.state !== 'running');
      expect(arm.state).toBe(detects ? 'collision' : 'error');
      await arm.advance(5);
      const kind = detects ? 'acknowledge_collision' : 'reset_errors';
      expect(arm.apply({ kind, caller: ADA })).toBeNull();
      await arm.advance(3, () => arm.state === 'ready');
      arm.plant.blocked.clear();
      await goesTo(arm, START);
    }
    await arm.close();
  });

  it.runIf(MEASURES_TORQUE).each([0, 1, 2])(
    'feels an obstacle at joint %i by about what counts as a contact',
    async (joint) => {
      const arm = await ServoRobot.started(create, START);
      arm.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity: 'high' });
      arm.goTo(
        START.map((angle, j) => (j === joint ? angle + WAY_RAD : angle)),
        MODERATE_M_S,
      );
      await arm.advance(5, () => arm.plant.position_rad[joint]! > START[joint]! + WAY_RAD / 2);
      arm.plant.blocked.add(joint);
      let most_n_m = 0;
      await arm.advance(5, () => {
        most_n_m = Math.max(most_n_m, arm.pressing_n_m());
        return arm.state !== 'running';
      });
      expect(arm.state).toBe('collision');
      expect(most_n_m).toBeLessThan(FELT * DETECTION.servo_threshold_n_m[joint]!);
      await arm.close();
    },
  );

  it.each(['high', 'medium', 'low'] as const)(
    `takes none of ${FREE} free motions with its largest load for a contact at %s sensitivity`,
    { timeout: 600_000 },
    async (sensitivity) => {
      const arm = await ServoRobot.started(create, START);
      arm.carry(PAYLOAD_MAX_KG);
      arm.apply({ kind: 'collision_detection', caller: ADA, enabled: true, sensitivity });
      const random = createPrng(7);
      for (let i = 0; i < FREE; i++) {
        const joints = START.map((angle, j) => angle + (random() - 0.5) * (j < 3 ? 1 : 2));
        if (!arm.canGoTo(joints)) continue;
        arm.goTo(joints, FASTEST_M_S);
        await arm.advance(8, () => arm.state !== 'running');
        expect([i, arm.state, arm.log.at(-1)]).toEqual([
          i,
          'ready',
          expect.stringContaining('finished'),
        ]);
      }
      await arm.close();
    },
  );

  it(`comes back after ${RESTARTS} restarts of a servo`, { timeout: 600_000 }, async () => {
    const arm = await ServoRobot.started(create, START);
    for (let restart = 0; restart < RESTARTS; restart++) {
      const servo = arm.emulator.servos[restart % arm.emulator.servos.length]!;
      servo.reboot();
      await arm.advance(3, () => arm.state === 'error');
      expect(arm.state).toBe('error');
      await arm.advance(1);
      for (let tries = 0; tries < 4 && arm.state === 'error'; tries++) {
        arm.apply({ kind: 'reset_errors', caller: ADA });
        await arm.advance(2);
      }
      expect([servo.id, arm.state]).toEqual([servo.id, 'ready']);
      await goesTo(arm, START);
    }
    await arm.close();
  });
});
