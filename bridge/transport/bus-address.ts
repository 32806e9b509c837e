/**
 * Addresses of servo buses, as --bus takes them, and the transports they stand for. `memory` is a
 * bus of emulated servos in this process.
 */

import { failure, type Result, success } from '../../contract/result.ts';
import { createSerialTransport, type SerialAddress } from './serial-transport.ts';
import { createTcpTransport, type TcpAddress } from './tcp-transport.ts';
import type { BusTransport } from './transport.ts';

export type BusAddress =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'tcp' } & TcpAddress)
  | ({ readonly kind: 'serial' } & SerialAddress);

const DEFAULT_BAUD = 1_000_000;
const FORMS = 'memory, tcp://host:port or serial:/dev/ttyUSB0[@baud]';

/** Parses the address of a bus: memory, tcp://host:port or serial:path[@baud]. */
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
  if (/^(\/|COM\d+(@|$))/.test(text)) {
    return failure(`${text} is a serial port: use serial:${text}, or one of ${FORMS}`);
  }
  return failure(`${text} is not the address of a servo bus: use ${FORMS}`);
}

/** Creates the transport to a bus outside this process, not yet open. */
export function createTransport(
  address: Exclude<BusAddress, { readonly kind: 'memory' }>,
): BusTransport {
  return address.kind === 'tcp' ? createTcpTransport(address) : createSerialTransport(address);
}
