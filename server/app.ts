/**
 * The composition root: chooses the parts and joins them, and holds nothing else. The server
 * listens before the joints are ready, and answers 503 until go_to works.
 */
import { fileURLToPath } from 'node:url';
import type { ArmWorld } from '../bridge/arm-world.ts';
import { asyncApiDocument, openApiDocument } from '../contract/api-docs.ts';
import { routeOf } from '../contract/routes.ts';
import type { Clock } from './clock/clock.ts';
import { paceName } from './clock/clock.ts';
import type { Timers } from './clock/timers.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import { assembleRobot, openBelow } from './core.ts';
import { tellNetwork } from './discovery/discovery.ts';
import { furnish, openSimulation } from './furnishing.ts';
import { createApplication } from './http/application.ts';
import { handlers } from './http/handlers/table.ts';
import { identify } from './http/identity.ts';
import { connectionCount, createHttpServer, Gate, listen, shut } from './http/server.ts';
import { productVersion } from './identity.ts';
import { BlackBox } from './metrics/black-box.ts';
import { createLog } from './metrics/log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { planningFigures } from './planning/planning-pool.ts';
import type { Digest } from './recording/digest.ts';
import type { Loop } from './robot/loop.ts';
import type { Robot } from './robot/robot.ts';
import { ensureAdmin, type MadeUp } from './sessions/first-admin.ts';
import { callWatch } from './sim/call-watch.ts';
import { simHandlers } from './sim/handlers.ts';
import { comeUp } from './sim/resetting.ts';
import { createUpgrade } from './stream/upgrade.ts';

/** A running twin, as the process and tests in it hold it. */
export interface RunningTwin {
  readonly url: string;
  readonly port: number;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly digest: Digest;
  /** The world around a simulated arm, or null. */
  readonly world: ArmWorld | null;
  /** Secrets that were made up at the start and must be told once. */
  readonly madeUp: MadeUp | null;
  readonly blackBox: BlackBox;
  close(): Promise<void>;
}

const VIEWER = fileURLToPath(new URL('../viewer', import.meta.url));
const DOCS_PAGE = fileURLToPath(new URL('../docs-page', import.meta.url));

/** The doors: a listening server that answers 503 until the application stands behind its gate. */
async function openDoors(config: Config) {
  const gate = new Gate();
  const server = createHttpServer(gate);
  const port = await listen(server, config.port, config.host);
  return { gate, server, port };
}

/** Path and role of a stream's row. */
function doorOf(id: 'openStream' | 'openSimStream') {
  const { path, role } = routeOf(id);
  return { path, role };
}

/** Starts a twin by its settings; resolves when go_to works. */
export async function startTwin(config: Config): Promise<RunningTwin> {
  const log = createLog(config.logLevel);
  const { gate, server, port } = await openDoors(config);
  const below = await openBelow(config, log);
  const core = assembleRobot(config, below, log);
  const rooms = furnish(below, core, log);
  const madeUp = await ensureAdmin(rooms.people, config);
  const version = productVersion();
  const { driver } = below;
  const simulation = openSimulation({ config, below, core, rooms });
  const hubs = [core.hub, ...(simulation ? [simulation.parts.hub] : [])];
  let closing: string | null = null;
  const blackBox = new BlackBox();
  core.loop.follow(blackBox);
  const metrics = createMetrics({
    ...core,
    state: () => core.robot.memory.state,
    streams: { arm: core.hub, sim: core.simHub },
    planning: planningFigures,
    connections: () => connectionCount(server),
  });
  core.clock.start(core.loop);
  const endRecording = await comeUp(simulation, config);
  gate.open(
    createApplication({
      rooms,
      handlers: { ...handlers, ...(simulation && simHandlers(simulation)) },
      dialect: config.dialect,
      notReady: () => closing,
      unready: () => blackBox.reasons(closing, planningFigures()),
      metrics,
      onAnswered(request) {
        metrics.answered(request);
        log.answered(request);
      },
      banner: (dialect) => {
        const pace = paceName(core.clock.pace);
        return `${version}; driver=${driver.name}; clock=${pace}; dialect=${dialect}`;
      },
      onBug: (error, row) => log.error(`A bug while answering ${row?.id ?? 'a request'}`, error),
      viewer: VIEWER,
      docsPage: DOCS_PAGE,
      documents: {
        '/openapi.json': (baseUrl) => openApiDocument({ version, baseUrl }),
        '/asyncapi.json': (baseUrl) => asyncApiDocument({ version, baseUrl }),
      },
      allowedOrigins: config.allowedOrigins,
      ...(simulation && callWatch(simulation)),
    }),
  );
  const upgrade = createUpgrade({
    identify: (secret) => identify(secret, rooms),
    ready: () => closing === null,
    allowedOrigins: config.allowedOrigins,
    doors: [
      { ...doorOf('openStream'), hub: core.hub },
      ...(simulation ? [{ ...doorOf('openSimStream'), hub: simulation.parts.hub }] : []),
    ],
  });
  server.on('upgrade', upgrade);
  const leaveNetwork = await tellNetwork(config, {
    name: below.database.records.name,
    port,
    onError: (error) => log.error('The network was not told of the arm', error),
  });
  const stopPings = hubs.map((hub) => hub.keepAlive(systemClock));
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;

  const close = async () => {
    if (closing) return;
    closing = 'The twin is shutting down';
    core.loop.apply({ kind: 'shut_down' });
    core.clock.stop();
    await leaveNetwork();
    for (const stop of stopPings) stop();
    for (const hub of hubs) hub.closeAll(closing);
    await shut(server, systemClock);
    await endRecording();
    await rooms.planner.close();
    await driver.stop();
    await below.database.close();
  };
  return { ...core, url: `http://${host}:${port}`, port, madeUp, blackBox, close };
}
