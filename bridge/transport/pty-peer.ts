/**
 * The other end of a serial port that is none: a pseudo terminal under a name of one's own, made by
 * socat, with a peer of this process behind it. Programs that know serial ports alone reach the
 * emulator this way.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pause, systemBusClock } from './bus-clock.ts';
import { serveTcpPeer } from './tcp-peer.ts';
import type { WirePeer } from './transport.ts';

const TRIES = 100;
const TRY_MS = 20;

/** Serves `peer` on a pseudo terminal called `link`; rejects with a sentence without socat. */
export async function servePtyPeer(
  peer: WirePeer,
  link: string,
): Promise<{ readonly close: () => Promise<void> }> {
  const { port, close: closePeer } = await serveTcpPeer(peer, 0);
  const socat = spawn('socat', [`pty,raw,echo=0,link=${link}`, `tcp:127.0.0.1:${port},nodelay`]);
  let problem: string | null = null;
  socat.once('error', () => {
    problem = 'A pseudo terminal needs socat: install it, or use --tcp';
  });
  socat.once('exit', () => {
    problem ??= `socat could not make ${link}: check that you may write there`;
  });
  for (let i = 0; i < TRIES && problem === null && !existsSync(link); i++) {
    await pause(systemBusClock, TRY_MS);
  }
  const close = async () => {
    socat.kill();
    await closePeer();
  };
  if (problem === null) return { close };
  await close();
  throw new Error(problem);
}
