/**
 * A journal on disk, one JSON value a line, synced before anybody is told that it is kept. Lines
 * that arrive while one is being synced share the next sync. Apart from the index because logs
 * grow by appending, and a torn last line after a power cut is no damage. One that has outgrown
 * what is live in it is written anew, beside itself, while entries wait for their turn.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { readIfThere, writeDurably } from './durable-file.ts';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function entriesOf(text: string): unknown[] {
  const entries: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      entries.push(JSON.parse(line));
    } catch {
      // A line that a power cut tore apart was never acknowledged.
    }
  }
  return entries;
}

/** Characters that are written in one go: what comes between goes on meanwhile. */
const CHUNK = 64 * 1024;
/** A log is written anew once it is so many times as long as when it last was. */
const GROWTH = 2;

/** Entries as text, a piece at a time; each is read when its piece is made. */
function* textOf(entries: Iterable<unknown>): Generator<string> {
  let text = '';
  for (const entry of entries) {
    text += `${JSON.stringify(entry)}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}

export class AppendLog<Entry> {
  /** Null for a log in memory. */
  private readonly path: string | null;
  /** Open while there is something to append to. */
  private file: FileHandle | null = null;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private size_bytes = 0;
  /** Whether its last line may be no more than the beginning of one. */
  private isTorn = false;
  /** Its size when it was last written anew. */
  private renewed_bytes = 0;
  private live: (() => Iterable<Entry>) | null = null;

  private constructor(path: string | null) {
    this.path = path;
  }

  /**
   * Opens the log `name` in a folder (or `:memory:`). `keep` chooses from what is there; the log is
   * rewritten with it, so that it does not grow for ever. Answers the log and what was kept.
   */
  static async open<Entry>(
    place: string,
    name: string,
    keep: (entries: Entry[]) => Entry[],
  ): Promise<{ readonly log: AppendLog<Entry>; readonly entries: readonly Entry[] }> {
    if (place === ':memory:') return { log: new AppendLog<Entry>(null), entries: keep([]) };
    const path = join(place, name);
    const text = await readIfThere(path);
    const entries = keep(entriesOf(text ?? '') as Entry[]);
    const log = new AppendLog<Entry>(path);
    await writeDurably(path, textOf(entries));
    await log.take(path);
    return { log, entries };
  }

  /**
   * Lets the log be written anew with what `live` yields, once it has grown well beyond that.
   * Entries that are appended while `live` yields may be in what it yields, and follow it again:
   * whoever folds them must make the same of them twice as once.
   */
  renewFrom(live: () => Iterable<Entry>): void {
    this.live = live;
  }

  /** Resolves once the entry is on disk. */
  append(entry: Entry): Promise<void> {
    const { path } = this;
    if (path === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
      this.writing ??= this.write(path).finally(() => {
        this.writing = null;
      });
    });
  }

  private async write(path: string): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        // What a full disk took of the batch before must not become the beginning of a line.
        const text = (this.isTorn ? '\n' : '') + batch.map(({ line }) => line).join('');
        this.isTorn = true;
        this.file ??= await open(path, 'a', 0o600);
        await this.file.appendFile(text);
        await this.file.datasync();
        this.isTorn = false;
        this.size_bytes += Buffer.byteLength(text);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (this.size_bytes > GROWTH * this.renewed_bytes + limits.log_bytes) await this.renew(path);
    }
  }

  /** Where that fails the log is whole, as it was or anew, and may grow as much again. */
  private async renew(path: string): Promise<void> {
    if (!this.live) return;
    const { file } = this;
    await writeDurably(path, textOf(this.live())).catch(() => {});
    this.file = null;
    await file?.close().catch(() => {});
    await this.take(path).catch(() => {});
  }

  /** Appends from now on to the file that has the name now. */
  private async take(path: string): Promise<void> {
    this.file = await open(path, 'a', 0o600);
    this.size_bytes = (await this.file.stat()).size;
    this.renewed_bytes = this.size_bytes;
    this.isTorn = false;
  }

  /** Waits for what is being written and closes the file. */
  async close(): Promise<void> {
    await this.writing;
    await this.file?.close();
  }
}
