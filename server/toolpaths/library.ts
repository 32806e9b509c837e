/**
 * Saved toolpaths (spec §2.1, §4.2): each belongs to one user and is unknown to all others. The
 * body is saved before the index names it, so that a crash leaves a spare file at worst.
 */
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/durable-file.ts';
import type { ToolpathRecord } from '../store/records.ts';

function head({ id, name, hash }: ToolpathRecord): ToolpathHead {
  return { id, name, hash };
}

export class Library {
  private readonly database: Database;
  /** Ids given to toolpaths that are being saved. */
  private readonly arriving = new Set<number>();
  /** Tail of the updates and removals: one at a time, since each leaves an old content behind. */
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

  /** The toolpath of this owner, or null: somebody else's does not exist for him. */
  find(owner_id: number, id: number): ToolpathHead | null {
    const row = this.row(id);
    return row && row.owner_id === owner_id ? head(row) : null;
  }

  /** The content of a toolpath that `find` has shown. */
  async open(id: number): Promise<Toolpath> {
    for (let row = this.row(id); row; ) {
      const body = await this.database.readBody(row);
      if (body) return body;
      // An update may have come between; a content that the index still names has been lost.
      const now = this.row(id);
      if (now?.hash === row.hash) break;
      row = now;
    }
    throw new StorageError(`The body of toolpath ${id} is missing from the data folder`);
  }

  async create(owner_id: number, name: string, toolpath: Toolpath): Promise<ToolpathHead> {
    const id = Math.max(this.database.records.last_ids.toolpath, ...this.arriving) + 1;
    const row: ToolpathRecord = { id, owner_id, name, hash: hashToolpath(toolpath) };
    this.arriving.add(id);
    try {
      await this.database.saveBody(row, toolpath);
      return await this.database.change((draft) => {
        draft.last_ids.toolpath = Math.max(draft.last_ids.toolpath, id);
        draft.toolpaths.push(row);
        return head(row);
      });
    } finally {
      this.arriving.delete(id);
    }
  }

  /** Replaces name and content; null when the toolpath has gone meanwhile. */
  update(id: number, name: string, toolpath: Toolpath): Promise<ToolpathHead | null> {
    return this.inTurn(async () => {
      const before = this.row(id);
      if (!before) return null;
      const after = { ...before, name, hash: hashToolpath(toolpath) };
      if (after.hash !== before.hash) await this.database.saveBody(after, toolpath);
      await this.database.change((draft) => {
        draft.toolpaths = draft.toolpaths.map((entry) => (entry.id === id ? after : entry));
      });
      if (after.hash !== before.hash) await this.sweep(before);
      return head(after);
    });
  }

  remove(id: number): Promise<void> {
    return this.inTurn(async () => {
      const row = this.row(id);
      if (!row) return;
      await this.database.change((draft) => {
        draft.toolpaths = draft.toolpaths.filter((entry) => entry.id !== id);
      });
      await this.sweep(row);
    });
  }

  /** Removes contents that no row names; what stays behind is swept at the next start. */
  async sweep(...rows: readonly ToolpathRecord[]): Promise<void> {
    for (const row of rows) await this.database.removeBody(row).catch(() => {});
  }

  /** The rows of an owner, for sweeping after their deletion. */
  rowsOf(owner_id: number): ToolpathRecord[] {
    return this.database.records.toolpaths.filter((row) => row.owner_id === owner_id);
  }

  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }
}
