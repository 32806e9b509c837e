/**
 * A folder of JSON documents, keyed by ids that are never reused. Each document is saved durably
 * before it is visible. All documents are read once, at the start.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, readIfExists, removeDurably, writeDurably } from './durable-file.ts';

const COUNTER = 'last-id.json';

/** All documents and the last id at one time. */
export interface DocumentsSnapshot<Body> {
  readonly documents: ReadonlyMap<number, Body>;
  readonly last_id: number;
}

export class Documents<Body> {
  private readonly folder: string | null;
  private readonly documents = new Map<number, Body>();
  private last_id = 0;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(folder: string | null) {
    this.folder = folder;
  }

  /** Opens the folder `name` in a data folder, or in memory; ignores other files. */
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
      const text = await readIfExists(join(this.folder, file));
      if (text !== null) this.documents.set(Number(id), JSON.parse(text) as Body);
    }
    const counter = await readIfExists(join(this.folder, COUNTER));
    this.last_id = Math.max(counter === null ? 0 : Number(counter), 0);
    for (const id of this.documents.keys()) this.last_id = Math.max(this.last_id, id);
  }

  /** All documents by id; read only. */
  get all(): ReadonlyMap<number, Body> {
    return this.documents;
  }

  /** Saves a new document; returns its id. */
  create(body: Body): Promise<number> {
    return this.enqueue(async () => {
      const id = this.last_id + 1;
      if (this.folder !== null) await writeDurably(join(this.folder, COUNTER), String(id));
      this.last_id = id;
      await this.write(id, body);
      return id;
    });
  }

  /** Saves a document under an id. */
  save(id: number, body: Body): Promise<void> {
    return this.enqueue(() => this.write(id, body));
  }

  private async write(id: number, body: Body): Promise<void> {
    if (this.folder !== null) {
      await writeDurably(join(this.folder, `${id}.json`), JSON.stringify(body));
    }
    this.documents.set(id, body);
  }

  remove(id: number): Promise<void> {
    return this.enqueue(() => this.removeNow(id));
  }

  private async removeNow(id: number): Promise<void> {
    if (this.folder !== null) await removeDurably(join(this.folder, `${id}.json`));
    this.documents.delete(id);
  }

  /** All present documents. Bodies are immutable and are not copied. */
  snapshot(): DocumentsSnapshot<Body> {
    return { documents: new Map(this.documents), last_id: this.last_id };
  }

  /** Replaces all documents and the last id. */
  restore({ documents, last_id }: DocumentsSnapshot<Body>): Promise<void> {
    return this.enqueue(async () => {
      for (const id of [...this.documents.keys()]) if (!documents.has(id)) await this.removeNow(id);
      for (const [id, body] of documents) {
        if (this.documents.get(id) !== body) await this.write(id, body);
      }
      if (this.folder !== null && last_id !== this.last_id) {
        await writeDurably(join(this.folder, COUNTER), String(last_id));
      }
      this.last_id = last_id;
    });
  }

  private enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => {});
    return turn;
  }
}
