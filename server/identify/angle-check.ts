/** Whether numbers are the joint angles of this arm. */
import { JOINT_COUNT, jointName } from '../../physics/arm/arm-model.ts';
import { CaptureError } from './capture.ts';

/** An angle beyond this is not one of this arm (rad). */
const ANGLE_MAX_RAD = 3.3;

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
