/** Calibrations of the emulated DYNAMIXEL servos, for a bus in memory and for tests. */

import { ARM } from '../../arms/bound-arm.ts';
import type { Calibration } from '../servo/calibration/calibration.ts';
import { emulatedCalibration } from '../servo/calibration/emulated-calibration.ts';
import { gripperOf } from '../servo/calibration/gripper-calibration.ts';
import { MOTORS } from './motors.ts';

const FACTORY_P = 800;
/**
 * Current at stall (A) and speed without load (rad/s) of the usual servos: an XM540 up to the elbow,
 * then an XM430.
 */
const USUAL = [0, 1, 2, 3, 4, 5].map((j) =>
  j < 3
    ? { stall_a: 4.4, no_load_rad_s: Math.PI }
    : { stall_a: 2.3, no_load_rad_s: (46 * Math.PI) / 30 },
);
const { servos } = ARM;
const KNOWN = servos?.family === 'dynamixel' ? servos.list : [];

/** The servos of each joint: their ids, where the arm says them, and the motor of each. */
const JOINTS = USUAL.map((usual, j) => {
  const own = KNOWN.filter(({ joint }) => joint === j);
  if (own.length === 0) return usual;
  // An arm of other models is refused before its calibration counts (EMULATION_PROBLEM).
  const { stall_a, no_load_rad_s } = MOTORS[own[0]!.model] ?? usual;
  return { ids: own.map(({ id }) => id), stall_a, no_load_rad_s };
});

/** The gripper of the arm, where a servo of this family moves it. */
const GRIPPER =
  servos?.family === 'dynamixel' && servos.gripper
    ? {
        gripper: gripperOf(
          servos.gripper,
          MOTORS[servos.gripper.model]?.stall_a ?? USUAL[5]!.stall_a,
        ),
      }
    : {};

/** Calibration of the emulated servos with ideal drives. */
export const IDEAL_CALIBRATION: Calibration = {
  ...emulatedCalibration('dynamixel', (j) => {
    const { no_load_rad_s: _, ...motor } = JOINTS[j]!;
    return motor;
  }),
  ...GRIPPER,
};

/** Calibration of the emulated servos as they leave the factory. */
export const EMULATED_CALIBRATION: Calibration = {
  ...emulatedCalibration('dynamixel', (j) => {
    const { no_load_rad_s, ...motor } = JOINTS[j]!;
    return { ...motor, drive: { position_p: FACTORY_P, no_load_rad_s } };
  }),
  ...GRIPPER,
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
