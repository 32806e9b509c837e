/**
 * A servo bus on a serial port. The package behind it is optional and loaded when a port is opened:
 * who has no servos needs no native code.
 */
import type { SerialPort } from 'serialport';
import { type Connection, createLastingLine } from './lasting-line.ts';
import type { Receive, Transport } from './transport.ts';

type SetOptions = Parameters<SerialPort['set']>[0];
/** Linux alone knows the last one: replies are handed on at once, not every 16 ms. */
const QUICK: SetOptions & { readonly lowLatency: true } = { lowLatency: true };

export interface SerialAddress {
  readonly path: string;
  readonly baud: number;
}

async function loadPort(): Promise<typeof SerialPort> {
  try {
    return (await import('serialport')).SerialPort;
  } catch {
    throw new Error('Serial ports need the package serialport: npm install serialport');
  }
}

function opened(port: SerialPort, { path }: SerialAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    port.open((error) => {
      const advice = 'check the cable, the name and that you may use it (group dialout)';
      if (error) reject(new Error(`Cannot open serial:${path} (${error.message}): ${advice}`));
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
  receive: Receive,
  lost: () => void,
): Promise<Connection> {
  const Port = await loadPort();
  const port = new Port({ path: address.path, baudRate: address.baud, autoOpen: false });
  port.on('data', receive);
  port.on('close', lost);
  port.on('error', lost);
  await opened(port, address);
  // Not every adapter has a latency timer to shorten, and without it the bus still works.
  port.set(QUICK, () => {});
  return {
    write: (bytes) => {
      if (port.isOpen) port.write(Buffer.from(bytes));
      return port.isOpen;
    },
    close: () => closed(port),
  };
}

/** A line on a serial port, opened again when an adapter comes back. */
export function createSerialTransport(address: SerialAddress): Transport {
  const name = `serial:${address.path}`;
  return createLastingLine(name, (receive, lost) => dial(address, receive, lost));
}
