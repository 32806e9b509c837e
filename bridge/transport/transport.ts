/**
 * The transport port of the servo bus: sends and receives bytes, without knowledge of packets.
 * transport.cases.ts is the conformance suite of every transport. Also: the transport that
 * reconnects, and captures of one.
 */
import { type BusClock, systemBusClock } from './bus-clock.ts';

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

/** A transport to a peer in this process, without delay; for tests and the built-in emulator. */
export function createMemoryTransport(peer: WirePeer): BusTransport {
  let toPeer: ReceiveBytes | null = null;
  return {
    name: 'memory',
    async open(receive) {
      toPeer = peer.attach((bytes) => {
        if (toPeer) receive(bytes);
      });
    },
    write(bytes) {
      if (!toPeer) return false;
      toPeer(bytes.slice());
      return true;
    },
    async close() {
      toPeer = null;
    },
  };
}

/**
 * A transport that reconnects after a loss until it is closed. A lost connection drops bytes
 * instead of queueing them, because a late command is worse than a lost one. The bus notices the
 * loss by its timeouts.
 */

/** An open connection. */
export interface Connection {
  /** False when the bytes could not be sent. Bytes that are not sent at once are dropped. */
  write(bytes: Uint8Array): boolean;
  /** Discards what has been written and has not left, where that is possible. */
  discard?(): void;
  close(): Promise<void>;
}

/** Called with the reason when a connection is lost; further calls change nothing. */
export type Lost = (reason: string) => void;

/** Opens a connection; rejects with a message for the operator. */
export type Dial = (receive: ReceiveBytes, lost: Lost) => Promise<Connection>;

const RECONNECT_MS = 500;

class ReconnectingTransport implements BusTransport {
  readonly name: string;
  /** Why there is no connection; null: there is one, or none has been made yet. */
  problem: string | null = null;
  private readonly dial: Dial;
  private readonly clock: BusClock;
  private connection: Connection | null = null;
  private receive: ReceiveBytes = () => {};
  private report: ReportLine = () => {};
  private cancel: () => void = () => {};
  private closed = false;

  constructor(name: string, dial: Dial, clock: BusClock) {
    this.name = name;
    this.dial = dial;
    this.clock = clock;
  }

  watch(report: ReportLine): void {
    this.report = report;
  }

  async open(receive: ReceiveBytes): Promise<void> {
    this.receive = receive;
    this.closed = false;
    await this.connect();
  }

  private async connect(): Promise<void> {
    let lost = false;
    const connection = await this.dial(
      (bytes) => this.receive(bytes),
      (reason) => {
        if (lost || this.closed) return;
        lost = true;
        this.connection = null;
        this.problem = `The line ${this.name} was lost (${reason})`;
        this.report({ kind: 'lost', text: `${this.problem}: it is opened again once it is back` });
        this.scheduleReconnect();
      },
    );
    if (this.closed) await connection.close();
    else if (!lost) {
      this.connection = connection;
      if (this.problem !== null) this.report({ kind: 'back', text: `${this.name} is open again` });
      this.problem = null;
    }
  }

  private scheduleReconnect(): void {
    if (this.closed) return;
    this.cancel = this.clock.after(RECONNECT_MS, () => {
      if (!this.closed) this.connect().catch((error: Error) => this.onRefusal(error.message));
    });
  }

  /** Keeps why the line could not be opened again; reports a reason once. */
  private onRefusal(reason: string): void {
    if (reason !== this.problem) this.report({ kind: 'unavailable', text: reason });
    this.problem = reason;
    this.scheduleReconnect();
  }

  write(bytes: Uint8Array): boolean {
    return this.connection?.write(bytes) ?? false;
  }

  discard(): void {
    this.connection?.discard?.();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancel();
    const { connection } = this;
    this.connection = null;
    await connection?.close();
  }
}

/** A reconnecting transport over `dial`, named `name` in messages. */
export function createReconnectingTransport(
  name: string,
  dial: Dial,
  clock = systemBusClock,
): BusTransport {
  return new ReconnectingTransport(name, dial, clock);
}

/**
 * Captures the bytes of a transport and replays them as a peer, so that a session with real servos
 * becomes a test that needs none.
 */

/** Bytes in one direction: out to the servos, or in from them. */
export interface CaptureRow {
  readonly at_ms: number;
  readonly direction: 'out' | 'in';
  readonly hex: string;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The same transport, with every write and every received chunk passed to `onRow`. */
export function captureTransport(
  line: BusTransport,
  clock: BusClock,
  onRow: (row: CaptureRow) => void,
): BusTransport {
  const row = (direction: 'out' | 'in', bytes: Uint8Array) =>
    onRow({ at_ms: clock.now_ms(), direction, hex: hexOf(bytes) });
  return {
    name: line.name,
    get problem() {
      return line.problem ?? null;
    },
    discard: () => line.discard?.(),
    watch: (report) => line.watch?.(report),
    open: (receive: ReceiveBytes) =>
      line.open((bytes) => {
        row('in', bytes);
        receive(bytes);
      }),
    write(bytes) {
      row('out', bytes);
      return line.write(bytes);
    },
    close: () => line.close(),
  };
}

/** A peer that replies as captured, as long as it receives the captured requests in order. */
export class ReplayPeer implements WirePeer {
  /** First difference between received and captured bytes; null while they agree. */
  mismatch: { readonly received: string; readonly expected: string } | null = null;
  private readonly rows: readonly CaptureRow[];
  private position = 0;
  private received = '';

  constructor(rows: readonly CaptureRow[]) {
    this.rows = rows;
  }

  /** True when the whole capture has been played. */
  get finished(): boolean {
    return this.position >= this.rows.length;
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    return (bytes) => {
      this.received += hexOf(bytes);
      this.answer(send);
    };
  }

  private answer(send: ReceiveBytes): void {
    for (
      let row = this.rows[this.position];
      row && !this.mismatch;
      row = this.rows[this.position]
    ) {
      if (row.direction === 'in') {
        this.position++;
        send(Uint8Array.from(Buffer.from(row.hex, 'hex')));
      } else if (this.received.startsWith(row.hex)) {
        this.position++;
        this.received = this.received.slice(row.hex.length);
      } else {
        const partial = row.hex.startsWith(this.received);
        if (!partial) this.mismatch = { received: this.received, expected: row.hex };
        return;
      }
    }
  }
}
