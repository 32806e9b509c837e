/** The calibration of the emulated Feetech servos, for a bus in memory and for tests. */

import { DRIVE } from '../../physics/arm/arm-model.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { IDEAL_CALIBRATION } from '../servo/calibration/ideal-calibration.ts';

/** P and D gain at delivery, and speed without load of a Feetech STS3215 at 12 V (rad/s). */
const STS_FACTORY = { position_p: 32, position_d: 32, no_load_rad_s: 4.71 };
/** Its current at stall (A). */
const STS_STALL_A = 2.7;

/** Calibration of the emulated Feetech servos as they leave the factory. */
export const EMULATED_FEETECH_CALIBRATION: Calibration = {
  ...IDEAL_CALIBRATION,
  family: 'feetech',
  joints: IDEAL_CALIBRATION.joints.map((joint, j) => ({
    ...joint,
    torque_n_m_per_a: DRIVE.torque_max_n_m[j]! / STS_STALL_A,
    stall_current_a: 0.9 * STS_STALL_A,
    drive: { ...STS_FACTORY, stall_torque_n_m: DRIVE.torque_max_n_m[j]! },
  })),
};
