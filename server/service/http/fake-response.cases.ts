/** A response without a connection, for tests of what is written. Test code. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A response that keeps what is written; `ended` resolves when it ends. */
export class FakeResponse extends EventEmitter {
  readonly headers: Record<string, unknown> = {};
  readonly written: (string | Uint8Array)[] = [];
  readonly ends: (string | Uint8Array | undefined)[] = [];
  readonly req: { headers: Record<string, string> };
  statusCode = 0;
  destroyed = false;
  isFlushed = false;
  shouldKeepAlive = true;
  takesMore = true;
  ended = new Promise<void>((resolve) => this.once('ended', resolve));

  constructor(accepted = 'identity') {
    super();
    this.req = { headers: { 'accept-encoding': accepted } };
  }

  get asResponse(): ServerResponse {
    return this as object as ServerResponse;
  }

  getHeader(name: string) {
    return this.headers[name];
  }

  setHeader(name: string, value: unknown) {
    this.headers[name] = value;
  }

  flushHeaders() {
    this.isFlushed = true;
  }

  write(piece: string | Uint8Array) {
    this.written.push(piece);
    return this.takesMore;
  }

  end(piece?: string | Uint8Array) {
    this.ends.push(piece);
    this.emit('ended');
  }

  destroy() {
    this.destroyed = true;
  }

  get bytes() {
    const all = [...this.written, ...this.ends.filter((piece) => piece !== undefined)];
    return Buffer.concat(all.map((piece) => Buffer.from(piece)));
  }
}
