/** Tables of documents: rows in memory, bodies on disk, restorable to a snapshot. */
import type { ErrorName } from '../../contract/errors.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { OnCreated } from './creation.ts';
import type { Draft } from './draft.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';

/** All documents and the last id at one time. */
export interface DocumentsSnapshot<Row> {
  readonly documents: ReadonlyMap<number, Row>;
  readonly last_id: number;
  /** Bodies of documents that were changed since the snapshot. */
  readonly bodies: Map<number, Uint8Array | null>;
}

/** Decides within the transaction whether a document may change: null, or the refusal. */
export type DocumentGuard<Name extends ErrorName> = (draft: Draft) => Refusal<Name> | null;

const allow = (): null => null;

/** The content of a document. */
export interface DocumentContent<Row> {
  readonly row: Row;
  /** JSON text (UTF-8) that is read from disk on demand. */
  readonly body?: Uint8Array;
}

/**
 * A table of documents, keyed by ids that are never reused: rows in memory, bodies on disk. Each
 * document is saved durably before it is visible.
 */
export class Documents<Row> {
  private readonly store: Store;
  private readonly table: Table<Row>;
  /** The snapshot whose bodies are kept. */
  private kept: DocumentsSnapshot<Row> | null = null;

  constructor(store: Store, name: string) {
    this.store = store;
    this.table = store.table(name);
  }

  get(id: number): Row | undefined {
    return this.table.get(id);
  }

  /** A row as a transaction sees it. */
  rowIn(draft: Draft, id: number): Row | undefined {
    return draft.get(this.table, id);
  }

  /** Number of rows that match, as a transaction sees them. */
  countIn(draft: Draft, matches: (row: Row) => boolean): number {
    return draft.count(this.table, matches);
  }

  /** The body of a document; null if it has none. */
  readBody(id: number): Promise<Uint8Array | null> {
    return this.store.readBytes(this.table, id);
  }

  /** All rows by id. */
  get all(): ReadonlyMap<number, Row> {
    return new Map([...this.table.rows()].map(([id, row]) => [Number(id), row]));
  }

  /** Saves a new document, unless the guard refuses; returns its id. */
  create<Name extends ErrorName = never>(
    content: DocumentContent<Row>,
    guard: DocumentGuard<Name> = allow,
    onCreated: OnCreated<number> = () => {},
  ): Promise<number | Refusal<Name>> {
    return this.store.change((draft) => {
      const refused = guard(draft);
      if (refused) return refused;
      const id = draft.nextNumber(this.table.name);
      draft.put(this.table, id, content);
      onCreated(draft, id);
      return id;
    });
  }

  /** Saves a document under an id, unless the guard refuses; returns the refusal. */
  async save<Name extends ErrorName = never>(
    id: number,
    content: DocumentContent<Row>,
    guard: DocumentGuard<Name> = allow,
  ): Promise<Refusal<Name> | null> {
    await this.keepBody(id);
    return this.store.change((draft) => {
      const refused = guard(draft);
      if (!refused) draft.put(this.table, id, content);
      return refused;
    });
  }

  /** Removes a document, unless the guard refuses; returns the refusal. */
  async remove<Name extends ErrorName = never>(
    id: number,
    guard: DocumentGuard<Name> = allow,
  ): Promise<Refusal<Name> | null> {
    await this.keepBody(id);
    return this.store.change((draft) => {
      const refused = guard(draft);
      if (!refused) draft.remove(this.table, id);
      return refused;
    });
  }

  /** Reads the body of a document of the snapshot before it changes. */
  private async keepBody(id: number): Promise<void> {
    const { kept } = this;
    const row = this.table.get(id);
    if (!kept || kept.documents.get(id) !== row) return;
    const body = await this.readBody(id);
    if (this.table.get(id) === row) kept.bodies.set(id, body);
  }

  /** All present documents, for `restore`; the latest snapshot can be restored. */
  snapshot(): DocumentsSnapshot<Row> {
    const last_id = this.store.counters.get(this.table.name) ?? 0;
    this.kept = { documents: this.all, last_id, bodies: new Map() };
    return this.kept;
  }

  /** Replaces all documents and the last id. */
  async restore({ documents, last_id, bodies }: DocumentsSnapshot<Row>): Promise<void> {
    await this.store.change((draft) => {
      for (const id of draft.rows(this.table).keys()) {
        if (!documents.has(Number(id))) draft.remove(this.table, id);
      }
      for (const [id, row] of documents) {
        const body = bodies.get(id);
        if (draft.get(this.table, id) === row) continue;
        draft.put(this.table, id, { row, ...(body && { body }) });
      }
      draft.put(this.store.counters, this.table.name, { row: last_id });
    });
  }
}
