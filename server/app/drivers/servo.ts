/** The driver of an arm of servos on a bus, real or emulated. */

import { TICK_S } from '../../../bridge/arm-driver.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import type { Calibration } from '../../../bridge/servo/calibration/calibration.ts';
import { readCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { ServoArm } from '../../../bridge/servo/servo-arm.ts';
import { FAMILIES, familyOf } from '../../../bridge/servo-families.ts';
import { parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import type { Config } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { Log } from '../../service/logging/log.ts';
import type { CreateDriver } from './driver.ts';
import { checkRealTime } from './real-time.ts';
import { keepStartReport } from './start-report.ts';

function calibrationOf({ calibration: path, servoFamily }: Config): Calibration {
  if (path === null) return familyOf(servoFamily ?? undefined).emulated;
  const result = readCalibration(path, FAMILIES);
  if (!result.ok) throw new OptionError(`--calibration ${result.error}`);
  const { family } = result.value;
  if (servoFamily === null || servoFamily === family) return result.value;
  throw new OptionError(`${path} is of ${family} servos: remove --servo-family ${servoFamily}`);
}

/** Ticks a second. */
const TICK_RATE_HZ = 1 / TICK_S;

/** A servo arm, its joints and the family of their servos. */
export function createServoArm(config: Config, log: Log) {
  const { bus: name, calibration: path, armIsSupported: supported } = config;
  checkRealTime(config);
  const address = parseBusAddress(name);
  if (!address.ok) throw new OptionError(address.error);
  if (address.value.kind !== 'memory' && path === null) {
    throw new OptionError(`The bus ${name} needs --calibration FILE; armtwin calibrate writes one`);
  }
  const clock = systemBusClock;
  const calibration = calibrationOf(config);
  const family = familyOf(calibration.family);
  const { emulation_problem } = family;
  if (address.value.kind === 'memory' && emulation_problem)
    throw new OptionError(emulation_problem);
  const bus = createBus(family, address.value, clock);
  const onStart = keepStartReport(config, log);
  bus.watchLine(({ kind, text }) => (kind === 'back' ? log.info(text) : log.warn(text)));
  const joints = family.createJoints({ bus, clock, calibration, supported, onStart });
  for (const text of family.lacks) log.warn(`These servos ${text}`);
  const arm = new ServoArm({
    joints,
    clock,
    calibration,
    cycle_ticks: TICK_RATE_HZ / config.busRate_hz,
    onStop: (end) => {
      if (end === 'released') log.info('The arm is parked: the servos are without torque');
      else if (end === 'unreached') {
        log.warn('The servos did not answer the end: see that they hold the arm, and support it');
      } else log.warn('The servos hold the arm without supervision until their power is cut');
    },
  });
  return { arm, joints, family };
}

/** The arm alone. */
export const servo: CreateDriver = (config, log) => {
  const { arm, joints } = createServoArm(config, log);
  return { driver: arm, world: null, instruments: arm, busStatistics: () => joints.statistics };
};
