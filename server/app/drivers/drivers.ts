/** The joint drivers by name; the configuration selects one. */

import { MirroredArm } from '../../../bridge/mirrored-arm.ts';
import type { Config, DriverName } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { Log } from '../../service/metrics/log.ts';
import type { DriverAssembly } from './driver-assembly.ts';
import { external } from './external.ts';
import { servos } from './servos.ts';
import { simulated } from './simulated.ts';

/** Drivers with a simulated world, in which faults can be injected. */
export const SIMULATED_DRIVERS: ReadonlySet<DriverName> = new Set(['rapier', 'fast']);

const drivers: Readonly<Record<DriverName, (config: Config, log: Log) => DriverAssembly>> = {
  rapier: (config) => simulated('rapier', config),
  fast: (config) => simulated('fast', config),
  external,
  servo: (config, log) => {
    const { arm: driver, joints } = servos(config, log);
    return { driver, world: null, instruments: driver, busStatistics: () => joints.statistics };
  },
  mirrored: (config, log) => {
    const { arm: real, joints, family } = servos(config, log);
    const { timed } = joints;
    if (!timed) {
      const lack = `${family.title} servos have no clock to compare a model by`;
      throw new OptionError(`${lack}: use --driver servo`);
    }
    const driver = new MirroredArm({ real, timed, log });
    const instruments = { read: () => ({ ...real.read(), mirror: driver.differences() }) };
    return { driver, world: null, instruments, busStatistics: () => joints.statistics };
  },
};

/** Creates the configured driver without starting it. */
export function createDriver(config: Config, log: Log): DriverAssembly {
  if (config.realism !== 'ideal' && !SIMULATED_DRIVERS.has(config.driver)) {
    throw new OptionError(`--realism ${config.realism} needs --driver rapier or fast`);
  }
  if (config.profile && !SIMULATED_DRIVERS.has(config.driver)) {
    throw new OptionError('--profile needs --driver rapier or fast');
  }
  return drivers[config.driver](config, log);
}
