/**
 * Range of the joints of an arm: that of the model, or the narrower one of a real arm, and the one
 * in force.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from './arm-model.ts';

/** Lowest and highest angle of each joint (rad). Plain data. */
export interface ArmRange {
  readonly min_rad: ArrayLike<number>;
  readonly max_rad: ArrayLike<number>;
}

/** The range of the model. */
export const MODEL_RANGE: ArmRange = { min_rad: JOINT_MIN_RAD, max_rad: JOINT_MAX_RAD };

/**
 * The range that kinematics, checks and planning keep to: that of the model, or the narrower one of
 * a real arm. Calculations take it from this one place, so that none of them can forget it.
 */
export const RANGE: { -readonly [Key in keyof ArmRange]: ArmRange[Key] } = { ...MODEL_RANGE };

/** Keeps to a range from now on, in a program of one arm; null: to the model's. */
export function keepJointRange(range: ArmRange | null): void {
  Object.assign(RANGE, range ?? MODEL_RANGE);
}

/** The part of a range that lies in the model's; null where that is all of it. */
export function narrowerRange({ min_rad, max_rad }: ArmRange): ArmRange | null {
  const low = Array.from(min_rad, (angle, j) => Math.max(angle, JOINT_MIN_RAD[j]!));
  const high = Array.from(max_rad, (angle, j) => Math.min(angle, JOINT_MAX_RAD[j]!));
  const isWhole = low.every(
    (angle, j) => angle === JOINT_MIN_RAD[j] && high[j] === JOINT_MAX_RAD[j],
  );
  return isWhole ? null : { min_rad: low, max_rad: high };
}

/**
 * Runs a calculation in a range inside the model's; null: in the model's. Calculations are
 * synchronous, so that the range never reaches another one.
 */
export function inJointRange<Value>(range: ArmRange | null | undefined, work: () => Value): Value {
  const { min_rad, max_rad } = RANGE;
  Object.assign(RANGE, range ?? MODEL_RANGE);
  try {
    return work();
  } finally {
    Object.assign(RANGE, { min_rad, max_rad });
  }
}

/** Whether rows of six angles (rad) lie in a range; null: in the model's. */
export function isInside(
  range: ArmRange | null,
  rows: Float64Array,
  tolerance_rad: number,
): boolean {
  const { min_rad, max_rad } = range ?? MODEL_RANGE;
  for (let joint = 0; joint < 6; joint++) {
    const low = min_rad[joint]! - tolerance_rad;
    const high = max_rad[joint]! + tolerance_rad;
    for (let i = joint; i < rows.length; i += 6) {
      if (rows[i]! < low || rows[i]! > high) return false;
    }
  }
  return true;
}
