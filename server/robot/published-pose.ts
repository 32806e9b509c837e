import type { Feedback } from '../../bridge/arm-driver.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD, TELEMETRY } from '../../physics/arm/arm-model.ts';

/** The measured pose as it is published, quantised like the arm's sensors (rad). */
export function publishedPose({ position_rad }: Feedback): number[] {
  const quantum = TELEMETRY.position_quantum_rad;
  return Array.from(position_rad, (angle, joint) => {
    const rounded = Math.round(angle / quantum) * quantum + 0;
    // A joint within its limits is not published beyond them.
    if (rounded > JOINT_MAX_RAD[joint]! && angle <= JOINT_MAX_RAD[joint]!) return rounded - quantum;
    if (rounded < JOINT_MIN_RAD[joint]! && angle >= JOINT_MIN_RAD[joint]!) return rounded + quantum;
    return rounded;
  });
}
