/**
 * A spool file: lines on disk that are read one by one, where too many exist for the memory. (The
 * owner of an append log, in contrast, holds all live entries in memory.) All operations run one
 * after another, so that offsets stay valid when the file is compacted.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { writeDurably } from './durable-file.ts';

/** Location of a line in the file. */
export interface SpoolEntry {
  offset: number;
  readonly length_bytes: number;
  /** The line itself until it is on disk. */
  text: string | null;
}

interface PendingLine {
  readonly line: string;
  /** Null for a line that is not read before the next start. */
  readonly at: SpoolEntry | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const CHUNK_BYTES = 256 * 1024;
/** The file is compacted when it is this many times as long as its live lines. */
const GROWTH = 2;
const LINE_END = 10;

export class Spool {
  /** Null for lines in memory. */
  private readonly path: string | null;
  private file: FileHandle | null = null;
  private size_bytes = 0;
  private live_bytes = 0;
  private readonly live = new Set<SpoolEntry>();
  /** What the next write takes with it. */
  private batch: PendingLine[] | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(path: string | null) {
    this.path = path;
  }

  /** Opens a spool in a folder (or `:memory:`); calls `found` for every line, in order. */
  static async open(
    place: string,
    name: string,
    found: (line: string, at: SpoolEntry) => void,
  ): Promise<Spool> {
    const spool = new Spool(place === ':memory:' ? null : join(place, name));
    if (spool.path === null) return spool;
    spool.file = await open(spool.path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (spool.file) await spool.load(spool.file, found);
    return spool;
  }

  /** Loads all lines; truncates a last line torn by a power cut. */
  private async load(
    file: FileHandle,
    found: (line: string, at: SpoolEntry) => void,
  ): Promise<void> {
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const position = this.size_bytes + rest.length;
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
        const at = { offset: this.size_bytes + from, length_bytes: end - from, text: null };
        this.live.add(at);
        this.live_bytes += at.length_bytes;
        found(bytes.toString('utf8', from, end), at);
        from = end + 1;
      }
      this.size_bytes += from;
      rest = bytes.subarray(from);
    }
    await file.truncate(this.size_bytes);
  }

  /** Appends a line; `kept` resolves when it is on disk. When that fails it stays readable. */
  append(line: string): { readonly at: SpoolEntry; readonly kept: Promise<void> } {
    const at = { offset: 0, length_bytes: Buffer.byteLength(line), text: line };
    this.live.add(at);
    this.live_bytes += at.length_bytes;
    return { at, kept: this.add(line, at) };
  }

  /** Removes a line; the appended `note` informs the next start. */
  remove(at: SpoolEntry, note: string): Promise<void> {
    this.discard(at);
    return this.add(note, null);
  }

  /** Removes a line without a note. */
  discard(at: SpoolEntry): void {
    if (this.live.delete(at)) this.live_bytes -= at.length_bytes;
  }

  private add(line: string, at: SpoolEntry | null): Promise<void> {
    if (this.path === null) return Promise.resolve();
    const { path } = this;
    const batch = this.batch ?? this.nextBatch(path);
    return new Promise((resolve, reject) => batch.push({ line, at, resolve, reject }));
  }

  private nextBatch(path: string): PendingLine[] {
    const batch: PendingLine[] = [];
    this.batch = batch;
    void this.enqueue(() => {
      if (this.batch === batch) this.batch = null;
      return this.write(path, batch);
    });
    return batch;
  }

  private enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.turn.then(work);
    this.turn = turn.catch(() => {});
    return turn;
  }

  private async opened(path: string): Promise<FileHandle> {
    if (this.file) return this.file;
    await writeDurably(path, '');
    this.size_bytes = 0;
    this.file = await open(path, 'r+');
    return this.file;
  }

  private async write(path: string, batch: readonly PendingLine[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({ line }) => `${line}\n`).join(''));
    try {
      const file = await this.opened(path);
      for (let done = 0; done < bytes.length; ) {
        const position = this.size_bytes + done;
        done += (await file.write(bytes, done, bytes.length - done, position)).bytesWritten;
      }
      await file.datasync();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { line, at, resolve } of batch) {
      if (at) Object.assign(at, { offset: this.size_bytes, text: null });
      this.size_bytes += Buffer.byteLength(line) + 1;
      resolve();
    }
    if (this.size_bytes > GROWTH * this.live_bytes + limits.log_compaction_bytes)
      await this.compact(path);
  }

  /** Reads a line. */
  async read(at: SpoolEntry): Promise<string> {
    if (at.text !== null) return at.text;
    return this.enqueue(async () => {
      const bytes = Buffer.allocUnsafe(at.length_bytes);
      await this.file!.read(bytes, 0, at.length_bytes, at.offset);
      return bytes.toString('utf8');
    });
  }

  /** Rewrites the file with the live lines; when that fails, the file stays as it is. */
  private async compact(path: string): Promise<void> {
    const places = [...this.live].filter(({ text }) => text === null);
    const { file } = this;
    const lines = file ? this.readLines(file, places) : [];
    const isDone = await writeDurably(path, lines).then(
      () => true,
      () => false,
    );
    const renewed = isDone ? await open(path, 'r+').catch(() => null) : null;
    if (!renewed) return;
    await file?.close().catch(() => {});
    this.file = renewed;
    this.size_bytes = 0;
    for (const at of places) {
      at.offset = this.size_bytes;
      this.size_bytes += at.length_bytes + 1;
    }
  }

  /** Reads the lines in file order, with line ends, in chunks of the file. */
  private async *readLines(
    file: FileHandle,
    places: readonly SpoolEntry[],
  ): AsyncGenerator<Buffer> {
    for (let first = 0; first < places.length; ) {
      const { offset } = places[first]!;
      const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, places[first]!.length_bytes + 1));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
      const lines: Buffer[] = [];
      for (; first < places.length; first++) {
        const from = places[first]!.offset - offset;
        const end = from + places[first]!.length_bytes + 1;
        if (end > bytesRead) break;
        lines.push(chunk.subarray(from, end));
      }
      if (lines.length === 0) throw new Error('the spool file is shorter than its index');
      yield Buffer.concat(lines);
    }
  }

  /** Removes all lines. */
  clear(): Promise<void> {
    this.live.clear();
    this.live_bytes = 0;
    this.batch = null;
    return this.enqueue(async () => {
      await this.file?.truncate(0);
      await this.file?.datasync();
      this.size_bytes = 0;
    });
  }

  /** Waits for pending writes and closes the file. */
  async close(): Promise<void> {
    await this.turn;
    await this.file?.close();
  }
}
