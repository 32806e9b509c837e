/**
 * The port between the bus and the line: bytes out, bytes in, nothing of packets. Every kind of
 * line keeps the cases of transport.cases.ts.
 */

/** Takes bytes from the line; they belong to the caller again afterwards. */
export type Receive = (bytes: Uint8Array) => void;

export interface Transport {
  /** What messages call it: memory, tcp://127.0.0.1:4000, serial:/dev/ttyUSB0. */
  readonly name: string;
  /** Connects. Rejects with a sentence that says what to do; bytes go to `receive` from now on. */
  open(receive: Receive): Promise<void>;
  /** Sends bytes, copied at once. False while there is no line: the bytes are dropped, not kept. */
  write(bytes: Uint8Array): boolean;
  /** Ends the line for good. Safe to call twice. */
  close(): Promise<void>;
}

/** What sits at the other end of a line: real servos, their emulator, or a recording. */
export interface WirePeer {
  /** Connects a line: `send` is the way to it, the answer takes what comes from it. */
  attach(send: Receive): Receive;
}
