/** Tables of rows in memory, and the draft of a transaction that changes them. */
import type { Key, RowOperation } from './documents.ts';

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

/** Keys of rows by a text of each row. */
interface TableIndex {
  readonly textOf: (row: unknown) => string;
  readonly keys: Map<string, Key>;
}

/** The rows of one table, read only. */
export class Table<Row> {
  readonly name: string;
  /** Changes with every visible change of the table. */
  version = 0;
  private readonly rowEntries = new Map<Key, Entry>();
  /** Keys by a text of their rows. */
  private index: TableIndex | null = null;

  constructor(name: string) {
    this.name = name;
  }

  get entries(): ReadonlyMap<Key, Entry> {
    return this.rowEntries;
  }

  /** Makes rows findable by a text; no two rows have the same one. */
  indexBy(textOf: (row: Row) => string): void {
    const keys = new Map([...this.rows()].map(([key, row]) => [textOf(row), key] as const));
    this.index = { textOf: (row) => textOf(row as Row), keys };
  }

  /** The row with this text of the index. */
  findBy(text: string): Row | undefined {
    const key = this.index?.keys.get(text);
    return key === undefined ? undefined : this.get(key);
  }

  /** Writes an entry; for the store alone. */
  set(key: Key, entry: Entry): void {
    this.delete(key);
    this.rowEntries.set(key, entry);
    this.index?.keys.set(this.index.textOf(entry.row), key);
  }

  /** Removes an entry; for the store alone. */
  delete(key: Key): void {
    const entry = this.rowEntries.get(key);
    if (!entry) return;
    this.rowEntries.delete(key);
    const text = this.index?.textOf(entry.row);
    if (text !== undefined && this.index?.keys.get(text) === key) this.index.keys.delete(text);
  }

  /** Removes all entries; for the store alone. */
  clear(): void {
    this.rowEntries.clear();
    this.index?.keys.clear();
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

/** Joins the transaction that creates an object. */
export type OnCreated<Made> = (draft: Draft, made: Made) => void;

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
    for (const [key, { row }] of table.entries) {
      if (!changed.has(key) && matches(row as Row)) count++;
    }
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
