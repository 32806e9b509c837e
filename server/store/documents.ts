/**
 * A folder of JSON documents under numbers that are never given twice, each saved whole before it
 * is seen. Apart from the index because they may be large and are read once, at the start.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, readIfThere, removeDurably, writeDurably } from './durable-file.ts';

const COUNTER = 'last-id.json';

/** All documents at one moment. */
export interface DocumentsImage<Body> {
  readonly documents: ReadonlyMap<number, Body>;
  readonly last_id: number;
}

export class Documents<Body> {
  private readonly folder: string | null;
  private readonly kept = new Map<number, Body>();
  private last_id = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(folder: string | null) {
    this.folder = folder;
  }

  /** Opens the folder `name` in a data folder, or in memory. Files that are no JSON are left. */
  static async open<Body>(place: string, name: string): Promise<Documents<Body>> {
    const documents = new Documents<Body>(place === ':memory:' ? null : join(place, name));
    await documents.load();
    return documents;
  }

  private async load(): Promise<void> {
    if (this.folder === null) return;
    await makeFolder(this.folder);
    for (const file of await readdir(this.folder)) {
      const id = /^(\d+)\.json$/.exec(file)?.[1];
      if (id === undefined) continue;
      const text = await readIfThere(join(this.folder, file));
      if (text !== null) this.kept.set(Number(id), JSON.parse(text) as Body);
    }
    const counter = await readIfThere(join(this.folder, COUNTER));
    this.last_id = Math.max(counter === null ? 0 : Number(counter), 0);
    for (const id of this.kept.keys()) this.last_id = Math.max(this.last_id, id);
  }

  /** All documents by their numbers; for reading only. */
  get all(): ReadonlyMap<number, Body> {
    return this.kept;
  }

  /** Saves a new document; answers its number. */
  create(body: Body): Promise<number> {
    return this.inTurn(async () => {
      const id = this.last_id + 1;
      if (this.folder !== null) await writeDurably(join(this.folder, COUNTER), String(id));
      this.last_id = id;
      await this.write(id, body);
      return id;
    });
  }

  /** Saves a document under a number. */
  save(id: number, body: Body): Promise<void> {
    return this.inTurn(() => this.write(id, body));
  }

  private async write(id: number, body: Body): Promise<void> {
    if (this.folder !== null) {
      await writeDurably(join(this.folder, `${id}.json`), JSON.stringify(body));
    }
    this.kept.set(id, body);
  }

  /** Removes a document. */
  remove(id: number): Promise<void> {
    return this.inTurn(() => this.erase(id));
  }

  private async erase(id: number): Promise<void> {
    if (this.folder !== null) await removeDurably(join(this.folder, `${id}.json`));
    this.kept.delete(id);
  }

  /** All documents as they are now. Bodies are not copied: nobody changes one. */
  take(): DocumentsImage<Body> {
    return { documents: new Map(this.kept), last_id: this.last_id };
  }

  /** Puts these documents, and their count, in the place of all that are there. */
  restore({ documents, last_id }: DocumentsImage<Body>): Promise<void> {
    return this.inTurn(async () => {
      for (const id of [...this.kept.keys()]) if (!documents.has(id)) await this.erase(id);
      for (const [id, body] of documents) {
        if (this.kept.get(id) !== body) await this.write(id, body);
      }
      if (this.folder !== null && last_id !== this.last_id) {
        await writeDurably(join(this.folder, COUNTER), String(last_id));
      }
      this.last_id = last_id;
    });
  }

  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }
}
