/**
 * The transport over a serial port. The optional package serialport is loaded when a port is
 * opened, so that users without servos need no native code.
 */

import { readSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { SerialPort } from 'serialport';
import {
  type Connection,
  createReconnectingTransport,
  type Lost,
} from './reconnecting-transport.ts';
import type { BusTransport, ReceiveBytes } from './transport.ts';

type Binding = typeof SerialPort.binding;
type Port = Awaited<ReturnType<Binding['open']>>;
/** A port of Linux or macOS: its descriptor does not block, and its events are of this loop. */
type PolledPort = Extract<Port, { readonly poller: unknown }>;

/** Lines of the port; lowLatency exists on Linux: it passes replies on at once, not in 16 ms. */
const LINES = { brk: false, cts: false, dtr: true, rts: true, lowLatency: true };

export interface SerialAddress {
  readonly path: string;
  readonly baud: number;
}

async function loadBinding(): Promise<Binding> {
  try {
    return (await import('serialport')).SerialPort.binding;
  } catch {
    throw new Error(
      'Serial ports need the package serialport, which is optional: ' +
        'run npm install where armtwin is installed, without --omit=optional',
    );
  }
}

/** Why a port could not be opened, and what to do. */
export function openingProblem(path: string, cause: string): string {
  if (/busy|lock|temporarily unavailable|access denied/i.test(cause)) {
    const advice = 'stop the other program that uses it (lsof or fuser name it)';
    return `serial:${path} is busy (${cause}): ${advice}`;
  }
  if (/inappropriate ioctl|not a (tty|terminal|serial)/i.test(cause)) {
    return `${path} is not a serial port: give the device of the adapter, such as /dev/ttyUSB0`;
  }
  const advice = 'check the cable, the device name and your permission (group dialout)';
  return `Cannot open serial:${path} (${cause}): ${advice}`;
}

/** Bytes of one read. */
const READ_BYTES = 4096;
/** A write that waits for the discarding of former ones longer than this is dropped (ms). */
const HELD_MS = 20;

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

const wouldBlock = (error: unknown) => ['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(codeOf(error));

/**
 * A connection that reads and writes in the event loop, without blocking. In the pool of threads of
 * Node bytes would wait behind passwords, names and files, and late writes would queue.
 */
class PolledConnection implements Connection {
  private readonly port: PolledPort;
  private readonly receive: ReceiveBytes;
  private readonly lost: Lost;
  private readonly buffer = new Uint8Array(READ_BYTES);
  private held: { readonly bytes: Uint8Array; readonly at_ms: number } | null = null;
  private discarding = false;
  private closed = false;

  constructor(port: PolledPort, receive: ReceiveBytes, lost: Lost) {
    this.port = port;
    this.receive = receive;
    this.lost = lost;
    this.listen();
  }

  private listen(): void {
    this.port.poller.once('readable', (error) => {
      const { fd } = this.port;
      if (this.closed || fd === null) return;
      if (error) void this.end(error);
      else if (this.read(fd)) this.listen();
    });
  }

  /** Reads what has arrived; false when the port is gone. */
  private read(fd: number): boolean {
    try {
      const count = readSync(fd, this.buffer);
      if (count > 0) this.receive(this.buffer.subarray(0, count));
      else void this.end(new Error('the adapter is gone'));
      return count > 0;
    } catch (error) {
      if (wouldBlock(error)) return true;
      void this.end(error);
      return false;
    }
  }

  private async end(cause: unknown): Promise<void> {
    if (this.closed) return;
    await this.close().catch(() => {});
    this.lost(cause instanceof Error ? cause.message : String(cause));
  }

  /** Drops what the port does not take at once. */
  write(bytes: Uint8Array): boolean {
    const { fd } = this.port;
    if (this.closed || fd === null) return false;
    if (this.discarding) {
      this.held = { bytes: bytes.slice(), at_ms: performance.now() };
      return true;
    }
    try {
      return writeSync(fd, bytes) === bytes.length;
    } catch (error) {
      if (!wouldBlock(error)) void this.end(error);
      return false;
    }
  }

  discard(): void {
    if (this.discarding || this.closed) return;
    this.discarding = true;
    const done = () => {
      const { held } = this;
      this.discarding = false;
      this.held = null;
      if (held && performance.now() - held.at_ms < HELD_MS) this.write(held.bytes);
    };
    this.port.flush().then(done, done);
  }

  /** The port must not be closed twice: it frees what it polls with. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.port.close();
  }
}

/** A connection over a port of Windows, which reads and writes by itself; one write at a time. */
function connectionOf(port: Port, receive: ReceiveBytes, lost: Lost): Connection {
  const buffer = Buffer.alloc(READ_BYTES);
  let isWriting = false;
  const end = (error: Error) => lost(error.message);
  const read = async (): Promise<void> => {
    while (port.isOpen) {
      const { bytesRead } = await port.read(buffer, 0, READ_BYTES);
      receive(buffer.subarray(0, bytesRead));
    }
  };
  read().catch(end);
  return {
    write(bytes) {
      if (!port.isOpen || isWriting) return false;
      isWriting = true;
      const done = () => {
        isWriting = false;
      };
      port.write(Buffer.from(bytes)).then(done, end);
      return true;
    },
    discard: () => void port.flush().catch(() => {}),
    close: async () => {
      if (port.isOpen) await port.close();
    },
  };
}

async function dial(
  { path, baud }: SerialAddress,
  receive: ReceiveBytes,
  lost: Lost,
): Promise<Connection> {
  const binding = await loadBinding();
  let port: Port;
  try {
    port = await binding.open({ path, baudRate: baud });
  } catch (error) {
    throw new Error(openingProblem(path, (error as Error).message));
  }
  // Not every adapter has a latency timer; the bus works without it.
  await port.set(LINES).catch(() => {});
  if (!('poller' in port)) return connectionOf(port, receive, lost);
  if (port.fd !== null && isatty(port.fd)) return new PolledConnection(port, receive, lost);
  await port.close();
  throw new Error(openingProblem(path, 'not a terminal'));
}

/** A transport over a serial port; it reopens the port when the adapter is back. */
export function createSerialTransport(address: SerialAddress): BusTransport {
  const name = `serial:${address.path}`;
  return createReconnectingTransport(name, (receive, lost) => dial(address, receive, lost));
}
