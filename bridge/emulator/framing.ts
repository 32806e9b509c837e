/**
 * The framing of the emulated servos, written from the protocol description. It shares only the CRC
 * table with the driver's codec, so that a mistake in one shows against the other. Like real servos
 * it accepts data that should have been stuffed and were not. Also: faults on the wire.
 */
import { CRC_TABLE } from '../bus/crc.ts';
import type { BusClock } from '../transport/bus-clock.ts';
import type { ReceiveBytes, WirePeer } from '../transport/transport.ts';

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

/**
 * Fault injection on the wire: a peer in front of another peer that drops, corrupts, repeats,
 * delays or holds its replies. Faults stay as they are set.
 */

export class WireFaults implements WirePeer {
  /** Number of replies still to drop, or to corrupt by one bit. */
  drop = 0;
  corrupt = 0;
  /** Delay of each reply (ms). */
  delay_ms = 0;
  /** Each reply arrives twice. */
  duplicate = false;
  /** Share of the replies that arrive once more, and how much later (ms). */
  doubled = { share: 0, after_ms: 2 };
  /** Share of the replies that are late, and by how much (ms). */
  late = { share: 0, by_ms: 80 };
  /** Noise bytes before each reply. */
  garbage: readonly number[] = [];
  /** Nothing passes in either direction. */
  cut = false;
  /** Transfers in both directions that wait while the line is held; null: not held. */
  private held: (() => void)[] | null = null;
  private readonly peer: WirePeer;
  private readonly clock: BusClock;
  private send: ReceiveBytes = () => {};
  /** Chooses the replies that are doubled or late. */
  seed = 1;

  constructor(peer: WirePeer, clock: BusClock) {
    this.peer = peer;
    this.clock = clock;
  }

  /** True for this share of the calls. */
  private draw(share: number): boolean {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return share > 0 && this.seed / 2 ** 32 < share;
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    this.send = send;
    const receive = this.peer.attach((bytes) => this.pass(bytes, send));
    return (bytes) => {
      if (this.cut) return;
      const data = bytes.slice();
      this.deferIfHeld(() => receive(data));
    };
  }

  /** Bytes that the driver receives unasked, as from another program on the line. */
  inject(bytes: Uint8Array): void {
    this.send(bytes);
  }

  /** Holds all transfers, as a busy gateway does. */
  hold(): void {
    this.held ??= [];
  }

  /** Releases the line and all held transfers. */
  release(): void {
    const transfers = this.held ?? [];
    this.held = null;
    for (const transfer of transfers) transfer();
  }

  private deferIfHeld(transfer: () => void): void {
    if (this.held) this.held.push(transfer);
    else transfer();
  }

  private pass(bytes: Uint8Array, send: ReceiveBytes): void {
    if (this.cut) return;
    if (this.drop > 0) {
      this.drop--;
      return;
    }
    const data = Uint8Array.of(...this.garbage, ...bytes);
    if (this.corrupt > 0) {
      this.corrupt--;
      data[data.length - 3]! ^= 0x10;
    }
    const times = this.duplicate ? 2 : 1;
    const delay_ms = this.delay_ms + (this.draw(this.late.share) ? this.late.by_ms : 0);
    for (let i = 0; i < times; i++) this.deliver(data, send, delay_ms);
    if (this.draw(this.doubled.share)) this.deliver(data, send, delay_ms + this.doubled.after_ms);
  }

  private deliver(bytes: Uint8Array, send: ReceiveBytes, delay_ms: number): void {
    const deliver = () => this.deferIfHeld(() => send(bytes));
    if (delay_ms === 0) deliver();
    else this.clock.after(delay_ms, deliver);
  }
}
