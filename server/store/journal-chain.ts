/**
 * Finds the segments of a journal and their order, by their first lines and by the head file, which
 * states the same once more.
 */

import type { JournalHead } from './head-file.ts';
import { linesOf } from './journal-line.ts';
import {
  type JournalPlace,
  listSegments,
  openingOf,
  type SegmentStart,
  segmentPath,
} from './segment.ts';

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
