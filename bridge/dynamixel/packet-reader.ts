/**
 * Decoding of the byte stream from the bus. It finds packets among noise, lost and repeated bytes:
 * it accepts a packet whose header, id, length, checksum and stuffing are valid, and otherwise
 * continues at the next byte. It buffers at most one packet of maximum length.
 */
import { PACKET_MAX, type Status } from '../servo/bus/packet.ts';
import type { ReaderCounts } from '../servo/bus/wire-format.ts';
import { BROADCAST_ID, HIGHEST_ID, INSTRUCTION } from './instructions.ts';
import { CRC_SIZE, checksum, HEAD_SIZE } from './packet-encoding.ts';

const BUFFER_SIZE = 2 * PACKET_MAX;
/** Instruction and checksum. */
const LENGTH_MIN = 1 + CRC_SIZE;
const LENGTH_MAX = PACKET_MAX - HEAD_SIZE;

/** The packet just read; the next one overwrites it. */
interface ReadPacket extends Status {
  instruction: number;
}

export class PacketReader {
  readonly counts: ReaderCounts = {
    packets: 0,
    checksum_errors: 0,
    malformed: 0,
    dropped_bytes: 0,
  };
  private readonly buffer = new Uint8Array(BUFFER_SIZE);
  private readonly unstuffed = new Uint8Array(PACKET_MAX);
  private readonly packet: ReadPacket = { id: 0, instruction: 0, params: this.unstuffed };
  private readonly onPacket: (packet: ReadPacket) => void;
  private start = 0;
  private end = 0;

  constructor(onPacket: (packet: ReadPacket) => void) {
    this.onPacket = onPacket;
  }

  /** Adds received bytes; calls back for each packet that they complete. */
  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.end === BUFFER_SIZE) this.moveToFront();
      const count = Math.min(bytes.length - from, BUFFER_SIZE - this.end);
      this.buffer.set(
        count === bytes.length ? bytes : bytes.subarray(from, from + count),
        this.end,
      );
      this.end += count;
      from += count;
      this.search();
    }
  }

  /** Discards a partly received packet, so that the next bytes start a new one. */
  discardPartial(): void {
    this.counts.dropped_bytes += this.end - this.start;
    this.start = 0;
    this.end = 0;
  }

  private moveToFront(): void {
    this.buffer.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
  }

  private search(): void {
    while (this.start < this.end) {
      const size = this.sizeAtStart();
      if (size < 0) this.drop();
      else if (size === 0 || this.start + size > this.end) return;
      else if (!this.accept(size)) this.drop();
    }
    this.start = 0;
    this.end = 0;
  }

  private drop(): void {
    this.start += 1;
    this.counts.dropped_bytes += 1;
  }

  /** Size of the packet that starts here; 0 when more bytes are needed, -1 when none starts. */
  private sizeAtStart(): number {
    const { buffer, start, end } = this;
    const known = end - start;
    if (buffer[start] !== 0xff) return -1;
    if (known > 1 && buffer[start + 1] !== 0xff) return -1;
    if (known > 2 && buffer[start + 2] !== 0xfd) return -1;
    if (known > 3 && buffer[start + 3] !== 0x00) return -1;
    if (known > 4 && buffer[start + 4]! > HIGHEST_ID && buffer[start + 4] !== BROADCAST_ID) {
      return -1;
    }
    if (known < HEAD_SIZE) return 0;
    const length = buffer[start + 5]! | (buffer[start + 6]! << 8);
    return length < LENGTH_MIN || length > LENGTH_MAX ? -1 : length + HEAD_SIZE;
  }

  private accept(size: number): boolean {
    const { buffer, start, packet } = this;
    const last = start + size - CRC_SIZE;
    const expected = buffer[last]! | (buffer[last + 1]! << 8);
    if (checksum(buffer, start, last) !== expected) {
      this.counts.checksum_errors += 1;
      return false;
    }
    packet.id = buffer[start + 4]!;
    packet.instruction = buffer[start + HEAD_SIZE]!;
    // The status of a fast read is not stuffed.
    const stuffed = !(packet.id === BROADCAST_ID && packet.instruction === INSTRUCTION.status);
    const length = this.unstuff(start + HEAD_SIZE + 1, last, stuffed);
    if (length < 0) {
      this.counts.malformed += 1;
      return false;
    }
    packet.params = this.unstuffed.subarray(0, length);
    this.counts.packets += 1;
    // Its receiver may ask the next question, and then discards what is left before it.
    this.start += size;
    this.onPacket(packet);
    return true;
  }

  /** Copies parameters without stuffing; returns their number, or -1 for an unstuffed header. */
  private unstuff(from: number, to: number, stuffed: boolean): number {
    const { buffer, unstuffed: plain } = this;
    let count = 0;
    let seen = 0;
    for (let i = from; i < to; i++) {
      const byte = buffer[i]!;
      plain[count++] = byte;
      if (byte === 0xff) seen = seen === 0 ? 1 : 2;
      else {
        if (byte === 0xfd && seen === 2 && stuffed && (++i >= to || buffer[i] !== 0xfd)) return -1;
        seen = 0;
      }
    }
    return count;
  }
}
