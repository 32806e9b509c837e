/** The gripper of an arm of servos: an output moves it, its current tells a part, and what fails. */
import { describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../bridge/dynamixel/emulated-calibration.ts';
import {
  DEFAULT_SERVOS,
  LINE_BAUD,
  type ServoSetup,
} from '../../bridge/dynamixel/emulator/servo-setup.ts';
import type { GripperCalibration } from '../../bridge/servo/calibration/gripper-calibration.ts';
import { JAWS } from '../../bridge/servo/emulator/emulated-jaws.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { GrippingRobot, type GrippingStart } from './gripping-robot.cases.ts';
import { SERVO_START } from './servo-robot.cases.ts';

const ID = 9;
const PART = 0.4;
const joints = DEFAULT_SERVOS.filter(({ joint }) => joint !== JAWS);
const servo: ServoSetup = {
  id: ID,
  joint: JAWS,
  model: 'XM430-W350',
  registers: { baud: LINE_BAUD, return_delay: 0 },
};
const gripper: GripperCalibration = {
  id: ID,
  servo: { id: ID, model: 'XM430-W350' },
  open_ticks: 2700,
  closed_ticks: 2048,
  grip_current_a: 0.64,
  temperature_max_c: 70,
  output: 'd1',
  part_present_input: 'ee_d1',
};

interface Start extends Pick<GrippingStart, 'prepare'> {
  readonly servo?: Partial<ServoSetup>;
}

function started({ servo: change, prepare }: Start = {}): Promise<GrippingRobot> {
  const calibration = { ...EMULATED_CALIBRATION, gripper };
  const servos = [...joints, { ...servo, ...change }];
  return GrippingRobot.started({ calibration, servos, ...(prepare && { prepare }) });
}

describe('the gripper of an arm of servos', () => {
  it('closes while its output is on, opens while it is off, and tells nothing where it is empty', async () => {
    const arm = await started();
    expect([arm.output, arm.hasPart]).toEqual([false, false]);
    arm.set(true);
    await arm.advance(1.5);
    expect(arm.jaws.opening).toBeLessThan(0.03);
    expect([arm.state, arm.hasPart]).toEqual(['ready', false]);
    arm.set(false);
    await arm.advance(1.5);
    expect(arm.jaws.opening).toBeGreaterThan(0.95);
    expect([arm.state, arm.hasPart]).toEqual(['ready', false]);
    await arm.close();
  });

  it('tells a part by its current, which stays that of its calibration, and that it is gone', async () => {
    const arm = await started();
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(1.5);
    expect(arm.jaws.opening).toBeCloseTo(PART, 2);
    expect(arm.hasPart).toBe(true);
    const { gripper: reading } = arm.fixture.arm.read();
    expect(Math.abs(reading!.current_a)).toBeLessThanOrEqual(gripper.grip_current_a + 0.01);
    expect(reading).toMatchObject({ id: ID, part_present: true, closes: true, output: 'd1' });
    arm.jaws.part = null;
    await arm.advance(1);
    expect([arm.state, arm.hasPart]).toEqual(['ready', false]);
    arm.jaws.put(1);
    await arm.close();
  });

  it('keeps the arm where it is while it grips for long', async () => {
    const arm = await started();
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(20);
    expect([arm.state, arm.hasPart]).toEqual(['ready', true]);
    expect(largestDifference(arm.fixture.emulator.plant.position_rad, SERVO_START)).toBeLessThan(
      0.02,
    );
    await arm.close();
  });

  it('does not drop what it grips when the program ends, nor when one starts', async () => {
    const arm = await started();
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(1.5);
    const force = () => Math.abs(arm.jaws.sensors.torque_share);
    const before = force();
    // The program dies: the watchdogs of the joints trip, and the gripper has none.
    arm.fixture.clock.advance(1000);
    arm.fixture.emulator.catchUp();
    expect(force()).toBeCloseTo(before, 2);
    const next = await arm.restarted();
    expect([next.output, next.hasPart, next.state]).toEqual([true, true, 'ready']);
    expect(force()).toBeCloseTo(before, 2);
    expect(next.jaws.opening).toBeCloseTo(PART, 2);
    next.set(false);
    await next.advance(1.5);
    expect([next.jaws.opening > 0.95, next.hasPart]).toEqual([true, false]);
    await next.close();
  });

  it('does not drop it in a power cycle of the robot either', async () => {
    const arm = await started();
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(1.5);
    arm.loop.apply({ kind: 'power_cycle' });
    await arm.advance(1);
    expect([arm.output, arm.hasPart]).toEqual([true, true]);
    expect(arm.jaws.opening).toBeCloseTo(PART, 2);
    await arm.close();
  });

  it('holds limp jaws where they stand: a start moves nothing', async () => {
    const arm = await started({ prepare: ({ jaws }) => jaws.put(0.6) });
    expect(arm.jaws.opening).toBeCloseTo(0.6, 2);
    expect(arm.output).toBe(true);
    await arm.advance(2);
    expect(arm.jaws.opening).toBeCloseTo(0.6, 2);
    await arm.close();
  });

  const troubles: readonly (readonly [string, (arm: GrippingRobot) => void, RegExp, RegExp])[] = [
    [
      'is overloaded',
      (arm) => arm.servo.fail('overload'),
      /^error: The gripper \(servo 9\) reports: it is overloaded, and has let go; fix the cause/,
      /^ready$/,
    ],
    [
      'restarts',
      (arm) => arm.servo.reboot(),
      /^error: The gripper \(servo 9\) restarted and lost its grip; check/,
      /^ready$/,
    ],
    [
      'loses its torque',
      (arm) => arm.servo.loseTorque(),
      /^error: The gripper \(servo 9\) lost its grip without a restart; another program/,
      /^ready$/,
    ],
    [
      'falls silent',
      (arm) => {
        arm.servo.dead = true;
      },
      /^error: The gripper \(servo 9\) does not answer; check its cable and supply/,
      /^error: The gripper \(servo 9\) does not answer: check its cable, supply and id/,
    ],
  ];
  it.each(troubles)('that %s is blamed, and the joints hold', async (_, begin, said, after) => {
    const arm = await started();
    const { plant } = arm.fixture.emulator;
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(1.5);
    const before = Float64Array.from(plant.position_rad);
    begin(arm);
    await arm.advance(3, () => arm.robot.memory.state === 'error');
    await arm.advance(0.2);
    expect(arm.state).toMatch(said);
    await arm.advance(1);
    await arm.recover();
    expect(arm.state).toMatch(after);
    expect(largestDifference(plant.position_rad, before)).toBeLessThan(0.01);
    if (arm.state === 'ready') {
      await arm.advance(1);
      expect([arm.output, arm.hasPart]).toEqual([true, true]);
    }
    await arm.close();
  });

  it('that does not open is blamed with what it pushes, and opens once it is free', async () => {
    const arm = await started();
    arm.jaws.part = PART;
    arm.set(true);
    await arm.advance(1.5);
    arm.jaws.isJammed = true;
    arm.set(false);
    await arm.advance(5, () => arm.robot.memory.state === 'error');
    expect(arm.state).toMatch(
      /^error: The gripper \(servo 9\) does not open: it stands at 40 % of its way with 0\.6\d A; free/,
    );
    arm.jaws.isJammed = false;
    await arm.recover();
    await arm.advance(2);
    expect([arm.state, arm.jaws.opening > 0.95]).toEqual(['ready', true]);
    await arm.close();
  });

  const refused: readonly (readonly [string, Start, RegExp])[] = [
    [
      'is absent',
      { prepare: ({ servos }) => Object.assign(servos.at(-1)!, { dead: true }) },
      /^The gripper \(servo 9\) does not answer: check its cable, supply and id$/,
    ],
    [
      'is of another model',
      { servo: { model: 'XM540-W270' } },
      /^The gripper \(servo 9\) is an XM540-W270, but an XM430-W350 was calibrated: put that/,
    ],
    [
      'holds in another mode, with a part in it perhaps',
      { prepare: ({ servos }) => servos.at(-1)!.memory.set('torque', 1) },
      /^The gripper \(servo 9\) holds in mode 3, and lets go of what it grips when that is correct/,
    ],
    [
      'reports an error',
      { prepare: ({ servos }) => servos.at(-1)!.raiseHardwareError(4) },
      /^The gripper \(servo 9\) reports an error \(it is too hot\): fix the cause and power-cycle/,
    ],
    [
      'may not use the current of its grip',
      { servo: { registers: { ...servo.registers, current_limit: 100 } } },
      /^The gripper \(servo 9\) is weakened by its current limit: set it to 238 or more/,
    ],
  ];
  it.each(refused)('that %s is refused at the start', async (_, start, said) => {
    await expect(started(start)).rejects.toThrow(said);
  });
});
