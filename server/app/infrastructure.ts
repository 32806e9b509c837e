/** Creates the data store and the joint driver: everything that takes time before go_to works. */
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import type { Config } from '../cli/config.ts';
import type { Log } from '../metrics/log.ts';
import { openFaultInjectingDatabase } from '../simulation/faults/fault-injecting-services.ts';
import { InjectedFaults } from '../simulation/faults/fault-list.ts';
import { Database } from '../store/database.ts';
import { emptyRecords } from '../store/records.ts';
import { createDriver, SIMULATED_DRIVERS } from './drivers.ts';
import { robotName, SOFTWARE_VERSION } from './product-info.ts';

/**
 * Opens the data folder, then starts the driver and waits for its first feedback. Faults can be
 * injected only where the simulation control API is on and the arm is simulated; otherwise the
 * plain driver and database are created and `injectedFaults` is null.
 */
export async function createInfrastructure(config: Config, log: Log) {
  const defaults = emptyRecords(config.name ?? robotName(config.noise_seed), SOFTWARE_VERSION);
  const isSimulated = SIMULATED_DRIVERS.has(config.driver);
  const injectedFaults = config.sim && isSimulated ? new InjectedFaults() : null;
  const database = injectedFaults
    ? await openFaultInjectingDatabase(config.data, defaults, injectedFaults.saves)
    : await Database.open(config.data, defaults);
  for (const warning of await database.inspect()) log.warn(warning);
  const { driver: inner, ...ports } = createDriver(config);
  const driverFaults = injectedFaults && new FaultInjectingDriver(inner);
  const driver = driverFaults ?? inner;
  const feedback = await driver.start();
  return { database, driver, driverFaults, injectedFaults, feedback, ...ports };
}

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;
