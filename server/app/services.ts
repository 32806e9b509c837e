/** Creates the services that request handlers use, and the simulation control API. */

import { CellWatch } from '../cell/cell.ts';
import type { Config } from '../cli/config.ts';
import { timestamp } from '../clock/twin-time.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { IdempotencyKeys } from '../http/idempotency.ts';
import type { Services } from '../http/services.ts';
import { AuditLog, type Log } from '../metrics/log.ts';
import { createPlanner } from '../planning/planner.ts';
import { PasswordChecks } from '../sessions/password-checks.ts';
import { Sessions } from '../sessions/sessions.ts';
import { Users } from '../sessions/users.ts';
import { ContactWatch } from '../simulation/contacts.ts';
import { FaultInjectingPlanner, FaultInjectingUpdates } from '../simulation/faults/fault-list.ts';
import { RobotStatus } from '../simulation/robot-status.ts';
import { Simulation } from '../simulation/simulation.ts';
import { SimulationStream } from '../simulation/simulation-stream.ts';
import { clockOf } from '../simulation/world-handlers.ts';
import { EVERYONE } from '../stream/hub.ts';
import { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import { Updates, type UpdatesParts } from '../updates/updates.ts';
import type { Infrastructure } from './infrastructure.ts';
import { productVersion } from './product-info.ts';
import type { RobotAssembly } from './robot-assembly.ts';
import { createRunReplays } from './run-worker.ts';

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
  const planner = createPlanner({ wall, timing, inline: config.plansInline });
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
    library: new ToolpathLibrary(database, documents),
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
    replayRun: createRunReplays(config.plansInline),
  });
}
