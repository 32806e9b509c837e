/** Stream clients that never read, while others do. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Check, outcomeOf } from './check.ts';
import { keepMoving, type Program, withProgram } from './program.ts';
import { dial, quantile, type RawConnection } from './raw.ts';

const CLIENTS = 100;
/** Fast enough to fill the system's own buffers, so that those of the twin are put to the test. */
const PACE = 100;
const SETTLE_MS = 4000;
const WATCH_MS = 30_000;

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

/** Longest pauses between messages of a client that reads (ms), while something goes on. */
async function pauses(program: Program, during: () => Promise<void>): Promise<number[]> {
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
  await during();
  stream.close();
  return gaps;
}

async function deafReaders(): Promise<{ holds: boolean; figure: string }> {
  return withProgram(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
    await keepMoving(program);
    // Only now: at this pace a lock lapses before a busy machine has said what to run.
    await program.arm.setClock({ pace: PACE });
    const session = await program.arm.session();
    let grown_mb = 0;
    let peak = 0;
    const alone = await pauses(program, () => wait(SETTLE_MS));
    const gaps = await pauses(program, async () => {
      const before_mb = await program.memory_mb();
      const deaf = Array.from({ length: CLIENTS }, () => deafClient(program.port, session));
      for (let waited_ms = 0; waited_ms < WATCH_MS; waited_ms += 500) {
        await wait(500);
        grown_mb = Math.max(grown_mb, (await program.memory_mb()) - before_mb);
        peak = Math.max(peak, deaf.filter((one) => one.isOpen()).length);
      }
      for (const { socket } of deaf) socket.destroy();
    });
    const p99_ms = quantile(gaps, 0.99);
    const alone_ms = quantile(alone, 0.99);
    return outcomeOf(
      `${peak} deaf clients at ${PACE} times real time: memory +${grown_mb.toFixed(0)} MB; ` +
        `${gaps.length} messages to a reading client, ` +
        `p99 pause ${p99_ms.toFixed(0)} ms, ${alone_ms.toFixed(0)} ms alone`,
      {
        'all connected': peak === CLIENTS,
        '< 20 MB': grown_mb < 20,
        'others unaffected': gaps.length > 20 && p99_ms < 2 * alone_ms + 50,
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
