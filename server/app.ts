/**
 * The composition root: chooses the parts and joins them, and holds nothing else. The server
 * listens before the joints are ready, and answers 503 until go_to works.
 */
import { fileURLToPath } from 'node:url';
import { limits } from '../contract/limits.ts';
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
import { createHttpServer, Gate, listen } from './http/server.ts';
import { productVersion, robotName, SOFTWARE_VERSION } from './identity.ts';
import { createLog } from './metrics/log.ts';
import { createPlanner } from './planning/planner.ts';
import { Digest } from './recording/digest.ts';
import { Loop, type LoopListener } from './robot/loop.ts';
import { Robot } from './robot/robot.ts';
import { ensureAdmin, type MadeUp } from './sessions/first-admin.ts';
import { People } from './sessions/people.ts';
import { Sessions } from './sessions/sessions.ts';
import { Database } from './store/database.ts';
import { emptyRecords } from './store/records.ts';
import { Hub } from './stream/hub.ts';
import { createUpgrade } from './stream/upgrade.ts';
import { Library } from './toolpaths/library.ts';

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

/** Starts a twin by its settings; resolves when go_to works. */
export async function startTwin(config: Config): Promise<RunningTwin> {
  const wall = systemClock;
  const log = createLog(config.logLevel);
  const gate = new Gate();
  const server = createHttpServer(gate);
  const port = await listen(server, config.port, config.host);
  const fresh = emptyRecords(config.name ?? robotName(config.noise_seed), SOFTWARE_VERSION);
  const database = await Database.open(config.data, fresh);
  for (const finding of await database.inspect()) log.warn(finding);
  const { driver } = drivers[config.driver](config);
  const feedback = await driver.start();

  const timers = new Timers();
  const epoch_ms = config.pace.kind === 'stepped' ? STEPPED_EPOCH_MS : wall.epoch_ms();
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
  const listeners = [stream, digest];
  const loop = new Loop({ robot, driver, timers, feedback, epoch_ms, listeners });
  const people = new People(database, () => timestamp(loop));
  const sessions = new Sessions({
    time: loop,
    timers,
    onEnd(session) {
      hub.closeSession(session);
      if (session.token_id < 0) loop.apply({ kind: 'forget_token', token_id: session.token_id });
    },
  });
  const madeUp = await ensureAdmin(people, config);
  const planner = createPlanner({ wall });
  const clock = new Pacer(config.pace, wall);
  let closing: string | null = null;

  const version = productVersion();
  const application = createApplication({
    rooms: {
      robot,
      loop,
      planner,
      people,
      sessions,
      library: new Library(database),
      database,
      hub,
      time: loop,
      wall,
      failedLogIns: new FailedLogIns(wall),
    },
    handlers,
    dialect: config.dialect,
    notReady: () => closing,
    banner: (dialect) =>
      `${version}; driver=${driver.name}; clock=${paceName(clock.pace)}; dialect=${dialect}`,
    onBug: (error, row) => log.error(`A bug while answering ${row?.id ?? 'a request'}`, error),
    viewer: VIEWER,
    documents: {},
    allowedOrigins: config.allowedOrigins,
  });
  gate.open(application);
  server.on(
    'upgrade',
    createUpgrade({
      hub,
      identify: (secret) => identify(secret, { sessions, people }),
      ready: () => closing === null,
      allowedOrigins: config.allowedOrigins,
      path: routeOf('openStream').path,
    }),
  );
  clock.start(loop);
  const ping = () => {
    hub.pingAll();
    cancelPing = wall.afterUnreferenced(limits.stream_ping_s * 1000, ping);
  };
  let cancelPing = wall.afterUnreferenced(limits.stream_ping_s * 1000, ping);

  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    port,
    robot,
    loop,
    clock,
    timers,
    digest,
    madeUp,
    async close() {
      if (closing) return;
      closing = 'The twin is shutting down';
      loop.apply({ kind: 'shut_down' });
      clock.stop();
      cancelPing();
      hub.closeAll(closing);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        wall.afterUnreferenced(1000, () => server.closeAllConnections());
      });
      await planner.close();
      await driver.stop();
      await database.close();
    },
  };
}
