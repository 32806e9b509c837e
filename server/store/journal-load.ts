/**
 * Opens a journal: reads every segment, repairs damaged ones and reports the loss. The original of
 * a repaired segment stays beside it as `.damaged`.
 */
import { dirname, join } from 'node:path';
import { type Disk, StorageError } from './disk.ts';
import type { Line } from './journal-line.ts';
import {
  checkSegment,
  type Damage,
  type JournalSegment,
  listSegments,
  openingOf,
  type Position,
  readHead,
  repairedBytes,
  segmentPath,
} from './journal-scan.ts';

/** The lock of the data folder, as commits check it. */
export interface WriterLock {
  /** Number of the writer; each new one has a higher number. */
  readonly epoch: number;
  isHeld(): Promise<boolean>;
}

export interface JournalOptions {
  readonly disk: Disk;
  /** The folder of the segments. */
  readonly folder: string;
  /** Null if the journal is only read. */
  readonly lock: WriterLock | null;
  /** Whether lost changes of users, tokens and settings are accepted. */
  readonly acceptsLoss: boolean;
  /** A segment of this size is closed. */
  readonly segment_bytes: number;
}

/** Where a transaction is stored. */
export interface StoredLine extends Pick<Line, 'head' | 'bodies_offset' | 'length_bytes'> {
  readonly segment: number;
}

/** What opening a journal found. */
export interface JournalReport {
  readonly damages: readonly Damage[];
  /** Bytes of writes that were not acknowledged and have been ignored. */
  readonly unfinished_bytes: number;
}

/** Name of the file that states the durable end as a writer knows it. */
export function headName(epoch: number): string {
  return `head-${epoch}`;
}

/** Numbers of the writers whose head files exist, the latest first. */
async function headEpochs(disk: Disk, folder: string): Promise<number[]> {
  const names = await disk.list(folder);
  const epochs = names.flatMap((name) => /^head-(\d+)$/.exec(name)?.[1] ?? []);
  return epochs.map(Number).sort((a, b) => b - a);
}

/** What opening a journal found, and where it continues. */
export interface LoadedJournal extends JournalReport {
  readonly position: Position;
  /** Size of each segment (bytes), the oldest first. */
  readonly sizes: ReadonlyMap<number, number>;
}

/** Replaces a file durably. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(`${path}.new`);
  try {
    await file.truncate(0);
    await file.write(bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(`${path}.new`, path);
  await disk.syncFolder(dirname(path));
}

/** Numbers of the segments that count; older ones are leftovers of a compaction. */
async function presentSegments(
  { disk, folder, lock, acceptsLoss }: JournalOptions,
  first: number | null,
): Promise<number[]> {
  const present = await listSegments(disk, folder);
  const numbers = present.filter((number) => number >= (first ?? 0));
  if (lock) {
    for (const old of present) {
      if (old < (first ?? 0)) await disk.remove(segmentPath(folder, old));
    }
  }
  if (first === null || numbers[0] === first || acceptsLoss) return numbers;
  const path = segmentPath(folder, first);
  throw new StorageError(
    `${path} is missing. Put back a copy of the data folder, or start with another --data folder.`,
  );
}

/** Reads a journal and passes every transaction to `found`, in order. */
export async function loadJournal(
  options: JournalOptions,
  found: (line: StoredLine) => void,
): Promise<LoadedJournal> {
  const { disk, folder } = options;
  const [epoch, ...former] = await headEpochs(disk, folder);
  const path = join(folder, headName(epoch ?? 0));
  const head = await readHead(disk, path);
  if (options.lock) for (const old of former) await disk.remove(join(folder, headName(old)));
  const damages: Damage[] = [];
  if (head === undefined) {
    const text = `${path} is damaged: nothing is lost`;
    damages.push({ file: path, lost: [], inIndex: false, text });
  }
  const numbers = await presentSegments(options, head?.first ?? null);
  const sizes = new Map<number, number>();
  let unfinished_bytes = 0;
  let before: Position | null = null;
  for (const [at, number] of numbers.entries()) {
    const next = numbers[at + 1];
    const end = next === undefined ? null : await openingOf(disk, segmentPath(folder, next));
    const expected = { before, end, head: next === undefined ? (head ?? null) : null };
    const segment: JournalSegment = await loadSegment(options, number, expected);
    damages.push(...segment.damages);
    unfinished_bytes += segment.unfinished_bytes;
    for (const line of segment.lines) found({ ...line, segment: number });
    before = segment.last;
    sizes.set(number, segment.bytes.length);
  }
  return { damages, unfinished_bytes, position: before ?? { n: 0, i: 0 }, sizes };
}

/** Reads a segment; with the lock, a damaged one is copied to `.damaged` and repaired. */
async function loadSegment(
  { disk, folder, lock, acceptsLoss }: JournalOptions,
  number: number,
  expected: Parameters<typeof checkSegment>[1],
): Promise<JournalSegment> {
  const path = segmentPath(folder, number);
  const bytes = (await disk.read(path)) ?? Buffer.alloc(0);
  const segment = checkSegment({ path, number, bytes }, expected);
  const { damages, lines, last } = segment;
  if (damages.length === 0) return segment;
  if (!acceptsLoss && damages.some(({ inIndex }) => inIndex)) {
    throw new StorageError(
      `${path} is damaged: changes of users, tokens or settings are lost. Put back a copy of the ` +
        'data folder, or start with another --data folder.',
    );
  }
  if (!lock) return segment;
  await replaceFile(disk, `${path}.damaged`, bytes);
  const first = lines[0]?.head;
  const opening = expected.before ?? {
    n: first ? first.n - 1 : last.n,
    i: first?.i ?? last.i,
  };
  const repaired = repairedBytes(segment, opening, lock.epoch);
  await replaceFile(disk, path, repaired);
  return { ...checkSegment({ path, number, bytes: repaired }, expected), damages };
}
