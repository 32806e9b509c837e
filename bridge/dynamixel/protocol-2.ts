import type { WireFormat } from '../servo/bus/wire-format.ts';
import { splitFastStatus } from './fast-status.ts';
import { BROADCAST_ID, INSTRUCTION } from './instructions.ts';
import { encodePacket } from './packet-encoding.ts';
import { PacketReader } from './packet-reader.ts';

/** DYNAMIXEL Protocol 2.0. */
export const PROTOCOL_2: WireFormat = {
  encode: encodePacket,
  createReader: (onStatus) =>
    new PacketReader((packet) => {
      if (packet.instruction === INSTRUCTION.status) onStatus(packet);
    }),
  request_overhead_bytes: 10,
  status_overhead_bytes: 11,
  read_lengths: [17, 64],
  fast: {
    bytes: (servos, length) => 8 + servos * (length + 4),
    split: ({ id, params }, lengths) =>
      id === BROADCAST_ID ? splitFastStatus(params, lengths) : null,
  },
};
