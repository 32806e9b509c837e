import { type BusAddress, createTransport } from '../../transport/bus-address.ts';
import type { BusClock } from '../../transport/bus-clock.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { createEmulator } from '../emulator/create-emulator.ts';
import type { ServoFamily } from '../servo-family.ts';
import { Bus } from './bus.ts';

/** Creates the bus of a family of servos at an address, not yet open; in memory it is emulated. */
export function createBus(family: ServoFamily, address: BusAddress, clock: BusClock): Bus {
  const transport =
    address.kind === 'memory'
      ? createMemoryTransport(createEmulator(family, clock))
      : createTransport(address);
  return new Bus(transport, clock, {
    ...(address.kind === 'serial' && { baud: address.baud }),
    format: family.format,
  });
}
