/**
 * Bytes to packets: finds packets in a stream that may hold garbage, lost and doubled bytes. It
 * accepts what has header, id, length, checksum and stuffing in order, and after anything else
 * searches on from the next byte. Bounded: it keeps no more than one longest packet.
 */
import { CRC_SIZE, checksum, HEAD_SIZE, PACKET_MAX } from './codec.ts';
import { BROADCAST_ID, HIGHEST_ID, INSTRUCTION } from './instructions.ts';

/** A packet as it was read; changes with the next one. */
export interface ReadPacket {
  id: number;
  instruction: number;
  /** Parameters without stuffing; of a status the first is the error. */
  params: Uint8Array;
}

export interface ReaderCounts {
  /** Whole packets accepted. */
  packets: number;
  /** Packets with a wrong checksum. */
  checksum_errors: number;
  /** Packets whose checksum is right and whose stuffing is not. */
  malformed: number;
  /** Bytes that belonged to no packet. */
  dropped_bytes: number;
}

const BUFFER_SIZE = 2 * PACKET_MAX;
/** Instruction and checksum. */
const LENGTH_MIN = 1 + CRC_SIZE;
const LENGTH_MAX = PACKET_MAX - HEAD_SIZE;

export class PacketReader {
  readonly counts: ReaderCounts = {
    packets: 0,
    checksum_errors: 0,
    malformed: 0,
    dropped_bytes: 0,
  };
  private readonly buffer = new Uint8Array(BUFFER_SIZE);
  private readonly plain = new Uint8Array(PACKET_MAX);
  private readonly packet: ReadPacket = { id: 0, instruction: 0, params: this.plain };
  private readonly onPacket: (packet: ReadPacket) => void;
  private start = 0;
  private end = 0;

  constructor(onPacket: (packet: ReadPacket) => void) {
    this.onPacket = onPacket;
  }

  /** Takes bytes as they come from the line; calls back for each packet that they complete. */
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

  /** Forgets a packet that has only half arrived: what comes next belongs to something else. */
  forget(): void {
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
      else if (this.accept(size)) this.start += size;
      else this.drop();
    }
    this.start = 0;
    this.end = 0;
  }

  private drop(): void {
    this.start += 1;
    this.counts.dropped_bytes += 1;
  }

  /** Size of the packet that may begin here, 0 while too few bytes tell, -1 when none does. */
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
    const told = buffer[last]! | (buffer[last + 1]! << 8);
    if (checksum(buffer, start, last) !== told) {
      this.counts.checksum_errors += 1;
      return false;
    }
    packet.id = buffer[start + 4]!;
    packet.instruction = buffer[start + HEAD_SIZE]!;
    // The joined status of a fast read comes unstuffed.
    const stuffed = !(packet.id === BROADCAST_ID && packet.instruction === INSTRUCTION.status);
    const length = this.unstuff(start + HEAD_SIZE + 1, last, stuffed);
    if (length < 0) {
      this.counts.malformed += 1;
      return false;
    }
    packet.params = this.plain.subarray(0, length);
    this.counts.packets += 1;
    this.onPacket(packet);
    return true;
  }

  /** Copies parameters without stuffing; their number, or -1 where a header stands bare. */
  private unstuff(from: number, to: number, stuffed: boolean): number {
    const { buffer, plain } = this;
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
