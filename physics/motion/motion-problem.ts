/**
 * A problem of a motion, and the one of a motion that ends outside the range of a joint (§2.4).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { jointName } from '../arm/arm-model.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { jointCode } from '../arm/joint-error-codes.ts';
import { LIMIT_TOLERANCE_RAD } from '../kinematics/joint-limits.ts';

/** A problem of a motion and its position on the path. */
export interface MotionProblem {
  readonly code: MotionError;
  /** Position on the path, 0..1. */
  readonly s: number;
  /** The problem and what to do about it. */
  readonly message: string;
}

/** Decimals, at least four, that show a value and its limit apart. */
function digitsApart(value: number, limit: number): number {
  let digits = 4;
  while (digits < 10 && value.toFixed(digits) === limit.toFixed(digits)) digits++;
  return digits;
}

/** A hint for an angle of more than a turn, which is one in degrees most of the time. */
function degreesHint(value: number): string {
  if (!(Math.abs(value) > 2 * Math.PI)) return '';
  return ` Angles are in radians: ${+value.toFixed(4)}° are ${((value * Math.PI) / 180).toFixed(4)}.`;
}

/**
 * The problem of the first joint of the pose outside the range, or null. A limit is exceeded by
 * more than the tolerance of 1e-9 rad.
 */
export function boundaryProblem(end: Float64Array, range: ArmRange): MotionProblem | null {
  const { min_rad, max_rad } = range;
  const j = end.findIndex(
    (value, i) =>
      !(value >= min_rad[i]! - LIMIT_TOLERANCE_RAD) ||
      !(value <= max_rad[i]! + LIMIT_TOLERANCE_RAD),
  );
  if (j < 0) return null;
  const [value, least, most] = [end[j]!, min_rad[j]!, max_rad[j]!];
  const digits = digitsApart(value, value < least ? least : most);
  return {
    code: jointCode(j, 'boundary_limit'),
    s: 1,
    message:
      `${jointName(j)} would be at ${value.toFixed(digits)} rad; its limits are ` +
      `${least.toFixed(digits)} to ${most.toFixed(digits)} rad. Move the waypoint.${degreesHint(value)}`,
  };
}
