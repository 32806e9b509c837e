/**
 * A line that comes back: dials again after a loss until it is closed. Peers vanish without a word,
 * so a loss is told by nobody but the bus's time-outs; bytes for a lost line are dropped, because
 * a command that arrives late is worse than one that does not.
 */
import { type BusClock, systemBusClock } from './bus-clock.ts';
import type { Receive, Transport } from './transport.ts';

/** One connection as long as it lasts. */
export interface Connection {
  /** False when the bytes could not be taken. */
  write(bytes: Uint8Array): boolean;
  close(): Promise<void>;
}

/** Makes a connection; `lost` may be called more than once. */
export type Dial = (receive: Receive, lost: () => void) => Promise<Connection>;

const REDIAL_MS = 500;

class LastingLine implements Transport {
  readonly name: string;
  private readonly dial: Dial;
  private readonly clock: BusClock;
  private connection: Connection | null = null;
  private receive: Receive = () => {};
  private closed = false;

  constructor(name: string, dial: Dial, clock: BusClock) {
    this.name = name;
    this.dial = dial;
    this.clock = clock;
  }

  async open(receive: Receive): Promise<void> {
    this.receive = receive;
    this.closed = false;
    await this.connect();
  }

  private async connect(): Promise<void> {
    let gone = false;
    const connection = await this.dial(
      (bytes) => this.receive(bytes),
      () => {
        if (gone) return;
        gone = true;
        this.connection = null;
        this.redialLater();
      },
    );
    if (this.closed) await connection.close();
    else if (!gone) this.connection = connection;
  }

  private redialLater(): void {
    if (this.closed) return;
    this.clock.after(REDIAL_MS, () => {
      if (!this.closed) this.connect().catch(() => this.redialLater());
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

/** A line over `dial`, called `name` in messages. */
export function createLastingLine(name: string, dial: Dial, clock = systemBusClock): Transport {
  return new LastingLine(name, dial, clock);
}
