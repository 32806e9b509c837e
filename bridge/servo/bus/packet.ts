/** Packets of a servo bus, as they are sent, as they are read, and as the reply of a servo. */

/** Longest packet, sent or received (bytes). */
export const PACKET_MAX = 1024;

export interface Packet {
  readonly id: number;
  readonly instruction: number;
  readonly params: Uint8Array;
}

/** The reply of one servo. */
export interface ServoReply {
  readonly id: number;
  /** Error number, with the alert bit. */
  readonly error: number;
  readonly data: Uint8Array;
}

/** The status just read; the next one overwrites it. */
export interface Status {
  id: number;
  /** Without stuffing; the first is the error. */
  params: Uint8Array;
}
