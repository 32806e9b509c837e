/**
 * Takes and restores snapshots of the whole twin, completely or by scope. Data on disk is restored
 * first; robot, world and time then change together, between two ticks.
 */
import type { ResetScope } from '../../contract/types.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import type { Simulation } from './simulation.ts';
import {
  type PreservedSession,
  restoreToolpaths,
  restoreUsers,
  type ToolpathsSnapshot,
  type TwinSnapshot,
  takeToolpaths,
  type UsersSnapshot,
} from './twin-snapshot.ts';

/** Takes a snapshot of the twin. Precondition: the driver has a simulated world. */
export async function takeTwinSnapshot(simulation: Simulation): Promise<TwinSnapshot> {
  return twinSnapshotWith(simulation, await takeToolpaths(simulation.parts.services.database));
}

/** Takes a snapshot of the twin with the given saved toolpaths. */
export function twinSnapshotWith(
  { parts, obstacles, faults }: Simulation,
  library: ToolpathsSnapshot,
): TwinSnapshot {
  const { services, driver, world } = parts;
  const { name, software_version } = services.database;
  return {
    driver: driver.name,
    tick: services.loop.tick,
    robot: services.robot.save(services.loop.tick),
    world: world!.snapshot(),
    disturbance: parts.driverFaults!.save(),
    obstacles: obstacles.list(),
    faults: faults.list(),
    update: services.updates.save(),
    name,
    software_version,
    library,
  };
}

/** Scopes that can be restored from a snapshot. */
export const RESTORABLE_SCOPES: readonly ResetScope[] = [
  'state',
  'toolpaths',
  'users',
  'clock',
  'faults',
  'obstacles',
];

export interface RestoreRequest {
  readonly snapshot: TwinSnapshot;
  readonly users: UsersSnapshot | null;
  readonly scopes: ReadonlySet<ResetScope>;
  /** The session whose user and token stay; null restores all users. */
  readonly preserved: PreservedSession | null;
}

/** Restores the stored data: toolpaths, users, name and version. */
async function restoreRecords({ parts }: Simulation, request: RestoreRequest): Promise<void> {
  const { database } = parts.services;
  const { snapshot, users, scopes, preserved } = request;
  const library = scopes.has('toolpaths') ? snapshot.library : await takeToolpaths(database);
  await restoreToolpaths(database, library, (draft) => {
    const last_user = draft.last_ids.user;
    if (scopes.has('users') && users) restoreUsers(draft, users, preserved);
    // Workflows of removed users remain: their user ids must not be given to others.
    if (preserved && !scopes.has('workflows')) draft.last_ids.user = last_user;
    const owners = new Set(draft.users.map(({ id }) => id));
    draft.toolpaths = draft.toolpaths.map((row) =>
      preserved && !owners.has(row.owner_id) ? { ...row, owner_id: preserved.user_id } : row,
    );
    if (!scopes.has('state')) return;
    draft.name = snapshot.name;
    draft.software_version = snapshot.software_version;
  });
}

/** Sets the time to a tick; timers and sessions keep their remaining times. */
function shiftTime({ parts }: Simulation, tick: number): void {
  const { services, timers } = parts;
  const ticks = tick - services.loop.tick;
  timers.shift(ticks);
  services.sessions.shift(ticks / TICKS_PER_S);
}

/** Restores robot and world, and time where the scope asks for it. */
function restoreState(simulation: Simulation, { snapshot, scopes }: RestoreRequest): void {
  const { parts, obstacles, faults, forces } = simulation;
  const { services, world } = parts;
  const presentObstacles = obstacles.list();
  const presentFaults = faults.list();
  const tick = scopes.has('clock') ? snapshot.tick : services.loop.tick;
  forces.cancelTimer();
  shiftTime(simulation, tick);
  world!.restore(snapshot.world);
  parts.driverFaults!.restore(snapshot.disturbance);
  services.loop.restore(snapshot.robot, tick);
  const { update } = snapshot;
  const due_tick = (update?.due_tick ?? 0) + tick - snapshot.tick;
  services.updates.restore(update && { ...update, due_tick });
  // The faults that stay are not those of the restored cell.
  if (!scopes.has('faults')) {
    services.loop.applyWorldAction({ kind: 'cell_fault', fault: null, active: false });
  }
  faults.replaceAll(scopes.has('faults') ? snapshot.faults : presentFaults);
  obstacles.adopt(snapshot.obstacles);
  const same = presentObstacles.length === 0 && snapshot.obstacles.length === 0;
  if (!scopes.has('obstacles') && !same) obstacles.replaceAll(presentObstacles);
}

/** Restores the twin within the scopes; everything else stays as it is. */
export async function restoreTwinSnapshot(
  simulation: Simulation,
  request: RestoreRequest,
): Promise<void> {
  const { obstacles, faults } = simulation;
  const { snapshot, scopes } = request;
  // An injected full disk would prevent the records from being restored.
  if (scopes.has('faults')) faults.clearAll();
  if (scopes.has('toolpaths') || scopes.has('users') || scopes.has('state')) {
    await restoreRecords(simulation, request);
  }
  if (scopes.has('state')) {
    restoreState(simulation, request);
    return;
  }
  if (scopes.has('faults')) faults.replaceAll(snapshot.faults);
  if (scopes.has('obstacles')) obstacles.replaceAll(snapshot.obstacles);
}
