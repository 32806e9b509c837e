/** The park pose of a calibration, in which the arm lies on its support. */
import type { Calibration } from './calibration.ts';

/** Joints this near to their park angles rest on their support (rad). */
const PARKED_RAD = 0.1;

/** Whether the arm lies on its support: in the park pose of the calibration. */
export function isParked({ park_rad }: Calibration, position_rad: Float64Array): boolean {
  const pose = park_rad ?? [Number.NaN];
  return pose.every((angle, j) => Math.abs(position_rad[j]! - angle) < PARKED_RAD);
}
