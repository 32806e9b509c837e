/**
 * One line of the journal: one transaction. `<CRC-32, 8 hexadecimal digits> <head as JSON>`, then
 * each body after a tab, then a line end; JSON text contains neither tabs nor line ends. The
 * checksum covers everything between the first space and the line end.
 */

import { crc32 } from 'node:zlib';
import type { Key } from './table.ts';

/** A change of one row. Rows stay in memory; bodies are read from disk on demand. */
export type RowOperation =
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly key: Key;
      readonly row: unknown;
      /** JSON text, in UTF-8 if it is long. */
      readonly body: string | Uint8Array | null;
    }
  | { readonly kind: 'remove'; readonly table: string; readonly key: Key }
  | { readonly kind: 'clear'; readonly table: string };

/** Location and checksum of a body in its segment. */
export interface BodyLocation {
  readonly offset: number;
  readonly length_bytes: number;
  readonly crc: number;
}

/** An operation as the head stores it. */
type StoredOperation =
  | readonly ['p', string, Key, unknown, number?, number?]
  | readonly ['r', string, Key]
  | readonly ['c', string];

/** The head of a line. */
export interface LineHead {
  /** Number of the transaction; numbers have no gaps. */
  readonly n: number;
  /** Number of the last transaction that was durable when this line was written. */
  readonly d: number;
  /** Number of transactions up to this one that change the index (users, tokens, settings). */
  readonly i: number;
  readonly o: readonly StoredOperation[];
  /** Only in the first line of a segment. */
  readonly segment?: SegmentHead;
  /** The transaction was damaged; its changes are lost. */
  readonly lost?: true;
  /** Only in the head file. */
  readonly head?: HeadSlot;
}

/**
 * What a slot of the head file states. A start is a segment, the last number and the index changes
 * before it, its writer, and the segment before.
 */
interface HeadSlot {
  readonly write: number;
  readonly n: number;
  readonly i: number;
  readonly first: number;
  readonly starts: readonly (readonly [number, number, number, number, number])[];
}

/** What the first line of a segment states. */
export interface SegmentHead {
  readonly format: number;
  readonly number: number;
  readonly epoch: number;
  /** The last transaction of the segments before; later ones in them do not count. */
  readonly after: number;
  /** Number of the segment before; 0 for the first. */
  readonly previous: number;
}

/** A valid line with the bytes that it occupies. */
export interface Line {
  readonly head: LineHead;
  readonly offset: number;
  readonly length_bytes: number;
  /** Offset of the first body, from the start of the segment. */
  readonly bodies_offset: number;
}

const CRC_CHARACTERS = 8;
const PREFIX_BYTES = CRC_CHARACTERS + 1;
const TAB = 9;

/** The CRC-32 of bytes or of UTF-8 text. */
export function crcOf(data: Uint8Array | string): number {
  return crc32(data);
}

function storedOperation(operation: RowOperation): StoredOperation {
  if (operation.kind === 'clear') return ['c', operation.table];
  const { table, key } = operation;
  if (operation.kind === 'remove') return ['r', table, key];
  const { row, body } = operation;
  if (body === null) return ['p', table, key, row];
  return ['p', table, key, row, Buffer.byteLength(body), crcOf(body)];
}

/** The bytes of a line, its line end included. */
export function encodeLine(
  head: Omit<LineHead, 'o'>,
  operations: readonly RowOperation[],
): { readonly bytes: Buffer; readonly head: LineHead } {
  const whole: LineHead = { ...head, o: operations.map(storedOperation) };
  const parts: Uint8Array[] = [];
  let text = `${'0'.repeat(CRC_CHARACTERS)} ${JSON.stringify(whole)}`;
  for (const operation of operations) {
    if (operation.kind !== 'put' || operation.body === null) continue;
    text += '\t';
    if (typeof operation.body === 'string') text += operation.body;
    else {
      parts.push(Buffer.from(text), operation.body);
      text = '';
    }
  }
  const bytes = Buffer.concat([...parts, Buffer.from(`${text}\n`)]);
  const crc = crcOf(bytes.subarray(PREFIX_BYTES, -1));
  bytes.write(crc.toString(16).padStart(CRC_CHARACTERS, '0'));
  return { bytes, head: whole };
}

/** The numbers at the start of the head of a transaction. */
const NUMBERS = /^\{"n":(\d+),"d":(\d+),"i":(\d+),"o":/;
/** Longest text of these numbers (bytes). */
const NUMBERS_BYTES = 80;

type HeadPlace = readonly [segment: Buffer, from: number, to: number];

/**
 * The head of a transaction as it is read. Its operations are parsed when they are asked for, and
 * not kept: those of a whole journal are more than its rows.
 */
class ReadHead implements LineHead {
  readonly n: number;
  readonly d: number;
  readonly i: number;
  private readonly place: HeadPlace;

  constructor([n, d, i]: readonly string[], place: HeadPlace) {
    this.n = Number(n);
    this.d = Number(d);
    this.i = Number(i);
    this.place = place;
  }

  get o(): LineHead['o'] {
    return parsedHead(...this.place).o;
  }
}

function parsedHead(...[segment, from, to]: HeadPlace): LineHead {
  return JSON.parse(segment.toString('utf8', from, to)) as LineHead;
}

function readHead(segment: Buffer, from: number, to: number): LineHead {
  const start = segment.toString('latin1', from, Math.min(to, from + NUMBERS_BYTES));
  const found = NUMBERS.exec(start);
  return found ? new ReadHead(found.slice(1), [segment, from, to]) : parsedHead(segment, from, to);
}

/** Reads the line between two offsets, without its line end; null if it is damaged. */
export function decodeLine(segment: Buffer, offset: number, end: number): Line | null {
  if (end - offset <= PREFIX_BYTES) return null;
  const stored = segment.toString('latin1', offset, offset + CRC_CHARACTERS);
  const content = segment.subarray(offset + PREFIX_BYTES, end);
  if (stored !== crcOf(content).toString(16).padStart(CRC_CHARACTERS, '0')) return null;
  const tab = content.indexOf(TAB);
  const head_bytes = tab < 0 ? content.length : tab;
  const from = offset + PREFIX_BYTES;
  const head = readHead(segment, from, from + head_bytes);
  const bodies_offset = from + head_bytes + 1;
  return { head, offset, length_bytes: end + 1 - offset, bodies_offset };
}

/** Length of all bodies of a line (bytes). */
export function bodiesLength({ o }: Pick<LineHead, 'o'>): number {
  return o.reduce((total, operation) => total + (operation[4] ?? 0), 0);
}

/** A change as it is read from a line, with the location of its body. */
export type ReadOperation =
  | {
      readonly kind: 'put';
      readonly table: string;
      readonly key: Key;
      readonly row: unknown;
      readonly body: BodyLocation | null;
    }
  | Exclude<RowOperation, { kind: 'put' }>;

/** The operations of a line, in order. */
export function* rowOperationsOf(
  { head, bodies_offset }: Pick<Line, 'head' | 'bodies_offset'>,
  o = head.o,
): Generator<ReadOperation> {
  let offset = bodies_offset;
  for (const [kind, table, key, row, length_bytes, crc] of o) {
    if (kind === 'c') yield { kind: 'clear', table };
    else if (kind === 'r') yield { kind: 'remove', table, key: key! };
    else if (length_bytes === undefined) yield { kind: 'put', table, key: key!, row, body: null };
    else {
      yield { kind: 'put', table, key: key!, row, body: { offset, length_bytes, crc: crc! } };
      offset += length_bytes + 1;
    }
  }
}

/** Where a transaction is stored. */
export interface StoredLine extends Pick<Line, 'head' | 'bodies_offset' | 'length_bytes'> {
  readonly segment: number;
}

const LINE_END = 10;

export function firstLine(bytes: Buffer): Line | null {
  const end = bytes.indexOf(LINE_END);
  return end < 0 ? null : decodeLine(bytes, 0, end);
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
