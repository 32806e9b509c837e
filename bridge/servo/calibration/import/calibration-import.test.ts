/**
 * Imports of real files, restated: a LeRobot calibration of an SO-101 follower (UniRobot,
 * unirobot/robot/motor/so_arm101_calib.py), and the motor configurations of Interbotix arms
 * (interbotix_xsarm_control/config). What they mean was read from the code of both projects.
 */

import { describe, expect, it } from 'vitest';
import { DYNAMIXEL } from '../../../dynamixel/family.ts';
import { FEETECH } from '../../../feetech/family.ts';
import { FAMILIES } from '../../../servo-families.ts';
import type { ServoFamily } from '../../servo-family.ts';
import { parseCalibration } from '../calibration-file.ts';
import { intoOneTurn, JointUnits } from '../joint-units.ts';
import { importCalibration } from './calibration-import.ts';

/** Name, id, homing offset, lowest and highest position. */
const FOLLOWER = [
  ['shoulder_pan', 1, -1365, 746, 3477],
  ['shoulder_lift', 2, -1200, 822, 3211],
  ['elbow_flex', 3, -986, 901, 3110],
  ['wrist_flex', 4, -1696, 849, 3216],
  ['wrist_roll', 5, -375, 135, 3984],
  ['gripper', 6, 1871, 1975, 3565],
] as const;

const ALL_SIX = FOLLOWER.map(([name]) => name);

function lerobot(change: Record<string, unknown> = {}): string {
  const entries = FOLLOWER.map(([name, id, homing_offset, range_min, range_max]) => [
    name,
    { id, drive_mode: 0, homing_offset, range_min, range_max, ...change },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** Name, id, drive mode, lowest and highest position, secondary id. */
const VX300S = [
  ['waist', 1, 0, 0, 4095, 255],
  ['shoulder', 2, 1, 841, 2867, 255],
  ['shoulder_shadow', 3, 0, 841, 2867, 2],
  ['elbow', 4, 1, 898, 3094, 255],
  ['elbow_shadow', 5, 0, 898, 3094, 4],
  ['forearm_roll', 6, 0, 0, 4095, 255],
  ['wrist_angle', 7, 1, 830, 3504, 255],
  ['wrist_rotate', 8, 0, 0, 4095, 255],
  ['gripper', 9, 0, 0, 4095, 255],
] as const;

const INTERBOTIX = [
  'port: /dev/ttyDXL',
  '',
  'joint_order: [waist, shoulder, elbow, forearm_roll, wrist_angle, wrist_rotate, gripper]',
  'sleep_positions: [0, -1.85, 1.55, 0, 0.8, 0, 0]  # on its support',
  'joint_state_publisher:',
  '  update_rate: 100',
  '  publish_states: true',
  'groups:',
  '  arm: [waist, shoulder, elbow, forearm_roll, wrist_angle, wrist_rotate]',
  'shadows:',
  '  shoulder:',
  '    shadow_list: [shoulder_shadow]',
  '    calibrate: true',
  '  elbow:',
  '    shadow_list: [elbow_shadow]',
  '    calibrate: true',
  'sisters:',
  '',
  'motors:',
  ...VX300S.flatMap(([name, id, mode, low, high, secondary]) => [
    `  ${name}:`,
    `    ID: ${id}`,
    '    Baud_Rate: 3',
    '    Return_Delay_Time: 0',
    `    Drive_Mode: ${mode}`,
    '    Velocity_Limit: 131',
    `    Min_Position_Limit: ${low}`,
    `    Max_Position_Limit: ${high}`,
    `    Secondary_ID: ${secondary}`,
    '',
  ]),
].join('\n');

function imported(text: string, family: ServoFamily, joints?: readonly string[]) {
  const result = importCalibration(text, family, joints);
  if (!result.ok) throw new Error(result.error);
  const file = JSON.stringify(result.value.calibration);
  expect(parseCalibration(file, FAMILIES)).toMatchObject({ ok: true });
  return result.value;
}

describe('an import from LeRobot', () => {
  it('of an SO-101 has five joints without its gripper: asks which six', () => {
    expect(importCalibration(lerobot(), FEETECH)).toEqual({
      ok: false,
      error: expect.stringMatching(/has 5 joints \(shoulder_pan, .*wrist_roll\).*--joints/),
    });
  });

  it('keeps the position correction of Feetech servos, and centres each range', () => {
    const { calibration, remarks } = imported(lerobot(), FEETECH, ALL_SIX);
    expect(calibration.family).toBe('feetech');
    calibration.joints.forEach((joint, j) => {
      const [, id, offset, low, high] = FOLLOWER[j]!;
      expect([joint.ids, joint.homing_ticks]).toEqual([[id], offset]);
      expect(Math.abs(joint.zero_ticks - (low + high) / 2)).toBeLessThanOrEqual(0.5);
      const units = new JointUnits(joint);
      expect(units.toTicks(joint.min_rad)).toBeGreaterThanOrEqual(low);
      expect(units.toTicks(joint.max_rad)).toBeLessThanOrEqual(high + 1);
    });
    expect(remarks[0]).toMatch(/^shoulder_pan is J1, .*gripper is J6$/);
    expect(remarks.join()).toMatch(/zero is the middle of each range.*upright arm/);
  });

  it('takes the correction out of DYNAMIXEL positions, which a start sets to 0', () => {
    const { calibration } = imported(lerobot({ homing_offset: -100 }), DYNAMIXEL, ALL_SIX);
    const [joint] = calibration.joints;
    expect([joint!.zero_ticks, joint!.homing_ticks]).toEqual([2112 + 100, undefined]);
    expect(calibration.family).toBe('dynamixel');
  });

  it.each([1, 5])('turns a Feetech joint with drive mode %i, as LeRobot does', (drive_mode) => {
    const file = JSON.parse(lerobot({ drive_mode })) as Record<string, object>;
    file['elbow_flex_shadow'] = { ...file['elbow_flex'], id: 13 };
    const { calibration } = imported(JSON.stringify(file), FEETECH, ALL_SIX);
    expect(calibration.joints.map(({ direction }) => direction)).toEqual(Array(6).fill(-1));
    expect(calibration.joints[2]!.ids).toEqual([3, 13]);
    expect(calibration.joints[2]!.servos).toBeUndefined();
  });

  it.each([
    [0, false],
    [1, true],
    [4, false],
    [5, true],
  ])('takes drive mode %i of DYNAMIXEL for the register of the servo', (drive_mode, reverse) => {
    const { calibration } = imported(lerobot({ drive_mode }), DYNAMIXEL, ALL_SIX);
    for (const { direction, ids, servos } of calibration.joints) {
      expect(direction).toBe(1);
      expect(servos).toEqual([{ id: ids[0], reverse }]);
    }
  });

  /** LeRobot's angle of a position, and its share of the range (%), as its code has them. */
  function lerobotValues(position: number, j: number, turned: boolean) {
    const [, , , low, high] = FOLLOWER[j]!;
    const degrees = ((position - (low + high) / 2) * 360) / 4095;
    const share = ((position - low) / (high - low)) * 200 - 100;
    return { degrees, share: turned ? -share : share };
  }

  it.each([
    ['feetech', FEETECH, 0, false],
    ['feetech turned', FEETECH, 1, true],
    ['dynamixel', DYNAMIXEL, 0, false],
    ['dynamixel counting in reverse', DYNAMIXEL, 1, false],
  ] as const)('gives the angles of LeRobot, forward and back: %s', (_, family, mode, turned) => {
    const { calibration } = imported(lerobot({ drive_mode: mode }), family, ALL_SIX);
    for (const [j, joint] of calibration.joints.entries()) {
      const [, , offset, low, high] = FOLLOWER[j]!;
      // A start sets the offset of a DYNAMIXEL servo to 0: what LeRobot reads is that much higher.
      const shift = family === FEETECH ? 0 : offset;
      const units = new JointUnits(joint);
      for (const share of [0.1, 0.5, 0.8]) {
        const read = Math.round(low + share * (high - low));
        const angle_rad = units.toAngle(intoOneTurn(read - shift));
        if (angle_rad < joint.min_rad || angle_rad > joint.max_rad) continue;
        const theirs = lerobotValues(read, j, turned);
        const degrees = (angle_rad * 180) / Math.PI;
        expect(Math.abs(degrees) - Math.abs(theirs.degrees)).toBeCloseTo(0, 0);
        if (Math.abs(theirs.share) > 1) expect(Math.sign(angle_rad)).toBe(Math.sign(theirs.share));
        expect(intoOneTurn(units.toTicks(angle_rad))).toBe(intoOneTurn(read - shift));
      }
    }
  });

  it('says what a joint loses of its range', () => {
    const wide = lerobot({ range_min: -600, range_max: 3400, homing_offset: -1000 });
    const { remarks, calibration } = imported(wide, DYNAMIXEL, ALL_SIX);
    // The middle, 1400 + 1000, leaves 1695 steps to the end of the turn, of 2000.
    expect(remarks).toContainEqual(
      expect.stringMatching(/^shoulder_pan loses 0\.\d+ rad of its range: its servo has one turn/),
    );
    const narrow = imported(lerobot({ range_min: 10, range_max: 4085 }), FEETECH, ALL_SIX);
    expect(narrow.remarks.join('\n')).toMatch(/shoulder_lift loses \d.\d+ rad .*this arm has less/);
    expect(calibration.joints[0]!.zero_ticks).toBe(2400);
  });

  it.each([
    ['{', /JSON/],
    ['{}', /has 0 joints/],
    [lerobot({ range_min: 'low' }), /shoulder_pan: range_min must be a whole number/],
    [lerobot({ range_min: 4000 }), /range_min must be lower/],
    [lerobot({ id: undefined }), /id must be a whole number/],
  ])('refuses %.20s', (text, message) => {
    const joints = text.length > 5 ? ALL_SIX : undefined;
    const result = importCalibration(text, FEETECH, joints);
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(message) });
  });
});

describe('an import from Interbotix', () => {
  it('has six joints with eight servos, their limits, speed and park pose', () => {
    const { calibration, remarks } = imported(INTERBOTIX, DYNAMIXEL);
    expect(calibration.joints.map(({ ids }) => ids)).toEqual([[1], [2, 3], [4, 5], [6], [7], [8]]);
    expect(calibration.park_rad).toEqual([0, -1.85, 1.55, 0, 0.8, 0]);
    const [waist, shoulder, elbow] = calibration.joints;
    expect(waist!.max_rad).toBeCloseTo(3.124, 2);
    expect(shoulder!.min_rad).toBeCloseTo(((841 - 2048) * 2 * Math.PI) / 4096, 6);
    expect(elbow!.zero_ticks).toBe(2048);
    expect(shoulder!.velocity_max_rad_s).toBeLessThanOrEqual(131 * 0.0239809);
    expect(remarks.join('\n')).toMatch(/servos 2, 4, 7 must have drive mode 1/);
    expect(shoulder!.servos).toEqual([
      { id: 2, reverse: true },
      { id: 3, reverse: false },
    ]);
    expect(waist!.servos).toEqual([{ id: 1, reverse: false }]);
    expect(remarks.join('\n')).toMatch(
      /elbow loses 0\.82 rad of its range: a joint of this arm has less/,
    );
    expect(remarks.join('\n')).toMatch(/zero is position 2048/);
  });

  it('reads other bits of a drive mode, and takes a homing offset out', () => {
    const text = INTERBOTIX.replaceAll('Drive_Mode: 1', 'Drive_Mode: 5\n    Homing_Offset: 100');
    const { calibration } = imported(text, DYNAMIXEL);
    const [waist, shoulder] = calibration.joints;
    expect(shoulder!.servos![0]).toEqual({ id: 2, reverse: true });
    expect([waist!.zero_ticks, shoulder!.zero_ticks]).toEqual([2048, 1948]);
    expect(shoulder!.min_rad).toBeCloseTo(((841 - 2048) * 2 * Math.PI) / 4096, 6);
  });

  it('refuses a family that it cannot be, and lines that it does not know', () => {
    expect(importCalibration(INTERBOTIX, FEETECH)).toEqual({
      ok: false,
      error: expect.stringMatching(/no calibration of Feetech servos by LeRobot: .*--servo-family/),
    });
    expect(importCalibration('motors:\n  - waist\n', DYNAMIXEL)).toEqual({
      ok: false,
      error: 'Line 2 is not "name: value": - waist',
    });
    expect(importCalibration('groups:\n', DYNAMIXEL)).toMatchObject({
      error: 'motors is not in the file',
    });
  });
});
