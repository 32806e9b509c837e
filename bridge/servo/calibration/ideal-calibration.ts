import {
  DRIVE,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  VELOCITY_MAX_RAD_S,
} from '../../../physics/arm/arm-model.ts';
import type { Calibration } from './calibration.ts';

/** Speed limit of a joint relative to the limit of planned motion. */
const SPEED_RESERVE = 1.1;
/** Current at stall (A) and speed without load (rad/s) of the emulated servos. */
export const EMULATED_MOTORS = [0, 1, 2, 3, 4, 5].map((j) =>
  j < 3
    ? { stall_a: 4.4, no_load_rad_s: Math.PI }
    : { stall_a: 2.3, no_load_rad_s: (46 * Math.PI) / 30 },
);

/** Calibration of the emulated servos with ideal drives. */
export const IDEAL_CALIBRATION: Calibration = {
  format: 1,
  following_error_rad: 0.25,
  joints: EMULATED_MOTORS.map(({ stall_a }, j) => ({
    ids: [j + 1],
    direction: 1,
    zero_ticks: 2048,
    gear: 1,
    min_rad: JOINT_MIN_RAD[j]!,
    max_rad: JOINT_MAX_RAD[j]!,
    velocity_max_rad_s: SPEED_RESERVE * VELOCITY_MAX_RAD_S[j]!,
    temperature_max_c: 70,
    torque_n_m_per_a: DRIVE.torque_max_n_m[j]! / stall_a,
    stall_current_a: 0.9 * stall_a,
  })),
};
