/** The place of each servo in a calibrated arm. */
import type { Calibration, JointCalibration } from './calibration.ts';

/** A servo and its joint; a joint with several has one leader, and the others obey its id too. */
export interface ServoSlot {
  readonly joint: number;
  readonly id: number;
  readonly leader: number;
  readonly calibration: JointCalibration;
}

/** All servos of an arm, from the base on, leaders before their followers. */
export function servoSlots({ joints }: Calibration): readonly ServoSlot[] {
  return joints.flatMap((calibration, joint) =>
    calibration.ids.map((id) => ({ joint, id, leader: calibration.ids[0]!, calibration })),
  );
}
