/** The bus and the emulator of each family of servos. */

import { ServoEmulator } from './dynamixel/emulator/servo-emulator.ts';
import { PAIRED_SERVOS } from './dynamixel/emulator/servo-setup.ts';
import { PROTOCOL_2 } from './dynamixel/protocol-2.ts';
import { StsEmulator } from './feetech/emulator/servo-emulator.ts';
import { PAIRED_STS_SERVOS } from './feetech/emulator/servo-setup.ts';
import { STS_FORMAT } from './feetech/sts-format.ts';
import { Bus } from './servo/bus/bus.ts';
import type { ServoFamily } from './servo/calibration/calibration.ts';
import { type BusAddress, createTransport } from './transport/bus-address.ts';
import type { BusClock } from './transport/bus-clock.ts';
import { createMemoryTransport } from './transport/memory-transport.ts';

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
    format: family === 'feetech' ? STS_FORMAT : PROTOCOL_2,
  });
}
