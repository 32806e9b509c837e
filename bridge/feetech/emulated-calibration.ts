/** The calibration of the emulated Feetech servos, for a bus in memory and for tests. */

import { emulatedCalibration } from '../servo/calibration/emulated-calibration.ts';

/** P and D gain at delivery, and speed without load of a Feetech STS3215 at 12 V (rad/s). */
const STS_FACTORY = { position_p: 32, position_d: 32, no_load_rad_s: 4.71 };
/** Its current at stall (A). */
const STS_STALL_A = 2.7;

/** Calibration of the emulated Feetech servos as they leave the factory. */
export const EMULATED_FEETECH_CALIBRATION = emulatedCalibration('feetech', () => ({
  stall_a: STS_STALL_A,
  drive: STS_FACTORY,
}));
