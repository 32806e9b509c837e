/**
 * What the bus needs of the protocol of a family: how its packets are written and found among the
 * bytes of the line.
 */
import type { Packet, ServoReply, Status } from './packet.ts';

/** Decodes the bytes of the line into statuses. */
export interface PacketStream {
  readonly counts: ReaderCounts;
  push(bytes: Uint8Array): void;
  discardPartial(): void;
}

/** The packets of a protocol: each status has an id, an error and data. */
export interface WireFormat {
  /** Writes a packet into `out`; returns its size (bytes), or 0 when it is too long. */
  encode(packet: Packet, out: Uint8Array): number;
  createReader(onStatus: (status: Status) => void): PacketStream;
  /** Bytes of a request besides its parameters. */
  readonly request_overhead_bytes: number;
  /** Bytes of a status besides its data. */
  readonly status_overhead_bytes: number;
  /** Shortest and longest single read (bytes); no request of another kind has such a reply. */
  readonly read_lengths: readonly [number, number];
  /** How all servos answer in one status; absent where each answers with its own. */
  readonly fast?: FastFormat;
}

/** A status in which all servos of a request answer. */
export interface FastFormat {
  /** Its size (bytes) with this many servos, and so many bytes of data of each. */
  bytes(servos: number, length: number): number;
  /**
   * The replies in it, where `lengths` are those of the data of each servo in the order of the
   * request; null when it is another status.
   */
  split(status: Status, lengths: readonly number[]): readonly ServoReply[] | null;
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
