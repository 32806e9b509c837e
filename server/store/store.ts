/**
 * The store: tables of rows in memory, made durable by the journal. A change is a function that
 * edits a draft; all changes that wait are evaluated one after another, written together, and only
 * then visible to readers and acknowledged. What is refused or fails changes nothing. Also: the
 * draft.
 */
import { systemClock } from '../clock/clock.ts';
import { Compaction } from './compaction.ts';
import { faultOf, StorageError } from './disk.ts';
import {
  bodiesLength,
  crcOf,
  type Entry,
  encodeLine,
  type Key,
  type ReadOperation,
  type RowOperation,
  rowOperationsOf,
  Table,
} from './documents.ts';
import { StoreJournal } from './journal.ts';
import type { JournalOptions, JournalReport, StoredLine } from './journal-load.ts';

/** Changes of one table that are not visible yet. */
interface Overlay {
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

/** Joins the transaction that creates an object. */
export type OnCreated<Made> = (draft: Draft, made: Made) => void;

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

interface Waiting {
  readonly edit: (draft: Draft) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An evaluated change. */
interface Evaluated {
  readonly waiting: Waiting;
  readonly value: unknown;
  readonly operations: readonly RowOperation[];
}

/** Most changes in one batch. */
const BATCH = 512;
/** A disk that takes longer for a write than this does not answer (s). */
const UNANSWERED_S = 5;

/** Attempts to read a body that is being moved. */
const MOVES = 3;

export class Store {
  /** Last numbers of sequences. */
  readonly counters: Table<number>;
  report: JournalReport = { damages: [], unfinished_bytes: 0 };
  /** Called before each write; an error makes it fail. */
  beforeCommit: () => void = () => {};
  /** Called with each problem that is found while the store is open. */
  onProblem: (problem: string) => void = () => {};
  /** Called with the fault when saves begin to fail, and with null when they work again. */
  onFault: (fault: string | null) => void = () => {};
  /** Why the last write failed, without paths; null if it did not. */
  fault: string | null = null;
  /** When the write that is being made began; null while none is (wall time). */
  private writing_since_ms: number | null = null;
  /** Wall time (ms). */
  now_ms: () => number = () => systemClock.now_ms();
  private foundLater = 0;
  /** Why nothing can be written until the next start; null if it can. */
  private readOnly: StorageError | null = null;
  readonly tables = new Map<string, Table<unknown>>();
  private journal: StoreJournal | null = null;
  private readonly release: () => Promise<void>;
  private readonly waiting: Waiting[] = [];
  private working: Promise<void> = Promise.resolve();
  private isWorking = false;
  private live_bytes = 0;
  private compaction: Compaction | null = null;
  private isClosed = false;

  private constructor(release: () => Promise<void>) {
    this.release = release;
    this.counters = this.table('counters');
  }

  /** Opens the store of a journal, or one in memory (null); `release` is called at the end. */
  static async open(options: JournalOptions | null, release = async () => {}): Promise<Store> {
    const store = new Store(release);
    if (options === null) return store;
    const { journal, report } = await StoreJournal.open(options, (line) => store.apply(line));
    store.journal = journal;
    store.compaction = new Compaction(store, journal, options.compaction_bytes);
    store.report = report;
    return store;
  }

  /** The table of this name, which may be empty. */
  table<Row>(name: string): Table<Row> {
    const known = this.tables.get(name);
    if (known) return known as Table<Row>;
    const made = new Table<Row>(name);
    this.tables.set(name, made as Table<unknown>);
    return made;
  }

  /** Frees the memory of a table without rows. */
  forgetTable(name: string): void {
    if (this.tables.get(name)?.size === 0) this.tables.delete(name);
  }

  /** Applies a stored transaction to the tables. */
  apply(line: StoredLine, texts: readonly (string | Uint8Array | null)[] = []): void {
    // A line is shared by its operations; each counts with its part.
    const { o } = line.head;
    const share_bytes = Math.ceil((line.length_bytes - bodiesLength({ o })) / o.length);
    let at = 0;
    for (const operation of rowOperationsOf(line, o)) {
      const table = this.table(operation.table);
      table.version += 1;
      const text = texts[at++] ?? null;
      if (operation.kind === 'put') this.remember(table, operation, { line, share_bytes, text });
      else if (operation.kind === 'remove') {
        this.discount(table.entries.get(operation.key));
        table.delete(operation.key);
      } else {
        for (const entry of table.entries.values()) this.discount(entry);
        table.clear();
      }
    }
  }

  private discount(entry: Entry | undefined): void {
    if (entry) this.live_bytes -= entry.size_bytes;
  }

  private remember(
    table: Table<unknown>,
    { key, row, body }: Extract<ReadOperation, { kind: 'put' }>,
    {
      line,
      share_bytes,
      text,
    }: {
      readonly line: StoredLine;
      readonly share_bytes: number;
      readonly text: Entry['text'];
    },
  ): void {
    const size_bytes = share_bytes + (body?.length_bytes ?? 0);
    this.discount(table.entries.get(key));
    this.live_bytes += size_bytes;
    table.set(key, {
      row,
      n: line.head.n,
      segment: line.segment,
      size_bytes,
      offset: body?.offset ?? -1,
      length_bytes: body?.length_bytes ?? 0,
      crc: body?.crc ?? 0,
      text,
    });
  }

  /**
   * Runs an edit after those that wait, and resolves with its result once its changes are durable
   * and visible. An edit is synchronous. Rejects with what it throws, or with StorageError when
   * its changes could not be written; then nothing has changed.
   */
  change<Value>(edit: (draft: Draft) => Value): Promise<Value> {
    if (this.isClosed) return Promise.reject(new StorageError('The data folder is closed'));
    return new Promise<Value>((resolve, reject) => {
      this.waiting.push({ edit, resolve: resolve as (value: unknown) => void, reject });
      if (!this.isWorking) this.working = this.work();
    });
  }

  /** Resolves when all changes that wait have been made or refused. */
  settled(): Promise<void> {
    // A failure belongs to the changes that share its write.
    return this.change(() => {}).catch(() => {});
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    // Changes of one turn of the event loop share a write.
    await null;
    while (this.waiting.length > 0) {
      const evaluated = this.evaluate(this.waiting.splice(0, BATCH));
      await this.write(evaluated);
      this.clean();
    }
    this.isWorking = false;
  }

  private evaluate(batch: readonly Waiting[]): Evaluated[] {
    const overlays = new Map<string, Overlay>();
    const evaluated: Evaluated[] = [];
    for (const waiting of batch) {
      const draft = new Draft(this.counters, overlays);
      try {
        const value = waiting.edit(draft);
        draft.accept();
        evaluated.push({ waiting, value, operations: draft.operations });
      } catch (error) {
        waiting.reject(error);
      }
    }
    return evaluated;
  }

  private async write(evaluated: readonly Evaluated[]): Promise<void> {
    const changed = evaluated.filter(({ operations }) => operations.length > 0);
    try {
      if (changed.length > 0) await this.commit(changed.map(({ operations }) => operations));
    } catch (error) {
      for (const { waiting } of evaluated) waiting.reject(error);
      return;
    }
    for (const { waiting, value } of evaluated) waiting.resolve(value);
  }

  private async commit(transactions: readonly (readonly RowOperation[])[]): Promise<void> {
    try {
      if (this.readOnly) throw this.readOnly;
      this.beforeCommit();
      this.writing_since_ms = this.now_ms();
      const lines = await (this.journal?.commit(transactions) ?? this.memoryLines(transactions));
      for (const [at, line] of lines.entries()) {
        const texts = transactions[at]!.map((one) => (one.kind === 'put' ? one.body : null));
        this.apply(line, this.journal ? [] : texts);
      }
      this.setFault(null);
    } catch (error) {
      if (!this.readOnly) this.setFault(faultOf(error));
      throw error;
    } finally {
      this.writing_since_ms = null;
    }
  }

  /** Why changes are not made now: refused, or a disk that does not answer; null while they are. */
  get hindrance(): string | null {
    if (this.fault !== null || this.writing_since_ms === null) return this.fault;
    const waited_s = (this.now_ms() - this.writing_since_ms) / 1000;
    if (waited_s < UNANSWERED_S) return null;
    return `the disk of the data folder has not answered for ${waited_s.toFixed(0)} s`;
  }

  private setFault(fault: string | null): void {
    if (fault === this.fault) return;
    this.fault = fault;
    this.onFault(fault);
  }

  /** Damages found at the start and since then. */
  get damage_count(): number {
    return this.report.damages.length + this.foundLater;
  }

  /** The folder was lost while nothing was written; null: it is held again. */
  noteLoss(loss: StorageError | null): void {
    if (!this.readOnly && !this.isClosed) this.setFault(loss && faultOf(loss));
  }

  /** Refuses all changes until the next start. */
  refuseChanges(reason: StorageError): void {
    this.readOnly = reason;
    this.setFault(`${faultOf(reason)}; start again when it can be written`);
  }

  /** Lines of a store without a disk. */
  private memoryLines(transactions: readonly (readonly RowOperation[])[]): StoredLine[] {
    return transactions.map((operations) => {
      const { head, bytes } = encodeLine({ n: 0, d: 0, i: 0 }, operations);
      return { head, bodies_offset: 0, length_bytes: bytes.length, segment: 0 };
    });
  }

  /** Reads the body of a row; null if there is none. Rejects when it is damaged. */
  async readBody(table: Table<unknown>, key: Key): Promise<string | null> {
    const bytes = await this.readBytes(table, key);
    return bytes && new TextDecoder().decode(bytes);
  }

  async readBytes(table: Table<unknown>, key: Key): Promise<Uint8Array | null> {
    for (let attempt = 0; ; attempt++) {
      const entry = table.entries.get(key);
      if (!entry || entry.offset < 0) return null;
      if (!this.journal) return entry.text === null ? null : Buffer.from(entry.text);
      const { segment, offset, length_bytes, crc } = entry;
      const bytes = await this.journal.readBody(segment, offset, length_bytes);
      if (bytes?.length === length_bytes && crcOf(bytes) === crc) return bytes;
      if (attempt < MOVES && table.entries.get(key)?.segment !== segment) continue;
      const name = `${table.name}-${key}`;
      const lost = `the content of ${table.name} ${key} is lost`;
      const text = `${this.journal.nameOf(segment)} is damaged: ${lost}`;
      await this.journal.keepDamaged(name, bytes ?? Buffer.alloc(0)).catch(() => {});
      this.foundLater += 1;
      this.onProblem(text);
      throw new StorageError(text);
    }
  }

  /** Moves rows out of old segments while the journal is much larger than its rows. */
  private clean(): void {
    this.compaction?.consider(this.live_bytes);
  }

  /** Waits for pending changes and for a compaction. */
  async settle(): Promise<void> {
    await this.compaction?.finish();
    while (this.isWorking) await this.working;
  }

  /** Waits for pending changes and releases the folder. */
  async close(): Promise<void> {
    this.compaction?.stop();
    await this.settle();
    this.isClosed = true;
    await this.journal?.close();
    await this.release();
  }
}
