/**
 * Encoding of DYNAMIXEL Protocol 2.0 packets: header, byte stuffing, length and checksum.
 * instructions.ts builds the packets.
 */

import { PACKET_MAX, type Packet } from '../servo/bus/packet.ts';
import { CRC_TABLE } from './crc-table.ts';

/** Bytes before the instruction. */
export const HEAD_SIZE = 7;
export const CRC_SIZE = 2;

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
