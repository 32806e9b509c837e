import type { Calibration } from '../servo/calibration/calibration.ts';
import { JointUnits } from '../servo/calibration/joint-units.ts';

/** Lag (rad) at which the servos of each joint give their full torque; 0 without their drive. */
export function stsFullLags({ joints }: Calibration): readonly number[] {
  return joints.map((joint) => {
    if (!joint.drive) return 0;
    const units = new JointUnits(joint);
    const steps = FULL_LAG_STEPS_AT_1 / joint.drive.position_p;
    return Math.abs(units.toAngle(steps) - units.toAngle(0));
  });
}

/**
 * Lag at a P gain of 1 that gives full torque (steps): an estimate from published measurements of
 * 20 to 30 steps at a third to a half of the stall torque, at the gain of the factory, 32.
 */
export const FULL_LAG_STEPS_AT_1 = 2000;
