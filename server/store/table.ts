/** Tables of rows in memory, and the draft of a transaction that changes them. */
import type { ErrorName } from '../../contract/errors.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Key, RowOperation } from './journal-line.ts';
import type { Store } from './store.ts';

/** A row and where it is stored. */
export interface Entry {
  row: unknown;
  /** Number of the transaction that wrote it. */
  n: number;
  segment: number;
  size_bytes: number;
  /** Offset of the body in the segment; −1 without a body. */
  offset: number;
  length_bytes: number;
  crc: number;
  /** The body itself, in a store without a disk. */
  text: string | Uint8Array | null;
}

/** The rows of one table, read only. */
export class Table<Row> {
  readonly name: string;
  /** Changes with every visible change of the table. */
  version = 0;
  readonly entries = new Map<Key, Entry>();

  constructor(name: string) {
    this.name = name;
  }

  get(key: Key): Row | undefined {
    return this.entries.get(key)?.row as Row | undefined;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Whether a row is stored in a segment. */
  holdsSegment(segment: number): boolean {
    for (const entry of this.entries.values()) if (entry.segment === segment) return true;
    return false;
  }

  *rows(): Generator<[Key, Row]> {
    for (const [key, { row }] of this.entries) yield [key, row as Row];
  }
}

/** Changes of one table that are not visible yet. */
export interface Overlay {
  isCleared: boolean;
  /** Undefined: removed. */
  readonly rows: Map<Key, unknown>;
}

const REMOVED = undefined;

/** The transaction that an edit fills; reads see its own changes and those before it. */
export class Draft {
  readonly operations: RowOperation[] = [];
  private readonly counters: Table<number>;
  private readonly overlays: Map<string, Overlay>;
  private readonly own = new Map<string, Overlay>();

  constructor(counters: Table<number>, overlays: Map<string, Overlay>) {
    this.counters = counters;
    this.overlays = overlays;
  }

  private overlay(table: string): Overlay {
    const known = this.own.get(table);
    if (known) return known;
    const made: Overlay = { isCleared: false, rows: new Map() };
    this.own.set(table, made);
    return made;
  }

  get<Row>(table: Table<Row>, key: Key): Row | undefined {
    for (const overlay of [this.own.get(table.name), this.overlays.get(table.name)]) {
      if (overlay?.rows.has(key)) return overlay.rows.get(key) as Row | undefined;
      if (overlay?.isCleared) return undefined;
    }
    return table.get(key);
  }

  /** Whether this transaction or one of its batch has changed a row. */
  isChanged(table: Table<unknown>, key: Key): boolean {
    return [this.own.get(table.name), this.overlays.get(table.name)].some(
      (overlay) => overlay?.isCleared || overlay?.rows.has(key),
    );
  }

  /** All rows as this transaction sees them. */
  rows<Row>(table: Table<Row>): Map<Key, Row> {
    const all = new Map<Key, Row>(table.rows());
    for (const overlay of [this.overlays.get(table.name), this.own.get(table.name)]) {
      if (!overlay) continue;
      if (overlay.isCleared) all.clear();
      for (const [key, row] of overlay.rows) {
        if (row === REMOVED) all.delete(key);
        else all.set(key, row as Row);
      }
    }
    return all;
  }

  /** Number of rows that match, without a copy of the table. */
  count<Row>(table: Table<Row>, matches: (row: Row) => boolean): number {
    const changed = new Map<Key, unknown>();
    let isCleared = false;
    for (const overlay of [this.overlays.get(table.name), this.own.get(table.name)]) {
      if (overlay?.isCleared) {
        isCleared = true;
        changed.clear();
      }
      for (const [key, row] of overlay?.rows ?? []) changed.set(key, row);
    }
    let count = 0;
    for (const row of changed.values()) if (row !== REMOVED && matches(row as Row)) count++;
    if (isCleared) return count;
    for (const [key, row] of table.rows()) if (!changed.has(key) && matches(row)) count++;
    return count;
  }

  /** Writes a row; `body` is JSON text that is read from disk on demand. */
  put<Row>(
    table: Table<Row>,
    key: Key,
    { row, body = null }: { row: Row; body?: string | Uint8Array | null },
  ) {
    this.overlay(table.name).rows.set(key, row);
    this.operations.push({ kind: 'put', table: table.name, key, row, body });
  }

  remove(table: Table<unknown>, key: Key): void {
    this.overlay(table.name).rows.set(key, REMOVED);
    this.operations.push({ kind: 'remove', table: table.name, key });
  }

  clear(table: Table<unknown>): void {
    const overlay = this.overlay(table.name);
    overlay.isCleared = true;
    overlay.rows.clear();
    this.operations.push({ kind: 'clear', table: table.name });
  }

  /** The next number of a sequence; a number is never returned twice, also after a restart. */
  nextNumber(sequence: string): number {
    const next = this.lastNumber(sequence) + 1;
    this.setLastNumber(sequence, next);
    return next;
  }

  lastNumber(sequence: string): number {
    return this.get(this.counters, sequence) ?? 0;
  }

  setLastNumber(sequence: string, last: number): void {
    this.put(this.counters, sequence, { row: last });
  }

  /** Adds the changes to those of the batch. */
  accept(): void {
    for (const [name, { isCleared, rows }] of this.own) {
      const into = this.overlays.get(name) ?? { isCleared: false, rows: new Map() };
      if (isCleared) into.rows.clear();
      into.isCleared ||= isCleared;
      for (const [key, row] of rows) into.rows.set(key, row);
      this.overlays.set(name, into);
    }
  }
}

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
  ): Promise<number | Refusal<Name>> {
    return this.store.change((draft) => {
      const refused = guard(draft);
      if (refused) return refused;
      const id = draft.nextNumber(this.table.name);
      draft.put(this.table, id, content);
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
    if (!kept || row === undefined || kept.bodies.has(id) || kept.documents.get(id) !== row) return;
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
