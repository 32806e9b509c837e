/**
 * Snapshot of a whole twin as one value: robot, simulated world, toolpaths, time; for resets also
 * its users. Named snapshots contain no users, so that no secret leaves the twin. The field names
 * of TwinSnapshot are part of the snapshot file format. Also: how it is taken and restored.
 */
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { DriverFaultState } from '../../bridge/fault-injecting-driver.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ResetScope, SimFault, SimObstacle } from '../../contract/types.ts';
import { type Pace, Slices } from '../clock/clock.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import type { Services } from '../http/reply.ts';
import { recordedToolpath } from '../planning/plan-tasks.ts';
import type { LoadedToolpath, RecordedToolpath } from '../robot/commands.ts';
import type { RobotStateSnapshot } from '../robot/robot.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/disk.ts';
import type { Records, TokenRecord, ToolpathRecord, UserRecord } from '../store/records.ts';
import type { Draft } from '../store/store.ts';
import type { PendingUpdate } from '../updates/updates.ts';
import type { StatusCounts } from './robot-status.ts';
import type { Simulation } from './simulation.ts';

/** How often the toolpaths are read again after one of them was removed meanwhile. */
const MOST_READINGS = 5;

/** The toolpaths of the latest snapshot: bodies that have not changed are shared with the next. */
const latest = new WeakMap<Database, WeakRef<ToolpathsSnapshot>>();

/** A body in memory that threads share: a message with a whole library copies nothing. */
function inSharedMemory(body: Uint8Array | null): Uint8Array | null {
  if (!body) return null;
  const shared = new Uint8Array(new SharedArrayBuffer(body.byteLength));
  shared.set(body);
  return shared;
}

/** Takes the rows of all toolpaths with their bodies. */
export async function takeToolpaths(services: Services): Promise<ToolpathsSnapshot> {
  const { database } = services;
  const before = latest.get(database)?.deref();
  // Most snapshots follow each other without a change of the toolpaths.
  if (before && before.rows === database.records.toolpaths) return before;
  const library = await readToolpaths(services, { shared: before });
  latest.set(database, new WeakRef(library));
  return library;
}

/**
 * Reads the rows of all toolpaths with the bodies of those with one of the names, in slices, so
 * that ticks go between; bodies that `shared` has are not read again.
 */
export async function readToolpaths(
  { database, wall }: Services,
  {
    names,
    shared = { rows: [], bodies: [] },
  }: {
    /** Absent: all. */
    readonly names?: ReadonlySet<string>;
    readonly shared?: Pick<ToolpathsSnapshot, 'rows' | 'bodies'> | undefined;
  },
): Promise<ToolpathsSnapshot> {
  const taken = new Map(shared.bodies);
  const isTaken = contentMatcher(shared.rows);
  const slices = new Slices(wall);
  for (let reading = 1; ; reading++) {
    const { toolpaths: rows, last_ids } = database.records;
    const wanted = names ? rows.filter(({ name }) => names.has(name)) : rows;
    const bodies: [number, Uint8Array | object][] = [];
    for (const row of wanted) {
      const known = isTaken(row) ? taken.get(row.id) : undefined;
      if (!known) await slices.next();
      const body = known ?? inSharedMemory(await database.readBody(row));
      if (body) bodies.push([row.id, body]);
      else if (reading < MOST_READINGS) break;
    }
    if (bodies.length < wanted.length && reading < MOST_READINGS) continue;
    return { rows, bodies, last_id: last_ids.toolpath };
  }
}

/** Takes the rows of all toolpaths and pins their bodies on disk until the process ends. */
export function pinToolpaths(database: Database): ToolpathsSnapshot {
  const { toolpaths, last_ids } = database.records;
  database.pinBodies(toolpaths);
  return { rows: toolpaths, bodies: [], last_id: last_ids.toolpath };
}

/**
 * Restores the toolpaths in one transaction: writes missing bodies, changes the records together
 * with `edit`, removes unused bodies.
 */
async function restoreToolpaths(
  database: Database,
  snapshot: ToolpathsSnapshot,
  edit: (draft: Records, transaction: Draft) => void,
): Promise<void> {
  const before = database.records.toolpaths;
  const bodies = new Map(snapshot.bodies);
  const isPresent = contentMatcher(before);
  const isKept = contentMatcher(snapshot.rows);
  await database.change((draft, transaction) => {
    for (const row of snapshot.rows) {
      const body = isPresent(row) ? undefined : bodies.get(row.id);
      if (body) database.putBody(transaction, row, textOfBody(body));
    }
    for (const row of draft.toolpaths) {
      if (!isKept(row)) database.removeBody(transaction, row);
    }
    draft.toolpaths = structuredClone([...snapshot.rows]);
    draft.last_ids.toolpath = snapshot.last_id;
    edit(draft, transaction);
  });
}

/** The JSON text (UTF-8) of a toolpath of a snapshot. */
export function textOfBody(body: Uint8Array | object): Uint8Array {
  return body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
}

/** Returns a predicate: whether one of the rows has the same content. */
function contentMatcher(rows: readonly ToolpathRecord[]): (row: ToolpathRecord) => boolean {
  const contentKey = ({ id, hash }: ToolpathRecord) => `${id} ${hash}`;
  const known = new Set(rows.map(contentKey));
  return (row) => known.has(contentKey(row));
}

/** Everything but the users. */
export interface TwinSnapshot {
  /** Name of the driver; a snapshot restores only to a driver of the same name. */
  readonly driver: string;
  readonly tick: number;
  readonly robot: RobotStateSnapshot;
  readonly world: Uint8Array;
  readonly disturbance: DriverFaultState;
  readonly obstacles: readonly SimObstacle[];
  readonly faults: readonly SimFault[];
  readonly update: PendingUpdate | null;
  /** Tick at which a force on the flange ends; absent in files of earlier versions: never. */
  readonly push_end_tick?: number | null;
  /** What the status counts; absent in files of earlier versions: from the restore on. */
  readonly status?: StatusCounts;
  readonly name: string;
  readonly software_version: string;
  readonly library: ToolpathsSnapshot;
}

/** A snapshot that is kept or in a file: the robot's memory without the loaded toolpath. */
export interface KeptSnapshot extends TwinSnapshot {
  /** The loaded toolpath; absent in files of earlier versions: none. */
  readonly loaded?: RecordedToolpath | null;
}

/** The snapshot with its loaded toolpath as `loaded` has it. */
function withLoaded(snapshot: TwinSnapshot, loaded: LoadedToolpath | null): TwinSnapshot {
  const { robot } = snapshot;
  return { ...snapshot, robot: { ...robot, memory: { ...robot.memory, loaded } } };
}

/** Takes the program of the loaded toolpath out of a snapshot, which is to be kept. */
export function keptSnapshot(snapshot: TwinSnapshot): KeptSnapshot {
  const { loaded } = snapshot.robot.memory;
  return { ...withLoaded(snapshot, null), loaded: loaded && recordedToolpath(loaded) };
}

/**
 * The snapshot with the program of its loaded toolpath: that of the robot where it has the same,
 * otherwise planned again. Refuses where the planner does not plan it.
 */
export async function plannedSnapshot(
  { loaded = null, ...snapshot }: KeptSnapshot,
  { robot, planner }: Pick<Services, 'robot' | 'planner'>,
): Promise<TwinSnapshot | Refusal<'invalid_arguments'>> {
  if (!loaded) return withLoaded(snapshot, null);
  const { name, hash, metadata, source } = loaded;
  if (!source) return cannotBeRestored(`the toolpath “${name}” has no source`);
  const present = robot.memory.loaded;
  if (present?.hash === hash && present.source?.program_sha256 === source.program_sha256) {
    return withLoaded(snapshot, { ...loaded, program: present.program });
  }
  const json = await promisify(inflateRaw)(source.toolpath_deflated);
  const toolpath = { json, hash, metadata };
  const plan = await planner.load({ name, toolpath, timing: source.timing });
  if (plan.kind !== 'built') return cannotBeRestored(plan.error);
  return withLoaded(snapshot, plan.loaded);
}

export interface ToolpathsSnapshot {
  readonly rows: readonly ToolpathRecord[];
  /** By id: JSON texts (UTF-8); files of earlier versions hold the toolpaths themselves. */
  readonly bodies: readonly (readonly [number, Uint8Array | object])[];
  readonly last_id: number;
}

interface UsersSnapshot {
  readonly users: readonly UserRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly last_ids: Readonly<Records['last_ids']>;
}

/** Takes users and tokens with their hashed secrets. */
export function takeUsers({ users, tokens, last_ids }: Readonly<Records>): UsersSnapshot {
  return structuredClone({ users, tokens, last_ids });
}

/** The twin's state at start-up. */
export interface InitialState {
  readonly snapshot: TwinSnapshot;
  readonly users: UsersSnapshot;
  readonly pace: Pace;
  readonly paused: boolean;
}

/** The session that restores the users: its user and token are preserved. */
interface PreservedSession {
  readonly user_id: number;
  readonly token_id: number;
}

/** Restores the users in a draft of the records; preserves the given user and token. */
function restoreUsers(
  draft: Records,
  snapshot: UsersSnapshot,
  preserved: PreservedSession | null,
): void {
  const { users, tokens, last_ids } = structuredClone(snapshot);
  const known = users.find(({ id }) => id === preserved?.user_id);
  const now = draft.users.find(({ id }) => id === preserved?.user_id);
  if (now && known?.role !== 'admin') {
    draft.users = [...users.filter(({ id }) => id !== preserved?.user_id), now];
  } else draft.users = [...users];
  const token = draft.tokens.find(({ id }) => id === preserved?.token_id);
  const lost = token && !tokens.some(({ id }) => id === token.id);
  draft.tokens = lost ? [...tokens, token] : [...tokens];
  draft.last_ids.user = Math.max(last_ids.user, ...draft.users.map(({ id }) => id));
  draft.last_ids.token = Math.max(last_ids.token, ...draft.tokens.map(({ id }) => id));
}

/**
 * Takes and restores snapshots of the whole twin, completely or by scope. Data on disk is restored
 * first; robot, world and time then change together, between two ticks.
 */

/** Takes a snapshot of the twin. Precondition: the driver has a simulated world. */
export async function takeTwinSnapshot(simulation: Simulation): Promise<TwinSnapshot> {
  return twinSnapshotWith(simulation, await takeToolpaths(simulation.parts.services));
}

/** Takes a snapshot of the twin with the given saved toolpaths. */
export function twinSnapshotWith(
  { parts, obstacles, faults, forces }: Simulation,
  library: ToolpathsSnapshot,
): TwinSnapshot {
  const { services, driver, world } = parts;
  const { name } = services.database;
  return {
    driver: driver.name,
    tick: services.loop.tick,
    robot: services.robot.save(services.loop.tick),
    world: world!.snapshot(),
    disturbance: parts.driverFaults!.save(),
    obstacles: obstacles.list(),
    faults: faults.list(),
    update: services.updates.save(),
    push_end_tick: forces.endTick,
    status: parts.status.save(),
    name,
    software_version: services.updates.version,
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
  const { update, push_end_tick = null, status } = snapshot;
  if (push_end_tick !== null) forces.endAt(push_end_tick + shift);
  services.loop.restore(snapshot.robot, tick);
  if (status) parts.status.restore(status, shift);
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

/** The refusal of a snapshot with its reason. */
export function cannotBeRestored(reason: string): Refusal<'invalid_arguments'> {
  const problem = `cannot be restored (${reason}); the arm is as before`;
  return refuse('invalid_arguments', [{ path: '/name', problem }]);
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
