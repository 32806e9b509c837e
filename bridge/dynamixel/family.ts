import { lerobotFormat } from '../servo/calibration/import/lerobot.ts';
import type { ServoFamily } from '../servo/servo-family.ts';
import { dynamixelToCalibrate } from './calibration.ts';
import { diagnoseServos } from './diagnostics.ts';
import { DynamixelBus } from './dynamixel-bus.ts';
import { EMULATED_CALIBRATION } from './emulated-calibration.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { DEFAULT_SERVOS, EMULATION_PROBLEM, PAIRED_SERVOS } from './emulator/servo-setup.ts';
import { HIGHEST_ID } from './instructions.ts';
import { INTERBOTIX } from './interbotix.ts';
import { SERVO_MODELS } from './models.ts';
import { MOTORS } from './motors.ts';
import { PROTOCOL_2 } from './protocol-2.ts';
import { BAUD_CODES } from './registers.ts';
import { scanServos } from './servo-requests.ts';
import { servoSettings } from './settings.ts';

/** DYNAMIXEL servos of the X series. */
export const DYNAMIXEL: ServoFamily<'dynamixel'> = {
  name: 'dynamixel',
  title: 'DYNAMIXEL',
  format: PROTOCOL_2,
  highest_id: HIGHEST_ID,
  bauds: BAUD_CODES,
  models: Object.values(SERVO_MODELS).map(({ name }) => name),
  motors: MOTORS,
  has_current_control: true,
  drives_gripper: true,
  keeps_correction: false,
  lacks: [],
  imports: [lerobotFormat('servo'), INTERBOTIX],
  emulated: EMULATED_CALIBRATION,
  emulation_problem: EMULATION_PROBLEM,
  createEmulator: (options, paired) =>
    new ServoEmulator({ ...options, servos: paired ? PAIRED_SERVOS : DEFAULT_SERVOS }),
  createJoints: (options) => new DynamixelBus(options),
  scan: async (bus) => (await scanServos(bus)).map(({ id }) => id),
  diagnose: diagnoseServos,
  toCalibrate: dynamixelToCalibrate,
  settings: servoSettings,
};
