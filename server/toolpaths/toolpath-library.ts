/**
 * The saved toolpaths (§2.1, §4.2). Each belongs to one user and is not visible to others. The body
 * is saved before the index names it, so that a crash leaves at most an unused file.
 */
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { ReceivedToolpath, Toolpath, ToolpathHead } from '../../contract/types.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { ALWAYS, type Database, type Guard } from '../store/database.ts';
import { StorageError } from '../store/durable-file.ts';
import type { ToolpathRecord } from '../store/records.ts';

function head({ id, name, hash }: ToolpathRecord): ToolpathHead {
  return { id, name, hash };
}

export class ToolpathLibrary {
  private readonly database: Database;
  /** The toolpath shared last with each user, in memory alone; the oldest is dropped first. */
  private readonly shared = new Map<number, ReceivedToolpath>();
  /** Ids of toolpaths that are being saved. */
  private readonly reservedIds = new Set<number>();
  /** Tail of the queue of updates and removals, which run one at a time. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.database = database;
  }

  list(owner_id: number): ToolpathHead[] {
    return this.database.records.toolpaths.filter((row) => row.owner_id === owner_id).map(head);
  }

  private row(id: number): ToolpathRecord | null {
    return this.database.records.toolpaths.find((entry) => entry.id === id) ?? null;
  }

  /** The toolpath of this owner, or null; toolpaths of other users are not visible. */
  find(owner_id: number, id: number): ToolpathHead | null {
    const row = this.row(id);
    return row && row.owner_id === owner_id ? head(row) : null;
  }

  /** Reads the body of a toolpath that `find` returned. */
  async open(id: number): Promise<Toolpath> {
    for (let row = this.row(id); row; ) {
      const body = await this.database.readBody(row);
      if (body) return body;
      // A concurrent update may have replaced it; a body that the index still names is lost.
      const now = this.row(id);
      if (now?.hash === row.hash) break;
      row = now;
    }
    throw new StorageError(`The body of toolpath ${id} is missing from the data folder`);
  }

  /** Saves a new toolpath, unless the guard refuses. */
  async create(
    {
      owner_id,
      name,
      toolpath,
    }: { readonly owner_id: number; readonly name: string; readonly toolpath: Toolpath },
    guard: Guard = ALWAYS,
  ): Promise<ToolpathHead | Refusal> {
    const id = Math.max(this.database.records.last_ids.toolpath, ...this.reservedIds) + 1;
    const row: ToolpathRecord = { id, owner_id, name, hash: hashToolpath(toolpath) };
    this.reservedIds.add(id);
    try {
      await this.database.saveBody(row, toolpath);
      return await this.database.change((draft) => {
        const refusal = guard();
        if (refusal) return refusal;
        draft.last_ids.toolpath = Math.max(draft.last_ids.toolpath, id);
        draft.toolpaths.push(row);
        return head(row);
      });
    } finally {
      this.reservedIds.delete(id);
    }
  }

  /** Replaces name and body; null when the toolpath was removed in the meantime. */
  update(
    {
      id,
      name,
      toolpath,
    }: { readonly id: number; readonly name: string; readonly toolpath: Toolpath },
    guard: Guard = ALWAYS,
  ): Promise<ToolpathHead | Refusal | null> {
    return this.enqueue(async () => {
      const before = this.row(id);
      if (!before) return null;
      const after = { ...before, name, hash: hashToolpath(toolpath) };
      if (after.hash !== before.hash) await this.database.saveBody(after, toolpath);
      const refusal = await this.database.change((draft) => {
        const refused = guard();
        if (!refused) draft.toolpaths = draft.toolpaths.map((row) => (row.id === id ? after : row));
        return refused;
      });
      if (refusal) return refusal;
      if (after.hash !== before.hash) await this.sweep(before);
      return head(after);
    });
  }

  /** Removes a toolpath, unless the guard refuses. */
  remove(id: number, guard: Guard = ALWAYS): Promise<Refusal | null> {
    return this.enqueue(async () => {
      const row = this.row(id);
      if (!row) return null;
      const refusal = await this.database.change((draft) => {
        const refused = guard();
        if (!refused) draft.toolpaths = draft.toolpaths.filter((entry) => entry.id !== id);
        return refused;
      });
      if (!refusal) await this.sweep(row);
      return refusal;
    });
  }

  /** Removes unused bodies; `Database.inspect` removes those that remain. */
  async sweep(...rows: readonly ToolpathRecord[]): Promise<void> {
    for (const row of rows) await this.database.removeBody(row).catch(() => {});
  }

  /** Keeps a toolpath for its receiver, in place of the one before (D19). */
  keepShared(receiver_id: number, shared: ReceivedToolpath): void {
    this.shared.delete(receiver_id);
    this.shared.set(receiver_id, shared);
    if (this.shared.size <= limits.shared_toolpaths) return;
    const [oldest] = this.shared.keys();
    this.shared.delete(oldest!);
  }

  /** The toolpath that was shared last with a user, or null. */
  sharedWith(receiver_id: number): ReceivedToolpath | null {
    return this.shared.get(receiver_id) ?? null;
  }

  /** Drops what was shared with one user, or with all: ids of users may be given again. */
  forgetShared(receiver_id?: number): void {
    if (receiver_id === undefined) this.shared.clear();
    else this.shared.delete(receiver_id);
  }

  /** The records of an owner, for `sweep` after their deletion. */
  rowsOf(owner_id: number): ToolpathRecord[] {
    return this.database.records.toolpaths.filter((row) => row.owner_id === owner_id);
  }

  private enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }
}
