/**
 * Lines on disk that are read again one by one, where there are too many to be kept in memory.
 * Apart from the append log, whose owner keeps all that is live in it. Everything is done in turn,
 * so that places stay true when the file is written anew without what is done with.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { writeDurably } from './durable-file.ts';

/** Where a line is. */
export interface Place {
  offset: number;
  readonly length_bytes: number;
  /** The line itself, while it is not on disk. */
  text: string | null;
}

interface Waiting {
  readonly line: string;
  /** Null for a line that nobody reads before the next start. */
  readonly at: Place | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const CHUNK_BYTES = 256 * 1024;
/** The file is written anew once it is so many times as long as what is live in it. */
const GROWTH = 2;
const LINE_END = 10;

export class Spool {
  /** Null for lines in memory. */
  private readonly path: string | null;
  private file: FileHandle | null = null;
  private size_bytes = 0;
  private live_bytes = 0;
  private readonly live = new Set<Place>();
  /** What the next write takes with it. */
  private batch: Waiting[] | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(path: string | null) {
    this.path = path;
  }

  /** Opens a spool in a folder (or `:memory:`); tells every line that is there, in order. */
  static async open(
    place: string,
    name: string,
    found: (line: string, at: Place) => void,
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

  /** What a power cut left of a last line is overwritten by the next. */
  private async load(file: FileHandle, found: (line: string, at: Place) => void): Promise<void> {
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

  /** Adds a line; `kept` resolves once it is on disk. One that never gets there stays readable. */
  append(line: string): { readonly at: Place; readonly kept: Promise<void> } {
    const at = { offset: 0, length_bytes: Buffer.byteLength(line), text: line };
    this.live.add(at);
    this.live_bytes += at.length_bytes;
    return { at, kept: this.add(line, at) };
  }

  /** Lets a line go; `note` says so to the next start. */
  drop(at: Place, note: string): Promise<void> {
    this.forgo(at);
    return this.add(note, null);
  }

  /** Lets a line go that the next start will know to be done with. */
  forgo(at: Place): void {
    if (this.live.delete(at)) this.live_bytes -= at.length_bytes;
  }

  private add(line: string, at: Place | null): Promise<void> {
    if (this.path === null) return Promise.resolve();
    const { path } = this;
    const batch = this.batch ?? this.nextBatch(path);
    return new Promise((resolve, reject) => batch.push({ line, at, resolve, reject }));
  }

  private nextBatch(path: string): Waiting[] {
    const batch: Waiting[] = [];
    this.batch = batch;
    void this.inTurn(() => {
      if (this.batch === batch) this.batch = null;
      return this.write(path, batch);
    });
    return batch;
  }

  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
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

  private async write(path: string, batch: readonly Waiting[]): Promise<void> {
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
    if (this.size_bytes > GROWTH * this.live_bytes + limits.log_bytes) await this.renew(path);
  }

  /** Reads a line. */
  async read(at: Place): Promise<string> {
    if (at.text !== null) return at.text;
    return this.inTurn(async () => {
      const bytes = Buffer.allocUnsafe(at.length_bytes);
      await this.file!.read(bytes, 0, at.length_bytes, at.offset);
      return bytes.toString('utf8');
    });
  }

  /** Where that fails the file is as it was, and may grow on. */
  private async renew(path: string): Promise<void> {
    const places = [...this.live].filter(({ text }) => text === null);
    const { file } = this;
    const lines = file ? this.copied(file, places) : [];
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

  /** Lines that lie one after another, each with its end, a piece of the file at a time. */
  private async *copied(file: FileHandle, places: readonly Place[]): AsyncGenerator<Buffer> {
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
      if (lines.length === 0) throw new Error('the file is shorter than what was written to it');
      yield Buffer.concat(lines);
    }
  }

  /** Lets all lines go. */
  clear(): Promise<void> {
    this.live.clear();
    this.live_bytes = 0;
    this.batch = null;
    return this.inTurn(async () => {
      await this.file?.truncate(0);
      await this.file?.datasync();
      this.size_bytes = 0;
    });
  }

  /** Waits for what is being written and closes the file. */
  async close(): Promise<void> {
    await this.turn;
    await this.file?.close();
  }
}
