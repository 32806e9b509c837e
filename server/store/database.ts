/**
 * The only writer of disk: an index of users, tokens and toolpath names (lowdb through a durable
 * adapter), and one file per toolpath body. A change is made on a copy, saved, and only then seen
 * by readers: nothing acknowledged is ever lost, nothing unsaved is ever shown.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low, Memory } from 'lowdb';
import type { Toolpath } from '../../contract/types.ts';
import { readIfThere, removeDurably, writeDurably } from './durable-file.ts';
import { claimFolder } from './folder-lock.ts';
import type { Records } from './records.ts';

interface IndexAdapter {
  read(): Promise<Records | null>;
  write(records: Records): Promise<void>;
}

function fileAdapter(path: string): IndexAdapter {
  return {
    async read() {
      const text = await readIfThere(path);
      if (text === null) return null;
      try {
        return JSON.parse(text) as Records;
      } catch {
        throw new Error(`${path} is damaged (not JSON). Mend it, or move it away to start afresh.`);
      }
    },
    write: (records) => writeDurably(path, JSON.stringify(records)),
  };
}

export class Database {
  private readonly low: Low<Records>;
  private readonly folder: string | null;
  private readonly release: () => Promise<void>;
  private readonly bodies = new Map<number, Toolpath>();
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(low: Low<Records>, folder: string | null, release: () => Promise<void>) {
    this.low = low;
    this.folder = folder;
    this.release = release;
  }

  /** Opens `:memory:` or a folder; `fresh` is what a new one holds. */
  static async open(place: string, fresh: Records): Promise<Database> {
    if (place === ':memory:') {
      return new Database(new Low(new Memory<Records>(), fresh), null, async () => {});
    }
    const release = await claimFolder(place);
    try {
      const low = new Low(fileAdapter(join(place, 'index.json')), fresh);
      await low.read();
      return new Database(low, place, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** What is saved; for reading only. */
  get records(): Readonly<Records> {
    return this.low.data;
  }

  /**
   * Makes a change on a copy and saves it before anybody sees it; changes run one after another.
   * When saving fails, the call rejects and everything is as before.
   */
  change<Value>(edit: (draft: Records) => Value): Promise<Value> {
    const turn = this.queue.then(async () => {
      const before = this.low.data;
      const draft = structuredClone(before);
      const value = edit(draft);
      this.low.data = draft;
      try {
        await this.low.write();
      } catch (error) {
        this.low.data = before;
        throw error;
      }
      return value;
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  private bodyPath(id: number): string {
    return join(this.folder!, 'toolpaths', `${id}.json`);
  }

  /** Saves a toolpath's body. Bodies without an index row are swept at the next start. */
  async saveBody(id: number, toolpath: Toolpath): Promise<void> {
    if (this.folder === null) this.bodies.set(id, toolpath);
    else await writeDurably(this.bodyPath(id), JSON.stringify(toolpath));
  }

  /** The body of a toolpath, or null when it is missing. */
  async readBody(id: number): Promise<Toolpath | null> {
    if (this.folder === null) return this.bodies.get(id) ?? null;
    const text = await readIfThere(this.bodyPath(id));
    if (text === null) return null;
    try {
      return JSON.parse(text) as Toolpath;
    } catch {
      throw new Error(`${this.bodyPath(id)} is damaged (not JSON)`);
    }
  }

  async removeBody(id: number): Promise<void> {
    if (this.folder === null) this.bodies.delete(id);
    else await removeDurably(this.bodyPath(id));
  }

  /** Names files that do not fit the index; removes what an interrupted save left behind. */
  async inspect(): Promise<string[]> {
    if (this.folder === null) return [];
    const folder = join(this.folder, 'toolpaths');
    const files = await readdir(folder).catch(() => [] as string[]);
    const known = new Set(this.records.toolpaths.map(({ id }) => `${id}.json`));
    const findings = [...known]
      .filter((file) => !files.includes(file))
      .map((file) => `${join(folder, file)} is missing: its toolpath cannot be opened`);
    for (const file of files) if (!known.has(file)) await removeDurably(join(folder, file));
    return findings;
  }

  /** Waits for what is being saved and gives the folder free. */
  async close(): Promise<void> {
    await this.queue;
    await this.release();
  }
}
