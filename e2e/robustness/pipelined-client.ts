/** A pipelining HTTP client on one connection that times each reply; much cheaper than fetch. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const LENGTH = /content-length: (\d+)/i;

export class PipelinedClient {
  private readonly socket: Socket;
  private readonly session: string;
  private readonly sent_ms: number[] = [];
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
  send(line: string): void {
    this.sent_ms.push(performance.now());
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
      const ok = head.startsWith('HTTP/1.1 200');
      this.durations.push(ok ? performance.now() - this.sent_ms[this.durations.length]! : -1);
    }
  }

  /** Resolves when all requests are answered, or after the limit. */
  async settled(limit_ms: number): Promise<void> {
    const until_ms = performance.now() + limit_ms;
    while (this.durations.length < this.sent_ms.length && performance.now() < until_ms) {
      await wait(10);
    }
  }

  /** Closes the connection; durations of all requests (ms), -1 for errors and missing replies. */
  close(): number[] {
    this.socket.destroy();
    return this.sent_ms.map((_, index) => this.durations[index] ?? -1);
  }
}
