/** Calibrations of the emulated DYNAMIXEL servos, for a bus in memory and for tests. */

import { DRIVE } from '../../physics/arm/arm-model.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { EMULATED_MOTORS, IDEAL_CALIBRATION } from '../servo/calibration/ideal-calibration.ts';

const FACTORY_P = 800;

/** Calibration of the emulated servos as they leave the factory. */
export const EMULATED_CALIBRATION: Calibration = {
  ...IDEAL_CALIBRATION,
  joints: IDEAL_CALIBRATION.joints.map((joint, j) => ({
    ...joint,
    drive: {
      position_p: FACTORY_P,
      stall_torque_n_m: DRIVE.torque_max_n_m[j]!,
      no_load_rad_s: EMULATED_MOTORS[j]!.no_load_rad_s,
    },
  })),
};

/** D gain that damps a joint in place of the back-EMF, for a motor without load at 1 rad/s. */
const CURRENT_BASED_D = 5000;

/** The same, with servos that limit their current. */
export const CURRENT_BASED_CALIBRATION: Calibration = {
  ...EMULATED_CALIBRATION,
  joints: EMULATED_CALIBRATION.joints.map((joint) => {
    const position_d = Math.round(CURRENT_BASED_D / joint.drive!.no_load_rad_s);
    return { ...joint, mode: 'current_based', drive: { ...joint.drive!, position_d } };
  }),
};
