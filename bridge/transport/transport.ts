/**
 * The transport port of the servo bus: sends and receives bytes, without knowledge of packets.
 * transport.cases.ts is the conformance suite of every transport.
 */

/** Receives bytes; the caller owns the array again after the call. */
export type ReceiveBytes = (bytes: Uint8Array) => void;

/** A change of the line, as a sentence for the log. */
export interface LineEvent {
  readonly kind: 'lost' | 'unavailable' | 'back';
  readonly text: string;
}

/** Receives the changes of a line. */
export type ReportLine = (event: LineEvent) => void;

export interface BusTransport {
  /** Address, as in messages: memory, tcp://127.0.0.1:4000, serial:/dev/ttyUSB0. */
  readonly name: string;
  /** Connects and passes received bytes to `receive`. Rejects with a message for the operator. */
  open(receive: ReceiveBytes): Promise<void>;
  /** Sends a copy of the bytes. Returns false and drops them while there is no connection. */
  write(bytes: Uint8Array): boolean;
  /** Why the line cannot be used, as a message; null or absent: nothing is known against it. */
  readonly problem?: string | null;
  /** Discards what has been written and has not left, where that is possible. */
  discard?(): void;
  /** Passes each loss, failed reopening and return of the line to `report`. */
  watch?(report: ReportLine): void;
  /** Closes the connection for good. Safe to call twice. */
  close(): Promise<void>;
}

/** The other end of a transport: the servo emulator, or the replay of a capture. */
export interface WirePeer {
  /** Connects a transport: the peer sends with `send` and receives with the returned function. */
  attach(send: ReceiveBytes): ReceiveBytes;
}
