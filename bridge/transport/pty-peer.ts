/**
 * A pseudo terminal (made by socat) that makes a peer of this process reachable for programs that
 * only know serial ports.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delay, systemBusClock } from './bus-clock.ts';
import { serveTcpPeer } from './tcp-peer.ts';
import type { WirePeer } from './transport.ts';

const TRIES = 100;
const TRY_MS = 20;

/** Serves `peer` on a pseudo terminal at path `link`; rejects with a message without socat. */
export async function servePtyPeer(
  peer: WirePeer,
  link: string,
): Promise<{ readonly close: () => Promise<void> }> {
  const { port, close: closePeer } = await serveTcpPeer(peer, 0);
  const socat = spawn('socat', [`pty,raw,echo=0,link=${link}`, `tcp:127.0.0.1:${port},nodelay`]);
  let problem: string | null = null;
  socat.once('error', () => {
    problem = 'A pseudo terminal needs socat: install socat, or use --tcp';
  });
  socat.once('exit', () => {
    problem ??= `socat could not create ${link}: check the write permission of its folder`;
  });
  for (let i = 0; i < TRIES && problem === null && !existsSync(link); i++) {
    await delay(systemBusClock, TRY_MS);
  }
  const close = async () => {
    socat.kill();
    await closePeer();
  };
  if (problem === null) return { close };
  await close();
  throw new Error(problem);
}
