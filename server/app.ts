/**
 * The composition root: chooses the parts and joins them, and holds nothing else. The server
 * listens before the joints are ready, and answers 503 until go_to works.
 */
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, openApiDocument } from '../contract/api-docs.ts';
import { routeOf } from '../contract/routes.ts';
import type { Clock } from './clock/clock.ts';
import { paceName } from './clock/clock.ts';
import { Pacer } from './clock/pacer.ts';
import { Timers } from './clock/timers.ts';
import { STEPPED_EPOCH_MS, timestamp } from './clock/twin-time.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import { drivers } from './drivers.ts';
import { createApplication } from './http/application.ts';
import { FailedLogIns } from './http/failed-log-ins.ts';
import { handlers } from './http/handlers/table.ts';
import { identify } from './http/identity.ts';
import type { Rooms } from './http/rooms.ts';
import { createHttpServer, Gate, listen, shut } from './http/server.ts';
import { productVersion, robotName, SOFTWARE_VERSION } from './identity.ts';
import { createLog, type Log } from './metrics/log.ts';
import { createPlanner } from './planning/planner.ts';
import { Digest } from './recording/digest.ts';
import { Loop, type LoopListener } from './robot/loop.ts';
import { Robot } from './robot/robot.ts';
import { ensureAdmin, type MadeUp } from './sessions/first-admin.ts';
import { People } from './sessions/people.ts';
import { Sessions } from './sessions/sessions.ts';
import { Database } from './store/database.ts';
import { emptyRecords } from './store/records.ts';
import { EVERYONE, Hub } from './stream/hub.ts';
import { createUpgrade } from './stream/upgrade.ts';
import { Library } from './toolpaths/library.ts';
import { Updates } from './updates/updates.ts';

/** A running twin, as the process and tests in it hold it. */
export interface RunningTwin {
  readonly url: string;
  readonly port: number;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly digest: Digest;
  /** Secrets that were made up at the start and must be told once. */
  readonly madeUp: MadeUp | null;
  close(): Promise<void>;
}

const VIEWER = fileURLToPath(new URL('../viewer', import.meta.url));

/** The doors: a listening server that answers 503 until the application stands behind its gate. */
async function openDoors(config: Config) {
  const gate = new Gate();
  const server = createHttpServer(gate);
  const port = await listen(server, config.port, config.host);
  return { gate, server, port };
}

/** What is kept, and the joints: everything that takes time before go_to works. */
async function openBelow(config: Config, log: Log) {
  const fresh = emptyRecords(config.name ?? robotName(config.noise_seed), SOFTWARE_VERSION);
  const database = await Database.open(config.data, fresh);
  for (const finding of await database.inspect()) log.warn(finding);
  const { driver } = drivers[config.driver](config);
  return { database, driver, feedback: await driver.start() };
}

type Below = Awaited<ReturnType<typeof openBelow>>;

/** The robot in its loop, with the stream and the digest listening. */
function assembleRobot(config: Config, { driver, feedback }: Below, log: Log) {
  const timers = new Timers();
  const stepped = config.pace.kind === 'stepped';
  const epoch_ms = stepped ? STEPPED_EPOCH_MS : systemClock.epoch_ms();
  const robot = new Robot({
    feedback,
    epoch_ms,
    timezone: config.timezone,
    seed: config.noise_seed,
    recover: () => driver.recover(),
  });
  const digest = new Digest(() => robot.memory);
  const hub = new Hub({
    onListening: (somebody) => robot.listen(somebody),
    lockHolder: () => robot.lockHolder,
  });
  const stream: LoopListener = {
    onEvents(events) {
      hub.publish(events);
      for (const event of events) if (event.kind === 'log') log.info(event.text);
    },
  };
  const loop = new Loop({ robot, driver, timers, feedback, epoch_ms, listeners: [stream, digest] });
  return { timers, robot, digest, hub, loop, clock: new Pacer(config.pace, systemClock) };
}

type Core = ReturnType<typeof assembleRobot>;

/** The rooms that handlers enter. */
function furnish({ database }: Below, { robot, loop, hub, timers }: Core, log: Log): Rooms {
  const sessions = new Sessions({
    time: loop,
    timers,
    onEnd(session) {
      hub.closeSession(session);
      if (session.token_id < 0) loop.apply({ kind: 'forget_token', token_id: session.token_id });
    },
  });
  return {
    robot,
    loop,
    hub,
    database,
    sessions,
    people: new People(database, () => timestamp(loop)),
    library: new Library(database),
    planner: createPlanner({ wall: systemClock }),
    time: loop,
    wall: systemClock,
    failedLogIns: new FailedLogIns(systemClock),
    updates: new Updates({
      database,
      loop,
      time: loop,
      timers,
      sessions,
      announce: (message) => hub.tell({ type: 'update_in_progress', message }, EVERYONE),
      onUnsaved: (error) => log.error('The version could not be saved', error),
    }),
  };
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
  let closing: string | null = null;
  gate.open(
    createApplication({
      rooms,
      handlers,
      dialect: config.dialect,
      notReady: () => closing,
      banner: (dialect) => {
        const pace = paceName(core.clock.pace);
        return `${version}; driver=${driver.name}; clock=${pace}; dialect=${dialect}`;
      },
      onBug: (error, row) => log.error(`A bug while answering ${row?.id ?? 'a request'}`, error),
      viewer: VIEWER,
      documents: {
        '/openapi.json': (baseUrl) => openApiDocument({ version, baseUrl }),
        '/asyncapi.json': (baseUrl) => asyncApiDocument({ version, baseUrl }),
      },
      allowedOrigins: config.allowedOrigins,
    }),
  );
  const upgrade = createUpgrade({
    hub: core.hub,
    identify: (secret) => identify(secret, rooms),
    ready: () => closing === null,
    allowedOrigins: config.allowedOrigins,
    path: routeOf('openStream').path,
  });
  server.on('upgrade', upgrade);
  core.clock.start(core.loop);
  const stopPings = core.hub.keepAlive(systemClock);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;

  const close = async () => {
    if (closing) return;
    closing = 'The twin is shutting down';
    core.loop.apply({ kind: 'shut_down' });
    core.clock.stop();
    stopPings();
    core.hub.closeAll(closing);
    await shut(server, systemClock);
    await rooms.planner.close();
    await driver.stop();
    await below.database.close();
  };
  return { ...core, url: `http://${host}:${port}`, port, madeUp, close };
}
