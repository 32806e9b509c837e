/** Stream clients that never read, while others do. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Check, outcomeOf } from './check.ts';
import { keepMoving, type Program, withProgram } from './program.ts';
import { dial, quantile, type RawConnection } from './raw.ts';

const CLIENTS = 100;
/** Fast enough to fill the system's own buffers, so that those of the twin are put to the test. */
const PACE = 100;
const SETTLE_MS = 4000;
const BUFFERED = 'stream_buffered_bytes{stream="arm"}';
/** Waiting within the twin for one client (bytes): the system's own buffers are full by then. */
const FILLED_BYTES = 64 * 1024;
/** The most that may wait for one client (bytes): where it is cut, and the last message on top. */
const WAITING_BYTES = 1.1 * 2 ** 20;
/** Messages told after that: kept for each deaf client they would be some 200 MB. */
const MORE_MESSAGES = 5000;
const PATIENCE_MS = 120_000;
/** A masked pong. */
const PONG = Buffer.from([0x8a, 0x80, 1, 2, 3, 4]);

function handshake(session: string): string {
  const lines = [
    'GET /api/v1/data/stream HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.from('0123456789abcdef').toString('base64')}`,
    `Sec-WebSocket-Protocol: SessionToken_${session}, object`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A client that opens the stream and from then on reads nothing. */
export function deafClient(port: number, session: string): RawConnection {
  const one = dial(port, handshake(session), false);
  one.socket.pause();
  return one;
}

/** Pauses between messages of a client that reads (ms), while something goes on. */
async function pauses(
  program: Program,
  during: (heard: () => number) => Promise<void>,
): Promise<number[]> {
  const gaps: number[] = [];
  let last_ms = performance.now();
  const stream = program.arm.events({
    onEvent() {
      gaps.push(performance.now() - last_ms);
      last_ms = performance.now();
    },
  });
  await stream.opened;
  await wait(SETTLE_MS);
  gaps.length = 0;
  await during(() => gaps.length);
  stream.close();
  return gaps;
}

interface Strain {
  readonly connected: number;
  readonly grown_mb: number;
  /** The most that waited for one client. */
  readonly waiting_bytes: number;
}

/**
 * Deaf clients, until so much has been told that it would have to be kept. They give signs of life
 * that nobody asked for: being silent does not end them, so a slow machine has its time.
 */
async function strain(program: Program, heard: () => number): Promise<Strain> {
  const session = await program.arm.session();
  const before_mb = await program.memory_mb();
  const deaf = Array.from({ length: CLIENTS }, () => deafClient(program.port, session));
  const end_ms = performance.now() + PATIENCE_MS;
  let [connected, grown_mb, waiting_bytes, filled_at] = [0, 0, 0, Number.POSITIVE_INFINITY];
  while (performance.now() < end_ms && heard() < filled_at + MORE_MESSAGES) {
    await wait(500);
    for (const { socket } of deaf) socket.write(PONG);
    grown_mb = Math.max(grown_mb, (await program.memory_mb()) - before_mb);
    connected = Math.max(connected, deaf.filter((one) => one.isOpen()).length);
    waiting_bytes = Math.max(waiting_bytes, await program.figure(BUFFERED));
    if (waiting_bytes > FILLED_BYTES) filled_at = Math.min(filled_at, heard());
  }
  for (const { socket } of deaf) socket.destroy();
  return { connected, grown_mb, waiting_bytes };
}

async function deafReaders(): Promise<{ holds: boolean; figure: string }> {
  return withProgram(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
    await keepMoving(program);
    // Only now: at this pace a lock lapses before a busy machine has said what to run.
    await program.arm.setClock({ pace: PACE });
    const alone = await pauses(program, () => wait(SETTLE_MS));
    let most: Strain = { connected: 0, grown_mb: 0, waiting_bytes: 0 };
    const gaps = await pauses(program, async (heard) => {
      most = await strain(program, heard);
    });
    const p99_ms = quantile(gaps, 0.99);
    const alone_ms = quantile(alone, 0.99);
    return outcomeOf(
      `${most.connected} deaf clients at ${PACE} times real time: ` +
        `memory +${most.grown_mb.toFixed(0)} MB, at most ` +
        `${(most.waiting_bytes / 1024).toFixed(0)} kB waiting for one; ` +
        `${gaps.length} messages to a reading client, ` +
        `p99 pause ${p99_ms.toFixed(0)} ms, ${alone_ms.toFixed(0)} ms alone`,
      {
        'all connected': most.connected === CLIENTS,
        'put to the test': most.waiting_bytes > FILLED_BYTES && gaps.length > MORE_MESSAGES,
        '< 20 MB': most.grown_mb < 20,
        'waiting is bounded': most.waiting_bytes < WAITING_BYTES,
        'others unaffected': p99_ms < 2 * alone_ms + 50,
      },
    );
  });
}

export const streams: readonly Check[] = [
  {
    id: 'deaf-streams',
    fault: 'stream clients that never read',
    goal: 'memory grows by less than 20 MB with 100 of them; others are unaffected',
    quick: false,
    run: deafReaders,
  },
  {
    id: 'large-message',
    fault: 'a stream client that sends a message of 1 MB',
    goal: 'its connection is closed (1009), the program goes on',
    quick: true,
    run: () =>
      withProgram(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
        const one = dial(program.port, handshake(await program.arm.session()));
        await wait(300);
        const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4]);
        one.socket.write(Buffer.concat([head, Buffer.alloc(2 ** 20)]));
        await one.end(3000);
        const alive = (await fetch(`${program.url}/readyz`)).ok;
        return outcomeOf(`closed ${!one.isOpen()}, alive ${alive}`, {
          opened: one.said().includes(' 101 '),
          'closed with 1009': one.said().includes(String.fromCharCode(0x03, 0xf1)),
          alive,
        });
      }),
  },
];
