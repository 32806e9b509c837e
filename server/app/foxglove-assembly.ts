import { type FoxgloveServer, startFoxgloveServer } from '../service/foxglove/foxglove-server.ts';
import { simulationHandlers } from '../service/simulation/handlers.ts';
import type { AppContext } from './app-context.ts';
import { hostPolicyOf } from './http-assembly.ts';
import { productVersion } from './product-info.ts';

/** Opens the live connection for Foxglove where the configuration names a port. */
export async function openFoxglove(context: AppContext): Promise<FoxgloveServer | null> {
  const { config, log, robotAssembly, infrastructure, services, simulation } = context;
  if (config.foxglove === null) return null;
  return startFoxgloveServer({
    ...robotAssembly,
    obstacles: () => simulation?.obstacles.list() ?? [],
    host: config.host,
    port: config.foxglove,
    hosts: hostPolicyOf(config),
    services,
    handlers: simulation && simulationHandlers(simulation),
    driver: infrastructure.driver.name,
    product: productVersion(),
    onBug: (error) => log.error('Unhandled error in a service of Foxglove', error),
  });
}
