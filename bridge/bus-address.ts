/**
 * Addresses of servo buses, as --bus takes them, and the transports and buses they stand for.
 * `memory` is a bus of emulated servos in this process.
 */

import { failure, type Result, success } from '../contract/refusal.ts';
import { Bus } from './bus/bus.ts';
import { PAIRED_SERVOS, ServoEmulator } from './emulator/servo-emulator.ts';
import { PAIRED_STS_SERVOS, StsEmulator } from './emulator/sts-emulator.ts';
import { STS_FORMAT } from './feetech/sts-packets.ts';
import type { ServoFamily } from './servo/calibration.ts';
import type { BusClock } from './transport/bus-clock.ts';
import { createSerialTransport, type SerialAddress } from './transport/serial.ts';
import { createTcpTransport, type TcpAddress } from './transport/tcp.ts';
import { type BusTransport, createMemoryTransport } from './transport/transport.ts';

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

/** A longer gap means that this process was blocked, and its emulated servos with it (ms). */
const GAP_LIMIT_MS = 100;

/**
 * Emulated servos of a family with an arm, which lies on a support until it is first held: six, or
 * eight with `paired`, two of them on shoulder and elbow.
 */
export function createEmulator(family: ServoFamily, clock: BusClock, paired = false) {
  const options = { clock, supported: true, gap_limit_ms: GAP_LIMIT_MS };
  return family === 'feetech'
    ? new StsEmulator({ ...options, ...(paired && { servos: PAIRED_STS_SERVOS }) })
    : new ServoEmulator({ ...options, ...(paired && { servos: PAIRED_SERVOS }) });
}

/** Creates the bus of a family of servos at an address, not yet open. */
export function createBus(
  address: BusAddress,
  clock: BusClock,
  family: ServoFamily = 'dynamixel',
): Bus {
  const transport =
    address.kind === 'memory'
      ? createMemoryTransport(createEmulator(family, clock))
      : createTransport(address);
  return new Bus(transport, clock, {
    ...(address.kind === 'serial' && { baud: address.baud }),
    ...(family === 'feetech' && { format: STS_FORMAT }),
  });
}
