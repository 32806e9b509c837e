/**
 * Tables: rows in memory, and tables of documents, which also have bodies on disk and can be
 * restored to a snapshot. Also: the line of the journal that holds one transaction.
 */
import { crc32 } from 'node:zlib';
import type { ErrorName } from '../../contract/errors.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Draft, OnCreated, Store } from './store.ts';

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

/**
 * One line of the journal: one transaction. `<CRC-32, 8 hexadecimal digits> <head as JSON>`, then
 * each body after a tab, then a line end; JSON text contains neither tabs nor line ends. The
 * checksum covers everything between the first space and the line end.
 */

export type Key = number | string;

/** A change of one row. Rows stay in memory; bodies are read from disk on demand. */
export type RowOperation =
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly key: Key;
      readonly row: unknown;
      /** JSON text, in UTF-8 if it is long. */
      readonly body: string | Uint8Array | null;
    }
  | { readonly kind: 'remove'; readonly table: string; readonly key: Key }
  | { readonly kind: 'clear'; readonly table: string };

/** Location and checksum of a body in its segment. */
export interface BodyLocation {
  readonly offset: number;
  readonly length_bytes: number;
  readonly crc: number;
}

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

/** An operation as the head stores it. */
type StoredOperation =
  | readonly ['p', string, Key, unknown, number?, number?]
  | readonly ['r', string, Key]
  | readonly ['c', string];

/** The head of a line. */
export interface LineHead {
  /** Number of the transaction; numbers have no gaps. */
  readonly n: number;
  /** Number of the last transaction that was durable when this line was written. */
  readonly d: number;
  /** Number of transactions up to this one that change the index (users, tokens, settings). */
  readonly i: number;
  readonly o: readonly StoredOperation[];
  /** Only in the first line of a segment. */
  readonly segment?: SegmentHead;
  /** The transaction was damaged; its changes are lost. */
  readonly lost?: true;
  /** Only in the head file. */
  readonly head?: HeadSlot;
}

/**
 * What a slot of the head file states. A start is a segment, the last number and the index changes
 * before it, its writer, and the segment before.
 */
interface HeadSlot {
  readonly write: number;
  readonly n: number;
  readonly i: number;
  readonly first: number;
  readonly starts: readonly (readonly [number, number, number, number, number])[];
}

/** What the first line of a segment states. */
export interface SegmentHead {
  readonly format: number;
  readonly number: number;
  readonly epoch: number;
  /** The last transaction of the segments before; later ones in them do not count. */
  readonly after: number;
  /** Number of the segment before; 0 for the first. */
  readonly previous: number;
}

/** A valid line with the bytes that it occupies. */
export interface Line {
  readonly head: LineHead;
  readonly offset: number;
  readonly length_bytes: number;
  /** Offset of the first body, from the start of the segment. */
  readonly bodies_offset: number;
}

const CRC_CHARACTERS = 8;
const PREFIX_BYTES = CRC_CHARACTERS + 1;
const TAB = 9;

/** The CRC-32 of bytes or of UTF-8 text. */
export function crcOf(data: Uint8Array | string): number {
  return crc32(data);
}

function storedOperation(operation: RowOperation): StoredOperation {
  if (operation.kind === 'clear') return ['c', operation.table];
  const { table, key } = operation;
  if (operation.kind === 'remove') return ['r', table, key];
  const { row, body } = operation;
  if (body === null) return ['p', table, key, row];
  return ['p', table, key, row, Buffer.byteLength(body), crcOf(body)];
}

/** The bytes of a line, its line end included. */
export function encodeLine(
  head: Omit<LineHead, 'o'>,
  operations: readonly RowOperation[],
): { readonly bytes: Buffer; readonly head: LineHead } {
  const whole: LineHead = { ...head, o: operations.map(storedOperation) };
  const parts: Uint8Array[] = [];
  let text = `${'0'.repeat(CRC_CHARACTERS)} ${JSON.stringify(whole)}`;
  for (const operation of operations) {
    if (operation.kind !== 'put' || operation.body === null) continue;
    text += '\t';
    if (typeof operation.body === 'string') text += operation.body;
    else {
      parts.push(Buffer.from(text), operation.body);
      text = '';
    }
  }
  const bytes = Buffer.concat([...parts, Buffer.from(`${text}\n`)]);
  const crc = crcOf(bytes.subarray(PREFIX_BYTES, -1));
  bytes.write(crc.toString(16).padStart(CRC_CHARACTERS, '0'));
  return { bytes, head: whole };
}

/** The numbers at the start of the head of a transaction. */
const NUMBERS = /^\{"n":(\d+),"d":(\d+),"i":(\d+),"o":/;
/** Longest text of these numbers (bytes). */
const NUMBERS_BYTES = 80;

type HeadPlace = readonly [segment: Buffer, from: number, to: number];

/**
 * The head of a transaction as it is read. Its operations are parsed when they are asked for, and
 * not kept: those of a whole journal are more than its rows.
 */
class ReadHead implements LineHead {
  readonly n: number;
  readonly d: number;
  readonly i: number;
  private readonly place: HeadPlace;

  constructor([n, d, i]: readonly string[], place: HeadPlace) {
    this.n = Number(n);
    this.d = Number(d);
    this.i = Number(i);
    this.place = place;
  }

  get o(): LineHead['o'] {
    return parsedHead(...this.place).o;
  }
}

function parsedHead(...[segment, from, to]: HeadPlace): LineHead {
  return JSON.parse(segment.toString('utf8', from, to)) as LineHead;
}

function readHead(segment: Buffer, from: number, to: number): LineHead {
  const start = segment.toString('latin1', from, Math.min(to, from + NUMBERS_BYTES));
  const found = NUMBERS.exec(start);
  return found ? new ReadHead(found.slice(1), [segment, from, to]) : parsedHead(segment, from, to);
}

/** Reads the line between two offsets, without its line end; null if it is damaged. */
export function decodeLine(segment: Buffer, offset: number, end: number): Line | null {
  if (end - offset <= PREFIX_BYTES) return null;
  const stored = segment.toString('latin1', offset, offset + CRC_CHARACTERS);
  const content = segment.subarray(offset + PREFIX_BYTES, end);
  if (stored !== crcOf(content).toString(16).padStart(CRC_CHARACTERS, '0')) return null;
  const tab = content.indexOf(TAB);
  const head_bytes = tab < 0 ? content.length : tab;
  const from = offset + PREFIX_BYTES;
  const head = readHead(segment, from, from + head_bytes);
  const bodies_offset = from + head_bytes + 1;
  return { head, offset, length_bytes: end + 1 - offset, bodies_offset };
}

/** Length of all bodies of a line (bytes). */
export function bodiesLength({ o }: Pick<LineHead, 'o'>): number {
  return o.reduce((total, operation) => total + (operation[4] ?? 0), 0);
}

/** A change as it is read from a line, with the location of its body. */
export type ReadOperation =
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly key: Key;
      readonly row: unknown;
      readonly body: BodyLocation | null;
    }
  | Exclude<RowOperation, { kind: 'put' }>;

/** The operations of a line, in order. */
export function* rowOperationsOf(
  { head, bodies_offset }: Pick<Line, 'head' | 'bodies_offset'>,
  o = head.o,
): Generator<ReadOperation> {
  let offset = bodies_offset;
  for (const [kind, table, key, row, length_bytes, crc] of o) {
    if (kind === 'c') yield { kind: 'clear', table };
    else if (kind === 'r') yield { kind: 'remove', table, key: key! };
    else if (length_bytes === undefined) yield { kind: 'put', table, key: key!, row, body: null };
    else {
      yield { kind: 'put', table, key: key!, row, body: { offset, length_bytes, crc: crc! } };
      offset += length_bytes + 1;
    }
  }
}

/**
 * A table of rows in memory, with rows that are found by a text, or counted and listed by a group
 * such as their owner.
 */

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
