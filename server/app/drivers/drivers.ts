/** The joint drivers: a file and a row each; the configuration selects one by its name. */

import { type Config, type DriverName, isSimulated, SIMULATED_DRIVERS } from '../../cli/config.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { Log } from '../../service/logging/log.ts';
import type { CreateDriver, DriverAssembly } from './driver.ts';
import { external } from './external.ts';
import { mirrored } from './mirrored.ts';
import { servo } from './servo.ts';
import { simulated } from './simulated.ts';

const DRIVERS: Readonly<Record<DriverName, CreateDriver>> = {
  rapier: simulated('rapier'),
  fast: simulated('fast'),
  servo,
  mirrored,
  external,
};

/** Creates the configured driver without starting it. */
export function createDriver(config: Config, log: Log): DriverAssembly {
  const needs = `needs --driver ${SIMULATED_DRIVERS.join(' or ')}`;
  if (config.realism !== 'ideal' && !isSimulated(config.driver)) {
    throw new OptionError(`--realism ${config.realism} ${needs}`);
  }
  if (config.profile && !isSimulated(config.driver)) throw new OptionError(`--profile ${needs}`);
  return DRIVERS[config.driver](config, log);
}
