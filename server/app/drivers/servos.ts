/** A servo arm on its bus, real or emulated. */

import { TICK_S } from '../../../bridge/arm-driver.ts';
import { DynamixelBus, type DynamixelOptions } from '../../../bridge/dynamixel/dynamixel-bus.ts';
import { EMULATED_CALIBRATION } from '../../../bridge/dynamixel/emulated-calibration.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../../../bridge/feetech/emulated-calibration.ts';
import { FeetechBus } from '../../../bridge/feetech/feetech-bus.ts';
import { STS_LACKS } from '../../../bridge/feetech/lacks.ts';
import type { Calibration, ServoFamily } from '../../../bridge/servo/calibration/calibration.ts';
import { readCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { ServoArm } from '../../../bridge/servo/servo-arm.ts';
import { createBus } from '../../../bridge/servo-families.ts';
import { parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import type { Config } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { Log } from '../../service/metrics/log.ts';
import { checkRealTime } from './real-time.ts';
import { keepStartReport } from './start-report.ts';

const EMULATED: Readonly<Record<ServoFamily, Calibration>> = {
  dynamixel: EMULATED_CALIBRATION,
  feetech: EMULATED_FEETECH_CALIBRATION,
};

function calibrationOf({ calibration: path, servoFamily }: Config): Calibration {
  if (path === null) return EMULATED[servoFamily ?? 'dynamixel'];
  const result = readCalibration(path);
  if (!result.ok) throw new OptionError(`--calibration ${result.error}`);
  const { family = 'dynamixel' } = result.value;
  if (servoFamily === null || servoFamily === family) return result.value;
  throw new OptionError(`${path} is of ${family} servos: remove --servo-family ${servoFamily}`);
}

/** Ticks a second. */
const TICK_RATE_HZ = 1 / TICK_S;

/** The bus of the joints, by the family of the servos, and what is logged of it. */
function jointsOf(
  calibration: Calibration,
  options: Omit<DynamixelOptions, 'calibration'>,
): { joints: DynamixelBus | FeetechBus; lacks: readonly string[] } {
  const all = { ...options, calibration };
  return calibration.family === 'feetech'
    ? { joints: new FeetechBus(all), lacks: STS_LACKS }
    : { joints: new DynamixelBus(all), lacks: [] };
}

/** A servo arm and the bus of its joints. */
export function servos(config: Config, log: Log) {
  const { bus: name, calibration: path, armIsSupported: supported } = config;
  checkRealTime(config);
  const address = parseBusAddress(name);
  if (!address.ok) throw new OptionError(address.error);
  if (address.value.kind !== 'memory' && path === null) {
    throw new OptionError(`The bus ${name} needs --calibration FILE; armtwin calibrate writes one`);
  }
  const clock = systemBusClock;
  const calibration = calibrationOf(config);
  const bus = createBus(address.value, clock, calibration.family);
  const onStart = keepStartReport(config, log);
  bus.watchLine(({ kind, text }) => (kind === 'back' ? log.info(text) : log.warn(text)));
  const { joints, lacks } = jointsOf(calibration, { bus, clock, supported, onStart });
  for (const text of lacks) log.warn(`These servos ${text}`);
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
  return { arm, joints };
}

/** Counters of the bus and of the servo link since the start. */
export function busStatistics({
  bus,
  link,
}: DynamixelBus | FeetechBus): Readonly<Record<string, number>> {
  return { ...bus.counts, ...bus.readerCounts, ...link.counts };
}
