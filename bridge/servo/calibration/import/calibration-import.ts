/**
 * Calibrations of other programs, as far as a family of servos reads them. They know ids, ranges
 * and mounting, and not which way a joint of this arm turns, nor where its zero is: the remarks say
 * what to check.
 */

import { failure, type Result, success } from '../../../../contract/result.ts';
import { jointName } from '../../../../physics/arm/arm-model.ts';
import type { ServoFamily } from '../../servo-family.ts';
import type { Calibration, JointCalibration } from '../calibration.ts';
import { TICKS_PER_RAD, TICKS_PER_TURN } from '../joint-units.ts';
import { calibrationOf, jointCalibration } from '../mounted-joint.ts';
import type { ForeignCalibration, ForeignOptions } from './foreign-format.ts';
import type { ForeignJoint } from './foreign-joint.ts';

export interface ImportedCalibration {
  readonly calibration: Calibration;
  /** What the operator has to check or to set. */
  readonly remarks: readonly string[];
}

const CHECK_ALWAYS = [
  'the direction of each joint is that of the other program: turn each joint by hand and compare',
  'currents, torques and temperatures are defaults: set them for the models of your servos',
];

/** A range that an import loses (rad) is told from here on. */
const LOST_RAD = 0.01;

/** The positions of a joint that are inside the turn of its servo. */
function inOneTurn({ range_ticks: [low, high] }: Pick<ForeignJoint, 'range_ticks'>) {
  return [Math.max(0, low), Math.min(TICKS_PER_TURN - 1, high)] as const;
}

/** What a joint loses of its range in the file, by the turn of its servo or the range of this arm. */
function lostRange(
  joint: ForeignJoint,
  { min_rad, max_rad }: Pick<JointCalibration, 'min_rad' | 'max_rad'>,
): string | null {
  const toRad = ([low, high]: readonly [number, number]) => (high - low) / TICKS_PER_RAD;
  const had_rad = toRad(joint.range_ticks);
  const [turn_rad, has_rad] = [toRad(inOneTurn(joint)), max_rad - min_rad];
  if (had_rad - has_rad < LOST_RAD) return null;
  const loses = `${joint.name} loses ${(had_rad - has_rad).toFixed(2)} rad of its range`;
  const byTurn = had_rad - turn_rad >= LOST_RAD;
  const turn = 'its servo has one turn: remount its horn for a zero near 2048';
  const why = byTurn ? turn : 'a joint of this arm has less';
  return `${loses}: ${why}`;
}

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
    const mounted = found.joints.map(({ id, followers, name: _, reverse, ...joint }, j) => {
      const ids = [id, ...followers];
      const servos = reverse && {
        servos: ids.map((one, i) => ({ id: one, reverse: reverse[i]! })),
      };
      return jointCalibration(j, { ...joint, ...servos, ids, range_ticks: inOneTurn(joint) });
    });
    const { park_rad } = found;
    const calibration = { ...calibrationOf(family.name, mounted), ...(park_rad && { park_rad }) };
    const named = found.joints.map(({ name }, j) => `${name} is ${jointName(j)}`).join(', ');
    const lost = found.joints.flatMap((joint, j) => lostRange(joint, mounted[j]!) ?? []);
    return success({ calibration, remarks: [named, ...lost, ...found.remarks, ...CHECK_ALWAYS] });
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}
