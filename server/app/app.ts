/**
 * The composition root: creates the parts and connects them. The server listens first and answers
 * 503 until go_to works.
 */
import { resolve } from 'node:path';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { RobotEvent } from '../../contract/types.generated.ts';
import type { Config } from '../cli/config.ts';
import { type Clock, paceName } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import { advertiseOnNetwork } from '../service/discovery/mdns.ts';
import { loadExpress } from '../service/http/application.ts';
import { acceptUpgrades } from '../service/http/handshakes.ts';
import type { RequestGate } from '../service/http/request-gate.ts';
import { createLog, type Log } from '../service/logging/log.ts';
import { HealthMonitor } from '../service/metrics/health-monitor.ts';
import { ensureAdmin, type GeneratedCredentials } from '../service/sessions/first-admin.ts';
import { withoutRevokedTokens } from '../service/sessions/revoked-tokens.ts';
import { tokenWarning } from '../service/sessions/token-warning.ts';
import type { Digest } from '../service/simulation/digest.ts';
import { restoreInitialState } from '../service/simulation/simulation-start.ts';
import { EventList } from '../service/stream/event-list.ts';
import type { AppContext } from './app-context.ts';
import { openFoxglove } from './foxglove-assembly.ts';
import {
  createHttpListener,
  createStreamUpgrade,
  hostPolicyOf,
  startHttpServer,
} from './http-assembly.ts';
import { createInfrastructure, type Infrastructure, type Opening } from './infrastructure.ts';
import { logSourceOf } from './product-info.ts';
import { assembleRobot } from './robot-assembly.ts';
import { createServices } from './services.ts';
import { runShutdownSteps, type ShutdownStep } from './shutdown-steps.ts';
import { createSimulation } from './simulation-assembly.ts';
import { createWorkflowSystem } from './workflow-assembly.ts';

/** A running twin, as the process and the tests in it use it. */
export interface RunningTwin {
  readonly url: string;
  readonly port: number;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly digest: Digest;
  /** The simulated world around the arm, or null. */
  readonly world: ArmWorld | null;
  /** Secrets generated at this start, to be shown once; null if none were. */
  readonly generatedCredentials: GeneratedCredentials | null;
  readonly health: HealthMonitor;
  /** Address of the live connection for Foxglove, without a token; null: none. */
  readonly foxgloveUrl: string | null;
  /** The arm's events from now on, as the stream sends them to the first admin. */
  listen(): readonly RobotEvent[];
  close(): Promise<void>;
}

/** Subscribes a list in this process to the events of the arm, for a holder of an API token. */
function listenAs(token: string, { robotAssembly, services }: AppContext) {
  const { users } = services;
  const admin = users.list().find(({ role }) => role === 'admin');
  // The secrets of a folder of a former start are not known: the list then hears as no token.
  const { user_id, id: token_id } = users.tokenOf(token) ?? { user_id: admin?.id ?? 0, id: 0 };
  const role = users.find(user_id)?.role ?? 'admin';
  const list = new EventList({ user_id, token_id, role });
  robotAssembly.hub.add(list);
  return list.events;
}

const SHUTTING_DOWN = 'The twin is shutting down';

/**
 * Opens API, event streams and network advertisement; returns the steps that close them, in the
 * order of opening.
 */
async function openApi(context: AppContext, gate: RequestGate, port: number) {
  const { config, log, infrastructure, robotAssembly, services, simulation, server } = context;
  gate.setHandler(createHttpListener(context));
  acceptUpgrades(server, createStreamUpgrade(context), hostPolicyOf(config));
  const stopAdvertising = await advertiseOnNetwork(config, {
    name: infrastructure.database.name,
    port,
    address: server.address,
    onWarning: (text) => log.warn(text),
    onError: (error) => log.error('Could not advertise the arm on the network', error),
  });
  const { hub } = robotAssembly;
  const hubs = simulation ? [hub, simulation.parts.hub] : [hub];
  const stopPings = hubs.map((each) => each.startPings(services.wall));
  const closeStreams = () => {
    for (const stop of stopPings) stop();
    for (const each of hubs) each.closeAll(SHUTTING_DOWN);
  };
  return [() => server.close(services.wall), closeStreams, stopAdvertising];
}

/** Says in the log what has started. */
function logStart({ log, config, infrastructure }: AppContext, url: string): void {
  const { pace, dialect, data } = config;
  const driver = infrastructure.driver.name;
  const node = process.versions.node;
  log.info('Started', { url, driver, clock: paceName(pace), dialect, data, node });
}

/** Starts a twin; resolves when go_to works. A start that fails closes what it has opened. */
export async function startTwin(
  config: Config,
  keepCredentials?: (credentials: GeneratedCredentials) => void,
): Promise<RunningTwin> {
  const http = await startHttpServer(config);
  if (config.pace.kind !== 'stepped') await loadExpress();
  const opened: ShutdownStep[] = [];
  const opening = { opened, ...(keepCredentials && { keepCredentials }) };
  return assembleTwin(config, http, opening).catch(async (error: unknown) => {
    http.server.node.close();
    http.server.node.closeAllConnections();
    // The first failure is the one to report.
    await runShutdownSteps(opened.toReversed()).catch(() => {});
    throw error;
  });
}

type HttpParts = Awaited<ReturnType<typeof startHttpServer>>;

interface TwinOpening extends Opening {
  /** Gets the generated secrets before they count; the start fails where it throws. */
  readonly keepCredentials?: (credentials: GeneratedCredentials) => void;
}

/** What a start loads: the seed without the tokens that were revoked, and the cell. */
function seedOf(config: Config, { database }: Infrastructure, log: Log) {
  const warn = (text: string) => log.warn(text);
  const seed = config.seed && withoutRevokedTokens(config.seed, database, warn);
  return config.cell ? { ...seed, cell: config.cell } : seed;
}

/** Creates the parts of a twin behind a server. */
export async function assembleTwin(
  config: Config,
  { gate, server, port }: HttpParts,
  { opened = [], keepCredentials, ...opening }: TwinOpening = {},
): Promise<RunningTwin> {
  const log = createLog(config.logLevel, logSourceOf(config));
  const infrastructure = await createInfrastructure(config, log, { ...opening, opened });
  const robotAssembly = assembleRobot(config, infrastructure, log);
  const services = createServices(infrastructure, robotAssembly, { log, config });
  opened.push(
    () => services.documents.close(),
    () => services.planner.close(),
  );
  const adminParts = { ...services, log };
  const generatedCredentials = await ensureAdmin(adminParts, config, keepCredentials);
  if (generatedCredentials && config.data !== ':memory:') {
    log.info(`${resolve(config.data)} held no data: a new data folder was begun`);
  }
  const warning = tokenWarning(config);
  if (warning !== null) log.warn(warning);
  const assembled = { config, log, infrastructure, robotAssembly, services };
  const simulation = createSimulation(assembled);
  const workflows = await createWorkflowSystem({ ...assembled, simulation, port });
  opened.push(() => workflows.close());
  const health = new HealthMonitor(robotAssembly.loop);
  const context = { ...assembled, simulation, workflows, server, health };
  const { loop, clock } = robotAssembly;
  loop.subscribe(health);
  clock.start(loop);
  opened.push(() => clock.stop());
  const seed = seedOf(config, infrastructure, log);
  const onRecordFailure = (reason: string) => log.error(reason);
  opened.push(await restoreInitialState(simulation, { ...config, seed, onRecordFailure }));
  const foxglove = await openFoxglove(context);
  opened.push(() => foxglove?.close());
  opened.push(...(await openApi(context, gate, port)));

  const close = async () => {
    if (health.closing !== null) return;
    health.closing = SHUTTING_DOWN;
    log.info('Stopping');
    loop.apply({ kind: 'shut_down' });
    clock.stop();
    await runShutdownSteps(opened.toReversed());
  };
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${port}`;
  // After the lines for people, which the caller prints as soon as it has the twin.
  services.wall.afterUnreferenced(0, () => logStart(context, url));
  return {
    ...robotAssembly,
    url,
    port,
    generatedCredentials,
    health,
    foxgloveUrl: foxglove && `ws://${host}:${foxglove.port}/`,
    listen: () => listenAs(config.token ?? generatedCredentials?.token ?? '', context),
    close,
  };
}
