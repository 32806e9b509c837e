import { DRIVE, JOINT_COUNT } from '../../../physics/arm/arm-model.ts';
import type { Calibration, JointDriveModel } from './calibration.ts';
import { calibrationOf, jointCalibration } from './mounted-joint.ts';

/**
 * The servos of a joint: their ids, the current of each at stall (A), and their drive where that is
 * not ideal.
 */
export interface EmulatedMotor {
  /** Absent: one, with the number of the joint. */
  readonly ids?: readonly number[];
  readonly stall_a: number;
  readonly drive?: Omit<JointDriveModel, 'stall_torque_n_m'>;
}

/** Emulated motors are cooled well (°C). */
const TEMPERATURE_MAX_C = 70;

/**
 * The calibration of an arm of emulated servos of a family, which have the torque of the arm's
 * drives, as they leave the factory.
 */
export function emulatedCalibration(
  family: string,
  motorOf: (joint: number) => EmulatedMotor,
): Calibration {
  const joints = Array.from({ length: JOINT_COUNT }, (_, j) => {
    const { ids = [j + 1], stall_a, drive } = motorOf(j);
    const stall_n_m = DRIVE.torque_max_n_m[j]!;
    const mounted = { ids, zero_ticks: 2048, direction: 1 } as const;
    return {
      ...jointCalibration(j, mounted, { stall_n_m: stall_n_m / ids.length, stall_a }),
      temperature_max_c: TEMPERATURE_MAX_C,
      ...(drive && { drive: { ...drive, stall_torque_n_m: stall_n_m } }),
    };
  });
  return calibrationOf(family, joints);
}
