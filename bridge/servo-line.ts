/** From the name of a bus to the line behind it; memory means emulated servos in this process. */
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { type BusAddress, createTransport } from './transport/address.ts';
import type { BusClock } from './transport/bus-clock.ts';
import { createMemoryTransport } from './transport/memory.ts';
import type { Transport } from './transport/transport.ts';

/** What keeps this process from its work keeps servos inside it from theirs (ms). */
const ATTENDED_MS = 100;

/** The line to a bus, not yet open. */
export function lineTo(address: BusAddress, clock: BusClock): Transport {
  if (address.kind !== 'memory') return createTransport(address);
  return createMemoryTransport(
    new ServoEmulator({ clock, supported: true, attended_ms: ATTENDED_MS }),
  );
}
