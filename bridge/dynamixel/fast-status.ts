import type { ServoReply } from '../servo/bus/packet.ts';
import { CRC_SIZE } from './packet-encoding.ts';

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
