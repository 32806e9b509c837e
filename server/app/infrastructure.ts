/** Creates the data store and the joint driver: everything that takes time before go_to works. */

import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { profileText } from '../../physics/motion/arm-profile.ts';
import { type Config, isSimulated } from '../cli/config.ts';
import { systemClock, type WallClock } from '../clock/wall-clock.ts';
import type { Log } from '../service/logging/log.ts';
import { InjectedFaults } from '../service/simulation/faults/injected-faults.ts';
import { Database } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { createDriver } from './drivers/drivers.ts';
import { isMemoryShort } from './memory-pressure.ts';
import { robotName, SOFTWARE_VERSION } from './product-info.ts';
import type { ShutdownStep } from './shutdown-steps.ts';

export interface Opening {
  /** Gets the step that closes each part, in the order of creation. */
  readonly opened?: ShutdownStep[];
  /** Opens the store of a data folder; simulations have a disk of their own. */
  readonly open?: (place: string) => Promise<Store>;
  /** The machine's own if absent. */
  readonly wall?: WallClock;
}

/**
 * Opens the data folder, then starts the driver and waits for its first feedback. Faults can be
 * injected only where the simulation control API is on and the arm is simulated; otherwise the
 * plain driver and database are created and `injectedFaults` is null.
 */
export async function createInfrastructure(
  config: Config,
  log: Log,
  { opened = [], open = openStore, wall = systemClock }: Opening = {},
) {
  const name = config.name ?? robotName(config.noise_seed);
  const injectedFaults = config.sim && isSimulated(config.driver) ? new InjectedFaults() : null;
  const store = await open(config.data);
  opened.push(() => store.close());
  const database = await Database.open(store, { name, software_version: SOFTWARE_VERSION });
  for (const warning of database.inspect()) log.warn(warning);
  const reportFault = (fault: string | null) => {
    if (fault === null) log.info('Saves work again');
    else log.warn(`Saves are refused, because ${fault}. Motion and reads work.`);
  };
  if (store.fault !== null) reportFault(store.fault);
  const { unfinished_bytes } = store.report;
  if (unfinished_bytes > 0) {
    log.warn(`${unfinished_bytes} bytes of the journal are no complete save and are left out`);
  }
  store.bytes.isShort = isMemoryShort;
  store.onFault = reportFault;
  store.onProblem = (problem) => log.error('Stored data is damaged', problem);
  if (injectedFaults) store.beforeCommit = injectedFaults.beforeCommit;
  if (config.profile) log.info(profileText(config.profile));
  const { driver: inner, ...ports } = createDriver(config, log);
  const driverFaults = injectedFaults && new FaultInjectingDriver(inner);
  const driver = driverFaults ?? inner;
  opened.push(() => driver.stop());
  const feedback = await driver.start();
  return { wall, database, driver, driverFaults, injectedFaults, feedback, ...ports };
}

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;
