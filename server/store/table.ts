/**
 * A table of rows in memory, with rows that are found by a text, or counted and listed by a group
 * such as their owner.
 */

export type Key = number | string;

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

/** Keys of rows by a group of each row, such as its owner. */
interface TableGroups {
  readonly groupOf: (row: unknown) => Key;
  readonly keys: Map<Key, Set<Key>>;
}

const NO_KEYS: ReadonlySet<Key> = new Set();

/** The rows of one table, read only. */
export class Table<Row> {
  readonly name: string;
  /** Changes with every visible change of the table. */
  version = 0;
  private readonly rowEntries = new Map<Key, Entry>();
  /** Keys by a text of their rows. */
  private index: TableIndex | null = null;
  private groups: TableGroups | null = null;

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

  /** Makes the rows of a group countable without a look at the others. */
  groupBy(groupOf: (row: Row) => Key): void {
    this.groups = { groupOf: (row) => groupOf(row as Row), keys: new Map() };
    for (const [key, row] of this.rows()) this.join(key, row);
  }

  /** The group of a row; undefined in a table without groups. */
  groupOf(row: Row): Key | undefined {
    return this.groups?.groupOf(row);
  }

  /** Keys of the rows of a group, in no order. */
  keysIn(group: Key): ReadonlySet<Key> {
    return this.groups?.keys.get(group) ?? NO_KEYS;
  }

  private join(key: Key, row: unknown): void {
    if (!this.groups) return;
    const { groupOf, keys } = this.groups;
    const group = groupOf(row);
    const members = keys.get(group) ?? new Set();
    keys.set(group, members.add(key));
  }

  private leave(key: Key, row: unknown): void {
    if (!this.groups) return;
    const { groupOf, keys } = this.groups;
    const group = groupOf(row);
    const members = keys.get(group);
    members?.delete(key);
    if (members?.size === 0) keys.delete(group);
  }

  /** Writes an entry; for the store alone. */
  set(key: Key, entry: Entry): void {
    this.delete(key);
    this.rowEntries.set(key, entry);
    this.index?.keys.set(this.index.textOf(entry.row), key);
    this.join(key, entry.row);
  }

  /** Removes an entry; for the store alone. */
  delete(key: Key): void {
    const entry = this.rowEntries.get(key);
    if (!entry) return;
    this.rowEntries.delete(key);
    const text = this.index?.textOf(entry.row);
    if (text !== undefined && this.index?.keys.get(text) === key) this.index.keys.delete(text);
    this.leave(key, entry.row);
  }

  /** Removes all entries; for the store alone. */
  clear(): void {
    this.rowEntries.clear();
    this.index?.keys.clear();
    this.groups?.keys.clear();
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
