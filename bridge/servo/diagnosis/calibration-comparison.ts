/**
 * Compares the servos that answer with those that were calibrated, and the servos of one joint
 * with each other.
 */

import { jointName } from '../../../physics/arm/arm-model.ts';
import { intoOneTurn, TICKS_PER_TURN } from '../calibration/joint-units.ts';
import type { ServoSlot } from '../calibration/servo-slot.ts';
import type { ServoDiagnosis } from './servo-diagnosis.ts';

/** Servos of one joint farther apart than this fight each other (steps). */
const APART_TICKS = 33;

/** A servo that answered, for the comparison with the calibration. */
export interface FoundServo {
  readonly id: number;
  /** Name of the model. */
  readonly model: string;
  readonly firmware: number;
  /** Present position (steps); null: it could not be read. */
  readonly position_ticks: number | null;
}

/** Problems: servos of the calibration that are not among `ids`. */
export function missingServos(
  slots: readonly ServoSlot[],
  ids: readonly number[],
): readonly string[] {
  const advice = 'check its cable, supply, id and baud';
  return slots
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, joint }) => `Servo ${id} of ${jointName(joint)} does not answer: ${advice}`);
}

/** Why two servos of a joint are not a pair. */
function pairProblems(own: FoundServo, first: FoundServo): string[] {
  const problems: string[] = [];
  if (own.model !== first.model) {
    const what = `is of another model than servo ${first.id} of the same joint`;
    problems.push(`Servo ${own.id} ${what}: use two alike`);
  }
  if (own.position_ticks === null || first.position_ticks === null) return problems;
  const half = TICKS_PER_TURN / 2;
  const apart = Math.abs(intoOneTurn(own.position_ticks - first.position_ticks + half) - half);
  if (apart <= APART_TICKS) return problems;
  const where = `is ${apart} steps from servo ${first.id} of the same joint`;
  const advice = 'check mounting, drive mode and homing offset';
  return [...problems, `Servo ${own.id} ${where} and would fight it: ${advice}`];
}

/**
 * Servos are those that were calibrated, and those of one joint are alike and agree; servos of no
 * joint are noted.
 */
export function compareWithCalibration(
  slots: readonly ServoSlot[],
  servos: readonly FoundServo[],
): Pick<ServoDiagnosis, 'problems' | 'notes'> {
  const [problems, notes]: [string[], string[]] = [[], []];
  for (const { id, leader, calibration } of slots) {
    const [own, first] = [id, leader].map((one) => servos.find((servo) => servo.id === one));
    const known = calibration.servos?.find((servo) => servo.id === id);
    if (own && known && known.model !== own.model) {
      const swapped = `is of model ${own.model}, but one of ${known.model} was calibrated`;
      problems.push(`Servo ${id} ${swapped}: put that servo back, or calibrate again`);
    }
    if (own && known && known.firmware !== own.firmware) {
      const had = `has firmware ${own.firmware} and had ${known.firmware} when it was calibrated`;
      notes.push(`Servo ${id} ${had}`);
    }
    if (id !== leader && own && first) problems.push(...pairProblems(own, first));
  }
  const strange = slots.length === 0 ? [] : servos;
  for (const { id } of strange.filter((servo) => !slots.some((slot) => slot.id === servo.id))) {
    notes.push(`Servo ${id} is not in the calibration and stays as it is`);
  }
  return { problems, notes };
}
