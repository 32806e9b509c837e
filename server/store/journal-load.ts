/**
 * Opens a journal: reads every segment, repairs damaged ones and reports the loss. The original of
 * a repaired segment stays beside it as `.damaged`.
 */

import { join } from 'node:path';
import { type Damage, numbers } from './damage.ts';
import { FIRST_SEGMENT, firstSegmentIn } from './first-segment.ts';
import { headEpochs, headName, type JournalHead, latestHead } from './head-file.ts';
import { type SegmentStarts, segmentStarts } from './journal-chain.ts';
import type { Line, StoredLine } from './journal-line.ts';
import type { JournalOptions } from './journal-options.ts';
import type { Position } from './journal-position.ts';
import { replaceFile } from './replace-file.ts';
import { listSegments, type SegmentStart, segmentPath } from './segment.ts';
import { checkSegment, type JournalSegment } from './segment-check.ts';
import { repairedBytes } from './segment-repair.ts';
import { StorageError } from './storage-error.ts';

/** What opening a journal found. */
export interface JournalReport {
  readonly damages: readonly Damage[];
  /** Bytes of writes that were not acknowledged and have been ignored. */
  readonly unfinished_bytes: number;
}

const REMEDY =
  'Restore a backup (armtwin data restore), start with another --data folder, or accept the ' +
  'loss (armtwin data repair).';

/** What opening a journal found, and where it continues. */
export interface LoadedJournal extends JournalReport {
  readonly position: Position;
  /** Size of each segment up to the last written (bytes), the oldest first. */
  readonly sizes: ReadonlyMap<number, number>;
  /** The position before each segment; null if unknown. */
  readonly starts: ReadonlyMap<number, SegmentStart | null>;
  /**
   * The last segment with a durable transaction, 0 without one. The writer before may still remove
   * the segments after it.
   */
  readonly lastWritten: number;
  /** Transactions after the position that may not have been acknowledged. */
  readonly tail: readonly TailLine[];
}

/** A line that the writer before may still remove. */
export interface TailLine extends Line {
  readonly bytes: Buffer;
}

/** Separates the lines that no other line and no head file states to be durable. */
function splitTail(
  { lines, bytes, last }: JournalSegment,
  before: Position,
  head: JournalHead | null,
) {
  const durable = Math.max(before.n, head?.n ?? 0, ...lines.map((line) => line.head.d));
  const certain = lines.filter((line) => line.head.n <= durable);
  const tail = lines.slice(certain.length).map((line): TailLine => {
    return { ...line, bytes: bytes.subarray(line.offset, line.offset + line.length_bytes) };
  });
  const { n, i } = certain.at(-1)?.head ?? before;
  return { lines: certain, tail, last: tail.length > 0 ? { n, i } : last };
}

/**
 * The damage of a journal whose oldest segments are missing; null if they are not needed. `oldest`
 * is the first that is present, and `first` the first that is needed.
 */
function missingDamage(
  { folder }: JournalOptions,
  { first, oldest, start }: { first: number; oldest: number | undefined; start: Position },
  head: JournalHead | null,
): Damage | null {
  const isComplete = oldest === undefined ? start.n === 0 : oldest <= first || start.n === 0;
  if (isComplete) return null;
  const from = Math.max(first, 1);
  const file = segmentPath(folder, from);
  const lost = numbers((head?.starts.get(from)?.n ?? 0) + 1, start.n);
  return { file, lost, inIndex: true, text: `${file} is missing: its changes are lost` };
}

/** What the files of a journal say. */
interface JournalContent extends LoadedJournal {
  readonly lines: readonly StoredLine[];
  readonly damagedSegments: readonly LoadedSegment[];
  /** Number of the oldest segment that is needed. */
  readonly first: number;
  /** Why the journal must not be used. */
  readonly problem: string | null;
}

async function readSegments(
  options: JournalOptions,
  head: JournalHead | null,
  starts: SegmentStarts,
) {
  const segments = [...starts.keys()];
  const sizes = new Map<number, number>();
  const loaded: LoadedSegment[] = [];
  const lines: StoredLine[] = [];
  let tail: readonly TailLine[] = [];
  let first = head?.first ?? 0;
  const [oldest] = segments;
  const start = (oldest === undefined ? head : starts.get(oldest)) ?? { n: 0, i: 0 };
  let position: Position = start;
  let lastWritten = 0;
  let writer = 0;
  const reads: Promise<Buffer | null>[] = [];
  for (const [at, number] of segments.entries()) {
    const ahead = segments.slice(reads.length, at + SEGMENTS_AT_ONCE);
    reads.push(...ahead.map((next) => startReading(options, next)));
    const read = await reads[at]!;
    const next = segments[at + 1];
    const end = next === undefined ? null : starts.get(next)!;
    // A segment whose start is not known follows the one before, and was written by its writer.
    const { epoch = writer, previous = segments[at - 1] ?? 0 } = starts.get(number) ?? {};
    writer = epoch;
    const opening = { ...position, epoch, previous };
    const expected = { before: position, opening, end, head: next === undefined ? head : null };
    const segment = await loadSegment(options, { number, read }, expected);
    loaded.push(segment);
    // Without a head file a reader cannot tell what was acknowledged last, and keeps it.
    const mayCut = (options.durableOnly && head) || options.lock;
    const isLast = next === undefined && mayCut && !segment.repair;
    const part = isLast ? splitTail(segment, position, head) : { ...segment, tail: [] };
    for (const line of part.lines) lines.push({ ...line, segment: number });
    // A search of all bytes is faster than to parse all lines.
    const named = segment.bytes.includes(FIRST_SEGMENT) ? segment.lines : [];
    for (const line of named) first = Math.max(first, firstSegmentIn(line));
    ({ tail } = part);
    if (part.lines.length > 0) lastWritten = number;
    position = part.last;
    if (segment.isPresent) sizes.set(number, segment.bytes.length);
  }
  for (const number of [...sizes.keys()].reverse()) {
    if (number === lastWritten) break;
    sizes.delete(number);
  }
  const missing = missingDamage(options, { first, oldest, start }, head);
  return { sizes, loaded, lines, tail, first, position, lastWritten, missing };
}

async function readJournal(options: JournalOptions): Promise<JournalContent> {
  const damages: Damage[] = [];
  const head = await latestHead(options, damages);
  const starts = await segmentStarts(options, head);
  const { loaded, missing, ...content } = await readSegments(options, head, starts);
  if (missing) damages.push(missing);
  // Segments before the first may be in removal by the writer before.
  const damagedSegments = loaded.filter(({ number, damages: found }) => {
    return number >= content.first && found.length > 0;
  });
  damages.push(...damagedSegments.flatMap((segment) => segment.damages));
  const inIndex = damages.find((damage) => damage.inIndex);
  const what = missing
    ? `${missing.file} is missing.`
    : inIndex && `${inIndex.file} is damaged: changes of users, tokens or settings are lost.`;
  const problem = what ? `${what} ${REMEDY}` : null;
  const unfinished_bytes = loaded.reduce((sum, segment) => sum + segment.unfinished_bytes, 0);
  return { ...content, starts, damages, damagedSegments, unfinished_bytes, problem };
}

/** Reads a journal and passes every transaction to `found`, in order. */
export async function loadJournal(
  options: JournalOptions,
  found: (line: StoredLine) => void,
): Promise<LoadedJournal> {
  let content = await readJournal(options);
  // The writer before may have been in the middle of a compaction.
  if (content.damages.length > 0) content = await readJournal(options);
  const { problem, damagedSegments, lines, first } = content;
  if (problem !== null && !options.acceptsLoss) throw new StorageError(problem);
  // Nothing is repaired when the journal is refused: the next start must refuse it as well.
  for (const segment of damagedSegments) await segment.repair?.();
  for (const line of lines) found(line);
  const sizes = new Map(content.sizes);
  if (options.lock) await removeLeftovers(options, first, sizes);
  const starts = new Map([...content.starts].filter(([number]) => sizes.has(number)));
  return { ...content, sizes, starts };
}

/** Removes former head files, and the segments that a compaction left behind, the oldest first. */
async function removeLeftovers(
  { disk, folder }: JournalOptions,
  first: number,
  sizes: Map<number, number>,
): Promise<void> {
  const [, ...former] = await headEpochs(disk, folder);
  for (const epoch of former) await disk.remove(join(folder, headName(epoch)));
  const old = (await listSegments(disk, folder)).filter((number) => number < first);
  for (const number of old) {
    sizes.delete(number);
    await disk.remove(segmentPath(folder, number));
    await disk.syncFolder(folder);
  }
}

interface LoadedSegment extends JournalSegment {
  readonly isPresent: boolean;
  /** Copies the damaged segment to `.damaged` and writes the repaired one. */
  readonly repair?: () => Promise<void>;
}

/** Segments that are read at the same time: checking one leaves no turn to the next. */
const SEGMENTS_AT_ONCE = 4;

function startReading({ disk, folder }: JournalOptions, number: number): Promise<Buffer | null> {
  const reading = disk.read(segmentPath(folder, number));
  // An earlier segment may be refused while this one is read.
  reading.catch(() => {});
  return reading;
}

/** Checks a segment; with the lock, a damaged one is repaired in memory. */
async function loadSegment(
  { disk, folder, lock }: JournalOptions,
  { number, read }: { readonly number: number; readonly read: Buffer | null },
  expected: Parameters<typeof checkSegment>[1] & {
    readonly before: Position;
    /** What its first line should state. */
    readonly opening: SegmentStart;
  },
): Promise<LoadedSegment> {
  const path = segmentPath(folder, number);
  const isPresent = read !== null;
  const bytes = read ?? Buffer.alloc(0);
  const segment = { ...checkSegment({ path, number, bytes }, expected), isPresent };
  const absent: Damage = {
    file: path,
    lost: [],
    inIndex: false,
    text: `${path} is missing: nothing is lost`,
  };
  const damages = isPresent || segment.damages.length > 0 ? segment.damages : [absent];
  if (damages.length === 0) return segment;
  if (!lock) return { ...segment, damages };
  const repaired = repairedBytes(segment, expected.opening);
  const repair = async () => {
    if (isPresent) await replaceFile(disk, `${path}.damaged`, bytes);
    await replaceFile(disk, path, repaired);
  };
  const checked = checkSegment({ path, number, bytes: repaired }, expected);
  return { ...checked, damages, isPresent: true, repair };
}
