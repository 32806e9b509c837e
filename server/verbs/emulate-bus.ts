/**
 * `armtwin emulate-bus --tcp PORT | --pty LINK`: six emulated servos with an arm behind them, for
 * drivers of real ones. Prints one line when it can be reached, and runs until it is told to go.
 */
import { ServoEmulator } from '../../bridge/emulator/servo-emulator.ts';
import { systemBusClock } from '../../bridge/transport/bus-clock.ts';
import { servePtyPeer } from '../../bridge/transport/pty-peer.ts';
import { serveTcpPeer } from '../../bridge/transport/tcp-peer.ts';
import { systemClock } from '../clock/wall-clock.ts';
import type { VerbOutput } from './plan.ts';

/** The arm goes on between packets in steps of this (ms). */
const BETWEEN_MS = 50;

/** Serves the emulator; rejects with a sentence when it cannot. */
export async function emulateBusVerb(
  flags: Readonly<Record<string, unknown>>,
  { out }: VerbOutput,
): Promise<{ readonly close: () => Promise<void> }> {
  const emulator = new ServoEmulator({
    clock: systemBusClock,
    supported: true,
    attended_ms: 2 * BETWEEN_MS,
  });
  const { pty, tcp } = flags;
  const served =
    typeof pty === 'string' ? await onTerminal(emulator, pty) : await onTcp(emulator, tcp);
  out.write(`armtwin bus ready ${served.name}\n`);
  let closed = false;
  const goOn = () => {
    emulator.catchUp();
    if (!closed) systemClock.after(BETWEEN_MS, goOn);
  };
  goOn();
  const close = () => {
    closed = true;
    return served.close();
  };
  return { close };
}

async function onTerminal(emulator: ServoEmulator, link: string) {
  return { name: `serial:${link}`, ...(await servePtyPeer(emulator, link)) };
}

async function onTcp(emulator: ServoEmulator, flag: unknown) {
  const port = typeof flag === 'number' ? flag : 0;
  const { port: taken, close } = await serveTcpPeer(emulator, port).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken: take another with --tcp, or a free one with --tcp 0`);
  });
  return { name: `tcp://127.0.0.1:${taken}`, close };
}
