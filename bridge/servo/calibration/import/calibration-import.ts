/**
 * Calibrations of other programs: LeRobot's JSON (Feetech and DYNAMIXEL servos) and the motor
 * configuration of Interbotix arms (YAML, DYNAMIXEL). Both know ids, ranges and mounting, and not
 * which way a joint of this arm turns, nor where its zero is: the remarks say what to check.
 */

import { failure, type Result, success } from '../../../../contract/result.ts';
import { jointName } from '../../../../physics/arm/arm-model.ts';
import type { Calibration } from '../calibration.ts';
import { calibrationOf, jointCalibration } from '../mounted-joint.ts';
import { type ImportOptions, isRecord, JOINTS } from './foreign-joint.ts';
import { driveModes, fromInterbotix } from './interbotix.ts';
import { fromLerobot } from './lerobot.ts';
import { parseMaps } from './yaml-maps.ts';

export interface ImportedCalibration {
  readonly calibration: Calibration;
  /** What the operator has to check or to set. */
  readonly remarks: readonly string[];
}

const CHECK_ZERO: Readonly<Record<'lerobot' | 'interbotix', string>> = {
  lerobot: 'zero is the middle of each range: correct zero_ticks for the upright arm',
  interbotix: 'zero is position 2048: correct zero_ticks for the upright arm',
};
const CHECK_ALWAYS = [
  'the direction of each joint is that of the other program: turn each joint by hand and compare',
  'currents, torques and temperatures are defaults: set them for the models of your servos',
];

/** Reads a file of LeRobot or Interbotix; or returns what is wrong with it. */
export function importCalibration(
  text: string,
  options: ImportOptions,
): Result<ImportedCalibration, string> {
  const isJson = text.trimStart().startsWith('{');
  try {
    const file: unknown = isJson ? JSON.parse(text) : parseMaps(text);
    if (!isRecord(file)) return failure('The file must hold an entry for each servo');
    const kind = isJson ? 'lerobot' : 'interbotix';
    if (!isJson && options.family !== 'dynamixel') {
      return failure('Interbotix arms have DYNAMIXEL servos: remove --servo-family');
    }
    const found = isJson ? fromLerobot(file, options) : fromInterbotix(file, options);
    const joints = found.map(({ id, followers, name: _, ...mounted }, j) =>
      jointCalibration(j, { ...mounted, ids: [id, ...followers] }),
    );
    const park = file['sleep_positions'];
    const parks = Array.isArray(park) && park.slice(0, JOINTS).every(Number.isFinite);
    const park_rad = parks && park.length >= JOINTS ? { park_rad: park.slice(0, JOINTS) } : {};
    const calibration = { ...calibrationOf(options.family, joints), ...park_rad };
    const named = found.map(({ name }, j) => `${name} is ${jointName(j)}`).join(', ');
    const remarks = [named, CHECK_ZERO[kind], ...driveModes(file), ...CHECK_ALWAYS];
    return success({ calibration, remarks });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
