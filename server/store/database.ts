/**
 * The only writer of disk: an index of users, tokens and toolpath names (lowdb through a durable
 * adapter), and one file for each content of a toolpath. A change is made on a copy, saved, and
 * only then seen by readers: nothing acknowledged is ever lost, nothing unsaved is ever shown.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low, Memory } from 'lowdb';
import type { Toolpath } from '../../contract/types.ts';
import { readIfThere, removeDurably, StorageError, writeDurably } from './durable-file.ts';
import { claimFolder } from './folder-lock.ts';
import { type Records, recordsProblem } from './records.ts';

interface IndexAdapter {
  read(): Promise<Records | null>;
  write(records: Records): Promise<void>;
}

function fileAdapter(path: string): IndexAdapter {
  return {
    async read() {
      const text = await readIfThere(path);
      if (text === null) return null;
      const records = parsed(text);
      const problem = recordsProblem(records);
      if (problem === null) return records as Records;
      throw new StorageError(
        `${path} is damaged (${problem}). Mend it, or move it away to start afresh.`,
      );
    },
    write: (records) => writeDurably(path, JSON.stringify(records)),
  };
}

/** The value of a JSON text; undefined when it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One content of one toolpath: an update writes beside the old content, never over it. */
export interface BodyKey {
  readonly id: number;
  readonly hash: string;
}

/** Files that are read at a time when all are. */
const READERS = 16;

function fileName({ id, hash }: BodyKey): string {
  return `${id}.${hash.slice(0, 16)}.json`;
}

export class Database {
  private readonly low: Low<Records>;
  /** What is saved; while a save is under way, what was saved before it. */
  private saved: Records;
  private readonly folder: string | null;
  private readonly release: () => Promise<void>;
  private readonly bodies = new Map<string, Toolpath>();
  private pinned: ReadonlySet<string> = new Set();
  /** Set while the disk counts as full: told of every save that is refused. */
  onFull: (() => void) | null = null;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(low: Low<Records>, folder: string | null, release: () => Promise<void>) {
    this.low = low;
    this.saved = low.data;
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
    return this.saved;
  }

  /**
   * Makes a change on a copy and saves it before anybody sees it; changes run one after another.
   * When saving fails, the call rejects and everything is as before.
   */
  change<Value>(edit: (draft: Records) => Value): Promise<Value> {
    const turn = this.queue.then(async () => {
      const draft = structuredClone(this.saved);
      const value = edit(draft);
      this.refuseWhenFull();
      this.low.data = draft;
      await this.low.write();
      this.saved = draft;
      return value;
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  private refuseWhenFull(): void {
    if (!this.onFull) return;
    this.onFull();
    throw new StorageError('No space is left on the disk');
  }

  private bodyPath(key: BodyKey): string {
    return join(this.folder!, 'toolpaths', fileName(key));
  }

  /** Saves a content. Those that no index row names are swept at the next start. */
  async saveBody(key: BodyKey, toolpath: Toolpath): Promise<void> {
    this.refuseWhenFull();
    if (this.folder === null) this.bodies.set(fileName(key), toolpath);
    else await writeDurably(this.bodyPath(key), JSON.stringify(toolpath));
  }

  /** A content, or null when it is missing; rejects with the file's name when it is damaged. */
  async readBody(key: BodyKey): Promise<Toolpath | null> {
    if (this.folder === null) return this.bodies.get(fileName(key)) ?? null;
    const text = await readIfThere(this.bodyPath(key));
    if (text === null) return null;
    const toolpath = parsed(text);
    if (toolpath === undefined) throw new StorageError(`${this.bodyPath(key)} is damaged`);
    return toolpath as Toolpath;
  }

  /**
   * Keeps these contents until the end of the process, in place of those pinned before, though
   * they be removed meanwhile: whoever brings their rows back finds them.
   */
  pinBodies(keys: readonly BodyKey[]): void {
    this.pinned = new Set(keys.map(fileName));
  }

  async removeBody(key: BodyKey): Promise<void> {
    if (this.pinned.has(fileName(key))) return;
    if (this.folder === null) this.bodies.delete(fileName(key));
    else await removeDurably(this.bodyPath(key));
  }

  /** Names files that are missing or damaged; removes what an interrupted save left behind. */
  async inspect(): Promise<string[]> {
    if (this.folder === null) return [];
    const folder = join(this.folder, 'toolpaths');
    const files = await readdir(folder).catch(() => [] as string[]);
    const known = new Set(this.records.toolpaths.map(fileName));
    const findings: string[] = [];
    const unread = known.values();
    const readOn = async () => {
      for (const file of unread) {
        const text = await readIfThere(join(folder, file));
        const state = text === null ? 'missing' : parsed(text) === undefined ? 'damaged' : null;
        if (!state) continue;
        findings.push(`${join(folder, file)} is ${state}: its toolpath cannot be opened`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, readOn));
    for (const file of files) if (!known.has(file)) await removeDurably(join(folder, file));
    await removeDurably(join(this.folder, 'index.json.new'));
    return findings.sort();
  }

  /** Waits for what is being saved and gives the folder free. */
  async close(): Promise<void> {
    await this.queue;
    await this.release();
  }
}
