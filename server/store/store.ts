import { shares } from '../../contract/shares.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { StoredBytes } from '../shares/stored-bytes.ts';
import { Compaction } from './compaction.ts';
import { Draft, type Overlay } from './draft.ts';
import { StoreJournal } from './journal.ts';
import {
  bodiesLength,
  crcOf,
  encodeLine,
  type ReadOperation,
  type RowOperation,
  rowOperationsOf,
  type StoredLine,
} from './journal-line.ts';
import type { JournalReport } from './journal-load.ts';
import type { JournalOptions } from './journal-options.ts';
import { faultOf, StorageError } from './storage-error.ts';
import { type Entry, type Key, Table } from './table.ts';

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

/**
 * The store: tables of rows in memory, made durable by the journal. A change is a function that
 * edits a draft; all changes that wait are evaluated one after another, written together, and only
 * then visible to readers and acknowledged. What is refused or fails changes nothing.
 */
export class Store {
  /** Last numbers of sequences. */
  readonly counters: Table<number>;
  /** What each owner has in the tables. */
  readonly bytes: StoredBytes;
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

  private constructor(release: () => Promise<void>, bytes: StoredBytes) {
    this.release = release;
    this.bytes = bytes;
    this.counters = this.table('counters');
  }

  /** Opens the store of a journal, or one in memory (null); `release` is called at the end. */
  static async open(options: JournalOptions | null, release = async () => {}): Promise<Store> {
    const { stored_in_memory, stored_on_disk } = shares;
    const bytes = new StoredBytes(options === null ? stored_in_memory : stored_on_disk);
    const store = new Store(release, bytes);
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
        this.discount(table, operation.key);
        table.delete(operation.key);
      } else {
        for (const key of table.entries.keys()) this.discount(table, key);
        table.clear();
      }
    }
  }

  private discount(table: Table<unknown>, key: Key): void {
    const entry = table.entries.get(key);
    if (!entry) return;
    const { row, size_bytes } = entry;
    this.live_bytes -= size_bytes;
    this.bytes.note({ table: table.name, key, row, size_bytes }, -1);
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
    this.discount(table, key);
    this.live_bytes += size_bytes;
    this.bytes.note({ table: table.name, key, row, size_bytes }, 1);
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
