/**
 * A transport that reconnects after a loss until it is closed. A lost connection drops bytes
 * instead of queueing them, because a late command is worse than a lost one. The bus notices the
 * loss by its timeouts.
 */

import { type BusClock, systemBusClock } from './bus-clock.ts';
import type { BusTransport, ReceiveBytes, ReportLine } from './transport.ts';

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
