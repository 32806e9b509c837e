/** Assembles everything that answers HTTP and opens event streams. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, openApiDocument } from '../../contract/api-docs.ts';
import { routeOf } from '../../contract/routes.ts';
import type { Config } from '../cli/config.ts';
import { paceName } from '../clock/clock.ts';
import { type FoxgloveServer, startFoxgloveServer } from '../foxglove/foxglove-server.ts';
import { createApplication } from '../http/application.ts';
import { HostPolicy } from '../http/connections.ts';
import type { Handlers, Services } from '../http/handler.ts';
import { calculationHandlers, controlHandlers, lockHandlers } from '../http/handlers/robot.ts';
import { dataHandlers, informationHandlers, toolpathHandlers } from '../http/handlers/toolpaths.ts';
import { sessionHandlers, userHandlers } from '../http/handlers/users.ts';
import { refuseOnSocket } from '../http/reply.ts';
import { bearerToken, identify } from '../http/request-context.ts';
import { connectionCount, createHttpServer, listen, RequestGate } from '../http/server.ts';
import type { HealthMonitor, Log } from '../metrics/log-and-health.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { planningMetrics } from '../planning/planning-pool.ts';
import { simulationHandlers } from '../simulation/handlers.ts';
import { createCallInterceptor } from '../simulation/journal.ts';
import type { Simulation } from '../simulation/simulation.ts';
import type { Hub } from '../stream/hub.ts';
import { createUpgradeHandler } from '../stream/upgrade.ts';
import type { Infrastructure } from './infrastructure.ts';
import { productVersion } from './product-info.ts';
import type { RobotAssembly } from './services.ts';
import type { WorkflowSystem } from './workflow-assembly.ts';

const VIEWER = fileURLToPath(new URL('../../viewer', import.meta.url));
const DOCS_PAGE = fileURLToPath(new URL('../../docs-page', import.meta.url));

/** Everything that the HTTP side needs of the application. */
export interface AppContext {
  readonly config: Config;
  readonly log: Log;
  readonly infrastructure: Infrastructure;
  readonly robotAssembly: RobotAssembly;
  readonly services: Services;
  readonly simulation: Simulation | null;
  readonly workflows: WorkflowSystem;
  readonly server: Server;
  readonly health: HealthMonitor;
}

/** The host names of the configuration. */
export function hostPolicyOf({ host, allowedHosts }: Pick<Config, 'host' | 'allowedHosts'>) {
  return new HostPolicy([host, ...allowedHosts]);
}

/** Starts listening; the gate answers 503 until it gets the application's request handler. */
export async function startHttpServer(config: Config) {
  const gate = new RequestGate(hostPolicyOf(config));
  const server = createHttpServer(gate);
  const port = await listen(server, config.port, config.host);
  return { gate, server, port };
}

/** The event streams: path, least role and hub. */
function streamEndpoints({ robotAssembly, simulation }: AppContext) {
  const endpoint = (id: 'openStream' | 'openSimStream', hub: Hub) => {
    const { path, role } = routeOf(id);
    return { path, role, hub };
  };
  const arm = endpoint('openStream', robotAssembly.hub);
  return simulation ? [arm, endpoint('openSimStream', simulation.parts.hub)] : [arm];
}

/** The metrics of the whole twin, for /metrics. */
function metricsOf(context: AppContext) {
  const { config, robotAssembly, server, infrastructure, workflows, services } = context;
  return createMetrics({
    build: {
      version: productVersion(),
      node: process.versions.node,
      driver: infrastructure.driver.name,
      dialect: config.dialect,
    },
    startedAt_ms: services.wall.epoch_ms(),
    ...robotAssembly,
    audit: services.audit,
    passwords: services.passwords,
    documents: services.documents,
    state: () => robotAssembly.robot.memory.state,
    streams: { arm: robotAssembly.hub, sim: robotAssembly.simHub },
    planning: planningMetrics,
    connections: () => connectionCount(server),
    storage: () => ({
      damages: infrastructure.database.store.damage_count,
      isReadOnly: infrastructure.database.store.fault !== null,
    }),
    hooks: workflows.webhookCounts,
    bus: infrastructure.busStatistics,
    instruments: infrastructure.instruments,
  });
}

/** The handlers of the arm's API, by the id of their route. */
const armHandlers: Handlers = {
  ...sessionHandlers,
  ...userHandlers,
  ...lockHandlers,
  ...calculationHandlers,
  ...controlHandlers,
  ...dataHandlers,
  ...toolpathHandlers,
  ...informationHandlers,
};

/** Creates the request handler of the whole HTTP API. */
export function createHttpListener(context: AppContext) {
  const { config, log, infrastructure, robotAssembly, services, simulation } = context;
  const { workflows, health } = context;
  const version = productVersion();
  const metrics = metricsOf(context);
  return createApplication({
    services,
    handlers: {
      ...armHandlers,
      ...(simulation && simulationHandlers(simulation)),
      ...workflows.handlers,
    },
    streams: streamEndpoints(context).map(({ path }) => path),
    dialect: config.dialect,
    notReady: () => health.closing,
    storageFault: () => infrastructure.database.store.fault,
    notReadyReasons: () => health.notReadyReasons(planningMetrics()),
    metrics,
    onAnswered(request) {
      metrics.answered(request);
      log.answered(request);
    },
    banner: (dialect) => {
      const pace = paceName(robotAssembly.clock.pace);
      return `${version}; driver=${infrastructure.driver.name}; clock=${pace}; dialect=${dialect}`;
    },
    onBug: (error, row) => log.error(`Unhandled error in ${row?.id ?? 'a request'}`, error),
    viewer: VIEWER,
    docsPage: DOCS_PAGE,
    documents: {
      '/openapi.json': (baseUrl) => openApiDocument({ version, baseUrl }),
      '/asyncapi.json': (baseUrl) => asyncApiDocument({ version, baseUrl }),
    },
    allowedOrigins: config.allowedOrigins,
    ...(simulation && createCallInterceptor(simulation)),
  });
}

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

/** Creates the handler of stream handshakes: the arm's events, and those of /sim/v1. */
export function createStreamUpgrade(context: AppContext) {
  const { config, services, health } = context;
  return createUpgradeHandler({
    identify: (secret) => identify(secret, services),
    bearerToken,
    refuse: refuseOnSocket,
    ready: () => health.closing === null,
    allowedOrigins: config.allowedOrigins,
    wall: services.wall,
    endpoints: streamEndpoints(context),
  });
}
