/**
 * Assembles the robot with its control loop, and creates the services that request handlers use and
 * the simulation control API.
 */
import { cellFingerprint } from '../../physics/cell/cell-events.ts';
import { timingOf } from '../../physics/motion/limits.ts';
import type { Config } from '../cli/config.ts';
import { Pacer } from '../clock/pacer.ts';
import { STEPPED_EPOCH_MS, Timers, timestamp } from '../clock/twin-time.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import type { Services } from '../http/handler.ts';
import { IdempotencyKeys } from '../http/idempotency.ts';
import { AuditLog, type Log } from '../metrics/log-and-health.ts';
import { createPlanner } from '../planning/planner.ts';
import { Digest } from '../recording/comparison.ts';
import { InvariantMonitor } from '../robot/invariants.ts';
import { ControlLoop, type LoopListener } from '../robot/loop.ts';
import { Robot } from '../robot/robot.ts';
import { PasswordChecks } from '../sessions/password-checks.ts';
import { Sessions } from '../sessions/sessions.ts';
import { Users } from '../sessions/users.ts';
import { CellWatch, ContactWatch } from '../simulation/contacts.ts';
import {
  FaultInjectingHub,
  FaultInjectingPlanner,
  FaultInjectingUpdates,
} from '../simulation/faults/fault-list.ts';
import { RobotStatus, SimulationStream } from '../simulation/robot-status.ts';
import { Simulation } from '../simulation/simulation.ts';
import { clockOf } from '../simulation/world-handlers.ts';
import { EVERYONE, Hub, type HubOptions } from '../stream/hub.ts';
import { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import { Updates, type UpdatesParts } from '../updates/updates.ts';
import type { Infrastructure } from './infrastructure.ts';
import { productVersion } from './product-info.ts';
import { createRunReplays } from './run-worker.ts';

/** Assembles the robot: its control loop, clock, timers, event streams and digest. */

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
    guidingRefusal: () => driver.guidingRefusal ?? null,
  });
  const digest = new Digest(
    () => robot.memory,
    () => (world?.cell ? cellFingerprint(world.cell) : ''),
  );
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
      for (const event of events) if (event.kind === 'log') log.info(event.text);
    },
  };
  const invariants = new InvariantMonitor({
    robot,
    feedback,
    onViolation(violation) {
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
    replayRun: createRunReplays(config.plansInline),
  });
}
