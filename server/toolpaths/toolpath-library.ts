/**
 * The saved toolpaths (§2.1, §4.2). Each belongs to one user and is not visible to others. Record
 * and body change in one transaction.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { ToolpathEntry, ToolpathHead } from '../../contract/types.generated.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { ToolpathText } from '../documents/toolpath-text.ts';
import type { StorageRefusal } from '../shares/stored-bytes.ts';
import type { Creation } from '../store/creation.ts';
import type { Database } from '../store/database.ts';
import type { Draft } from '../store/draft.ts';
import { ALWAYS, type Guard, type LateError } from '../store/guard.ts';
import type { ToolpathRecord } from '../store/records.ts';
import { StorageError } from '../store/storage-error.ts';

/** A toolpath that another user shared (D19). */
export interface OfferedToolpath {
  readonly head: {
    readonly id: -1;
    readonly name: string;
    readonly hash: string;
    readonly sharer: number;
  };
  readonly toolpath: ToolpathText;
}

type NewRefusal = Refusal<'not_authenticated' | 'invalid_arguments'>;

/** The content of a new or changed toolpath. */
interface NamedToolpath {
  readonly name: string;
  readonly toolpath: ToolpathText;
}

function head({ id, name, hash }: ToolpathRecord): ToolpathHead {
  return { id, name, hash };
}

function entry(row: ToolpathRecord): ToolpathEntry {
  const { modified_at, bytes } = row;
  return { ...head(row), modified_at, bytes };
}

/** A list whose items are made when a part of it is wanted. */
export type Items<Item> = Pick<readonly Item[], 'length' | 'slice'>;

function itemsOf<Item>(
  rows: readonly ToolpathRecord[],
  itemOf: (row: ToolpathRecord) => Item,
): Items<Item> {
  return { length: rows.length, slice: (from, to) => rows.slice(from, to).map(itemOf) };
}

export class ToolpathLibrary {
  private readonly database: Database;
  /** Rows of users at a version of the table. */
  private listed = { version: -1, rows: new Map<number, readonly ToolpathRecord[]>() };
  /** The toolpath shared last with each user, in memory alone; the oldest is dropped first. */
  private readonly shared = new Map<number, OfferedToolpath>();

  private readonly documents: DocumentReader;
  /** The twin's date and time. */
  private readonly timestamp: () => string;

  constructor(database: Database, documents: DocumentReader, timestamp: () => string) {
    this.database = database;
    this.documents = documents;
    this.timestamp = timestamp;
  }

  /** The rows of a user by id: a list of ten thousand is made once per change of the table. */
  private rowsOf(owner_id: number): readonly ToolpathRecord[] {
    const { toolpaths } = this.database;
    if (this.listed.version !== toolpaths.version) {
      this.listed = { version: toolpaths.version, rows: new Map() };
    }
    const known = this.listed.rows.get(owner_id);
    if (known) return known;
    const rows = [...toolpaths.keysIn(owner_id)].map((id) => toolpaths.get(id)!);
    rows.sort((a, b) => a.id - b.id);
    this.listed.rows.set(owner_id, rows);
    return rows;
  }

  list(owner_id: number): Items<ToolpathHead> {
    return itemsOf(this.rowsOf(owner_id), head);
  }

  /** The toolpaths of a user with time of the last save and size, which the arm's API omits. */
  saved(owner_id: number): Items<ToolpathEntry> {
    return itemsOf(this.rowsOf(owner_id), entry);
  }

  /** The first toolpath of a user with this name, or null. */
  named(owner_id: number, name: string): ToolpathHead | null {
    const row = this.rowsOf(owner_id).find((one) => one.name === name);
    return row ? head(row) : null;
  }

  /** The owner may have been deleted, and others may have been saved, since the call began. */
  private newRefusal(draft: Draft, owner_id: number): NewRefusal | null {
    const { users, toolpaths } = this.database;
    if (!draft.get(users, owner_id)) return refuse('not_authenticated');
    const most = limits.toolpaths_per_user;
    const count = draft.countIn(toolpaths, owner_id);
    return count < most ? null : refuseLimitReached('toolpaths of yours', most);
  }

  private row(id: number): ToolpathRecord | null {
    return this.database.toolpaths.get(id) ?? null;
  }

  /** The toolpath of this owner, or null; toolpaths of other users are not visible. */
  find(owner_id: number, id: number): ToolpathHead | null {
    const row = this.row(id);
    return row && row.owner_id === owner_id ? head(row) : null;
  }

  /** Reads the body of a toolpath that `find` returned; its hash must be that of the record. */
  async open(id: number): Promise<ToolpathText> {
    for (let row = this.row(id); row; ) {
      const json = await this.database.readBody(row);
      const toolpath = json && (await this.documents.toolpath(json, row.hash, row.owner_id));
      if (toolpath) return toolpath;
      // A concurrent update may have replaced it; a body that the record still names is lost.
      const now = this.row(id);
      if (now?.hash === row.hash) break;
      row = now;
    }
    throw new StorageError(`The content of toolpath ${id} is missing or damaged`);
  }

  /** Saves a new toolpath, unless the guard refuses; `onCreated` joins its transaction. */
  create(
    { owner_id, name, toolpath }: NamedToolpath & { readonly owner_id: number },
    { guard = ALWAYS, onCreated }: Creation<ToolpathHead> = {},
  ): Promise<ToolpathHead | Refusal<LateError | 'invalid_arguments'> | StorageRefusal> {
    const { hash, json } = toolpath;
    const { database } = this;
    const { store } = database;
    const make = (draft: Draft) => {
      const refusal = guard() ?? this.newRefusal(draft, owner_id);
      if (refusal) return refusal;
      const id = draft.nextNumber('toolpath');
      const saved = { modified_at: this.timestamp(), bytes: json.length };
      const row: ToolpathRecord = { id, owner_id, name, hash, ...saved };
      draft.put(database.toolpaths, row.id, { row });
      database.putBody(draft, row, json);
      onCreated?.(draft, head(row));
      return head(row);
    };
    return store.bytes.admit({ owner: owner_id }, json.length, () => store.change(make));
  }

  /** Replaces name and body; null when the toolpath was removed in the meantime. */
  update(
    { id, name, toolpath }: NamedToolpath & { readonly id: number },
    guard: Guard = ALWAYS,
  ): Promise<ToolpathHead | Refusal<LateError> | StorageRefusal | null> {
    const { hash, json } = toolpath;
    const { database } = this;
    const { store } = database;
    const change = (draft: Draft) => {
      const before = draft.get(database.toolpaths, id);
      if (!before) return null;
      const refusal = guard();
      if (refusal) return refusal;
      const saved = { modified_at: this.timestamp(), bytes: json.length };
      const after = { ...before, name, hash, ...saved };
      draft.put(database.toolpaths, id, { row: after });
      if (hash !== before.hash) {
        database.removeBody(draft, before);
        database.putBody(draft, after, json);
      }
      return head(after);
    };
    const present = this.row(id);
    if (!present) return Promise.resolve(null);
    const more_bytes = json.length - present.bytes;
    return store.bytes.admit({ owner: present.owner_id }, more_bytes, () => store.change(change));
  }

  /** Removes a toolpath, unless the guard refuses. */
  remove(id: number, guard: Guard = ALWAYS): Promise<Refusal<LateError> | null> {
    const { database } = this;
    return database.store.change((draft) => {
      const row = draft.get(database.toolpaths, id);
      const refusal = row ? guard() : null;
      if (!row || refusal) return refusal;
      draft.remove(database.toolpaths, id);
      database.removeBody(draft, row);
      return null;
    });
  }

  /** Keeps a toolpath for its receiver, in place of the one before (D19). */
  keepShared(receiver_id: number, shared: OfferedToolpath): void {
    this.shared.delete(receiver_id);
    this.shared.set(receiver_id, shared);
    if (this.shared.size <= limits.shared_toolpaths) return;
    this.shared.delete(this.oldestOfTheMost());
  }

  /** The receiver of the oldest offer by the user who has the most: nobody pushes out another's. */
  private oldestOfTheMost(): number {
    const counts = new Map<number, number>();
    for (const { head } of this.shared.values()) {
      counts.set(head.sharer, (counts.get(head.sharer) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const entries = [...this.shared];
    return entries.find(([, { head }]) => counts.get(head.sharer) === most)![0];
  }

  /** The toolpath that was shared last with a user, or null. */
  sharedWith(receiver_id: number): OfferedToolpath | null {
    return this.shared.get(receiver_id) ?? null;
  }

  /** Drops what was shared with one user, or with all: ids of users may be given again. */
  forgetShared(receiver_id?: number): void {
    if (receiver_id === undefined) this.shared.clear();
    else this.shared.delete(receiver_id);
  }
}
