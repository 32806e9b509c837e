import type { WireFormat } from '../servo/bus/wire-format.ts';
import { encodePacket } from './packet-encoding.ts';
import { PacketReader } from './packet-reader.ts';

/** DYNAMIXEL Protocol 2.0. */
export const PROTOCOL_2: WireFormat = {
  encode: encodePacket,
  createReader: (onPacket) => new PacketReader(onPacket),
  request_overhead_bytes: 10,
  status_overhead_bytes: 11,
  read_lengths: [17, 64],
};
