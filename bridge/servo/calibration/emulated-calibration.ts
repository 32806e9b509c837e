import { DRIVE, JOINT_COUNT } from '../../../physics/arm/arm-model.ts';
import type { Calibration, JointDriveModel } from './calibration.ts';
import { calibrationOf, jointCalibration } from './mounted-joint.ts';

/** The servo of a joint: its current at stall (A), and its drive where that is not ideal. */
export interface EmulatedMotor {
  readonly stall_a: number;
  readonly drive?: Omit<JointDriveModel, 'stall_torque_n_m'>;
}

/** Emulated motors are cooled well (°C). */
const TEMPERATURE_MAX_C = 70;

/**
 * The calibration of an arm of emulated servos of a family, one a joint with the torque of the
 * arm's drive, as they leave the factory.
 */
export function emulatedCalibration(
  family: string,
  motorOf: (joint: number) => EmulatedMotor,
): Calibration {
  const joints = Array.from({ length: JOINT_COUNT }, (_, j) => {
    const { stall_a, drive } = motorOf(j);
    const stall_n_m = DRIVE.torque_max_n_m[j]!;
    const mounted = { ids: [j + 1], zero_ticks: 2048, direction: 1 } as const;
    return {
      ...jointCalibration(j, mounted, { stall_n_m, stall_a }),
      temperature_max_c: TEMPERATURE_MAX_C,
      ...(drive && { drive: { ...drive, stall_torque_n_m: stall_n_m } }),
    };
  });
  return calibrationOf(family, joints);
}
