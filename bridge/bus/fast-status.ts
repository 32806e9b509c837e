/**
 * The joined status of fast reads: all servos speak into one packet, each with its error, id, data
 * and the checksum of everything so far. The last checksum is the packet's own; the inner ones are
 * covered by it.
 */
import { CRC_SIZE } from './codec.ts';

/** What one servo answered. */
export interface ServoReply {
  readonly id: number;
  /** Error number, with the alert bit. */
  readonly error: number;
  readonly data: Uint8Array;
}

/** Error and id before each servo's data. */
const MARGIN = 2;

/**
 * Takes the parameters of a joined status apart; `lengths` holds the data length of each servo in
 * the order asked. Null when they do not fit, as when another answer was joined.
 */
export function splitFastStatus(
  params: Uint8Array,
  lengths: readonly number[],
): readonly ServoReply[] | null {
  const inner = lengths.reduce((sum, length) => sum + MARGIN + length + CRC_SIZE, 0);
  // The last checksum has been taken off with the packet's frame.
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
