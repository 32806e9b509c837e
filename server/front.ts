/**
 * The twin's front: all that answers HTTP and opens streams, put together over its rooms. Apart
 * from the composition root because it is longer than a choice.
 */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, openApiDocument } from '../contract/api-docs.ts';
import { routeOf } from '../contract/routes.ts';
import { paceName } from './clock/clock.ts';
import type { Config } from './config.ts';
import type { Below, Core } from './core.ts';
import { createApplication } from './http/application.ts';
import { handlers } from './http/handlers/table.ts';
import { identify } from './http/identity.ts';
import type { Rooms } from './http/rooms.ts';
import { connectionCount, createHttpServer, Gate, listen } from './http/server.ts';
import { productVersion } from './identity.ts';
import type { BlackBox } from './metrics/black-box.ts';
import type { Log } from './metrics/log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { planningFigures } from './planning/planning-pool.ts';
import { callWatch } from './sim/call-watch.ts';
import { simHandlers } from './sim/handlers.ts';
import type { Simulation } from './sim/simulation.ts';
import { createUpgrade } from './stream/upgrade.ts';
import type { WorkflowSystem } from './workflows.ts';

const VIEWER = fileURLToPath(new URL('../viewer', import.meta.url));
const DOCS_PAGE = fileURLToPath(new URL('../docs-page', import.meta.url));

/** What stands behind the front. */
export interface House {
  readonly config: Config;
  readonly log: Log;
  readonly below: Below;
  readonly core: Core;
  readonly rooms: Rooms;
  readonly simulation: Simulation | null;
  readonly workflows: WorkflowSystem;
  readonly server: Server;
  readonly blackBox: BlackBox;
  /** Null while go_to works; else why not. */
  readonly notReady: () => string | null;
}

/** The doors: a listening server that answers 503 until the application stands behind its gate. */
export async function openDoors(config: Config) {
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

/** Figures of the whole twin, for /metrics. */
function figuresOf({ core, server, below, workflows }: House) {
  return createMetrics({
    ...core,
    state: () => core.robot.memory.state,
    streams: { arm: core.hub, sim: core.simHub },
    planning: planningFigures,
    connections: () => connectionCount(server),
    hooks: workflows.hookFigures,
    bus: below.busFigures,
    instruments: below.instruments,
  });
}

/** Everything that answers HTTP. */
export function createFront(house: House) {
  const { config, log, below, core, rooms, simulation, workflows } = house;
  const { blackBox, notReady } = house;
  const version = productVersion();
  const metrics = figuresOf(house);
  return createApplication({
    rooms,
    handlers: { ...handlers, ...(simulation && simHandlers(simulation)), ...workflows.handlers },
    dialect: config.dialect,
    notReady,
    unready: () => blackBox.reasons(notReady(), planningFigures()),
    metrics,
    onAnswered(request) {
      metrics.answered(request);
      log.answered(request);
    },
    banner: (dialect) => {
      const pace = paceName(core.clock.pace);
      return `${version}; driver=${below.driver.name}; clock=${pace}; dialect=${dialect}`;
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
  });
}

/** What opens the streams: the arm's, and the twin's own where there is one. */
export function createStreamDoor({ config, core, rooms, simulation, notReady }: House) {
  return createUpgrade({
    identify: (secret) => identify(secret, rooms),
    ready: () => notReady() === null,
    allowedOrigins: config.allowedOrigins,
    doors: [
      { ...doorOf('openStream'), hub: core.hub },
      ...(simulation ? [{ ...doorOf('openSimStream'), hub: simulation.parts.hub }] : []),
    ],
  });
}
