/**
 * Finds what is damaged in a segment, and separates it from writes that were never acknowledged.
 * Transactions are numbered without gaps, and each line names the last durable one, so a missing
 * number is damage if it was durable, and an unfinished write otherwise.
 */

import { type Damage, numbers } from './damage.ts';
import type { JournalHead } from './head-file.ts';
import { changesIndex } from './index-tables.ts';
import { type Line, linesOf } from './journal-line.ts';
import type { Position } from './journal-position.ts';
import { requireFormat } from './segment.ts';

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

/** What is known about a segment from its neighbours. */
interface Expected {
  /** The state before its first transaction; null if unknown. */
  readonly before: Position | null;
  /** The state that its last acknowledged transaction led to; null for the last segment. */
  readonly end: Position | null;
  /** The durable end of the journal, for the last segment. */
  readonly head: JournalHead | null;
}

/** Orders lines by number and drops copies; returns null if they are in order already. */
function reordered(lines: readonly Line[]): Line[] | null {
  const inOrder = lines.every((line, at) => at === 0 || line.head.n > lines[at - 1]!.head.n);
  if (inOrder) return null;
  const byNumber = new Map<number, Line>();
  for (const line of lines) if (!byNumber.has(line.head.n)) byNumber.set(line.head.n, line);
  return [...byNumber.values()].sort((a, b) => a.head.n - b.head.n);
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
  if (own) requireFormat(path, own.format);
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
