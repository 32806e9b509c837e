/**
 * A caller on one connection that asks without waiting for answers, and times each: what a load
 * generator needs, at a fraction of fetch's cost.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const LENGTH = /content-length: (\d+)/i;

export class Caller {
  private readonly socket: Socket;
  private readonly session: string;
  private readonly asked_ms: number[] = [];
  private readonly durations: number[] = [];
  private rest = '';

  constructor(port: number, session: string) {
    this.session = session;
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk) => this.read(String(chunk)));
    this.socket.on('error', () => {});
  }

  /** Sends a request such as `GET /livez`. */
  ask(line: string): void {
    this.asked_ms.push(performance.now());
    this.socket.write(
      `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${this.session}\r\n\r\n`,
    );
  }

  private read(chunk: string): void {
    this.rest += chunk;
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.rest.slice(0, end);
      const size = end + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (this.rest.length < size) return;
      this.rest = this.rest.slice(size);
      const fine = head.startsWith('HTTP/1.1 200');
      this.durations.push(fine ? performance.now() - this.asked_ms[this.durations.length]! : -1);
    }
  }

  /** Resolves when all is answered, or after a while. */
  async done(limit_ms: number): Promise<void> {
    const until_ms = performance.now() + limit_ms;
    while (this.durations.length < this.asked_ms.length && performance.now() < until_ms) {
      await wait(10);
    }
  }

  /** Durations (ms) of all that was asked; -1 for what was refused or never answered. */
  close(): number[] {
    this.socket.destroy();
    return this.asked_ms.map((_, index) => this.durations[index] ?? -1);
  }
}
