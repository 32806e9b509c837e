/**
 * The framing of the emulated servos, written from the protocol description. It shares only the
 * CRC table with the driver's codec, so that a mistake in one shows against the other. Like real
 * servos it accepts data that should have been stuffed and were not.
 */
import { CRC_TABLE } from '../crc-table.ts';

export interface Frame {
  readonly id: number;
  readonly code: number;
  readonly payload: readonly number[];
  /** False when the checksum is wrong: the servo ignores the frame. */
  readonly valid: boolean;
}

/** Part of one servo in the status of a fast read. */
export interface FastPart {
  readonly id: number;
  readonly error: number;
  readonly data: readonly number[];
}

const HEADER = [0xff, 0xff, 0xfd, 0x00];
const STATUS = 0x55;
const BROADCAST_ID = 0xfe;
const BODY_MAX = 1017;

function crcOf(bytes: readonly number[]): number {
  return bytes.reduce((crc, byte) => {
    const place = ((crc >>> 8) ^ byte) & 0xff;
    return ((crc & 0xff) << 8) ^ CRC_TABLE[place]!;
  }, 0);
}

function withCrc(bytes: readonly number[]): number[] {
  const crc = crcOf(bytes);
  return [...bytes, crc & 0xff, crc >>> 8];
}

function endsInHeader(bytes: readonly number[], end = bytes.length): boolean {
  return bytes[end - 3] === 0xff && bytes[end - 2] === 0xff && bytes[end - 1] === 0xfd;
}

function stuffed(body: readonly number[]): number[] {
  const out: number[] = [];
  let plain = 0;
  for (const byte of body) {
    out.push(byte);
    plain++;
    if (plain >= 3 && endsInHeader(out)) {
      out.push(0xfd);
      plain = 0;
    }
  }
  return out;
}

function unstuffed(body: readonly number[]): number[] {
  return body.filter((byte, i) => !(i >= 3 && byte === 0xfd && endsInHeader(body, i)));
}

/** A packet of any kind. */
export function frameBytes(id: number, body: readonly number[]): number[] {
  const inside = stuffed(body);
  const length = inside.length + 2;
  return withCrc([...HEADER, id, length & 0xff, length >>> 8, ...inside]);
}

/** The status of one servo. */
export function statusBytes(id: number, error: number, data: readonly number[] = []): number[] {
  return frameBytes(id, [STATUS, error, ...data]);
}

/** The status of a fast read; it ends where a servo is missing. */
export function fastStatusBytes(
  parts: readonly (FastPart | null)[],
  lengths: readonly number[],
): number[] {
  const length = 1 + lengths.reduce((sum, one) => sum + one + 4, 0);
  let bytes = [...HEADER, BROADCAST_ID, length & 0xff, length >>> 8, STATUS];
  for (const part of parts) {
    if (!part) break;
    bytes = withCrc([...bytes, part.error, part.id, ...part.data]);
  }
  return bytes;
}

/** Collects received bytes into frames. */
export class FrameCollector {
  private waiting: number[] = [];

  take(bytes: Iterable<number>): Frame[] {
    this.waiting.push(...bytes);
    const frames: Frame[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): Frame | null {
    for (;;) {
      this.skipToHeader();
      const [, , , , id, low, high] = this.waiting;
      if (id === undefined || low === undefined || high === undefined) return null;
      const length = low + 256 * high;
      if (length < 3 || length > BODY_MAX || id === 0xff || id === 0xfd) {
        this.waiting.shift();
        continue;
      }
      const end = 7 + length;
      if (this.waiting.length < end) return null;
      return this.cut(id, end);
    }
  }

  private cut(id: number, end: number): Frame {
    const bytes = this.waiting.slice(0, end);
    const expected = bytes[end - 2]! + 256 * bytes[end - 1]!;
    const valid = crcOf(bytes.slice(0, end - 2)) === expected;
    this.waiting = this.waiting.slice(valid ? end : 1);
    const [code, ...payload] = unstuffed(bytes.slice(7, end - 2));
    return { id, code: code!, payload, valid };
  }

  private skipToHeader(): void {
    const from = this.waiting.findIndex((_, i) =>
      HEADER.every((byte, k) => this.waiting[i + k] === byte || i + k >= this.waiting.length),
    );
    this.waiting = from < 0 ? [] : this.waiting.slice(from);
  }
}
