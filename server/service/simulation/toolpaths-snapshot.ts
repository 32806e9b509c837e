/** Snapshot of the saved toolpaths: their rows and bodies. */

import { Slices } from '../../clock/turns.ts';
import type { Database } from '../../store/database.ts';
import type { Draft } from '../../store/draft.ts';
import type { Records, ToolpathRecord } from '../../store/records.ts';
import type { Services } from '../http/services.ts';

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
    const bodies: [number, Uint8Array][] = [];
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
export async function restoreToolpaths(
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
      if (body) database.putBody(transaction, row, body);
    }
    for (const row of draft.toolpaths) {
      if (!isKept(row)) database.removeBody(transaction, row);
    }
    draft.toolpaths = structuredClone([...snapshot.rows]);
    draft.last_ids.toolpath = snapshot.last_id;
    edit(draft, transaction);
  });
}

/** Returns a predicate: whether one of the rows has the same content. */
function contentMatcher(rows: readonly ToolpathRecord[]): (row: ToolpathRecord) => boolean {
  const contentKey = ({ id, hash }: ToolpathRecord) => `${id} ${hash}`;
  const known = new Set(rows.map(contentKey));
  return (row) => known.has(contentKey(row));
}

export interface ToolpathsSnapshot {
  readonly rows: readonly ToolpathRecord[];
  /** JSON texts (UTF-8) by id. */
  readonly bodies: readonly (readonly [number, Uint8Array])[];
  readonly last_id: number;
}
