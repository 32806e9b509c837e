/** Calibration files: each problem is reported with its place and the remedy. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CURRENT_BASED_CALIBRATION,
  EMULATED_CALIBRATION,
} from '../../dynamixel/emulated-calibration.ts';
import { FAMILIES } from '../../servo-families.ts';
import type { Calibration } from './calibration.ts';
import { parseCalibration, readCalibration } from './calibration-file.ts';
import { intoOneTurn, JointUnits } from './joint-units.ts';

const FIXTURES = new URL('../../../fixtures/servos/', import.meta.url);
const FILES = readdirSync(FIXTURES).filter((name) => name.endsWith('.json'));

const good = JSON.parse(JSON.stringify(EMULATED_CALIBRATION)) as Calibration;

const GRIPPER = {
  id: 9,
  open_ticks: 2700,
  closed_ticks: 2048,
  grip_current_a: 0.64,
  temperature_max_c: 70,
  output: 'ee_d0',
  part_present_input: 'ee_d0',
};

const withGripper = (gripper: unknown) => JSON.stringify({ ...good, gripper });

function withJoint(j: number, change: Record<string, unknown>): string {
  const joints = good.joints.map((joint, i) => (i === j ? { ...joint, ...change } : joint));
  return JSON.stringify({ ...good, joints });
}

function problemsOf(text: string) {
  const result = parseCalibration(text, FAMILIES);
  return result.ok ? [] : result.error.map(({ path, problem }) => `${path} ${problem}`);
}

describe('a calibration', () => {
  it('round-trips', () => {
    expect(parseCalibration(JSON.stringify(good), FAMILIES)).toEqual({ ok: true, value: good });
  });

  it.each(FILES)('of fixtures/servos/%s is that of the emulated servos', (file) => {
    const families = FAMILIES.map(({ name, emulated }) => [`${name}.json`, emulated] as const);
    const known = new Map([...families, ['current-based.json', CURRENT_BASED_CALIBRATION]]);
    const text = readFileSync(new URL(file, FIXTURES), 'utf8');
    expect(parseCalibration(text, FAMILIES)).toEqual({ ok: true, value: known.get(file) });
  });

  it.each([
    ['{', /is not JSON/],
    ['[]', /must be an object/],
    [JSON.stringify({ ...good, format: 2 }), /\/format must be 1/],
    [
      JSON.stringify({ ...good, family: undefined }),
      /\/family must be the family of .*: dynamixel/,
    ],
    [JSON.stringify({ ...good, family: 'servo' }), /\/family must be the family of the servos/],
    [JSON.stringify({ ...good, joints: good.joints.slice(1) }), /\/joints must list six/],
    [JSON.stringify({ ...good, following_error_rad: 5 }), /\/following_error_rad must be/],
    [withJoint(2, { limits: { current_a: 0 } }), /\/limits\/current_a must be a number from 0.01/],
    [withJoint(2, { mode: 'current' }), /\/joints\/2\/mode must be position or current_based/],
    [withJoint(2, { mode: 'current_based', drive: undefined }), /current_based needs drive in/],
    [withJoint(2, { mode: 'current_based' }), /mode current_based needs position_d in drive/],
    [
      JSON.stringify({ ...JSON.parse(withJoint(2, { mode: 'current_based' })), family: 'feetech' }),
      /\/joints\/2\/mode must be position: Feetech servos have no current control/,
    ],
    [JSON.stringify({ ...good, foo: 1 }), /^\/foo is no field of a calibration; there are/],
    [
      JSON.stringify({ ...good, emergency_stop: { id: 1, port: 1, pin: 2 } }),
      /\/emergency_stop\/pin is no field .* there are id, port$/,
    ],
    [withJoint(2, { mod: 'position' }), /\/joints\/2\/mod is no field .* mode, drive$/],
    [withJoint(2, { limts: { current_a: 1 } }), /\/joints\/2\/limts is no field/],
    [withJoint(2, { limits: { current: 1 } }), /\/joints\/2\/limits\/current is no field/],
    [
      withJoint(2, { drive: { ...good.joints[2]!.drive, position: 1 } }),
      /\/joints\/2\/drive\/position is no field/,
    ],
    [withJoint(2, { limits: 3 }), /\/joints\/2\/limits must be an object/],
    [withJoint(2, { servos: [] }), /\/servos must name each servo of ids in that order/],
    [
      withJoint(2, { servos: [{ id: 3, model: 'XM431', firmware: 45 }] }),
      /\/joints\/2\/servos must name each servo/,
    ],
    [JSON.stringify({ ...good, park_rad: [0, 1] }), /\/park_rad must list six joint angles/],
    [withJoint(2, { ids: [] }), /\/joints\/2\/ids must list at least one/],
    [withJoint(2, { ids: [254] }), /\/joints\/2\/ids .* 0 to 252/],
    [withJoint(2, { ids: [1] }), /\/joints\/2\/ids servo 1 is already used by J1/],
    [withJoint(3, { direction: 0 }), /\/joints\/3\/direction must be .*against its joint/],
    [withJoint(3, { zero_ticks: 1.5 }), /\/joints\/3\/zero_ticks must be a whole number/],
    [withJoint(4, { min_rad: 1, max_rad: 0 }), /min_rad must be lower than max_rad/],
    [withJoint(0, { zero_ticks: 3000 }), /needs servo positions 963 to 5037/],
    [withJoint(1, { gear: 2 }), /\/joints\/1 its range needs/],
    [JSON.stringify({ ...good, emergency_stop: { id: 1 } }), /\/emergency_stop must name a servo/],
    [JSON.stringify({ ...good, emergency_stop: 1 }), /\/emergency_stop must name a servo/],
    [
      JSON.stringify({ ...good, emergency_stop: { id: 9, port: 1 } }),
      /\/emergency_stop names servo 9, which drives no joint/,
    ],
    [withJoint(5, { velocity_max_rad_s: 'fast' }), /velocity_max_rad_s must be a number/],
    [withGripper(3), /^\/gripper must be an object/],
    [withGripper({ ...GRIPPER, id: 300 }), /^\/gripper\/id must be a servo id from 0 to 252/],
    [
      withGripper({ ...GRIPPER, id: 3 }),
      /^\/gripper\/id is servo 3, which drives J3: name that of/,
    ],
    [
      withGripper({ ...GRIPPER, output: 'a0' }),
      /^\/gripper\/output must be a digital signal: d0, /,
    ],
    [withGripper({ ...GRIPPER, grip: 1 }), /^\/gripper\/grip is no field of a calibration/],
    [withGripper({ ...GRIPPER, grip_current_a: 0 }), /^\/gripper\/grip_current_a must be a number/],
    [
      withGripper({ ...GRIPPER, closed_ticks: 2690 }),
      /^\/gripper opens by 10 steps only: calibrate/,
    ],
    [
      withGripper({ ...GRIPPER, servo: { id: 8, model: 'XM430-W350' } }),
      /^\/gripper must name each servo of ids/,
    ],
    [
      JSON.stringify({ ...good, family: 'feetech', gripper: GRIPPER }),
      /^\/gripper Feetech servos drive no gripper: remove it/,
    ],
  ])('%# is rejected with a message', (text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });
});

describe('units of a joint', () => {
  it.each([
    { direction: 1, zero_ticks: 2048, gear: 1, angle: Math.PI / 2, ticks: 3072 },
    { direction: -1, zero_ticks: 2048, gear: 1, angle: Math.PI / 2, ticks: 1024 },
    { direction: 1, zero_ticks: 100, gear: 2, angle: 0.5, ticks: 752 },
  ] as const)('convert steps to angles: %j', ({ angle, ticks, ...mounting }) => {
    const { direction, gear } = mounting;
    const units = new JointUnits(mounting);
    expect(units.toTicks(angle)).toBe(ticks);
    expect(units.toAngle(ticks)).toBeCloseTo(angle, 2);
    expect(Math.sign(units.rateOf(10))).toBe(direction);
    expect(Math.abs(units.rateOf(4096) * gear)).toBeCloseTo(2 * Math.PI, 12);
  });

  it('fold turns into one', () => {
    expect([5000, -1, 4096, 2048].map(intoOneTurn)).toEqual([904, 4095, 0, 2048]);
  });
});

describe('the file of a calibration', () => {
  const textOf = (file: string) => {
    const read = readCalibration(file, FAMILIES);
    return read.ok ? '' : read.error;
  };

  it('that is missing is refused with the command that makes one', () => {
    expect(textOf('nowhere.json')).toBe(
      'nowhere.json does not exist; armtwin calibrate makes it (ENOENT)',
    );
    expect(textOf('.')).toBe('. cannot be read (EISDIR)');
  });

  it('of another kind is refused with its first problems', () => {
    const lines = textOf('package.json').split('\n');
    expect(lines[0]).toBe('package.json is not a valid calibration:');
    expect(lines[1]).toBe('  /format must be 1');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('  and more');
  });
});
