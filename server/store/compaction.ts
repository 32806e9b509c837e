import { limits } from '../../contract/limits.ts';
import type { Draft } from './draft.ts';
import { FIRST_SEGMENT } from './first-segment.ts';
import type { StoreJournal } from './journal.ts';
import { rowOperationsOf, type StoredLine } from './journal-line.ts';
import { StorageError } from './storage-error.ts';
import type { Table } from './table.ts';

/** Size of the rows that one transaction moves (bytes). */
const MOVED_BYTES = 256 * 1024;
/** The journal is compacted when it is this many times as long as its rows. */
const GROWTH = 2;
/** Most segments; short ones come from restarts. */
const SEGMENTS = 64;

/** The rows that the journal holds. */
export interface JournalRows {
  readonly tables: ReadonlyMap<string, Table<unknown>>;
  /** As `Store.change`. */
  change<Value>(edit: (draft: Draft) => Value): Promise<Value>;
  readonly onProblem: (problem: string) => void;
}

/**
 * Compaction of the journal: the rows of the oldest segment that are still valid are written again
 * at the end, and the segment is removed, while the journal is much larger than its rows.
 */
export class Compaction {
  private readonly rows: JournalRows;
  private readonly journal: StoreJournal;
  private readonly growth_bytes: number;
  private working: Promise<void> | null = null;
  private isStopped = false;
  private live_bytes = 0;

  constructor(
    rows: JournalRows,
    journal: StoreJournal,
    growth_bytes = limits.log_compaction_bytes,
  ) {
    this.rows = rows;
    this.journal = journal;
    this.growth_bytes = growth_bytes;
  }

  /** Compacts if the journal is much larger than its rows, which have this size. */
  consider(live_bytes: number): void {
    this.live_bytes = live_bytes;
    if (this.working || this.isStopped) return;
    const isLarge = this.journal.size_bytes > GROWTH * live_bytes + this.growth_bytes;
    if (!(isLarge || this.journal.segment_count > SEGMENTS)) return;
    if (this.journal.oldest === null) return;
    this.working = this.compactOldest(this.journal.oldest).then(
      () => {
        this.working = null;
        this.consider(this.live_bytes);
      },
      (error: unknown) => {
        this.working = null;
        // Not tried again before the next start.
        this.isStopped = true;
        this.rows.onProblem(`Could not compact the journal: ${String(error)}`);
      },
    );
  }

  /** Starts no further compaction. */
  stop(): void {
    this.isStopped = true;
  }

  /** Resolves when none is under way. */
  async finish(): Promise<void> {
    while (this.working) await this.working;
  }

  private async compactOldest(oldest: number): Promise<void> {
    const { rows, journal } = this;
    const { lines, bytes } = await journal.readSegment(oldest);
    for (let at = 0; at < lines.length; ) {
      let moved_bytes = 0;
      const from = at;
      while (at < lines.length && moved_bytes < MOVED_BYTES)
        moved_bytes += lines[at++]!.length_bytes;
      const part = lines.slice(from, at).map((line) => ({ ...line, segment: oldest }));
      await rows.change((draft) => this.moveRows(part, { bytes, draft }));
    }
    const isHeld = [...rows.tables.values()].some((table) => table.holdsSegment(oldest));
    if (isHeld) throw new StorageError(`${journal.nameOf(oldest)} still holds rows`);
    const first = journal.secondOldest;
    // The segment after it is gone if its first write has failed.
    if (first === null) return;
    await rows.change((draft) => draft.setLastNumber(FIRST_SEGMENT, first));
    await journal.removeOldest();
  }

  /** Writes again those rows of lines that no later transaction has changed. */
  private moveRows(
    lines: readonly StoredLine[],
    { bytes, draft }: { readonly bytes: Buffer; readonly draft: Draft },
  ): void {
    for (const line of lines) {
      for (const operation of rowOperationsOf(line)) {
        if (operation.kind !== 'put') continue;
        const table = this.rows.tables.get(operation.table);
        const { key, body } = operation;
        const entry = table?.entries.get(key);
        if (!table || !entry) continue;
        // A transaction may write a row more than once, each time with its own body.
        const isLatest = entry.n === line.head.n && entry.offset === (body?.offset ?? -1);
        if (!isLatest || entry.segment !== line.segment || draft.isChanged(table, key)) continue;
        const text = body && bytes.toString('utf8', body.offset, body.offset + body.length_bytes);
        draft.put(table, key, { row: entry.row, body: text });
      }
    }
  }
}
