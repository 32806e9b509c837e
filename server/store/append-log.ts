/**
 * An append-only log on disk, one JSON value per line. `append` resolves after the sync; entries
 * that arrive during a sync share the next one. A torn last line after a power cut is ignored. A
 * log that has grown well beyond its live entries is compacted to a new file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { readIfExists, writeDurably } from './durable-file.ts';

interface PendingEntry {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function parseEntries(text: string): unknown[] {
  const entries: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      entries.push(JSON.parse(line));
    } catch {
      // A line torn by a power cut was never acknowledged.
    }
  }
  return entries;
}

/** Characters per write, so that other work can run between writes. */
const CHUNK = 64 * 1024;
/** A log is compacted when it is this many times as long as after the last compaction. */
const GROWTH = 2;

/** Serializes entries chunk by chunk; reads each entry when its chunk is made. */
function* serializeEntries(entries: Iterable<unknown>): Generator<string> {
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
  /** The open file; null before the first append. */
  private file: FileHandle | null = null;
  private waiting: PendingEntry[] = [];
  /** The latest series of writes. */
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private size_bytes = 0;
  /** Whether the last line may be incomplete. */
  private isTorn = false;
  /** Size after the last compaction. */
  private compacted_bytes = 0;
  private live: (() => Iterable<Entry>) | null = null;

  private constructor(path: string | null) {
    this.path = path;
  }

  /**
   * Opens the log `name` in a folder (or `:memory:`). `keep` selects from the existing entries; the
   * log is rewritten with them. Returns the log and the kept entries.
   */
  static async open<Entry>(
    place: string,
    name: string,
    keep: (entries: Entry[]) => Entry[],
  ): Promise<{ readonly log: AppendLog<Entry>; readonly entries: readonly Entry[] }> {
    if (place === ':memory:') return { log: new AppendLog<Entry>(null), entries: keep([]) };
    const path = join(place, name);
    const text = await readIfExists(path);
    const entries = keep(parseEntries(text ?? '') as Entry[]);
    const log = new AppendLog<Entry>(path);
    await writeDurably(path, serializeEntries(entries));
    await log.openForAppend(path);
    return { log, entries };
  }

  /**
   * Sets the source of live entries for compactions. Entries that are appended while `live` yields
   * may occur twice in the compacted log: readers must handle duplicates.
   */
  compactFrom(live: () => Iterable<Entry>): void {
    this.live = live;
  }

  /** Resolves once the entry is on disk. */
  append(entry: Entry): Promise<void> {
    const { path } = this;
    if (path === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
      if (!this.isWriting) this.writing = this.write(path);
    });
  }

  /**
   * Writes until nothing waits. Clears `isWriting` in the same turn as it finds nothing waiting: an
   * append can follow the resolution of an entry before any callback of this promise runs.
   */
  private async write(path: string): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        // A partly written previous batch must not merge with the next line.
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
      if (this.size_bytes > GROWTH * this.compacted_bytes + limits.log_compaction_bytes)
        await this.compact(path);
    }
    this.isWriting = false;
  }

  /** When it fails, the log stays complete and grows on until the next attempt. */
  private async compact(path: string): Promise<void> {
    if (!this.live) return;
    const { file } = this;
    await writeDurably(path, serializeEntries(this.live())).catch(() => {});
    this.file = null;
    await file?.close().catch(() => {});
    await this.openForAppend(path).catch(() => {});
  }

  /** Opens the file for later appends. */
  private async openForAppend(path: string): Promise<void> {
    this.file = await open(path, 'a', 0o600);
    this.size_bytes = (await this.file.stat()).size;
    this.compacted_bytes = this.size_bytes;
    this.isTorn = false;
  }

  /** Waits for pending writes and closes the file. */
  async close(): Promise<void> {
    await this.writing;
    await this.file?.close();
  }
}
