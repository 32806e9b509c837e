/**
 * Takes a whole twin as one value and puts it back, whole or in parts. What is on disk comes
 * first; robot, world and time then change together, between two ticks.
 */
import type { ResetScope } from '../../contract/types.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import { restoreLibrary, takeLibrary } from './library-image.ts';
import type { Simulation } from './simulation.ts';
import {
  type Keeper,
  type LibraryImage,
  type PeopleImage,
  restorePeople,
  type TwinImage,
} from './twin-image.ts';

/** The twin as it is now. A programmer's mistake where there is no simulated world. */
export async function takeTwin(simulation: Simulation): Promise<TwinImage> {
  return twinWith(simulation, await takeLibrary(simulation.parts.rooms.database));
}

/** The twin as it is now, with these saved toolpaths. */
export function twinWith(
  { parts, obstacles, faults }: Simulation,
  library: LibraryImage,
): TwinImage {
  const { rooms, driver, world } = parts;
  const { name, software_version } = rooms.database.records;
  return {
    driver: driver.name,
    tick: rooms.loop.tick,
    robot: rooms.robot.save(rooms.loop.tick),
    world: world!.snapshot(),
    disturbance: parts.disturbance.save(),
    obstacles: obstacles.list(),
    faults: faults.list(),
    update: rooms.updates.save(),
    name,
    software_version,
    library,
  };
}

/** Everything that can be put back from an image. */
export const RESTORED: readonly ResetScope[] = [
  'state',
  'toolpaths',
  'users',
  'clock',
  'faults',
  'obstacles',
];

export interface RestoreRequest {
  readonly image: TwinImage;
  readonly people: PeopleImage | null;
  readonly scopes: ReadonlySet<ResetScope>;
  /** Null: the people are put back without exception. */
  readonly keeper: Keeper | null;
}

/** What is saved: toolpaths, people, name and version. */
async function restoreRecords({ parts }: Simulation, request: RestoreRequest): Promise<void> {
  const { database } = parts.rooms;
  const { image, people, scopes, keeper } = request;
  const library = scopes.has('toolpaths') ? image.library : await takeLibrary(database);
  await restoreLibrary(database, library, (draft) => {
    const last_user = draft.last_ids.user;
    if (scopes.has('users') && people) restorePeople(draft, people, keeper);
    // What stays of those who have gone must not be found under their numbers by others.
    if (keeper && !scopes.has('workflows')) draft.last_ids.user = last_user;
    const owners = new Set(draft.users.map(({ id }) => id));
    draft.toolpaths = draft.toolpaths.map((row) =>
      keeper && !owners.has(row.owner_id) ? { ...row, owner_id: keeper.user_id } : row,
    );
    if (!scopes.has('state')) return;
    draft.name = image.name;
    draft.software_version = image.software_version;
  });
}

/** Moves time to a tick: what waits for a moment is as far away from it as before. */
function moveTime({ parts }: Simulation, tick: number): void {
  const { rooms, timers } = parts;
  const ticks = tick - rooms.loop.tick;
  timers.shift(ticks);
  rooms.sessions.shift(ticks / TICKS_PER_S);
}

/** Robot and world, with time where that is wanted. */
function restoreState(simulation: Simulation, { image, scopes }: RestoreRequest): void {
  const { parts, obstacles, faults, pushes } = simulation;
  const { rooms, world } = parts;
  const keptObstacles = obstacles.list();
  const keptFaults = faults.list();
  const tick = scopes.has('clock') ? image.tick : rooms.loop.tick;
  pushes.forget();
  moveTime(simulation, tick);
  world!.restore(image.world);
  parts.disturbance.restore(image.disturbance);
  rooms.loop.restore(image.robot, tick);
  const { update } = image;
  const due_tick = (update?.due_tick ?? 0) + tick - image.tick;
  rooms.updates.restore(update && { ...update, due_tick });
  faults.set(scopes.has('faults') ? image.faults : keptFaults);
  obstacles.adopt(image.obstacles);
  const same = keptObstacles.length === 0 && image.obstacles.length === 0;
  if (!scopes.has('obstacles') && !same) obstacles.set(keptObstacles);
}

/** Puts the twin back within the scopes; what is outside them stays as it is. */
export async function restoreTwin(simulation: Simulation, request: RestoreRequest): Promise<void> {
  const { obstacles, faults } = simulation;
  const { image, scopes } = request;
  // A disk that is made to be full would keep the records from being put back.
  if (scopes.has('faults')) faults.clearAll();
  if (scopes.has('toolpaths') || scopes.has('users') || scopes.has('state')) {
    await restoreRecords(simulation, request);
  }
  if (scopes.has('state')) {
    restoreState(simulation, request);
    return;
  }
  if (scopes.has('faults')) faults.set(image.faults);
  if (scopes.has('obstacles')) obstacles.set(image.obstacles);
}
