/** Range of the joints of an arm: that of the model, or the narrower one of a real arm. */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from './arm-model.ts';

/** Lowest and highest angle of each joint (rad). Plain data. */
export interface ArmRange {
  readonly min_rad: ArrayLike<number>;
  readonly max_rad: ArrayLike<number>;
}

/** The range of the model. */
export const MODEL_RANGE: ArmRange = { min_rad: JOINT_MIN_RAD, max_rad: JOINT_MAX_RAD };

/** The part of a range that lies in the model's; null where that is all of it. */
export function narrowerRange({ min_rad, max_rad }: ArmRange): ArmRange | null {
  const low = Array.from(min_rad, (angle, j) => Math.max(angle, JOINT_MIN_RAD[j]!));
  const high = Array.from(max_rad, (angle, j) => Math.min(angle, JOINT_MAX_RAD[j]!));
  const isWhole = low.every(
    (angle, j) => angle === JOINT_MIN_RAD[j] && high[j] === JOINT_MAX_RAD[j],
  );
  return isWhole ? null : { min_rad: low, max_rad: high };
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

/** The joint that is farthest outside of a range, and how far (rad); null: none is. */
export function farthestOutside(
  range: ArmRange | null,
  at_rad: ArrayLike<number>,
): { readonly joint: number; readonly beyond_rad: number } | null {
  const { min_rad, max_rad } = range ?? MODEL_RANGE;
  const beyond = Array.from(min_rad, (low, j) =>
    Math.max(low - at_rad[j]!, at_rad[j]! - max_rad[j]!),
  );
  const beyond_rad = Math.max(...beyond);
  return beyond_rad > 0 ? { joint: beyond.indexOf(beyond_rad), beyond_rad } : null;
}

/**
 * Whether each joint that rows of six angles (rad) have outside of a range is on its way back in, no
 * farther out than `tolerance_rad` beyond where it is, at `at_rad`.
 */
export function isComingBack(
  range: ArmRange | null,
  rows: Float64Array,
  at_rad: ArrayLike<number>,
  tolerance_rad: number,
): boolean {
  const { min_rad, max_rad } = range ?? MODEL_RANGE;
  for (let joint = 0; joint < 6; joint++) {
    const change_rad = rows[rows.length - 6 + joint]! - rows[joint]!;
    const at = at_rad[joint]!;
    const low = Math.min(min_rad[joint]!, change_rad < 0 ? min_rad[joint]! : at - tolerance_rad);
    const high = Math.max(max_rad[joint]!, change_rad > 0 ? max_rad[joint]! : at + tolerance_rad);
    for (let i = joint; i < rows.length; i += 6) {
      if (rows[i]! < low || rows[i]! > high) return false;
    }
  }
  return true;
}
