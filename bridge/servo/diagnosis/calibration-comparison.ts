/**
 * Compares the servos that answer with those that were calibrated, and the servos of one joint
 * with each other.
 */

import { jointName } from '../../../physics/arm/arm-model.ts';
import type { Calibration } from '../calibration/calibration.ts';
import type { GripperCalibration } from '../calibration/gripper-calibration.ts';
import { intoOneTurn, JointUnits, TICKS_PER_TURN } from '../calibration/joint-units.ts';
import { type ServoSlot, servoSlots } from '../calibration/servo-slot.ts';
import { holdProblem, holdsText, jointHolds, type ServoStrength } from '../start/holding-torque.ts';
import { lagProblem, placeProblem } from './common-checks.ts';
import type { ServoDiagnosis } from './servo-diagnosis.ts';

/** Servos of one joint farther apart than this fight each other (steps). */
const APART_TICKS = 33;

const ANSWER_ADVICE = 'check its cable, supply, id and baud';

/** A servo that answered, for the comparison with the calibration. */
export interface FoundServo {
  readonly id: number;
  /** Name of the model. */
  readonly model: string;
  readonly firmware: number;
  /** What its registers say; null: they could not be read. */
  readonly state: {
    /** Present position and goal (steps). */
    readonly position_ticks: number;
    readonly goal_ticks: number;
    readonly holds: boolean;
    readonly strength: ServoStrength;
  } | null;
}

/** Problems: servos of the calibration that are not among `ids`. */
export function missingServos(
  slots: readonly ServoSlot[],
  ids: readonly number[],
): readonly string[] {
  return slots
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, joint }) => `Servo ${id} of ${jointName(joint)} does not answer: ${ANSWER_ADVICE}`);
}

/** Why two servos of a joint are not a pair. */
function pairProblems(own: FoundServo, first: FoundServo): string[] {
  const problems: string[] = [];
  if (own.model !== first.model) {
    const what = `is of another model than servo ${first.id} of the same joint`;
    problems.push(`Servo ${own.id} ${what}: use two alike`);
  }
  if (own.state === null || first.state === null) return problems;
  const half = TICKS_PER_TURN / 2;
  const between = own.state.position_ticks - first.state.position_ticks;
  const apart = Math.abs(intoOneTurn(between + half) - half);
  if (apart <= APART_TICKS) return problems;
  const where = `is ${apart} steps from servo ${first.id} of the same joint`;
  const advice = 'check mounting, drive mode and homing offset';
  return [...problems, `Servo ${own.id} ${where} and would fight it: ${advice}`];
}

/** Why a servo is not where it may start: outside of its range, or away from its goal. */
function poseProblems({ state }: FoundServo, slot: ServoSlot): readonly string[] {
  if (state === null) return [];
  const units = new JointUnits(slot.calibration);
  const angle_rad = units.toAngle(intoOneTurn(state.position_ticks));
  const place = placeProblem(slot, angle_rad);
  const lag = state.holds ? lagProblem(units.toAngle(state.goal_ticks) - angle_rad) : null;
  return [place, lag].filter((text) => text !== null);
}

/** What the joints can hold by the settings of their servos, against their load. */
function holdFindings(
  calibration: Calibration,
  servos: readonly FoundServo[],
): Pick<ServoDiagnosis, 'problems' | 'figures'> {
  const rows = servoSlots(calibration).map((slot) => ({
    slot,
    state: servos.find(({ id }) => id === slot.id)?.state ?? null,
  }));
  const known = rows.flatMap(({ slot, state }) => (state ? [{ slot, ...state }] : []));
  if (known.length < rows.length) return { problems: [], figures: [] };
  const position_rad = calibration.joints.map(({ ids: [leader], ...joint }) => {
    const { position_ticks } = known.find(({ slot }) => slot.id === leader)!;
    return new JointUnits(joint).toAngle(intoOneTurn(position_ticks));
  });
  const holds = jointHolds(calibration, position_rad, known);
  const problems = holds.flatMap((hold) => {
    const text = holdProblem(hold);
    return text === null ? [] : [`${jointName(hold.joint)} ${text}`];
  });
  return { problems, figures: [holdsText(holds)] };
}

/** The servo of the gripper answers, and is the calibrated one. */
function gripperProblems(
  { id, servo }: GripperCalibration,
  servos: readonly FoundServo[],
): readonly string[] {
  const own = servos.find((one) => one.id === id);
  if (!own) return [`Servo ${id} of the gripper does not answer: ${ANSWER_ADVICE}`];
  if (servo?.model === undefined || servo.model === own.model) return [];
  const swapped = `is of model ${own.model}, but one of ${servo.model} was calibrated`;
  return [`Servo ${id} of the gripper ${swapped}: put that servo back, or calibrate again`];
}

/**
 * Servos are those that were calibrated, those of one joint are alike and agree, and the joints can
 * hold where they stand; servos of no joint are noted.
 */
export function compareWithCalibration(
  calibration: Calibration,
  servos: readonly FoundServo[],
): Pick<ServoDiagnosis, 'problems' | 'notes' | 'figures'> {
  const slots = servoSlots(calibration);
  const [problems, notes]: [string[], string[]] = [[], []];
  for (const slot of slots) {
    const { id, leader } = slot;
    const [own, first] = [id, leader].map((one) => servos.find((servo) => servo.id === one));
    const known = slot.calibration.servos?.find((servo) => servo.id === id);
    if (own && known?.model !== undefined && known.model !== own.model) {
      const swapped = `is of model ${own.model}, but one of ${known.model} was calibrated`;
      problems.push(`Servo ${id} ${swapped}: put that servo back, or calibrate again`);
    }
    if (own && known?.firmware !== undefined && known.firmware !== own.firmware) {
      const had = `has firmware ${own.firmware} and had ${known.firmware} when it was calibrated`;
      notes.push(`Servo ${id} ${had}`);
    }
    if (id !== leader && own && first) problems.push(...pairProblems(own, first));
    if (own) problems.push(...poseProblems(own, slot).map((text) => `Servo ${id} ${text}`));
  }
  const { gripper } = calibration;
  if (gripper) problems.push(...gripperProblems(gripper, servos));
  const named = [...slots.map(({ id }) => id), ...(gripper ? [gripper.id] : [])];
  for (const { id } of servos.filter((servo) => !named.includes(servo.id))) {
    notes.push(`Servo ${id} is not in the calibration and stays as it is`);
  }
  const holds = holdFindings(calibration, servos);
  return { problems: [...problems, ...holds.problems], notes, figures: holds.figures };
}
