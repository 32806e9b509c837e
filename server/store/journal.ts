/**
 * The journal: the one file format in which everything durable is written. Transactions are
 * appended to segments; many that wait share one sync (group commit). A transaction is acknowledged
 * after the sync and after the folder lock was found unchanged, so a writer that lost the lock
 * acknowledges nothing.
 */
import { join } from 'node:path';
import { type DiskFile, StorageError, saveError } from './disk.ts';
import { encodeLine, type Line, type RowOperation } from './journal-line.ts';
import {
  headName,
  type JournalOptions,
  type JournalReport,
  type LoadedJournal,
  loadJournal,
  replaceFile,
  type StoredLine,
} from './journal-load.ts';
import {
  changesIndex,
  checkSegment,
  encodeHead,
  HEAD_SLOT_BYTES,
  JOURNAL_FORMAT,
  type Position,
  segmentPath,
} from './journal-scan.ts';

export class StoreJournal {
  private readonly options: JournalOptions;
  private position: Position;
  private file: DiskFile | null = null;
  private headFile: DiskFile | null = null;
  private headSlot = 1;
  /** Size of each segment (bytes), the oldest first. */
  private readonly sizes: Map<number, number>;
  private last_segment: number;

  private constructor(options: JournalOptions, { position, sizes }: LoadedJournal) {
    this.options = options;
    this.position = position;
    this.sizes = new Map(sizes);
    this.last_segment = [...sizes.keys()].at(-1) ?? 0;
  }

  /** Opens a journal and passes every transaction to `found`, in order. */
  static async open(
    options: JournalOptions,
    found: (line: StoredLine) => void,
  ): Promise<{ readonly journal: StoreJournal; readonly report: JournalReport }> {
    const loaded = await loadJournal(options, found);
    return { journal: new StoreJournal(options, loaded), report: loaded };
  }

  /** Number of the oldest segment that is no longer written; null if there is none. */
  get oldest(): number | null {
    const [oldest] = this.sizes.keys();
    return oldest === undefined || oldest === this.last_segment ? null : oldest;
  }

  get segment_count(): number {
    return this.sizes.size;
  }

  get size_bytes(): number {
    let total = 0;
    for (const size of this.sizes.values()) total += size;
    return total;
  }

  /** Makes transactions durable in one write; rejects if none of them is. */
  async commit(transactions: readonly (readonly RowOperation[])[]): Promise<StoredLine[]> {
    const path = segmentPath(this.options.folder, this.last_segment);
    try {
      await this.checkLock();
      return await this.write(transactions);
    } catch (error) {
      await this.abandonSegment();
      throw saveError(path, error);
    }
  }

  private async checkLock(): Promise<void> {
    const { lock, folder } = this.options;
    if (!lock) throw new StorageError(`${folder} is open for reading only`);
    if (await lock.isHeld()) return;
    throw new StorageError(`another armtwin has taken over ${folder}; stop this one`);
  }

  private async write(transactions: readonly (readonly RowOperation[])[]): Promise<StoredLine[]> {
    const isFull = (this.sizes.get(this.last_segment) ?? 0) >= this.options.segment_bytes;
    if (isFull && this.file) await this.closeSegment();
    const isNew = this.file === null;
    const file = this.file ?? (await this.openSegment());
    const parts = isNew ? [this.openingLine()] : [];
    const start = isNew ? 0 : this.sizes.get(this.last_segment)!;
    let offset = start + (parts[0]?.length ?? 0);
    let { n, i } = this.position;
    const d = n;
    const stored: StoredLine[] = [];
    for (const operations of transactions) {
      n += 1;
      if (changesIndex({ o: operations.map(({ table }) => ['c', table] as const) })) i += 1;
      const { bytes, head } = encodeLine({ n, d, i }, operations);
      const head_bytes = bytes.indexOf(9);
      const bodies_offset = offset + (head_bytes < 0 ? bytes.length : head_bytes + 1);
      const length_bytes = bytes.length;
      stored.push({ head, bodies_offset, length_bytes, segment: this.last_segment });
      parts.push(bytes);
      offset += length_bytes;
    }
    await file.write(Buffer.concat(parts), start);
    await file.sync();
    if (isNew) await this.options.disk.syncFolder(this.options.folder);
    await this.checkLock();
    this.sizes.set(this.last_segment, offset);
    this.position = { n, i };
    await this.writeHead(false);
    return stored;
  }

  private openingLine(): Buffer {
    const { n, i } = this.position;
    const { epoch } = this.options.lock!;
    const number = this.last_segment;
    const segment = { format: JOURNAL_FORMAT, number, epoch, after: n };
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
    this.sizes.set(this.last_segment, 0);
    return this.file;
  }

  private async closeSegment(): Promise<void> {
    await this.file?.close().catch(() => {});
    this.file = null;
  }

  /**
   * After a failed write nothing is known of the file's end: removes what was written if possible,
   * and continues in a new segment, whose first line excludes the rest.
   */
  private async abandonSegment(): Promise<void> {
    const { file } = this;
    if (!file) return;
    const size = this.sizes.get(this.last_segment) ?? 0;
    await file
      .truncate(size)
      .then(() => file.sync())
      .catch(() => {});
    await this.closeSegment();
    if (size > 0) return;
    this.sizes.delete(this.last_segment);
    const path = segmentPath(this.options.folder, this.last_segment);
    await this.options.disk.remove(path).catch(() => {});
  }

  /** States the durable end; a state that is too old costs no data. */
  private async writeHead(isDurable: boolean): Promise<void> {
    const { disk, folder, lock } = this.options;
    const [first = 0] = this.sizes.keys();
    try {
      this.headFile ??= await disk.open(join(folder, headName(lock?.epoch ?? 0)));
      this.headSlot = 1 - this.headSlot;
      const position = this.headSlot * HEAD_SLOT_BYTES;
      await this.headFile.write(encodeHead({ ...this.position, first }), position);
      if (isDurable) await this.headFile.sync();
    } catch (error) {
      if (isDurable) throw error;
    }
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

  /** Removes the oldest segment, none of whose rows is needed. */
  async removeOldest(): Promise<void> {
    const { oldest } = this;
    if (oldest === null) return;
    const size = this.sizes.get(oldest)!;
    this.sizes.delete(oldest);
    try {
      await this.writeHead(true);
    } catch (error) {
      const rest = [...this.sizes];
      this.sizes.clear();
      for (const [number, bytes] of [[oldest, size] as const, ...rest]) {
        this.sizes.set(number, bytes);
      }
      throw error;
    }
    await this.options.disk.remove(segmentPath(this.options.folder, oldest));
  }

  /** Copies bytes that are damaged beside the segments. */
  keepDamaged(name: string, bytes: Uint8Array): Promise<void> {
    const { disk, folder } = this.options;
    return replaceFile(disk, join(folder, `${name}.damaged`), bytes);
  }

  nameOf(segment: number): string {
    return segmentPath(this.options.folder, segment);
  }

  async close(): Promise<void> {
    await this.closeSegment();
    await this.headFile?.sync().catch(() => {});
    await this.headFile?.close().catch(() => {});
  }
}
