/**
 * The head file of a writer: it states the durable end of the journal and the starts of its
 * segments once more.
 */

import { join } from 'node:path';
import type { Damage } from './damage.ts';
import type { Disk, DiskFile } from './disk.ts';
import { encodeLine, firstLine } from './journal-line.ts';
import type { Position } from './journal-position.ts';
import type { JournalPlace, SegmentStart } from './segment.ts';

/** The durable end of the journal as the file `head` states it. */
export interface JournalHead extends Position {
  /** Number of the write to the file. */
  readonly write: number;
  /** Number of the oldest segment. */
  readonly first: number;
  /** The starts of the latest segments, in case that their first lines are damaged. */
  readonly starts: ReadonlyMap<number, SegmentStart>;
}

/** The head file; null if it is missing or unfinished, undefined if it is damaged. */
export async function readHead(disk: Disk, path: string): Promise<JournalHead | null | undefined> {
  const bytes = await disk.read(path);
  if (bytes === null) return null;
  const places = [0, 1, VOLATILE_SLOT].map((slot) => slot * HEAD_SLOT_BYTES);
  const slots = places.map((at) => firstLine(bytes.subarray(at))?.head);
  const found = slots.flatMap((head) => head?.head ?? []);
  const [latest] = found.sort((a, b) => b.write - a.write);
  // The first write of all may have been torn.
  if (!latest) return bytes.length > HEAD_SLOT_BYTES ? undefined : null;
  const starts = new Map<number, SegmentStart>();
  for (const [number, n, i, epoch, previous] of latest.starts) {
    starts.set(number, { n, i, epoch, previous });
  }
  return { ...latest, starts };
}

/**
 * The head file has three slots. Two are written in turn and synced, so that one of them is valid
 * unless the file is damaged; the third is not synced.
 */
export const HEAD_SLOT_BYTES = 8192;
export const VOLATILE_SLOT = 2;
/** Segments whose start the head states. */
const STARTS = 128;

/** The text of a slot of the head file. */
export function encodeHead({ starts, ...state }: JournalHead): Buffer {
  const latest = [...starts].slice(-STARTS);
  const rows = latest.map(
    ([number, { n, i, epoch, previous }]) => [number, n, i, epoch, previous] as const,
  );
  const { n, i } = state;
  return encodeLine({ n, i, d: n, head: { ...state, starts: rows } }, []).bytes;
}

/** Name of the file that states the durable end as a writer knows it. */
export function headName(epoch: number): string {
  return `head-${epoch}`;
}

/** Numbers of the writers whose head files exist, the latest first. */
export async function headEpochs(disk: Disk, folder: string): Promise<number[]> {
  const names = await disk.list(folder);
  const epochs = names.flatMap((name) => /^head-(\d+)$/.exec(name)?.[1] ?? []);
  return epochs.map(Number).sort((a, b) => b - a);
}

/** The latest head file that is complete; damage of one costs no data. */
export async function latestHead({ disk, folder }: JournalPlace, damages: Damage[]) {
  for (const epoch of await headEpochs(disk, folder)) {
    const path = join(folder, headName(epoch));
    const head = await readHead(disk, path);
    if (head) return head;
    if (head === undefined) {
      const text = `${path} is damaged: nothing is lost`;
      damages.push({ file: path, lost: [], inIndex: false, text });
    }
  }
  return null;
}

const HEAD_ATTEMPTS = 2;

/**
 * The head file of a writer. It states the durable end of the journal; the lines state it as well,
 * so a state that is too old is no loss.
 */
export class HeadFile {
  private readonly disk: Disk;
  private readonly path: string;
  private file: DiskFile | null = null;
  private writes = 0;
  private durableSlot: 0 | 1 | null = null;

  constructor(disk: Disk, path: string) {
    this.disk = disk;
    this.path = path;
  }

  /** Writes a state; failures have no effect. */
  async write(state: Omit<JournalHead, 'write'>, isDurable: boolean): Promise<void> {
    for (let attempt = 0; attempt < HEAD_ATTEMPTS; attempt++) {
      try {
        await this.writeSlot(state, isDurable);
        return;
      } catch {
        await this.close();
      }
    }
  }

  private async writeSlot(state: Omit<JournalHead, 'write'>, isDurable: boolean): Promise<void> {
    this.file ??= await this.disk.open(this.path);
    this.writes += 1;
    const isSynced = isDurable || this.durableSlot === null;
    const next = this.durableSlot === 0 ? 1 : 0;
    const slot = isSynced ? next : VOLATILE_SLOT;
    await this.file.write(encodeHead({ ...state, write: this.writes }), HEAD_SLOT_BYTES * slot);
    if (!isSynced) return;
    await this.file.sync();
    this.durableSlot = next;
  }

  async close(): Promise<void> {
    await this.file?.sync().catch(() => {});
    await this.file?.close().catch(() => {});
    this.file = null;
  }
}
