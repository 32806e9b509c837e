/** Connects what answers HTTP and opens event streams to the application. */
import { fileURLToPath } from 'node:url';
import { asyncApiDocument } from '../../contract/api-docs/asyncapi.ts';
import { openApiDocument } from '../../contract/api-docs/openapi.ts';
import { routeOf } from '../../contract/routes.ts';
import type { Config } from '../cli/config.ts';
import { type Pace, paceName } from '../clock/clock.ts';
import { planningMetrics } from '../planning/planning-pool.ts';
import { createApplication } from '../service/http/application.ts';
import { handshakeToken, identify } from '../service/http/authentication.ts';
import type { Banner } from '../service/http/banner.ts';
import { Connection } from '../service/http/connection.ts';
import { dialectOf } from '../service/http/dialect.ts';
import { refuseOnSocket } from '../service/http/error-response.ts';
import type { Handlers } from '../service/http/handler.ts';
import { calculationHandlers } from '../service/http/handlers/calculations.ts';
import { controlHandlers } from '../service/http/handlers/controls.ts';
import { createDataHandlers } from '../service/http/handlers/data.ts';
import { informationHandlers } from '../service/http/handlers/information.ts';
import { lockHandlers } from '../service/http/handlers/lock.ts';
import { sessionHandlers } from '../service/http/handlers/sessions.ts';
import { toolpathHandlers } from '../service/http/handlers/toolpaths.ts';
import { userHandlers } from '../service/http/handlers/users.ts';
import { HostPolicy } from '../service/http/host-policy.ts';
import { HttpServer } from '../service/http/http-server.ts';
import { originAllowed } from '../service/http/origins.ts';
import { answer } from '../service/http/reply.ts';
import { RequestGate } from '../service/http/request-gate.ts';
import { TrustedProxies } from '../service/http/trusted-proxies.ts';
import { createMetrics } from '../service/metrics/metrics.ts';
import { createCallInterceptor } from '../service/simulation/call-interceptor.ts';
import { simulationHandlers } from '../service/simulation/handlers.ts';
import { createLinkFaults } from '../service/simulation/link-faults.ts';
import type { Hub } from '../service/stream/hub.ts';
import { createUpgradeHandler } from '../service/stream/upgrade.ts';
import { claimantOf } from '../shares/claimant.ts';
import { usageReply } from '../shares/usage.ts';
import type { AppContext } from './app-context.ts';
import { productVersion } from './product-info.ts';
import { usageOf } from './usage.ts';

const VIEWER = fileURLToPath(new URL('../../viewer', import.meta.url));
const DOCS_PAGE = fileURLToPath(new URL('../../docs-page', import.meta.url));

/** The host names of the configuration. */
export function hostPolicyOf({ host, allowedHosts }: Pick<Config, 'host' | 'allowedHosts'>) {
  return new HostPolicy([host, ...allowedHosts]);
}

/** What every reply says of its sender (D4). */
function bannerOf({ driver, dialect, data }: Config, clock: { readonly pace: Pace }): Banner {
  const kept = data === ':memory:' ? 'data=memory; ' : '';
  const start = `${productVersion()}; ${kept}driver=${driver}; clock=`;
  return (headers) => `${start}${paceName(clock.pace)}; dialect=${dialectOf(dialect, headers)}`;
}

/** Starts listening; the gate answers 503 until it gets the application's request handler. */
export async function startHttpServer(config: Config) {
  const gate = new RequestGate(hostPolicyOf(config));
  const server = new HttpServer(gate);
  server.banner = bannerOf(config, config);
  const port = await server.listen(config.port, config.host);
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
    connections: () => server.connections.count,
    storage: () => ({
      damages: infrastructure.database.store.damage_count,
      isReadOnly: infrastructure.database.store.hindrance !== null,
    }),
    hooks: workflows.webhookCounts,
    usage: () => usageOf(context),
    bus: infrastructure.busStatistics,
    instruments: infrastructure.instruments,
  });
}

/** The handlers of the arm's API, by the id of their route; those of its data are made for a robot. */
const armHandlers: Handlers = {
  ...sessionHandlers,
  ...userHandlers,
  ...lockHandlers,
  ...calculationHandlers,
  ...controlHandlers,
  ...toolpathHandlers,
  ...informationHandlers,
};

/** Creates the request handler of the whole HTTP API. */
export function createHttpListener(context: AppContext) {
  const { config, log, infrastructure, robotAssembly, services, simulation } = context;
  const { workflows, health } = context;
  const version = productVersion();
  context.server.banner = bannerOf(config, robotAssembly.clock);
  context.server.linkFaults = simulation && createLinkFaults(simulation);
  const metrics = metricsOf(context);
  const proxies = new TrustedProxies(config.trustedProxies);
  proxies.onIgnored = (proxy) =>
    log.warn(
      `${proxy} says in X-Forwarded-For for whom it calls, which is ignored: log-ins and connections ` +
        `count for its own address. If it is your proxy, name it with --trust-proxy ${proxy}`,
    );
  return createApplication({
    services,
    handlers: {
      ...armHandlers,
      getUsage: () => answer({ usage: usageReply(usageOf(context)) }),
      ...createDataHandlers(services.robot),
      ...(simulation && simulationHandlers(simulation)),
      ...workflows.handlers,
    },
    streams: streamEndpoints(context).map(({ path }) => path),
    dialect: config.dialect,
    proxies,
    notReady: () => health.closing,
    storageFault: () => infrastructure.database.store.hindrance,
    notReadyReasons: () => health.notReadyReasons(services.robot.memory),
    metrics,
    isLate: config.pace.kind === 'stepped',
    onAnswered(request) {
      metrics.answered(request);
      log.answered(request);
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

/** Creates the handler of stream handshakes: the arm's events, and those of /sim/v1. */
export function createStreamUpgrade(context: AppContext) {
  const { config, services, health } = context;
  return createUpgradeHandler({
    identify: (secret) => identify(secret, services),
    bearerToken: handshakeToken,
    refuse: refuseOnSocket,
    headerLines: (socket) => Connection.of(socket).bannerLines,
    claim: (socket, caller) => Connection.of(socket).claim(claimantOf(caller, services.robot)),
    ready: () => health.closing === null,
    originAllowed: (request) => originAllowed(request, config.allowedOrigins),
    wall: services.wall,
    endpoints: streamEndpoints(context),
  });
}
