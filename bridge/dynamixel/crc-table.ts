/**
 * The CRC-16 of DYNAMIXEL Protocol 2.0: polynomial 0x8005, initial value 0, not reflected. Driver
 * and emulator share this table and no other framing code.
 */

const POLYNOMIAL = 0x8005;

function remainder(byte: number): number {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 0x8000 ? (value << 1) ^ POLYNOMIAL : value << 1) & 0xffff;
  }
  return value;
}

/** Contribution of each byte value to the checksum. */
export const CRC_TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) =>
  remainder(byte),
);
