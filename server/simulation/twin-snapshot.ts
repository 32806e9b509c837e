/**
 * Snapshot of a whole twin as one value: robot, simulated world, toolpaths, time; for resets also
 * its users. Named snapshots contain no users, so that no secret leaves the twin. The field names
 * of TwinSnapshot are part of the snapshot file format.
 */
import type { DriverFaultState } from '../../bridge/fault-injecting-driver.ts';
import type { SimFault, SimObstacle } from '../../contract/types.ts';
import type { Pace } from '../clock/clock.ts';
import type { RobotStateSnapshot } from '../robot/state-snapshot.ts';
import type { Database } from '../store/database.ts';
import type { Records, TokenRecord, ToolpathRecord, UserRecord } from '../store/records.ts';
import type { PendingUpdate } from '../updates/updates.ts';

/** Takes the rows of all toolpaths with their bodies. */
export async function takeToolpaths(database: Database): Promise<ToolpathsSnapshot> {
  const { toolpaths, last_ids } = database.records;
  const rows = structuredClone(toolpaths);
  const read = rows.map(async (row) => [row.id, await database.readBody(row)] as const);
  const bodies = (await Promise.all(read)).flatMap(([id, body]) =>
    body === null ? [] : [[id, body] as const],
  );
  return { rows, bodies, last_id: last_ids.toolpath };
}

/** Takes the rows of all toolpaths and pins their bodies on disk until the process ends. */
export function pinToolpaths(database: Database): ToolpathsSnapshot {
  const { toolpaths, last_ids } = database.records;
  database.pinBodies(toolpaths);
  return { rows: structuredClone(toolpaths), bodies: [], last_id: last_ids.toolpath };
}

/**
 * Restores the toolpaths in one transaction: writes missing bodies, changes the records together
 * with `edit`, removes unused bodies.
 */
export async function restoreToolpaths(
  database: Database,
  snapshot: ToolpathsSnapshot,
  edit: (draft: Records) => void,
): Promise<void> {
  const before = database.records.toolpaths;
  const bodies = new Map(snapshot.bodies);
  const isPresent = contentMatcher(before);
  const isKept = contentMatcher(snapshot.rows);
  await database.change((draft, transaction) => {
    for (const row of snapshot.rows) {
      const body = isPresent(row) ? undefined : bodies.get(row.id);
      if (body) database.putBody(transaction, row, jsonOf(body));
    }
    for (const row of draft.toolpaths) {
      if (!isKept(row)) database.removeBody(transaction, row);
    }
    draft.toolpaths = structuredClone([...snapshot.rows]);
    draft.last_ids.toolpath = snapshot.last_id;
    edit(draft);
  });
}

function jsonOf(body: Uint8Array | object): Uint8Array {
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
  readonly name: string;
  readonly software_version: string;
  readonly library: ToolpathsSnapshot;
}

export interface ToolpathsSnapshot {
  readonly rows: readonly ToolpathRecord[];
  /** JSON texts (UTF-8); files of earlier versions hold the toolpaths themselves. */
  readonly bodies: readonly (readonly [number, Uint8Array | object])[];
  readonly last_id: number;
}

export interface UsersSnapshot {
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
export interface PreservedSession {
  readonly user_id: number;
  readonly token_id: number;
}

/** Restores the users in a draft of the records; preserves the given user and token. */
export function restoreUsers(
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
