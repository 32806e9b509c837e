/** A segment of the journal: its file, and where it starts, as its first line states it. */

import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { firstLine } from './journal-line.ts';
import type { Position } from './journal-position.ts';
import { StorageError } from './storage-error.ts';

const NUMBER_DIGITS = 8;
/** Version of the journal's format: each segment and each backup states it. */
export const JOURNAL_FORMAT = 2;

/** Refuses a segment or a backup of another format. */
export function requireFormat(path: string, format: number): void {
  if (format === JOURNAL_FORMAT) return;
  throw new StorageError(
    `${path} has format ${format}, but this version reads format ${JOURNAL_FORMAT}. ` +
      'Use the version of armtwin that wrote it.',
  );
}

/** File name of a segment. */
export function segmentName(number: number): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}.log`;
}

/** The number in a segment's name, or null for another file. */
function segmentNumber(name: string): number | null {
  return /^\d{8}\.log$/.test(name) ? Number.parseInt(name, 10) : null;
}

/** Numbers of the segments in a folder, ascending. */
export async function listSegments(disk: Disk, folder: string): Promise<number[]> {
  const names = await disk.list(folder);
  return names.flatMap((name) => segmentNumber(name) ?? []).sort((a, b) => a - b);
}

/** The position before a segment, its writer, and the segment before. */
export interface SegmentStart extends Position {
  readonly epoch: number;
  readonly previous: number;
}

/** The start of a segment, as its first line states it; null if that is damaged. */
export async function openingOf(disk: Disk, path: string): Promise<SegmentStart | null> {
  const bytes = await disk.read(path, { offset: 0, length_bytes: OPENING_BYTES });
  const { segment, i = 0 } = (bytes && firstLine(bytes)?.head) ?? {};
  if (!segment) return null;
  const { after: n, epoch, previous } = segment;
  return { n, i, epoch, previous };
}

/** Largest first line (bytes). */
const OPENING_BYTES = 512;

/** Path of a segment. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, segmentName(number));
}

/** The folder of the segments. */
export interface JournalPlace {
  readonly disk: Disk;
  readonly folder: string;
}
