/** The guided calibration finds the mounting of the servos of both families, and lets none fall. */

import { describe, expect, it } from 'vitest';
import { ServoEmulator } from '../../dynamixel/emulator/servo-emulator.ts';
import { DEFAULT_SERVOS } from '../../dynamixel/emulator/servo-setup.ts';
import { DYNAMIXEL } from '../../dynamixel/family.ts';
import { StsEmulator } from '../../feetech/emulator/servo-emulator.ts';
import { STS_SERVOS } from '../../feetech/emulator/servo-setup.ts';
import { FEETECH } from '../../feetech/family.ts';
import { FAMILIES } from '../../servo-families.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { Bus } from '../bus/bus.ts';
import { parseCalibration } from './calibration-file.ts';
import { type CalibrationOptions, calibrateServos, lostRange } from './calibration-procedure.ts';
import { jointCalibration } from './mounted-joint.ts';

const TURNED = [1, -1, 1, -1, -1, 1] as const;
const IDS = [[1], [2], [3], [4], [5], [6]];

/** Servos with torque that are mounted in different ways. */
function mounted(j: number) {
  return { direction: TURNED[j]!, zero_ticks: 2000 + 20 * j };
}

function dynamixel() {
  const clock = new SteppedBusClock();
  const servos = DEFAULT_SERVOS.map((setup, j) => ({
    ...setup,
    ...mounted(j),
    registers: { baud: 3, homing_offset: 100, torque: 1 },
  }));
  const emulator = new ServoEmulator({ clock, servos });
  const bus = new Bus(createMemoryTransport(emulator), clock, { format: DYNAMIXEL.format });
  return { family: DYNAMIXEL, clock, emulator, bus };
}

function feetech() {
  const clock = new SteppedBusClock();
  const servos = STS_SERVOS.map((setup, j) => ({
    ...setup,
    ...mounted(j),
    zero_ticks: 2000 + 20 * j - 30,
    registers: { offset: -30, torque: 1, goal: 2000 + 20 * j },
  }));
  const emulator = new StsEmulator({ clock, servos });
  const bus = new Bus(createMemoryTransport(emulator), clock, { format: FEETECH.format });
  return { family: FEETECH, clock, emulator, bus };
}

/** Runs the procedure with an operator who puts joints at zero and turns them. */
async function calibrated(
  { family, clock, emulator, bus }: ReturnType<typeof dynamixel> | ReturnType<typeof feetech>,
  options: Partial<CalibrationOptions> = {},
) {
  await bus.open();
  const prompts: string[] = [];
  const torques: boolean[][] = [];
  const prompt = async (sentence: string) => {
    prompts.push(sentence);
    torques.push(emulator.servos.map(({ torqueOn }) => torqueOn));
    const joint = /Turn J(\d)/.exec(sentence)?.[1];
    // The first turn is too small to show a direction.
    const again = /turned by 1°, which is too little/.test(sentence);
    const { position_rad, velocity_rad_s } = emulator.plant;
    if (joint) position_rad[Number(joint) - 1]! += again ? 0.35 : 0.01;
    else position_rad.fill(0);
    velocity_rad_s.fill(0);
    clock.advance(2);
  };
  const all = { ids: IDS, prompt, ...options };
  return { prompts, torques, result: await clock.until(calibrateServos(family, bus, all)) };
}

/** Family, arm, the correction that its servos keep, gain and torque at stall of the first. */
const ARMS = [
  ['dynamixel', dynamixel, undefined, { gain: 800, stall: 10.6 }],
  ['feetech', feetech, -30, { gain: 32, stall: 2.94 }],
] as const;

describe.each(ARMS)('the guided calibration of %s servos', (...arm) => {
  const [name, create, corrected, { gain, stall }] = arm;

  it('finds zero and direction of each joint, and returns a valid calibration', async () => {
    const fixture = create();
    const { prompts, result } = await calibrated(fixture);
    expect(prompts[0]).toMatch(/Support the arm: pressing Enter switches the torque of all/);
    if (!result.ok) expect.unreachable(result.error);
    else {
      const { calibration } = result.value;
      expect(calibration.joints.map(({ direction }) => direction)).toEqual(TURNED);
      calibration.joints.forEach(({ zero_ticks }, j) => {
        expect(Math.abs(zero_ticks - (2000 + 20 * j))).toBeLessThanOrEqual(3);
      });
      expect(parseCalibration(JSON.stringify(calibration), FAMILIES).ok).toBe(true);
      expect(calibration.family).toBe(name);
      expect(calibration.joints[0]!.homing_ticks).toBe(corrected);
      expect(calibration.joints[0]!.drive).toBeUndefined();
    }
    expect(fixture.emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
  });

  it('one by one: one joint without torque at a time, and all hold at the end', async () => {
    const fixture = create();
    const { prompts, torques, result } = await calibrated(fixture, {
      one_by_one: true,
      drive: true,
    });
    expect(result.ok).toBe(true);
    for (const torque of torques) expect(torque.filter((on) => !on).length).toBeLessThanOrEqual(1);
    expect(torques.filter((torque) => torque.includes(false)).length).toBeGreaterThan(12);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    expect(prompts.filter((text) => text.startsWith('Keep hold of J'))).toHaveLength(6);
    if (result.ok) {
      const { drive } = result.value.calibration.joints[0]!;
      expect(drive).toMatchObject({ position_p: gain, stall_torque_n_m: stall });
      expect(parseCalibration(JSON.stringify(result.value.calibration), FAMILIES).ok).toBe(true);
    }
  });

  it('fails with a message when a joint does not turn or a servo is missing', async () => {
    const { family, clock, bus } = create();
    await bus.open();
    const prompt = async () => {};
    const unturned = await clock.until(calibrateServos(family, bus, { ids: IDS, prompt }));
    expect(unturned).toMatchObject({ ok: false, error: expect.stringMatching(/did not turn/) });
    const ids = [...IDS.slice(1), [9]];
    const none = await clock.until(calibrateServos(family, bus, { ids, prompt }));
    expect(none).toMatchObject({ ok: false, error: expect.stringMatching(/Servo 9 does not/) });
  });
});

describe('the guided calibration', () => {
  it('says which way is positive, and what range a badly mounted horn costs', async () => {
    const { prompts, result } = await calibrated(dynamixel());
    const turns = prompts.filter((text) => text.startsWith('Turn J'));
    expect(turns[0]).toMatch(/positive direction, counterclockwise as seen from above, and press/);
    expect(turns[1]).toMatch(/so that the arm leans back/);
    // The zeros of the fixture are up to 100 steps away from the middle.
    if (result.ok) expect(result.value.notes.map((text) => text.slice(0, 2))).toEqual(['J1', 'J6']);
    const mounted = { ids: [1], zero_ticks: 4000, direction: 1 } as const;
    expect(lostRange(0, jointCalibration(0, mounted))).toMatch(
      /J1 can use -3\.124\.\.0\.13\d rad only.*2\.9\d+ rad are lost; remount the horn .* 2048/,
    );
  });

  it('records models and firmware, and the registers that it changed', async () => {
    const { result } = await calibrated(dynamixel());
    if (!result.ok) expect.unreachable(result.error);
    else {
      const { calibration, changed } = result.value;
      expect(calibration.joints[0]!.servos).toEqual([
        { id: 1, model: 'XM540-W270', firmware: 47, reverse: false },
      ]);
      expect(changed.filter(({ id }) => id === 4)).toEqual([
        { id: 4, register: 'torque', before: 1 },
        { id: 4, register: 'homing_offset', before: 100 },
      ]);
    }
  });
});
