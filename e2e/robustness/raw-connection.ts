/** Raw TCP connections for clients that violate HTTP. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface RawSocket {
  readonly socket: Socket;
  readonly received: () => string;
  readonly isOpen: () => boolean;
  /** Resolves with all received text after the connection closes, or after the limit. */
  end(limit_ms: number): Promise<string>;
}

/** Connects and sends a text; with `reading` false it never reads. */
export function dial(port: number, text: string | Buffer, reading = true): RawSocket {
  let received = '';
  let open = true;
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  if (reading) socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => {
    open = false;
  });
  const end = async (limit_ms: number) => {
    const until_ms = performance.now() + limit_ms;
    while (open && performance.now() < until_ms) await wait(10);
    socket.destroy();
    return received;
  };
  return { socket, received: () => received, isOpen: () => open, end };
}

/** Whether a reply is an error in the format of the service, or just a closed connection. */
export function isValidRejection(received: string): boolean {
  if (received === '') return true;
  const [head = '', body = ''] = received.split('\r\n\r\n');
  if (!/^HTTP\/1\.1 4\d\d /.test(head)) return false;
  try {
    const { error } = JSON.parse(body) as { error?: { error_code?: unknown } };
    return typeof error?.error_code === 'number';
  } catch {
    return false;
  }
}

/** The value at a share of the sorted values, e.g. 0.99. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
