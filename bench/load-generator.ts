/**
 * A cheap HTTP load generator: it sends prepared bytes on kept connections, one request at a time
 * on each, and detects replies by their length or their last chunk.
 */
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** Bytes of the requests, headers and body, sent in rotation. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  /** Maximum number of requests. */
  readonly count?: number;
  /** Maximum duration (ms). */
  readonly limit_ms: number;
}

export interface Load {
  readonly done: number;
  readonly wall_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const LENGTH = /content-length: (\d+)/i;
const CHUNKED = /transfer-encoding: chunked/i;
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** The bytes of one request. */
export function requestBytes(call: string, session: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content = text === '' ? '' : 'Content-Type: application/json\r\n';
  const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  const head = `${call} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${session}\r\n`;
  return Buffer.from(`${head}${content}${length}\r\n${text}`);
}

/** Size of the reply at the start of a buffer, or null while it is not known. */
function replySize(buffer: Buffer): number | null {
  const end = buffer.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = buffer.toString('latin1', 0, end);
  if (!/^HTTP\/1\.1 20[04] /.test(head)) throw new Error(`The server rejected a request: ${head}`);
  if (CHUNKED.test(head)) {
    const last = buffer.indexOf(LAST_CHUNK, end + 2);
    return last < 0 ? null : last + LAST_CHUNK.length;
  }
  return end + 4 + Number(LENGTH.exec(head)?.[1] ?? 0);
}

/** Runs the load; returns count and durations of the replies. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const { port, requests, connections, count = Number.POSITIVE_INFINITY, limit_ms } = options;
  const times_ms: number[] = [];
  const begin_ms = performance.now();
  let sent = 0;

  const drive = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let waiting: Buffer = Buffer.alloc(0);
      let since_ms = 0;
      const next = () => {
        if (sent >= count || performance.now() - begin_ms > limit_ms) {
          socket.destroy();
          resolve();
          return;
        }
        since_ms = performance.now();
        socket.write(requests[sent++ % requests.length]!);
      };
      socket.on('data', (chunk) => {
        waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
        const size = replySize(waiting);
        if (size === null || waiting.length < size) return;
        waiting = waiting.subarray(size);
        times_ms.push(performance.now() - since_ms);
        next();
      });
      socket.on('error', reject);
      socket.on('connect', next);
    });

  await Promise.all(Array.from({ length: connections }, () => drive(connect(port, '127.0.0.1'))));
  times_ms.sort((a, b) => a - b);
  const at = (share: number) => times_ms[Math.floor(times_ms.length * share)] ?? 0;
  const wall_s = (performance.now() - begin_ms) / 1000;
  return { done: times_ms.length, wall_s, p50_ms: at(0.5), p99_ms: at(0.99) };
}
