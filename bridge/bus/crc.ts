/**
 * The checksum of DYNAMIXEL Protocol 2.0: polynomial 0x8005, start 0, nothing reflected. It stands
 * apart because driver and emulator share this table and no other line of framing.
 */

const POLYNOMIAL = 0x8005;

function remainder(byte: number): number {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 0x8000 ? (value << 1) ^ POLYNOMIAL : value << 1) & 0xffff;
  }
  return value;
}

/** What each value of a byte contributes to the checksum. */
export const CRC_TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) =>
  remainder(byte),
);
