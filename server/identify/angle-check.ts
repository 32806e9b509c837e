/** Whether numbers are the joint angles of this arm. */
import {
  END_STOP_MAX_RAD,
  END_STOP_MIN_RAD,
  JOINT_COUNT,
  jointName,
} from '../../physics/arm/arm-model.ts';
import { CaptureError } from './capture.ts';

/** How far beyond the farthest end stop of the arm an angle may be: zeros that are off (rad). */
const BEYOND_STOPS_RAD = 0.16;
/** An angle beyond this is not one of this arm (rad). */
const ANGLE_MAX_RAD =
  BEYOND_STOPS_RAD + Math.max(...[...END_STOP_MIN_RAD, ...END_STOP_MAX_RAD].map(Math.abs));

/** Whether a value is six finite numbers. */
export function isSixNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length === JOINT_COUNT &&
    value.every((each) => typeof each === 'number' && Number.isFinite(each))
  );
}

/** Throws unless `value` is six numbers that this arm can have. */
export function checkAngles(value: unknown, source: string, place: string): number[] {
  if (!isSixNumbers(value)) {
    const count = Array.isArray(value) ? value.length : 0;
    const reason =
      count === JOINT_COUNT
        ? 'has an angle that is not a number'
        : `has ${count} joints; this arm has ${JOINT_COUNT}`;
    throw new CaptureError(source, place, reason);
  }
  const joint = value.findIndex((angle) => Math.abs(angle) > ANGLE_MAX_RAD);
  if (joint < 0) return value;
  const reason = `${jointName(joint)} is at ${value[joint]} rad, where no joint of this arm can be`;
  throw new CaptureError(source, place, reason);
}
