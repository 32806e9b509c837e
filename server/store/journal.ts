import { join } from 'node:path';
import type { DiskFile } from './disk.ts';
import { lossError } from './folder-loss.ts';
import { HeadFile, headName } from './head-file.ts';
import { changesIndex } from './index-tables.ts';
import {
  encodeLine,
  type Line,
  type LineHead,
  type RowOperation,
  type StoredLine,
} from './journal-line.ts';
import {
  type JournalReport,
  type LoadedJournal,
  loadJournal,
  type TailLine,
} from './journal-load.ts';
import type { JournalOptions } from './journal-options.ts';
import type { Position } from './journal-position.ts';
import { replaceFile } from './replace-file.ts';
import { JOURNAL_FORMAT, type SegmentStart, segmentPath } from './segment.ts';
import { checkSegment } from './segment-check.ts';
import { StorageError, saveError } from './storage-error.ts';

/**
 * The journal: the one file format in which everything durable is written. Transactions are
 * appended to segments; many that wait share one sync (group commit). A transaction is acknowledged
 * after the sync and after the folder lock was found unchanged, so a writer that lost the lock
 * acknowledges nothing.
 */
export class StoreJournal {
  private readonly options: JournalOptions;
  private position: Position;
  private file: DiskFile | null = null;
  private readonly headFile: HeadFile;
  /** Size of each segment (bytes), the oldest first. */
  private readonly sizes: Map<number, number>;
  /** The position before each segment. */
  private readonly starts = new Map<number, SegmentStart>();
  private last_segment: number;
  /** The segment that the next one names as the one before it. */
  private last_written: number;
  /** Whether the segment may hold a write that is not acknowledged. */
  private isUnclean = false;

  private constructor(options: JournalOptions, { position, sizes, ...loaded }: LoadedJournal) {
    this.options = options;
    const { disk, folder, lock } = options;
    this.headFile = new HeadFile(disk, join(folder, headName(lock?.epoch ?? 0)));
    this.position = position;
    this.sizes = new Map(sizes);
    for (const [number, start] of loaded.starts) if (start) this.starts.set(number, start);
    this.last_segment = Math.max(0, ...sizes.keys());
    this.last_written = loaded.lastWritten;
  }

  /** Opens a journal and passes every transaction to `found`, in order. */
  static async open(
    options: JournalOptions,
    found: (line: StoredLine) => void,
  ): Promise<{ readonly journal: StoreJournal; readonly report: JournalReport }> {
    const loaded = await loadJournal(options, found);
    const journal = new StoreJournal(options, loaded);
    for (const line of await journal.adopt(loaded.tail)) found(line);
    const { damages, unfinished_bytes } = loaded; // The rest, with all lines, must not stay.
    return { journal, report: { damages, unfinished_bytes } };
  }

  /**
   * Writes the last transactions of another writer again, so that it cannot remove them: it may be
   * about to answer that they failed.
   */
  private async adopt(tail: readonly TailLine[]): Promise<StoredLine[]> {
    const last = tail.at(-1);
    if (!last || !this.options.lock) return [];
    const path = segmentPath(this.options.folder, this.last_segment);
    try {
      const parts = tail.map(({ bytes, head }) => ({ bytes, head }));
      const { n, i } = last.head;
      return await this.append(parts, { n, i });
    } catch (error) {
      await this.abandonSegment();
      throw saveError(path, error);
    }
  }

  /** Number of the oldest segment; null if there is none after it. */
  get oldest(): number | null {
    const [oldest, next] = this.sizes.keys();
    return next === undefined ? null : oldest!;
  }

  get segment_count(): number {
    return this.sizes.size;
  }

  get size_bytes(): number {
    let total = 0;
    for (const size of this.sizes.values()) total += size;
    return total;
  }

  /**
   * Makes transactions durable in one write; rejects if none of them is. The error is uncertain
   * when they may be found after a restart all the same.
   */
  async commit(transactions: readonly (readonly RowOperation[])[]): Promise<StoredLine[]> {
    this.isUnclean = false;
    try {
      await this.checkLock();
      return await this.write(transactions);
    } catch (error) {
      // The failed write may have begun a segment, which is the one to name.
      const path = segmentPath(this.options.folder, this.last_segment);
      throw saveError(path, error, !(await this.abandonSegment()));
    }
  }

  private async checkLock(): Promise<void> {
    const { lock, folder } = this.options;
    if (!lock) throw new StorageError(`${folder} is open for reading only`);
    if (!(await lock.isHeld())) throw lossError(folder, lock.loss ?? 'taken over');
  }

  private write(transactions: readonly (readonly RowOperation[])[]): Promise<StoredLine[]> {
    let { n, i } = this.position;
    const d = n;
    const lines = transactions.map((operations) => {
      n += 1;
      if (changesIndex({ o: operations.map(({ table }) => ['c', table] as const) })) i += 1;
      return encodeLine({ n, d, i }, operations);
    });
    return this.append(lines, { n, i });
  }

  /** Appends encoded transactions, which lead to a position. */
  private async append(
    lines: readonly { readonly bytes: Buffer; readonly head: LineHead }[],
    position: Position,
  ): Promise<StoredLine[]> {
    const isFull = (this.sizes.get(this.last_segment) ?? 0) >= this.options.segment_bytes;
    if (isFull && this.file) await this.closeSegment();
    const isNew = this.file === null;
    const file = this.file ?? (await this.openSegment());
    const parts = isNew ? [this.openingLine()] : [];
    const start = isNew ? 0 : this.sizes.get(this.last_segment)!;
    let offset = start + (parts[0]?.length ?? 0);
    const stored: StoredLine[] = [];
    for (const { bytes, head } of lines) {
      const head_bytes = bytes.indexOf(9);
      const bodies_offset = offset + (head_bytes < 0 ? bytes.length : head_bytes + 1);
      const length_bytes = bytes.length;
      stored.push({ head, bodies_offset, length_bytes, segment: this.last_segment });
      parts.push(bytes);
      offset += length_bytes;
    }
    this.isUnclean = true;
    await file.write(Buffer.concat(parts), start);
    await file.sync();
    if (isNew) await this.options.disk.syncFolder(this.options.folder);
    await this.checkLock();
    this.sizes.set(this.last_segment, offset);
    this.last_written = this.last_segment;
    this.position = position;
    await this.writeHead(isNew);
    return stored;
  }

  private openingLine(): Buffer {
    const { n, i } = this.position;
    const { epoch } = this.options.lock!;
    const number = this.last_segment;
    const { previous } = this.starts.get(number)!;
    const segment = { format: JOURNAL_FORMAT, number, epoch, after: n, previous };
    return encodeLine({ n, d: n, i, segment }, []).bytes;
  }

  /** Creates the next segment. A writer that lost the lock may have created one: it is skipped. */
  private async openSegment(): Promise<DiskFile> {
    const { disk, folder } = this.options;
    await disk.makeFolder(folder);
    for (;;) {
      this.last_segment += 1;
      this.file = await disk.create(segmentPath(folder, this.last_segment));
      if (this.file) break;
    }
    const previous = this.last_written;
    this.sizes.set(this.last_segment, 0);
    const { epoch } = this.options.lock!;
    this.starts.set(this.last_segment, { ...this.position, epoch, previous });
    return this.file;
  }

  private async closeSegment(): Promise<void> {
    await this.file?.close().catch(() => {});
    this.file = null;
  }

  /**
   * After a failed write nothing is known of the file's end: removes what was written, or excludes
   * it by the first line of a new segment. Returns whether that is certain. A writer that lost the
   * lock removes nothing: its successor may have read it, also while this one removes it.
   */
  private async abandonSegment(): Promise<boolean> {
    const { file, isUnclean } = this;
    if (!file) return true;
    const size = this.sizes.get(this.last_segment) ?? 0;
    const isOwn = await this.options.lock?.isHeld().catch(() => false);
    const removed = async () => {
      await file.truncate(size);
      await file.sync();
      return true;
    };
    const isRemoved = isOwn && (await removed().catch(() => false));
    await this.closeSegment();
    if (!isOwn) return !isUnclean;
    if (size === 0) await this.removeSegment(this.last_segment);
    if (!isUnclean) return true;
    const isExcluded = isRemoved || (await this.excludeTail());
    return isExcluded && (await this.options.lock!.isHeld());
  }

  private async removeSegment(number: number): Promise<void> {
    this.sizes.delete(number);
    this.starts.delete(number);
    await this.options.disk.remove(segmentPath(this.options.folder, number)).catch(() => {});
  }

  /** Opens a segment, whose first line excludes what stands after the last acknowledged change. */
  private async excludeTail(): Promise<boolean> {
    try {
      const file = await this.openSegment();
      const line = this.openingLine();
      await file.write(line, 0);
      await file.sync();
      await this.options.disk.syncFolder(this.options.folder);
      this.sizes.set(this.last_segment, line.length);
      this.last_written = this.last_segment;
      await this.writeHead(true);
      return true;
    } catch {
      await this.closeSegment();
      await this.removeSegment(this.last_segment);
      return false;
    }
  }

  private writeHead(isDurable: boolean): Promise<void> {
    const { starts, position } = this;
    const first = this.sizes.size === 0 ? 0 : Math.min(...this.sizes.keys());
    return this.headFile.write({ ...position, first, starts }, isDurable);
  }

  /** The bytes of a body; short if the file is. */
  async readBody(segment: number, offset: number, length_bytes: number): Promise<Buffer | null> {
    const path = segmentPath(this.options.folder, segment);
    return this.options.disk.read(path, { offset, length_bytes });
  }

  /** The transactions of a segment that is no longer written. */
  async readSegment(number: number): Promise<{ lines: readonly Line[]; bytes: Buffer }> {
    const path = segmentPath(this.options.folder, number);
    const bytes = (await this.options.disk.read(path)) ?? Buffer.alloc(0);
    const expected = { before: null, end: null, head: null };
    return { lines: checkSegment({ path, number, bytes }, expected).lines, bytes };
  }

  /**
   * Removes the oldest segment, none of whose rows is needed. A durable transaction has stated that
   * it may be absent (FIRST_SEGMENT).
   */
  async removeOldest(): Promise<void> {
    const { oldest } = this;
    if (oldest === null) return;
    const { disk, folder } = this.options;
    this.sizes.delete(oldest);
    this.starts.delete(oldest);
    await this.writeHead(true);
    await disk.remove(segmentPath(folder, oldest));
    await disk.syncFolder(folder);
  }

  /** Number of the segment after the oldest; null if there is none. */
  get secondOldest(): number | null {
    const [, next = null] = this.sizes.keys();
    return next;
  }

  /** Copies bytes that are damaged beside the segments; a reader writes nothing. */
  async keepDamaged(name: string, bytes: Uint8Array): Promise<void> {
    const { disk, folder, lock } = this.options;
    if (lock) await replaceFile(disk, join(folder, `${name}.damaged`), bytes);
  }

  nameOf(segment: number): string {
    return segmentPath(this.options.folder, segment);
  }

  async close(): Promise<void> {
    await this.closeSegment();
    await this.headFile.close();
  }
}
