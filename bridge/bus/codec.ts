/**
 * Encoding of DYNAMIXEL Protocol 2.0 packets: header, byte stuffing, length and checksum; decoding
 * of fast-read statuses and of the byte stream from the bus. instructions.ts builds the packets.
 */
import { CRC_TABLE } from './crc.ts';
import { BROADCAST_ID, HIGHEST_ID, INSTRUCTION } from './instructions.ts';

/** Longest packet, sent or received (bytes). */
export const PACKET_MAX = 1024;
/** Bytes before the instruction. */
const HEAD_SIZE = 7;
const CRC_SIZE = 2;

export interface Packet {
  readonly id: number;
  readonly instruction: number;
  readonly params: Uint8Array;
}

/** Checksum of bytes `from` to `to` (exclusive). */
export function checksum(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0;
  for (let i = from; i < to; i++) {
    crc = ((crc << 8) ^ CRC_TABLE[(crc >> 8) ^ bytes[i]!]!) & 0xffff;
  }
  return crc;
}

/**
 * Writes a packet into `out` and returns its size (bytes), or 0 when it exceeds PACKET_MAX after
 * stuffing. Stuffing appends FD to each FF FF FD of the data, so that no header appears in it. Does
 * not allocate.
 */
export function encodePacket({ id, instruction, params }: Packet, out: Uint8Array): number {
  if (params.length > PACKET_MAX) return 0;
  out[0] = 0xff;
  out[1] = 0xff;
  out[2] = 0xfd;
  out[3] = 0;
  out[4] = id;
  out[HEAD_SIZE] = instruction;
  const end = stuff(params, out);
  const size = end + CRC_SIZE;
  if (size > PACKET_MAX) return 0;
  const length = size - HEAD_SIZE;
  out[5] = length & 0xff;
  out[6] = length >> 8;
  const crc = checksum(out, 0, end);
  out[end] = crc & 0xff;
  out[end + 1] = crc >> 8;
  return size;
}

/** Copies the parameters with stuffing behind the instruction; returns their end. */
function stuff(params: Uint8Array, out: Uint8Array): number {
  let at = HEAD_SIZE + 1;
  // Number of bytes of FF FF FD just written: 0, 1 or 2.
  let seen = 0;
  for (let i = 0; i < params.length; i++) {
    const byte = params[i]!;
    out[at++] = byte;
    if (byte === 0xff) seen = seen === 0 ? 1 : 2;
    else {
      if (byte === 0xfd && seen === 2) out[at++] = 0xfd;
      seen = 0;
    }
  }
  return at;
}

/** A packet as a new array of bytes; null when it would be too long. */
export function packetBytes(packet: Packet): Uint8Array | null {
  const out = new Uint8Array(2 * PACKET_MAX);
  const size = encodePacket(packet, out);
  return size === 0 ? null : out.slice(0, size);
}

/** The reply of one servo. */
export interface ServoReply {
  readonly id: number;
  /** Error number, with the alert bit. */
  readonly error: number;
  readonly data: Uint8Array;
}

/** Bytes of error and id before the data of each servo. */
const MARGIN = 2;

/**
 * Splits the status of a fast read, in which all servos write into one packet, each with error, id,
 * data and the checksum so far. The checksum of the packet covers the inner ones. `lengths` holds
 * the data length of each servo in the order of the request. Returns null when the sizes do not
 * match.
 */
export function splitFastStatus(
  params: Uint8Array,
  lengths: readonly number[],
): readonly ServoReply[] | null {
  const inner = lengths.reduce((sum, length) => sum + MARGIN + length + CRC_SIZE, 0);
  // The packet reader has removed the last checksum.
  if (params.length !== inner - CRC_SIZE) return null;
  let at = 0;
  return lengths.map((length) => {
    const from = at + MARGIN;
    at = from + length + CRC_SIZE;
    return {
      error: params[from - 2]!,
      id: params[from - 1]!,
      data: params.slice(from, from + length),
    };
  });
}

/**
 * Decoding of the byte stream from the bus. It finds packets among noise, lost and repeated bytes:
 * it accepts a packet whose header, id, length, checksum and stuffing are valid, and otherwise
 * continues at the next byte. It buffers at most one packet of maximum length.
 */

/** The packet just read; the next one overwrites it. */
export interface ReadPacket {
  id: number;
  instruction: number;
  /** Parameters without stuffing; the first of a status is the error. */
  params: Uint8Array;
}

export interface ReaderCounts {
  /** Whole packets accepted. */
  packets: number;
  /** Packets with a wrong checksum. */
  checksum_errors: number;
  /** Packets with a valid checksum and invalid stuffing. */
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
