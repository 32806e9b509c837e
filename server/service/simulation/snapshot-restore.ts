/**
 * Restores snapshots of the whole twin, completely or by scope. Data on disk is restored first;
 * robot, world and time then change together, between two ticks.
 */

import type { Refusal } from '../../../contract/refusal.ts';
import type { ResetScope } from '../../../contract/types.generated.ts';
import { TICKS_PER_S } from '../../clock/twin-time.ts';
import { settingsOf } from '../../robot/arm-settings.ts';
import type { Draft } from '../../store/draft.ts';
import type { Records } from '../../store/records.ts';
import { StorageError } from '../../store/storage-error.ts';
import { cannotBeRestored } from './kept-snapshot.ts';
import type { Simulation } from './simulation.ts';
import { twinSnapshotWith } from './snapshot-taking.ts';
import { restoreToolpaths } from './toolpaths-snapshot.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';
import { type PreservedSession, restoreUsers, type UsersSnapshot } from './users-snapshot.ts';

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

/**
 * Restores the stored data: toolpaths, users, name and version. `alongside` is called at the moment
 * of the change; when it throws, nothing is changed.
 */
async function restoreRecords(
  { parts }: Simulation,
  request: RestoreRequest,
  alongside: () => void = () => {},
): Promise<void> {
  const { database, idempotency } = parts.services;
  const { snapshot, users, scopes, preserved } = request;
  const edit = (draft: Records, transaction: Draft) => {
    const last_user = draft.last_ids.user;
    if (scopes.has('users') && users) restoreUsers(draft, users, preserved);
    // Workflows of removed users remain: their user ids must not be given to others.
    if (preserved && !scopes.has('workflows')) draft.last_ids.user = last_user;
    const owners = new Set(draft.users.map(({ id }) => id));
    // The workflows are reset in a transaction of their own, which forgets their keys.
    const stored = new Set([...scopes].filter((scope) => scope !== 'workflows'));
    idempotency.forget(transaction, { scopes: stored, users: owners });
    draft.toolpaths = draft.toolpaths.map((row) =>
      preserved && !owners.has(row.owner_id) ? { ...row, owner_id: preserved.user_id } : row,
    );
    if (scopes.has('state')) {
      draft.name = snapshot.name;
      draft.software_version = snapshot.software_version;
      Object.assign(draft, settingsOf(snapshot.robot.memory));
    }
    alongside();
  };
  // Without the scope the toolpaths stay, also those that are saved at this moment.
  if (scopes.has('toolpaths')) await restoreToolpaths(database, snapshot.library, edit);
  else await database.change(edit);
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
  forces.endAt(null);
  // These refuse a world that is none, so time must not have changed yet.
  world!.restore(snapshot.world, tick);
  parts.driverFaults!.restore(snapshot.disturbance);
  shiftTime(simulation, tick);
  const shift = tick - snapshot.tick;
  const { update, push_end_tick, status } = snapshot;
  if (push_end_tick !== null) forces.endAt(push_end_tick + shift);
  services.loop.restore(snapshot.robot, tick);
  parts.status.restore(status, shift);
  const due_tick = (update?.due_tick ?? 0) + shift;
  services.updates.restore(update && { ...update, due_tick });
  // The faults that stay are not those of the restored cell.
  if (!scopes.has('faults')) {
    services.loop.applyWorldAction({ kind: 'cell_fault', fault: null, active: false });
  }
  faults.replaceAll(scopes.has('faults') ? snapshot.faults : presentFaults);
  obstacles.adopt(snapshot.obstacles);
  const same = presentObstacles.length === 0 && snapshot.obstacles.length === 0;
  if (!scopes.has('obstacles') && !same) obstacles.replaceAll(presentObstacles);
  // With its time, the twin continues the run of the snapshot; without, its own.
  if (scopes.has('clock')) parts.digest.restore(snapshot.digest, tick);
}

/** Releases a lock of a token or log-in that is gone: no client could release it (D11). */
function releaseOrphanedLock({ parts }: Simulation): void {
  const { robot, loop, database, sessions } = parts.services;
  const { user_id = 0, token_id = 0 } = robot.lockHolder ?? {};
  if (token_id === 0) return;
  const isKnown =
    token_id < 0
      ? sessions.hasTokenOf(user_id, token_id)
      : database.tokens.get(token_id)?.user_id === user_id;
  if (!isKnown) loop.apply({ kind: 'forget_token', token_id });
}

/** Restores the twin within the scopes; everything else stays as it is. */
export async function restoreTwinSnapshot(
  simulation: Simulation,
  request: RestoreRequest,
): Promise<void> {
  await restoreScopes(simulation, request);
  releaseOrphanedLock(simulation);
}

async function restoreScopes(simulation: Simulation, request: RestoreRequest): Promise<void> {
  const { obstacles, faults, parts } = simulation;
  const { snapshot, scopes } = request;
  if (scopes.has('state')) parts.services.loop.onFailedTick = null;
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

/**
 * Restores all scopes but the users from a snapshot that may be made by hand. One that cannot be
 * restored is refused and leaves robot, world and toolpaths as they were; other failures are
 * thrown. A tick that fails later restores robot, world and time as they were.
 */
export async function restoreOrUndo(
  simulation: Simulation,
  request: RestoreRequest,
): Promise<Refusal<'invalid_arguments'> | null> {
  const { faults, parts } = simulation;
  const { loop } = parts.services;
  const presentFaults = faults.list();
  let putBack = () => faults.replaceAll(presentFaults);
  loop.onFailedTick = null;
  // An injected full disk would prevent the records from being restored.
  faults.clearAll();
  try {
    // The records change only where the state could be restored: others save toolpaths meanwhile.
    await restoreRecords(simulation, request, () => {
      const before = twinSnapshotWith(simulation, request.snapshot.library);
      const snapshot = { ...before, faults: presentFaults };
      putBack = () => restoreState(simulation, { ...request, snapshot });
      restoreState(simulation, request);
    });
  } catch (error) {
    putBack();
    if (error instanceof StorageError) throw error;
    return cannotBeRestored((error as Error).message);
  }
  releaseOrphanedLock(simulation);
  loop.onFailedTick = (error) => {
    parts.logError(failedTickText(error));
    putBack();
  };
  return null;
}

function failedTickText(error: unknown): string {
  const { message } = error as Error;
  return `A tick of the restored snapshot file failed (${message}); the arm is as before it`;
}
