import type { Feedback } from '../../bridge/arm-driver.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, TELEMETRY } from '../../physics/arm/arm-model.ts';

/** A value for each joint; each tick makes some, and `Array.from` with a function takes ten times as long. */
export function eachJoint(
  measured: Float64Array,
  publishedOf: (value: number, joint: number) => number,
): number[] {
  const values: number[] = [];
  for (let joint = 0; joint < measured.length; joint++) {
    values.push(publishedOf(measured[joint]!, joint));
  }
  return values;
}

/** The measured pose as it is published, quantised like the arm's sensors (rad). */
export function publishedPose({ position_rad }: Feedback): number[] {
  const quantum = TELEMETRY.position_quantum_rad;
  return eachJoint(position_rad, (angle, joint) => {
    const rounded = Math.round(angle / quantum) * quantum + 0;
    // A joint within its limits is not published beyond them.
    if (rounded > JOINT_MAX_RAD[joint]! && angle <= JOINT_MAX_RAD[joint]!) return rounded - quantum;
    if (rounded < JOINT_MIN_RAD[joint]! && angle >= JOINT_MIN_RAD[joint]!) return rounded + quantum;
    return rounded;
  });
}
