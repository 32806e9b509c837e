/** Connections below HTTP, for clients that keep to no rule. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface RawConnection {
  readonly socket: Socket;
  readonly said: () => string;
  readonly isOpen: () => boolean;
  /** Resolves to everything that was said once closed, or after the time. */
  end(limit_ms: number): Promise<string>;
}

/** Dials and sends a text; `reading` false reads nothing of what comes. */
export function dial(port: number, text: string | Buffer, reading = true): RawConnection {
  let said = '';
  let open = true;
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  if (reading) socket.on('data', (chunk) => (said += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => {
    open = false;
  });
  const end = async (limit_ms: number) => {
    const until_ms = performance.now() + limit_ms;
    while (open && performance.now() < until_ms) await wait(10);
    socket.destroy();
    return said;
  };
  return { socket, said: () => said, isOpen: () => open, end };
}

/** A refusal in the error format of the service, or nothing but a closed connection. */
export function isProperRefusal(said: string): boolean {
  if (said === '') return true;
  const [head = '', body = ''] = said.split('\r\n\r\n');
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
