/**
 * What the bus needs of the protocol of a family: how its packets are written and found among the
 * bytes of the line.
 */
import type { Packet, ReadPacket } from './packet.ts';

/** Decodes the bytes of the line into packets. */
export interface PacketStream {
  readonly counts: ReaderCounts;
  push(bytes: Uint8Array): void;
  discardPartial(): void;
}

/** The packets of a protocol: each status has an id, an error and data. */
export interface WireFormat {
  /** Writes a packet into `out`; returns its size (bytes), or 0 when it is too long. */
  encode(packet: Packet, out: Uint8Array): number;
  createReader(onPacket: (packet: ReadPacket) => void): PacketStream;
  /** Bytes of a request besides its parameters. */
  readonly request_overhead_bytes: number;
  /** Bytes of a status besides its data. */
  readonly status_overhead_bytes: number;
  /** Shortest and longest single read (bytes); no request of another kind has such a reply. */
  readonly read_lengths: readonly [number, number];
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
