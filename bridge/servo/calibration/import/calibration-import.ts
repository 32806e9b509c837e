/**
 * Calibrations of other programs, as far as a family of servos reads them. They know ids, ranges
 * and mounting, and not which way a joint of this arm turns, nor where its zero is: the remarks say
 * what to check.
 */

import { failure, type Result, success } from '../../../../contract/result.ts';
import { jointName } from '../../../../physics/arm/arm-model.ts';
import type { ServoFamily } from '../../servo-family.ts';
import type { Calibration } from '../calibration.ts';
import { calibrationOf, jointCalibration } from '../mounted-joint.ts';
import type { ForeignCalibration, ForeignOptions } from './foreign-format.ts';

export interface ImportedCalibration {
  readonly calibration: Calibration;
  /** What the operator has to check or to set. */
  readonly remarks: readonly string[];
}

const CHECK_ALWAYS = [
  'the direction of each joint is that of the other program: turn each joint by hand and compare',
  'currents, torques and temperatures are defaults: set them for the models of your servos',
];

/** What the first program that knows the text has in it; null: none does. */
function readForeign(
  text: string,
  family: ServoFamily,
  joints: ForeignOptions['joints'],
): ForeignCalibration | null {
  const { keeps_correction } = family;
  for (const format of family.imports) {
    const found = format.read(text, { keeps_correction, ...(joints && { joints }) });
    if (found) return found;
  }
  return null;
}

/**
 * Reads the calibration of another program for servos of a family; `joints` names the six in it
 * from the base on, by default all but the gripper. Or returns what is wrong with it.
 */
export function importCalibration(
  text: string,
  family: ServoFamily,
  joints?: readonly string[],
): Result<ImportedCalibration, string> {
  try {
    const found = readForeign(text, family, joints);
    if (!found) {
      const programs = family.imports.map(({ program }) => program).join(' or ') || 'any program';
      const what = `It is no calibration of ${family.title} servos by ${programs}`;
      return failure(`${what}: give the family of its servos with --servo-family`);
    }
    const mounted = found.joints.map(({ id, followers, name: _, ...joint }, j) =>
      jointCalibration(j, { ...joint, ids: [id, ...followers] }),
    );
    const { park_rad } = found;
    const calibration = { ...calibrationOf(family.name, mounted), ...(park_rad && { park_rad }) };
    const named = found.joints.map(({ name }, j) => `${name} is ${jointName(j)}`).join(', ');
    return success({ calibration, remarks: [named, ...found.remarks, ...CHECK_ALWAYS] });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
