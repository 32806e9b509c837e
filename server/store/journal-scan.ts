/**
 * Reads the segments of a journal, finds what is damaged, and separates it from writes that were
 * never acknowledged. Transactions are numbered without gaps, and each line names the last durable
 * one, so a missing number is damage if it was durable, and an unfinished write otherwise.
 */
import { join } from 'node:path';
import { type Disk, StorageError } from './disk.ts';
import { decodeLine, encodeLine, type Line, type LineHead } from './documents.ts';

const LINE_END = 10;
const NUMBER_DIGITS = 8;
/** Version of the journal's format. */
export const JOURNAL_FORMAT = 2;

/** File name of a segment. */
export function segmentName(number: number): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}.log`;
}

/** The number in a segment's name, or null for another file. */
function segmentNumber(name: string): number | null {
  return /^\d{8}\.log$/.test(name) ? Number.parseInt(name, 10) : null;
}

/** The durable end of the journal as the file `head` states it. */
export interface JournalHead extends Position {
  /** Number of the write to the file. */
  readonly write: number;
  /** Number of the oldest segment. */
  readonly first: number;
  /** The starts of the latest segments, in case that their first lines are damaged. */
  readonly starts: ReadonlyMap<number, SegmentStart>;
}

/** A damaged part of the journal. */
export interface Damage {
  readonly file: string;
  /** Numbers of the lost transactions; empty if the damage lost nothing. */
  readonly lost: readonly number[];
  /** Whether a lost transaction changed users, tokens or settings. */
  readonly inIndex: boolean;
  readonly text: string;
}

export interface JournalSegment {
  readonly number: number;
  readonly path: string;
  readonly bytes: Buffer;
  readonly lines: readonly Line[];
  readonly damages: readonly Damage[];
  /** Bytes at the end that belong to no acknowledged transaction. */
  readonly unfinished_bytes: number;
  readonly last: Position;
}

/** The state after a transaction. */
export interface Position {
  readonly n: number;
  readonly i: number;
}

/** Numbers of the segments in a folder, ascending. */
export async function listSegments(disk: Disk, folder: string): Promise<number[]> {
  const names = await disk.list(folder);
  return names.flatMap((name) => segmentNumber(name) ?? []).sort((a, b) => a - b);
}

function firstLine(bytes: Buffer): Line | null {
  const end = bytes.indexOf(LINE_END);
  return end < 0 ? null : decodeLine(bytes, 0, end);
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

/** What is known about a segment from its neighbours. */
interface Expected {
  /** The state before its first transaction; null if unknown. */
  readonly before: Position | null;
  /** The state that its last acknowledged transaction led to; null for the last segment. */
  readonly end: Position | null;
  /** The durable end of the journal, for the last segment. */
  readonly head: JournalHead | null;
}

/** The valid lines of a segment. */
export function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(LINE_END, from);
    if (next < 0) break;
    const line = decodeLine(bytes, from, next);
    if (line) lines.push(line);
    from = next + 1;
  }
  return lines;
}

/** Orders lines by number and drops copies; returns null if they are in order already. */
function reordered(lines: readonly Line[]): Line[] | null {
  const inOrder = lines.every((line, at) => at === 0 || line.head.n > lines[at - 1]!.head.n);
  if (inOrder) return null;
  const byNumber = new Map<number, Line>();
  for (const line of lines) if (!byNumber.has(line.head.n)) byNumber.set(line.head.n, line);
  return [...byNumber.values()].sort((a, b) => a.head.n - b.head.n);
}

/** Table names whose changes count as changes of the index. */
export const INDEX_TABLES: ReadonlySet<string> = new Set(['users', 'tokens', 'settings']);

/** Whether a line changes the index. */
export function changesIndex({ o }: Pick<LineHead, 'o'>): boolean {
  return o.some(([, table]) => INDEX_TABLES.has(table));
}

/** The whole numbers of a range, both ends included. */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

function lossText(lost: readonly number[]): string {
  if (lost.length === 0) return 'nothing is lost';
  const [first] = lost;
  const which = lost.length === 1 ? `change ${first} is` : `changes ${first} to ${lost.at(-1)} are`;
  return `${which} lost`;
}

/** Collects the lines that count and the gaps between them. */
class SegmentCheck {
  readonly lines: Line[] = [];
  readonly damages: Damage[] = [];
  private readonly path: string;
  private position: Position | null;

  constructor(path: string, before: Position | null) {
    this.path = path;
    this.position = before;
  }

  get last(): Position {
    return this.position ?? { n: 0, i: 0 };
  }

  note(problem: string, lost: readonly number[], inIndex: boolean): void {
    const text = `${this.path} is damaged (${problem}): ${lossText(lost)}`;
    this.damages.push({ file: this.path, lost, inIndex, text });
  }

  private noteGap(to: Position): void {
    const from = this.position;
    if (from === null || to.n <= from.n) return;
    this.note('transactions are missing', numbers(from.n + 1, to.n), to.i > from.i);
  }

  accept(line: Line): void {
    const { n, i } = line.head;
    this.noteGap({ n: n - 1, i: i - (changesIndex(line.head) ? 1 : 0) });
    this.lines.push(line);
    this.position = { n, i };
  }

  /** Compares the end with the last transaction that must be there. */
  finish(end: Position | null): void {
    if (end === null) return;
    this.noteGap(end);
    if (end.n > this.last.n) this.position = end;
  }
}

/** Checks the bytes of a segment. */
export function checkSegment(
  file: { readonly path: string; readonly number: number; readonly bytes: Buffer },
  { before, end, head }: Expected,
): JournalSegment {
  const { path, bytes } = file;
  const found = linesOf(bytes);
  const [opening] = found;
  const own = opening?.head.segment;
  if (own && own.format > JOURNAL_FORMAT) {
    throw new StorageError(
      `${path} has format ${own.format}; this version reads up to ${JOURNAL_FORMAT}. ` +
        'Use a newer armtwin.',
    );
  }
  const start = before ?? (own ? { n: own.after, i: opening.head.i } : null);
  const check = new SegmentCheck(path, start);
  const content = own ? found.slice(1) : found;
  const sorted = reordered(content);
  if (sorted) check.note('lines are repeated or out of order', [], false);
  const durable = end?.n ?? Math.max(head?.n ?? 0, ...content.map((line) => line.head.d));
  let end_bytes = opening ? opening.offset + opening.length_bytes : 0;
  let hasGaps = false;
  const [first] = sorted ?? content;
  // Without a first line, the first write of the segment was not finished, unless it was durable.
  const isBegun = own !== undefined || durable >= (first?.head.n ?? 0);
  for (const line of sorted ?? content) {
    const { n } = line.head;
    const isAfterGap = n > check.last.n + 1 && n - 1 > durable;
    if (end !== null ? n > end.n : isAfterGap || !isBegun) break;
    hasGaps ||= !sorted && line.offset !== end_bytes;
    check.accept(line);
    end_bytes = Math.max(end_bytes, line.offset + line.length_bytes);
  }
  if (!own && check.lines.length > 0) check.note('its first line', [], false);
  else if (hasGaps) check.note('bytes between its lines', [], false);
  check.finish(end ?? head);
  const { lines, damages, last } = check;
  const losses = damages.filter(({ lost }) => lost.length > 0);
  const unfinished_bytes = end === null ? bytes.length - end_bytes : 0;
  return {
    ...file,
    lines,
    damages: losses.length > 0 ? losses : damages.slice(0, 1),
    unfinished_bytes,
    last,
  };
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

/** A segment without its damage: valid lines, and a note in place of each lost transaction. */
export function repairedBytes(segment: JournalSegment, opening: SegmentStart): Buffer {
  const { number, lines, damages, bytes } = segment;
  const { epoch, previous, n: after } = opening;
  const first = { format: JOURNAL_FORMAT, number, epoch, after, previous };
  const parts = [
    encodeLine({ n: opening.n, d: opening.n, i: opening.i, segment: first }, []).bytes,
  ];
  const lost = damages.flatMap((damage) => damage.lost);
  let i = opening.i;
  const noteLost = (before: number) => {
    while (lost.length > 0 && lost[0]! < before) {
      const n = lost.shift()!;
      parts.push(encodeLine({ n, d: n, i, lost: true }, []).bytes);
    }
  };
  for (const line of lines) {
    noteLost(line.head.n);
    ({ i } = line.head);
    parts.push(bytes.subarray(line.offset, line.offset + line.length_bytes));
  }
  ({ i } = segment.last);
  noteLost(Number.POSITIVE_INFINITY);
  return Buffer.concat(parts);
}

/** Path of a segment. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, segmentName(number));
}
