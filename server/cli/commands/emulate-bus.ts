/**
 * `armtwin emulate-bus --tcp PORT | --pty LINK`: emulates a servo bus with six servos, or eight
 * with --paired, and their arm, to test drivers. Prints one line when it is ready, and runs
 * until it is stopped.
 */

import { createEmulator } from '../../../bridge/servo/emulator/create-emulator.ts';
import { familyOf } from '../../../bridge/servo-families.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { servePtyPeer } from '../../../bridge/transport/pty-peer.ts';
import { serveTcpPeer } from '../../../bridge/transport/tcp-peer.ts';
import type { WirePeer } from '../../../bridge/transport/transport.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import type { CommandOutput } from '../command-output.ts';

/** The emulated arm advances in steps of this between packets (ms). */
const STEP_MS = 50;

/** Serves the emulator; rejects with a message when it cannot. */
export async function runEmulateBus(
  flags: Readonly<Record<string, unknown>>,
  { out }: CommandOutput,
): Promise<{ readonly close: () => Promise<void> }> {
  const { pty, tcp, servoFamily, paired } = flags;
  const family = familyOf(servoFamily as string | undefined);
  if (family.emulation_problem !== null) throw new Error(family.emulation_problem);
  const emulator = createEmulator(family, systemBusClock, paired === true);
  const served =
    typeof pty === 'string' ? await onTerminal(emulator, pty) : await onTcp(emulator, tcp);
  out.write(`armtwin bus ready ${served.name}\n`);
  let closed = false;
  const advance = () => {
    emulator.catchUp();
    if (!closed) systemClock.after(STEP_MS, advance);
  };
  advance();
  const close = () => {
    closed = true;
    return served.close();
  };
  return { close };
}

async function onTerminal(emulator: WirePeer, link: string) {
  return { name: `serial:${link}`, ...(await servePtyPeer(emulator, link)) };
}

async function onTcp(emulator: WirePeer, flag: unknown) {
  const port = typeof flag === 'number' ? flag : 0;
  const { port: actual, close } = await serveTcpPeer(emulator, port).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use; choose another with --tcp, or --tcp 0`);
  });
  return { name: `tcp://127.0.0.1:${actual}`, close };
}
