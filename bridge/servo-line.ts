/** From the name of a bus to the bus; memory means emulated servos in this process. */
import { Bus } from './bus/bus.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { type BusAddress, createTransport } from './transport/address.ts';
import type { BusClock } from './transport/bus-clock.ts';
import { createMemoryTransport } from './transport/memory.ts';
import type { Transport } from './transport/transport.ts';

/** What keeps this process from its work keeps servos inside it from theirs (ms). */
const ATTENDED_MS = 100;

function lineTo(address: BusAddress, clock: BusClock): Transport {
  if (address.kind !== 'memory') return createTransport(address);
  const servos = new ServoEmulator({ clock, supported: true, attended_ms: ATTENDED_MS });
  return createMemoryTransport(servos);
}

/** The bus behind a name, not yet open. */
export function busAt(address: BusAddress, clock: BusClock): Bus {
  const settings = address.kind === 'serial' ? { baud: address.baud } : {};
  return new Bus(lineTo(address, clock), clock, settings);
}
