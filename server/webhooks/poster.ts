/**
 * Sends one HTTP POST to a pinned address: no redirects, a timeout, and a bound on how much of the
 * reply is read (docs/decisions).
 */

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { isIP } from 'node:net';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { PinnedAddress } from './pinned-address.ts';

export interface PostOutcome {
  /** Null without a reply. */
  readonly status: number | null;
  readonly error: string;
  /** No connection to the receiver was made. */
  readonly isUnreachable: boolean;
  /** Value of Retry-After (s), or null. */
  readonly retry_after_s: number | null;
}

export interface PostRequest {
  readonly address: PinnedAddress;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeout_ms: number;
}

function retryAfter_s(text: string | undefined, epoch_ms: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date_ms = Date.parse(text);
  return Number.isNaN(date_ms) ? null : Math.max(0, (date_ms - epoch_ms) / 1000);
}

/** Reads the reply to its end; closes the connection when it is larger than the limit. */
function drain(reply: IncomingMessage, done: () => void): void {
  let size_bytes = 0;
  reply.on('data', (chunk: Buffer) => {
    size_bytes += chunk.length;
    if (size_bytes > limits.hook_reply_bytes) reply.destroy();
  });
  reply.on('close', done);
  reply.on('error', () => {});
}

export class Poster {
  private readonly agents = {
    'http:': new Agent({ keepAlive: true }),
    'https:': new SecureAgent({ keepAlive: true }),
  };
  private readonly wall: WallClock;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Sends once; never rejects. */
  post({ address, headers, body, timeout_ms }: PostRequest): Promise<PostOutcome> {
    const { url, ip, family } = address;
    const secure = url.protocol === 'https:';
    const send = secure ? httpsRequest : httpRequest;
    // TLS names no address, and the certificate of one is for its text without brackets.
    const isName = isIP(url.hostname) === 0 && !url.hostname.startsWith('[');
    return new Promise((resolve) => {
      const options = {
        method: 'POST',
        host: ip,
        family,
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        headers: { ...headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
        agent: this.agents[secure ? 'https:' : 'http:'],
        ...(secure && isName ? { servername: url.hostname } : {}),
      };
      let status: number | null = null;
      let retry_after_s: number | null = null;
      let isConnected = false;
      const end = (error: string) => {
        cancel();
        resolve({ status, error, isUnreachable: !isConnected, retry_after_s });
      };
      const call = send(options, (reply) => {
        status = reply.statusCode ?? null;
        retry_after_s = retryAfter_s(reply.headers['retry-after'], this.wall.epoch_ms());
        drain(reply, () => end(''));
      });
      const cancel = this.wall.afterUnreferenced(timeout_ms, () => {
        call.destroy(new Error(`no reply within ${timeout_ms / 1000} s`));
      });
      call.on('socket', (socket) => {
        const note = () => {
          isConnected = true;
        };
        if (socket.connecting) socket.once('connect', note);
        else note();
      });
      const fail = (message: string) => end(status === null ? message : '');
      call.on('error', (error) => fail(error.message));
      // A receiver that switches protocols causes neither a reply nor an error.
      call.on('close', () => fail('the receiver closed the connection without a reply'));
      call.end(body);
    });
  }

  /** Closes every connection. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}
