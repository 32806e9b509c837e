/**
 * Saved toolpaths (spec §2.1, §4.2): each belongs to one user and is unknown to all others. The
 * body is saved before the index names it, so that a crash leaves a spare file at worst.
 */
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import type { Database } from '../store/database.ts';
import type { ToolpathRecord } from '../store/records.ts';

function head({ id, name, hash }: ToolpathRecord): ToolpathHead {
  return { id, name, hash };
}

export class Library {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  list(owner_id: number): ToolpathHead[] {
    return this.database.records.toolpaths.filter((row) => row.owner_id === owner_id).map(head);
  }

  /** The toolpath of this owner, or null: somebody else's does not exist for him. */
  find(owner_id: number, id: number): ToolpathHead | null {
    const row = this.database.records.toolpaths.find((entry) => entry.id === id);
    return row && row.owner_id === owner_id ? head(row) : null;
  }

  /** The body of a toolpath that `find` has shown. */
  async open(id: number): Promise<Toolpath> {
    const body = await this.database.readBody(id);
    if (!body) throw new Error(`The body of toolpath ${id} is missing from the data folder`);
    return body;
  }

  async create(owner_id: number, name: string, toolpath: Toolpath): Promise<ToolpathHead> {
    const id = await this.database.change((draft) => ++draft.last_ids.toolpath);
    await this.database.saveBody(id, toolpath);
    return this.database.change((draft) => {
      const row: ToolpathRecord = { id, owner_id, name, hash: hashToolpath(toolpath) };
      draft.toolpaths.push(row);
      return head(row);
    });
  }

  async update(id: number, name: string, toolpath: Toolpath): Promise<ToolpathHead | null> {
    await this.database.saveBody(id, toolpath);
    return this.database.change((draft) => {
      const row = draft.toolpaths.find((entry) => entry.id === id);
      if (!row) return null;
      row.name = name;
      row.hash = hashToolpath(toolpath);
      return head(row);
    });
  }

  async remove(id: number): Promise<void> {
    await this.database.change((draft) => {
      draft.toolpaths = draft.toolpaths.filter((row) => row.id !== id);
    });
    await this.database.removeBody(id);
  }
}
