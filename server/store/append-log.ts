/**
 * A journal on disk, one JSON value a line, synced before anybody is told that it is kept. Lines
 * that arrive while one is being synced share the next sync. Apart from the index because logs
 * grow by appending, and a torn last line after a power cut is no damage.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
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

export class AppendLog<Entry> {
  private readonly file: FileHandle | null;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;

  private constructor(file: FileHandle | null) {
    this.file = file;
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
    await writeDurably(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    return { log: new AppendLog<Entry>(await open(path, 'a', 0o600)), entries };
  }

  /** Resolves once the entry is on disk. */
  append(entry: Entry): Promise<void> {
    if (!this.file) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
      this.writing ??= this.write().finally(() => {
        this.writing = null;
      });
    });
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.file!.appendFile(batch.map(({ line }) => line).join(''));
        await this.file!.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  /** Waits for what is being written and closes the file. */
  async close(): Promise<void> {
    await this.writing;
    await this.file?.close();
  }
}
