/**
 * Finds the segments of a journal and their order, by their first lines and by the head file, which
 * states the same once more.
 */
import { join } from 'node:path';
import type { Disk, DiskFile } from './disk.ts';
import {
  type Damage,
  encodeHead,
  HEAD_SLOT_BYTES,
  type JournalHead,
  linesOf,
  listSegments,
  openingOf,
  readHead,
  type SegmentStart,
  segmentPath,
  VOLATILE_SLOT,
} from './journal-scan.ts';

/** The folder of the segments. */
interface JournalPlace {
  readonly disk: Disk;
  readonly folder: string;
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

/** The start of each segment; null if it is not known. */
export type SegmentStarts = Map<number, SegmentStart | null>;

/** A segment that is present or that the head file names. */
interface Candidate {
  readonly number: number;
  readonly start: SegmentStart | null;
  readonly epoch: number;
}

/** Candidates by writer and number; a damaged one counts with the one before. */
async function candidatesOf(
  { disk, folder }: JournalPlace,
  { first, starts }: Pick<JournalHead, 'first' | 'starts'>,
): Promise<Candidate[]> {
  const present = (await listSegments(disk, folder)).filter((number) => number >= first);
  const oldest = present[0] ?? Number.POSITIVE_INFINITY;
  const later = [...starts.keys()].filter((number) => number > oldest);
  const all = [...new Set([...present, ...later])].sort((a, b) => a - b);
  const found: Candidate[] = [];
  for (const number of all) {
    const opening = await openingOf(disk, segmentPath(folder, number));
    const start = opening ?? starts.get(number) ?? null;
    found.push({ number, start, epoch: start?.epoch ?? found.at(-1)?.epoch ?? 0 });
  }
  return found.sort((a, b) => a.epoch - b.epoch);
}

/**
 * Whether a segment has more than its first write, which may be unfinished: a line that names an
 * earlier one of the segment as durable.
 */
function wasAcknowledged(bytes: Buffer): boolean {
  const lines = linesOf(bytes);
  return lines.some((line) => line.head.d >= lines[0]!.head.n);
}

/**
 * The segments of a journal in order, and the start of each if it is known; some may be missing.
 * The latest writer's last segment is the end of a chain. A segment that is not in it was written
 * by a writer that had lost the lock; it does not count.
 */
export async function segmentStarts(
  place: JournalPlace,
  head: JournalHead | null,
): Promise<SegmentStarts> {
  const candidates = await candidatesOf(place, head ?? { first: 0, starts: new Map() });
  for (let last = candidates.at(-1); last?.start === null; last = candidates.at(-1)) {
    const path = segmentPath(place.folder, last.number);
    if (wasAcknowledged((await place.disk.read(path)) ?? Buffer.alloc(0))) break;
    candidates.pop();
  }
  const chain: Candidate[] = [];
  for (let at = candidates.length - 1; at >= 0; ) {
    const one = candidates[at]!;
    chain.unshift(one);
    const previous = one.start?.previous;
    const place = candidates.findIndex(({ number }) => number === previous);
    at = previous === undefined ? at - 1 : place < at ? place : -1;
  }
  return new Map(chain.map(({ number, start }) => [number, start]));
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
