/**
 * A transport that reconnects after a loss until it is closed. A lost connection drops bytes
 * instead of queueing them, because a late command is worse than a lost one. The bus notices the
 * loss by its timeouts.
 */
import { type BusClock, systemBusClock } from './bus-clock.ts';
import type { BusTransport, ReceiveBytes } from './transport.ts';

/** An open connection. */
export interface Connection {
  /** False when the bytes could not be sent. */
  write(bytes: Uint8Array): boolean;
  close(): Promise<void>;
}

/** Opens a connection; it may call `lost` more than once. */
export type Dial = (receive: ReceiveBytes, lost: () => void) => Promise<Connection>;

const RECONNECT_MS = 500;

class ReconnectingTransport implements BusTransport {
  readonly name: string;
  private readonly dial: Dial;
  private readonly clock: BusClock;
  private connection: Connection | null = null;
  private receive: ReceiveBytes = () => {};
  private closed = false;

  constructor(name: string, dial: Dial, clock: BusClock) {
    this.name = name;
    this.dial = dial;
    this.clock = clock;
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
      () => {
        if (lost) return;
        lost = true;
        this.connection = null;
        this.scheduleReconnect();
      },
    );
    if (this.closed) await connection.close();
    else if (!lost) this.connection = connection;
  }

  private scheduleReconnect(): void {
    if (this.closed) return;
    this.clock.after(RECONNECT_MS, () => {
      if (!this.closed) this.connect().catch(() => this.scheduleReconnect());
    });
  }

  write(bytes: Uint8Array): boolean {
    return this.connection?.write(bytes) ?? false;
  }

  async close(): Promise<void> {
    this.closed = true;
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
