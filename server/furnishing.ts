/**
 * Furnishes the rooms that handlers enter, and opens the hand on the twin. Apart from the
 * composition root because it is longer than a choice.
 */
import { timestamp } from './clock/twin-time.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import type { Below, Core } from './core.ts';
import { FailedLogIns } from './http/failed-log-ins.ts';
import type { Rooms } from './http/rooms.ts';
import { productVersion } from './identity.ts';
import type { Log } from './metrics/log.ts';
import { DisturbedPlanner } from './planning/disturbed-planner.ts';
import { createPlanner } from './planning/planner.ts';
import { People } from './sessions/people.ts';
import { Sessions } from './sessions/sessions.ts';
import { clockOf } from './sim/clock-handlers.ts';
import { SimStream } from './sim/sim-stream.ts';
import { Simulation } from './sim/simulation.ts';
import { EVERYONE } from './stream/hub.ts';
import { Library } from './toolpaths/library.ts';
import { Updates } from './updates/updates.ts';

/** The rooms, with a planner that can be disturbed. */
type Furniture = Rooms & { readonly planner: DisturbedPlanner };

/** The rooms that handlers enter. */
export function furnish(
  { database }: Below,
  { robot, loop, hub, simHub, timers }: Core,
  log: Log,
): Furniture {
  const sessions = new Sessions({
    time: loop,
    timers,
    onEnd(session) {
      hub.closeSession(session);
      simHub.closeSession(session);
      if (session.token_id < 0) loop.apply({ kind: 'forget_token', token_id: session.token_id });
    },
  });
  return {
    robot,
    loop,
    hub,
    database,
    sessions,
    people: new People({
      database,
      timestamp: () => timestamp(loop),
      onUnsaved: (error) => log.error('The last use of tokens could not be saved', error),
    }),
    library: new Library(database),
    planner: new DisturbedPlanner(createPlanner({ wall: systemClock }), systemClock),
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
      onFailed: (message) => log.warn(message),
    }),
  };
}

interface Furnished {
  readonly config: Config;
  readonly below: Below;
  readonly core: Core;
  readonly rooms: Furniture;
}

/** The hand on the twin with its own stream; null with `--no-sim`. */
export function openSimulation({ config, below, core, rooms }: Furnished): Simulation | null {
  if (!config.sim) return null;
  const { driver, world, instruments } = below;
  const { planner } = rooms;
  const { clock, timers, robot, loop, digest, simHub: hub } = core;
  const lock = () => robot.memory.lock;
  loop.follow(new SimStream({ hub, world, lock, clock: () => clockOf({ rooms, clock }) }));
  return new Simulation({
    rooms,
    clock,
    timers,
    driver,
    world,
    instruments,
    disturbance: driver,
    planner,
    hub,
    digest,
    product: productVersion(),
  });
}
