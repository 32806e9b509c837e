/**
 * Instructions of Feetech's STS servos: their codes, and the packets of group reads and writes.
 */

import type { Packet } from '../servo/bus/packet.ts';
import type { RegisterSpan, ServoData } from '../servo/bus/register-data.ts';

export const CODE = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  sync_read: 0x82,
  sync_write: 0x83,
} as const;

/** Addresses all servos; no servo has this id. */
export const BROADCAST_ID = 254;
/** Highest id of a servo. */
export const HIGHEST_ID = 253;

export function packet(id: number, instruction: number, params: readonly number[]): Packet {
  return { id, instruction, params: Uint8Array.from(params) };
}

/** Reads a span of several servos; each answers with its own status, in this order. */
export function stsSyncRead(ids: readonly number[], { address, length }: RegisterSpan): Packet {
  return packet(BROADCAST_ID, CODE.sync_read, [address, length, ...ids]);
}

/** Writes the same span of several servos, without an answer. */
export function stsSyncWrite(
  { address, length }: RegisterSpan,
  rows: readonly ServoData[],
): Packet {
  const data = rows.flatMap((row) => [row.id, ...Array.from(row.data)]);
  return packet(BROADCAST_ID, CODE.sync_write, [address, length, ...data]);
}
