/**
 * The database of users, tokens and toolpaths: one index file (lowdb with a durable adapter) and
 * one file per toolpath body. A change is made on a copy, saved, and only then visible to readers,
 * so acknowledged changes are durable and unsaved ones are never visible.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low, Memory } from 'lowdb';
import type { Refusal } from '../../contract/refusal.ts';
import type { Toolpath } from '../../contract/types.ts';
import { readIfExists, removeDurably, StorageError, writeDurably } from './durable-file.ts';
import { lockFolder } from './folder-lock.ts';
import { type Records, recordsProblem } from './records.ts';

interface IndexAdapter {
  read(): Promise<Records | null>;
  write(records: Records): Promise<void>;
}

function fileAdapter(path: string): IndexAdapter {
  return {
    async read() {
      const text = await readIfExists(path);
      if (text === null) return null;
      const records = parseJson(text);
      const problem = recordsProblem(records);
      if (problem === null) return records as Records;
      throw new StorageError(
        `${path} is damaged (${problem}). Fix it, or move it away to start with an empty database.`,
      );
    },
    write: (records) => writeDurably(path, JSON.stringify(records)),
  };
}

/** Parses JSON; undefined for invalid text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Decides at the last moment whether a change may still be made: null, or the refusal. */
export type Guard = () => Refusal | null;

/** The guard of changes that no caller requested. */
export const ALWAYS: Guard = () => null;

/** Identifies one version of a toolpath's body; an update writes a new file. */
export interface BodyKey {
  readonly id: number;
  readonly hash: string;
}

/** Number of concurrent reads in `inspect`. */
const READERS = 16;

function fileName({ id, hash }: BodyKey): string {
  return `${id}.${hash.slice(0, 16)}.json`;
}

/** The opened index, its folder (null in memory) and the release of the folder lock. */
export interface Storage {
  readonly low: Low<Records>;
  readonly folder: string | null;
  readonly release: () => Promise<void>;
}

/** Opens `:memory:` or a folder and acquires its lock. */
export async function openStorage(place: string, defaults: Records): Promise<Storage> {
  if (place === ':memory:') {
    const low = new Low(new Memory<Records>(), defaults);
    return { low, folder: null, release: async () => {} };
  }
  const release = await lockFolder(place);
  try {
    const low = new Low(fileAdapter(join(place, 'index.json')), defaults);
    await low.read();
    return { low, folder: place, release };
  } catch (error) {
    await release();
    throw error;
  }
}

export class Database {
  private readonly low: Low<Records>;
  /** The saved records; during a save, the previous ones. */
  private saved: Records;
  private readonly folder: string | null;
  private readonly release: () => Promise<void>;
  private readonly bodies = new Map<string, Toolpath>();
  private pinned: ReadonlySet<string> = new Set();
  private queue: Promise<unknown> = Promise.resolve();

  constructor({ low, folder, release }: Storage) {
    this.low = low;
    this.saved = low.data;
    this.folder = folder;
    this.release = release;
  }

  /** Opens `:memory:` or a folder; a new database contains `defaults`. */
  static async open(place: string, defaults: Records): Promise<Database> {
    return new Database(await openStorage(place, defaults));
  }

  /** The saved records; read only. */
  get records(): Readonly<Records> {
    return this.saved;
  }

  /**
   * Applies `edit` to a copy, saves the copy, then publishes it to readers. Changes run one after
   * another. Rejects when saving fails; the records then stay as they were.
   */
  change<Value>(edit: (draft: Records) => Value): Promise<Value> {
    const turn = this.queue.then(async () => {
      const draft = structuredClone(this.saved);
      const value = edit(draft);
      await this.writeRecords(draft);
      this.saved = draft;
      return value;
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  protected async writeRecords(records: Records): Promise<void> {
    this.low.data = records;
    await this.low.write();
  }

  private bodyPath(key: BodyKey): string {
    return join(this.folder!, 'toolpaths', fileName(key));
  }

  /** Saves a toolpath body. `inspect` removes bodies that no record names. */
  async saveBody(key: BodyKey, toolpath: Toolpath): Promise<void> {
    if (this.folder === null) this.bodies.set(fileName(key), toolpath);
    else await writeDurably(this.bodyPath(key), JSON.stringify(toolpath));
  }

  /** Reads a body; null when it is missing. Rejects with the file's name when it is damaged. */
  async readBody(key: BodyKey): Promise<Toolpath | null> {
    if (this.folder === null) return this.bodies.get(fileName(key)) ?? null;
    const text = await readIfExists(this.bodyPath(key));
    if (text === null) return null;
    const toolpath = parseJson(text);
    if (toolpath === undefined) throw new StorageError(`${this.bodyPath(key)} is damaged`);
    return toolpath as Toolpath;
  }

  /**
   * Pins these bodies until the process ends, in place of those pinned before: `removeBody` keeps
   * them, so that a reset can restore their records.
   */
  pinBodies(keys: readonly BodyKey[]): void {
    this.pinned = new Set(keys.map(fileName));
  }

  async removeBody(key: BodyKey): Promise<void> {
    if (this.pinned.has(fileName(key))) return;
    if (this.folder === null) this.bodies.delete(fileName(key));
    else await removeDurably(this.bodyPath(key));
  }

  /** Lists missing and damaged body files; removes files that an interrupted save left behind. */
  async inspect(): Promise<string[]> {
    if (this.folder === null) return [];
    const folder = join(this.folder, 'toolpaths');
    const files = await readdir(folder).catch(() => [] as string[]);
    const known = new Set(this.records.toolpaths.map(fileName));
    const problems: string[] = [];
    const unread = known.values();
    const readNext = async () => {
      for (const file of unread) {
        const text = await readIfExists(join(folder, file));
        const state = text === null ? 'missing' : parseJson(text) === undefined ? 'damaged' : null;
        if (!state) continue;
        problems.push(`${join(folder, file)} is ${state}: its toolpath cannot be opened`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, readNext));
    for (const file of files) if (!known.has(file)) await removeDurably(join(folder, file));
    await removeDurably(join(this.folder, 'index.json.new'));
    return problems.sort();
  }

  /** Waits for pending saves and releases the folder lock. */
  async close(): Promise<void> {
    await this.queue;
    await this.release();
  }
}
