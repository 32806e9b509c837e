/**
 * Assembles the robot with its control loop, the services of request handlers, the simulation
 * control API, what answers HTTP and opens streams, and the workflow scheduler (D8).
 */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, openApiDocument } from '../../contract/api-docs.ts';
import { routeOf } from '../../contract/routes.ts';
import { timingOf } from '../../physics/motion/timing-laws.ts';
import type { Config } from '../cli/config.ts';
import { type Pace, Pacer, paceName } from '../clock/clock.ts';
import { STEPPED_EPOCH_MS, Timers, timestamp } from '../clock/twin-time.ts';
import { DocumentReader } from '../documents/document-tasks.ts';
import { type FoxgloveServer, startFoxgloveServer } from '../foxglove/foxglove-server.ts';
import { calculationHandlers, controlHandlers, lockHandlers } from '../http/handlers/robot.ts';
import { dataHandlers, informationHandlers, toolpathHandlers } from '../http/handlers/toolpaths.ts';
import { sessionHandlers, userHandlers } from '../http/handlers/users.ts';
import { IdempotencyKeys } from '../http/idempotency.ts';
import { createApplication, dialectOf } from '../http/pipeline.ts';
import {
  type Banner,
  bannerLines,
  type Handlers,
  refuseOnSocket,
  type Services,
  setBanner,
} from '../http/reply.ts';
import { bearerToken, identify, originAllowed } from '../http/request-parts.ts';
import {
  connectionCount,
  createHttpServer,
  HostPolicy,
  listen,
  RequestGate,
} from '../http/server.ts';
import { AuditLog, createMetrics, type HealthMonitor, type Log } from '../metrics/metrics.ts';
import { createPlanner, planningMetrics } from '../planning/planner.ts';
import { InvariantMonitor, recordViolation } from '../robot/invariants.ts';
import { ControlLoop, LockKeeper, type LoopListener } from '../robot/loop.ts';
import { Robot } from '../robot/robot.ts';
import { PasswordChecks } from '../sessions/password-checks.ts';
import { Sessions, Users } from '../sessions/users.ts';
import {
  FaultInjectingHub,
  FaultInjectingPlanner,
  FaultInjectingUpdates,
} from '../simulation/faults/fault-list.ts';
import { simulationHandlers } from '../simulation/handlers.ts';
import { RobotStatus, SimulationStream } from '../simulation/robot-status.ts';
import { Simulation } from '../simulation/simulation.ts';
import { CellWatch, ContactWatch, createCallInterceptor, Digest } from '../simulation/watches.ts';
import { clockOf } from '../simulation/world-handlers.ts';
import { EVERYONE, Hub, type HubOptions } from '../stream/hub.ts';
import { createUpgradeHandler } from '../stream/upgrade.ts';
import { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import { Updates, type UpdatesParts } from '../updates/updates.ts';
import { webhookHandlers } from '../webhooks/handlers.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { RunArchive, Workflows } from '../workflow/archive.ts';
import { definitionHandlers } from '../workflow/definition-handlers.ts';
import { reportHandlers } from '../workflow/run-reports.ts';
import { instrumentHandlers, Runs, runHandlers, workcellHandlers } from '../workflow/runs.ts';
import { Workcells } from '../workflow/workcells.ts';
import type { Infrastructure } from './infrastructure.ts';
import { productVersion } from './product-info.ts';
import { createRunReplays } from './run-worker.ts';
import { createSnapshotTrials } from './snapshot-trials.ts';

/** Connects the robot to its driver; the event stream and the digest subscribe to the loop. */
export function assembleRobot(config: Config, infrastructure: Infrastructure, log: Log) {
  const { wall, driver, driverFaults, injectedFaults, world, feedback } = infrastructure;
  const timers = new Timers();
  const stepped = config.pace.kind === 'stepped';
  const epoch_ms = stepped ? STEPPED_EPOCH_MS : wall.epoch_ms();
  const robot = new Robot({
    feedback,
    epoch_ms,
    timezone: config.timezone,
    seed: config.noise_seed,
    recover: () => driver.recover(),
    timing: config.profile && timingOf(config.profile),
    range: driver.range_rad ?? null,
    guidingRefusal: () => driver.guidingRefusal ?? null,
  });
  const digest = new Digest({ robot, world, loop: () => loop });
  const lockHolder = () => robot.lockHolder;
  const hubOptions: HubOptions = {
    onSubscribersChange: (hasSubscribers) => robot.trackChanges(hasSubscribers),
    lockHolder,
    onDelivery: (delivery) => invariants.onDelivery(delivery),
  };
  const hub = injectedFaults
    ? new FaultInjectingHub(hubOptions, wall, injectedFaults.messages)
    : new Hub(hubOptions);
  const simHub = new Hub({ onSubscribersChange: () => {}, lockHolder });
  const stream: LoopListener = {
    onEvents(events) {
      hub.publishRobotEvents(events);
      for (const event of events) {
        if (event.kind === 'log') log[event.level === 'info' ? 'info' : 'warn'](event.text);
      }
    },
  };
  const invariants = new InvariantMonitor({
    robot,
    feedback,
    onViolation(violation) {
      recordViolation(violation);
      const { statement, left, right, tick } = violation;
      log.error(`Violated at tick ${tick}: ${statement}; ${left}, but ${right}`);
      simHub.publish({ type: 'violation', ...violation }, EVERYONE);
    },
  });
  const loop = new ControlLoop({
    robot,
    driver,
    worldPorts: { world, driverFaults },
    timers,
    feedback,
    epoch_ms,
    listeners: [stream, digest, invariants],
  });
  const clock = new Pacer(config.pace, wall);
  loop.subscribe(new LockKeeper({ robot, loop, timers, clock, wall }));
  return { timers, robot, world, digest, hub, simHub, loop, clock, invariants };
}

export type RobotAssembly = ReturnType<typeof assembleRobot>;

/** The sessions: one that ends closes its streams and releases its lock. */
function createSessions({ loop, hub, simHub, timers }: RobotAssembly): Sessions {
  return new Sessions({
    time: loop,
    timers,
    onEnd(session) {
      hub.closeSession(session);
      simHub.closeSession(session);
      if (session.token_id < 0) loop.apply({ kind: 'forget_token', token_id: session.token_id });
    },
  });
}

/** Creates the services. */
export function createServices(
  { wall, database, injectedFaults }: Infrastructure,
  robotAssembly: RobotAssembly,
  { log, config }: { readonly log: Log; readonly config: Pick<Config, 'plansInline'> },
): Services {
  const { robot, loop, hub, timers, clock } = robotAssembly;
  const sessions = createSessions(robotAssembly);
  const passwords = new PasswordChecks(wall);
  const timing = () => robot.memory.timing;
  const planner = createPlanner({ wall, timing, range: robot.range, inline: config.plansInline });
  const documents = new DocumentReader({
    wall,
    keepsTime: () => !clock.paused && clock.pace.kind !== 'stepped',
  });
  const updatesParts: UpdatesParts = {
    database,
    loop,
    time: loop,
    timers,
    sessions,
    announce: (message) => hub.publish({ type: 'update_in_progress', message }, EVERYONE),
    onUnsaved: (error) => log.error('Could not save the software version', error),
  };
  const users = new Users({
    database,
    passwords,
    timestamp: () => timestamp(loop),
    onUnsaved: (error) => log.error('Could not save the last use of tokens', error),
  });
  const { store } = database;
  const idempotency = new IdempotencyKeys({ store, wall, passwords });
  users.onDeleted.push((user_id) => idempotency.remove(user_id));
  return {
    robot,
    loop,
    hub,
    database,
    sessions,
    users,
    library: new ToolpathLibrary(database, documents, () => timestamp(loop)),
    documents,
    planner: injectedFaults
      ? new FaultInjectingPlanner(planner, wall, injectedFaults.plans)
      : planner,
    clock,
    time: loop,
    wall,
    passwords,
    audit: new AuditLog(log, wall.now_ms),
    idempotency,
    updates: injectedFaults
      ? new FaultInjectingUpdates(updatesParts, {
          rules: injectedFaults.installations,
          onFailed: (message) => log.warn(message),
        })
      : new Updates(updatesParts),
  };
}

interface SimulationOptions {
  readonly config: Config;
  readonly infrastructure: Infrastructure;
  readonly robotAssembly: RobotAssembly;
  readonly services: Services;
  readonly log: Log;
}

/** Creates the simulation control API (/sim/v1) with its event stream; null with `--no-sim`. */
export function createSimulation(options: SimulationOptions): Simulation | null {
  const { config, infrastructure, robotAssembly, services, log } = options;
  if (!config.sim) return null;
  const { driver, driverFaults, injectedFaults, world, instruments } = infrastructure;
  const { clock, timers, robot, loop, digest, simHub: hub } = robotAssembly;
  const lock = () => robot.memory.lock;
  const stream = new SimulationStream({
    hub,
    world,
    lock,
    clock: () => clockOf({ services, clock }),
  });
  loop.subscribe(stream);
  const status = new RobotStatus(robot, (now) => {
    if (hub.size > 0) hub.publish({ type: 'status', status: now() }, EVERYONE);
  });
  loop.subscribe(status);
  if (world) {
    const watch = new ContactWatch(world, (contact, text) => {
      log.info(text);
      hub.publish({ type: 'contact', contact }, EVERYONE);
    });
    loop.subscribe(watch);
    const cellWatch = new CellWatch({
      world,
      publish: (event) => hub.publish(event, EVERYONE),
      log: (text) => log.info(text),
      hasSubscribers: () => hub.size > 0,
      onFailure(reason) {
        log.error(`The cell stopped the clock: ${reason}`);
        clock.setPaused(true);
      },
    });
    loop.subscribe(cellWatch);
  }
  return new Simulation({
    services,
    clock,
    timers,
    driver,
    world,
    instruments,
    driverFaults,
    injectedFaults,
    hub,
    status,
    digest,
    product: productVersion(),
    replayRun: createRunReplays(config.plansInline, services.wall),
    trySnapshot: createSnapshotTrials(config.plansInline, services.wall),
    logError: (text) => log.error(text),
  });
}

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

/** What every reply says of its sender (D4). */
function bannerOf({ driver, dialect }: Config, clock: { readonly pace: Pace }): Banner {
  const start = `${productVersion()}; driver=${driver}; clock=`;
  return (headers) => `${start}${paceName(clock.pace)}; dialect=${dialectOf(dialect, headers)}`;
}

/** Starts listening; the gate answers 503 until it gets the application's request handler. */
export async function startHttpServer(config: Config) {
  const gate = new RequestGate(hostPolicyOf(config));
  const server = createHttpServer(gate);
  setBanner(server, bannerOf(config, config));
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
      isReadOnly: infrastructure.database.store.hindrance !== null,
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
  setBanner(context.server, bannerOf(config, robotAssembly.clock));
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
    storageFault: () => infrastructure.database.store.hindrance,
    notReadyReasons: () => health.notReadyReasons(planningMetrics(), services.robot.memory),
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
    headerLines: bannerLines,
    ready: () => health.closing === null,
    originAllowed: (request) => originAllowed(request, config.allowedOrigins),
    wall: services.wall,
    endpoints: streamEndpoints(context),
  });
}

/** The second system of the twin (D8), workflows and webhooks, as calls and the shutdown use it. */
export interface WorkflowSystem {
  readonly handlers: Handlers;
  /** Deliveries by state, for /metrics. */
  readonly webhookCounts: () => Readonly<Record<string, number>>;
  close(): Promise<void>;
}

interface WorkflowSystemOptions {
  readonly config: Config;
  readonly robotAssembly: RobotAssembly;
  readonly services: Services;
  readonly simulation: Simulation | null;
  readonly log: Log;
  readonly port: number;
}

/** Opens the stores and the scheduler; runs that a crash interrupted are stopped. */
export async function createWorkflowSystem(
  options: WorkflowSystemOptions,
): Promise<WorkflowSystem> {
  const { config, robotAssembly, services, simulation, log, port } = options;
  const { robot, loop, timers, clock } = robotAssembly;
  const { planner, wall } = services;
  const onUnsaved = (error: unknown) => log.error('Could not save a webhook delivery', error);
  const { store } = services.database;
  const webhooks = new Webhooks({
    store,
    profile: config.webhooks,
    rules: { allowPrivate: config.privateHooks, ownPort: () => port },
    wall,
    onUnsaved,
  });
  services.documents.addresses = { allowPrivate: config.privateHooks, ownPort: port };
  const workcells = new Workcells(store);
  const workflows = new Workflows({ ...services, workcells });
  const archive = new RunArchive(store);
  const addDeliveries: Webhooks['addDeliveries'] = (...given) => webhooks.addDeliveries(...given);
  const cell = () => robotAssembly.world?.cell ?? null;
  const shared = { archive, workcells, robot, loop, timers, clock, planner, wall, cell };
  const runs = new Runs({ ...shared, addDeliveries, onUnsaved });
  await runs.flush();
  simulation?.resetHooks.push(async (scopes) => {
    if (!scopes.has('workflows')) return;
    // Each adds its transaction in this turn, so that no other call's comes between them.
    const resets = [runs.reset(), workcells.reset(), workflows.reset(), webhooks.reset()];
    await Promise.all([...resets, services.idempotency.forgetWorkflows()]);
  });
  services.users.onDeleted.push(async (user_id) => {
    runs.stopAllOf(user_id);
    await workflows.removeAllOf(user_id);
    await workcells.removeAllOf(user_id);
    await webhooks.removeSecret(user_id);
  });
  const nextPlanId = () => runs.nextPlanId();
  return {
    webhookCounts: () => webhooks.outbox.figures(),
    handlers: {
      ...definitionHandlers({ workflows, planner, wall, nextPlanId }),
      ...runHandlers(runs, workflows),
      ...workcellHandlers(runs, workcells),
      ...reportHandlers(runs),
      ...webhookHandlers(webhooks, loop),
      ...(config.sim && instrumentHandlers(runs)),
    },
    async close() {
      await runs.flush();
      webhooks.close();
    },
  };
}
