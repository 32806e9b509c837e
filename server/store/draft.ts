/** The draft of a transaction: the changes that an edit makes, and the rows as it sees them. */

import type { RowOperation } from './journal-line.ts';
import type { Key, Table } from './table.ts';

/** Changes of one table that are not visible yet. */
export interface Overlay {
  isCleared: boolean;
  /** Undefined: removed. */
  readonly rows: Map<Key, unknown>;
}

/** Changes of one table by one transaction. */
interface OwnChanges extends Overlay {
  /** The operation that puts a row, by its place, so that a row is written once. */
  readonly puts: Map<Key, number>;
}

const REMOVED = undefined;

/** The transaction that an edit fills; reads see its own changes and those before it. */
export class Draft {
  readonly operations: RowOperation[] = [];
  private readonly counters: Table<number>;
  private readonly overlays: Map<string, Overlay>;
  private readonly own = new Map<string, OwnChanges>();

  constructor(counters: Table<number>, overlays: Map<string, Overlay>) {
    this.counters = counters;
    this.overlays = overlays;
  }

  private overlay(table: string): OwnChanges {
    const known = this.own.get(table);
    if (known) return known;
    const made: OwnChanges = { isCleared: false, rows: new Map(), puts: new Map() };
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

  /** The rows that this transaction and its batch have changed; `isCleared`: no others are left. */
  private changes(table: Table<unknown>) {
    const changed = new Map<Key, unknown>();
    let isCleared = false;
    for (const overlay of [this.overlays.get(table.name), this.own.get(table.name)]) {
      if (overlay?.isCleared) {
        isCleared = true;
        changed.clear();
      }
      for (const [key, row] of overlay?.rows ?? []) changed.set(key, row);
    }
    return { changed, isCleared };
  }

  /** Number of rows that match, without a copy of the table. */
  count<Row>(table: Table<Row>, matches: (row: Row) => boolean): number {
    const { changed, isCleared } = this.changes(table);
    let count = 0;
    for (const row of changed.values()) if (row !== REMOVED && matches(row as Row)) count++;
    if (isCleared) return count;
    for (const [key, { row }] of table.entries) {
      if (!changed.has(key) && matches(row as Row)) count++;
    }
    return count;
  }

  /** Number of rows of a group, without a look at the rows of others. */
  countIn<Row>(table: Table<Row>, group: Key): number {
    const { changed, isCleared } = this.changes(table);
    const before = isCleared ? new Set<Key>() : table.keysIn(group);
    let count = before.size;
    for (const [key, row] of changed) {
      if (before.has(key)) count--;
      if (row !== REMOVED && table.groupOf(row as Row) === group) count++;
    }
    return count;
  }

  /** Writes a row; `body` is JSON text that is read from disk on demand. */
  put<Row>(
    table: Table<Row>,
    key: Key,
    { row, body = null }: { row: Row; body?: string | Uint8Array | null },
  ) {
    const { rows, puts } = this.overlay(table.name);
    rows.set(key, row);
    const place = puts.get(key) ?? this.operations.length;
    puts.set(key, place);
    this.operations[place] = { kind: 'put', table: table.name, key, row, body };
  }

  remove(table: Table<unknown>, key: Key): void {
    const { rows, puts } = this.overlay(table.name);
    rows.set(key, REMOVED);
    puts.delete(key);
    this.operations.push({ kind: 'remove', table: table.name, key });
  }

  clear(table: Table<unknown>): void {
    const overlay = this.overlay(table.name);
    overlay.isCleared = true;
    overlay.rows.clear();
    overlay.puts.clear();
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
