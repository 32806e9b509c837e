/**
 * The transport over a serial port. The optional package serialport is loaded when a port is
 * opened, so that users without servos need no native code.
 */
import type { SerialPort } from 'serialport';
import type { BusTransport, ReceiveBytes } from './transport.ts';
import { type Connection, createReconnectingTransport } from './transport.ts';

type SetOptions = Parameters<SerialPort['set']>[0];
/** lowLatency exists on Linux only: it passes replies on at once instead of every 16 ms. */
const QUICK: SetOptions & { readonly lowLatency: true } = { lowLatency: true };

export interface SerialAddress {
  readonly path: string;
  readonly baud: number;
}

async function loadPort(): Promise<typeof SerialPort> {
  try {
    return (await import('serialport')).SerialPort;
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
  const advice = 'check the cable, the device name and your permission (group dialout)';
  return `Cannot open serial:${path} (${cause}): ${advice}`;
}

function opened(port: SerialPort, { path }: SerialAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    port.open((error) => {
      if (error) reject(new Error(openingProblem(path, error.message)));
      else resolve();
    });
  });
}

function closed(port: SerialPort): Promise<void> {
  return new Promise((resolve) => {
    if (port.isOpen) port.close(() => resolve());
    else resolve();
  });
}

async function dial(
  address: SerialAddress,
  receive: ReceiveBytes,
  lost: () => void,
): Promise<Connection> {
  const Port = await loadPort();
  const port = new Port({ path: address.path, baudRate: address.baud, autoOpen: false });
  port.on('data', receive);
  port.on('close', lost);
  port.on('error', lost);
  await opened(port, address);
  // Not every adapter has a latency timer; the bus works without it.
  port.set(QUICK, () => {});
  return {
    write: (bytes) => {
      if (port.isOpen) port.write(Buffer.from(bytes));
      return port.isOpen;
    },
    close: () => closed(port),
  };
}

/** A transport over a serial port; it reopens the port when the adapter is back. */
export function createSerialTransport(address: SerialAddress): BusTransport {
  const name = `serial:${address.path}`;
  return createReconnectingTransport(name, (receive, lost) => dial(address, receive, lost));
}
