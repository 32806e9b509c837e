/** Creates the simulation control API (/sim/v1) and subscribes its event stream to the loop. */
import { LoadedCheck } from '../cell/loaded-check.ts';
import type { Config } from '../cli/config.ts';
import { clockOf } from '../clock/clock-reply.ts';
import type { Services } from '../service/http/services.ts';
import type { Log } from '../service/logging/log.ts';
import { CellWatch } from '../service/simulation/cell-watch.ts';
import { ContactWatch } from '../service/simulation/contact-watch.ts';
import { RobotStatus } from '../service/simulation/robot-status.ts';
import { Simulation } from '../service/simulation/simulation.ts';
import { SimulationStream } from '../service/simulation/simulation-stream.ts';
import { type StopReports, StopWatch } from '../service/simulation/stop-watch.ts';
import { EVERYONE } from '../service/stream/audience.ts';
import type { Infrastructure } from './infrastructure.ts';
import { productVersion } from './product-info.ts';
import type { RobotAssembly } from './robot-assembly.ts';
import { RunReplayThreads } from './run-replays.ts';
import { createSnapshotTrials } from './snapshot-trials.ts';

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
  const report: StopReports = (level, text) => {
    log[level === 'warning' ? 'warn' : 'info'](text);
    hub.publish({ type: 'log', level, text, tick: loop.tick }, EVERYONE);
  };
  loop.subscribe(new StopWatch({ memory: () => robot.memory, world, report }));
  const loadedCheck =
    world &&
    new LoadedCheck({
      memory: () => robot.memory,
      world,
      planner: services.planner,
      report,
      publish: (check) => hub.publish({ type: 'cell_check', check }, EVERYONE),
    });
  if (loadedCheck) loop.subscribe(loadedCheck);
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
  const replays = new RunReplayThreads(config.plansInline, services.wall);
  return new Simulation({
    services,
    clock,
    timers,
    driver,
    world,
    loadedCheck,
    instruments,
    driverFaults,
    injectedFaults,
    hub,
    status,
    digest,
    product: productVersion(),
    replayRun: replays.replay,
    replayQueue: replays.queue,
    trySnapshot: createSnapshotTrials(config.plansInline, services.wall),
    logError: (text) => log.error(text),
  });
}
