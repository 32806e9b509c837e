/** Names of servo buses on the command line, and the lines that they mean. */
import { failure, type Result, success } from '../../contract/result.ts';
import { createSerialTransport, type SerialAddress } from './serial.ts';
import { createTcpTransport, type TcpAddress } from './tcp.ts';
import type { Transport } from './transport.ts';

export type BusAddress =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'tcp' } & TcpAddress)
  | ({ readonly kind: 'serial' } & SerialAddress);

const DEFAULT_BAUD = 1_000_000;
const FORMS = 'memory, tcp://host:port or serial:/dev/ttyUSB0[@baud]';

/** Reads the name of a bus: memory, tcp://host:port or serial:path[@baud]. */
export function parseBusAddress(text: string): Result<BusAddress, string> {
  if (text === 'memory') return success({ kind: 'memory' });
  const tcp = /^tcp:\/\/(\[[^\]]+\]|[^:/@]+):(\d{1,5})\/?$/.exec(text);
  if (tcp && Number(tcp[2]) <= 65535) {
    const host = tcp[1]!.replace(/^\[|\]$/g, '');
    return success({ kind: 'tcp', host, port: Number(tcp[2]) });
  }
  const serial = /^serial:([^@]+)(?:@(\d{4,7}))?$/.exec(text);
  if (serial) {
    return success({ kind: 'serial', path: serial[1]!, baud: Number(serial[2] ?? DEFAULT_BAUD) });
  }
  return failure(`${text} names no servo bus: write ${FORMS}`);
}

/** The line to a bus outside of this process. */
export function createTransport(
  address: Exclude<BusAddress, { readonly kind: 'memory' }>,
): Transport {
  return address.kind === 'tcp' ? createTcpTransport(address) : createSerialTransport(address);
}
