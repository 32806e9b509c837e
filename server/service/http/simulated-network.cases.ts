/**
 * A network, a wall clock and a password hash in memory, so that a twin runs without sockets,
 * timers and threads: what happens is a function of the seed. Requests are real HTTP, parsed by
 * Node on both sides. Test code.
 */

import crypto from 'node:crypto';
import type { IncomingMessage, RequestOptions, Server } from 'node:http';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Duplex } from 'node:stream';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import type { Received, Receiver } from '../../webhooks/receiver.cases.ts';

/** One end of a connection. */
class Pipe extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  peer: Pipe | null = null;

  constructor() {
    super({ allowHalfOpen: false });
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.peer?.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = null;
    if (peer && !peer.destroyed) peer.destroy();
    done(error);
  }

  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroySoon(): void {
    this.end();
  }
}

/** Connects to a server that does not listen; returns the end of the client. */
export function connectTo(server: Server): Duplex {
  const [own, other] = [new Pipe(), new Pipe()];
  own.peer = other;
  other.peer = own;
  own.on('error', () => {});
  other.on('error', () => {});
  server.emit('connection', other);
  return own;
}

/** The end of a client whose server refuses connections. */
function refusedConnection(): Duplex {
  const pipe = new Pipe();
  Object.assign(pipe, { connecting: true });
  process.nextTick(() => pipe.destroy(new Error('connect ECONNREFUSED')));
  return pipe;
}

const PORT = 9999;

/** How a receiver meets the next request: a status, or no connection. */
export type Meeting = number | 'refused';

/** A receiver of webhooks in memory; `meeting` decides how it answers. */
export class SimulatedReceiver implements Receiver {
  readonly url = `http://127.0.0.1:${PORT}/hooks`;
  readonly received: Received[] = [];
  meeting: () => Meeting = () => 204;
  /** While a process ends, nothing of it arrives any more. */
  isClosed = false;
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = this.meeting();
      const text = Buffer.concat(chunks).toString('utf8');
      if (status === 204) this.received.push({ headers: request.headers, text });
      response.writeHead(status === 'refused' ? 503 : status).end();
    });
  });

  connection(): Duplex {
    return this.isClosed || this.meeting() === 'refused'
      ? refusedConnection()
      : connectTo(this.server);
  }

  heard(): Promise<void> {
    return Promise.resolve();
  }
  until(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Wall time that passes only by `advance`. */
export class SimulatedWall implements WallClock {
  private time_ms = 1_000_000;
  private readonly timers = new Set<{ readonly at_ms: number; readonly callback: () => void }>();
  private isStopped = false;

  now_ms = (): number => this.time_ms;
  epoch_ms = (): number => 1_577_836_800_000 + this.time_ms;

  after = (delay_ms: number, callback: () => void) => {
    const timer = { at_ms: this.time_ms + delay_ms, callback };
    if (!this.isStopped) this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  afterUnreferenced = this.after;

  soon = (callback: () => void) => systemClock.soon(callback);

  /** Lets time pass; the timers that are due fire in order. */
  advance(duration_ms: number): void {
    const end_ms = this.time_ms + duration_ms;
    for (;;) {
      let first = null;
      for (const timer of this.timers) if (!first || timer.at_ms < first.at_ms) first = timer;
      if (!first || first.at_ms > end_ms) break;
      this.timers.delete(first);
      this.time_ms = Math.max(this.time_ms, first.at_ms);
      first.callback();
    }
    this.time_ms = end_ms;
  }

  /** Time until the next timer (ms); null for none. */
  get next_ms(): number | null {
    const times = [...this.timers].map(({ at_ms }) => at_ms);
    return times.length === 0 ? null : Math.max(0, Math.min(...times) - this.time_ms);
  }

  /** The end of a process: its timers are gone. */
  stop(): void {
    this.isStopped = true;
    this.timers.clear();
  }
}

type QuickHash = [string, Buffer, number, (error: null, key: Buffer) => void];

/** Puts a receiver and a quick password hash in place; returns what restores the others. */
export function simulateSurroundings(receiver: SimulatedReceiver): () => void {
  const { scrypt } = crypto;
  const { request } = http;
  const quick = (...given: readonly unknown[]) => {
    const [password, salt, length, done] = given as QuickHash;
    const key = crypto.createHash('sha256').update(salt).update(password).digest();
    setImmediate(() => done(null, key.subarray(0, length)));
  };
  const connected = (options: RequestOptions, onReply?: (reply: IncomingMessage) => void) =>
    Number(options.port) === PORT
      ? request(
          { ...options, agent: undefined, createConnection: () => receiver.connection() },
          onReply,
        )
      : request(options, onReply);
  Object.assign(crypto, { scrypt: quick });
  Object.assign(http, { request: connected });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { scrypt });
    Object.assign(http, { request });
    syncBuiltinESMExports();
  };
}
