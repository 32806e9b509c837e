/** Stream clients that never read, next to clients that do. */
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { dial, quantile, type RawSocket } from './raw-connection.ts';
import { runForever, type TwinProcess, withTwinProcess } from './twin-process.ts';

const CLIENTS = 100;
/** Clock factor that fills the socket buffers, so that those of the twin are tested. */
const PACE = 100;
const SETTLE_MS = 4000;
const BUFFERED = 'armtwin_stream_buffered_bytes{stream="arm"}';
/** Bytes queued in the twin for one client that show full socket buffers. */
const FILLED_BYTES = 64 * 1024;
/** Maximum queue of one client (bytes): the limit plus one message. */
const WAITING_BYTES = 1.1 * 2 ** 20;
/** Messages after that; queued for every client they would take about 200 MB. */
const MORE_MESSAGES = 5000;
const LIMIT_MS = 120_000;
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

/** A client that opens the stream and never reads. */
export function nonReadingClient(port: number, session: string): RawSocket {
  const one = dial(port, handshake(session), false);
  one.socket.pause();
  return one;
}

/** Gaps between messages of a reading client (ms) during some work. */
async function pauses(
  program: TwinProcess,
  during: (messages: () => number) => Promise<void>,
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

interface LoadResult {
  readonly connected: number;
  readonly grown_mb: number;
  /** Maximum queue of one client. */
  readonly waiting_bytes: number;
}

/**
 * Opens clients that never read, until enough messages were published. They send pongs, so that
 * the idle timeout does not close them on a slow machine.
 */
async function applyLoad(program: TwinProcess, messages: () => number): Promise<LoadResult> {
  const session = await program.arm.session();
  const before_mb = await program.memory_mb();
  const silent = Array.from({ length: CLIENTS }, () => nonReadingClient(program.port, session));
  const end_ms = performance.now() + LIMIT_MS;
  let [connected, grown_mb, waiting_bytes, filled_at] = [0, 0, 0, Number.POSITIVE_INFINITY];
  while (performance.now() < end_ms && messages() < filled_at + MORE_MESSAGES) {
    await wait(500);
    for (const { socket } of silent) socket.write(PONG);
    grown_mb = Math.max(grown_mb, (await program.memory_mb()) - before_mb);
    connected = Math.max(connected, silent.filter((one) => one.isOpen()).length);
    waiting_bytes = Math.max(waiting_bytes, await program.metric(BUFFERED));
    if (waiting_bytes > FILLED_BYTES) filled_at = Math.min(filled_at, messages());
  }
  for (const { socket } of silent) socket.destroy();
  return { connected, grown_mb, waiting_bytes };
}

async function nonReadingClients(): Promise<{ holds: boolean; figure: string }> {
  return withTwinProcess(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
    await runForever(program);
    // Only now: at this pace the lock would expire before the run is started.
    await program.arm.setClock({ pace: PACE });
    const alone = await pauses(program, () => wait(SETTLE_MS));
    let most: LoadResult = { connected: 0, grown_mb: 0, waiting_bytes: 0 };
    const gaps = await pauses(program, async (messages) => {
      most = await applyLoad(program, messages);
    });
    const p99_ms = quantile(gaps, 0.99);
    const alone_ms = quantile(alone, 0.99);
    return outcomeOf(
      `${most.connected} clients that never read at ${PACE} times real time: ` +
        `memory +${most.grown_mb.toFixed(0)} MB, at most ` +
        `${(most.waiting_bytes / 1024).toFixed(0)} kB queued for one; ` +
        `${gaps.length} messages to a reading client, ` +
        `p99 gap ${p99_ms.toFixed(0)} ms, ${alone_ms.toFixed(0)} ms alone`,
      {
        'all connected': most.connected === CLIENTS,
        'queues filled': most.waiting_bytes > FILLED_BYTES && gaps.length > MORE_MESSAGES,
        '< 20 MB': most.grown_mb < 20,
        'queue is bounded': most.waiting_bytes < WAITING_BYTES,
        'others unaffected': p99_ms < 2 * alone_ms + 50,
      },
    );
  });
}

export const streamChecks: readonly RobustnessCheck[] = [
  {
    id: 'deaf-streams',
    fault: 'stream clients that never read',
    goal: 'memory grows by less than 20 MB with 100 of them; other clients are unaffected',
    in: null,
    run: nonReadingClients,
  },
  {
    id: 'large-message',
    fault: 'a stream client that sends a message of 1 MB',
    goal: 'its connection is closed (1009), the program keeps running',
    in: 'npm test',
    run: () =>
      withTwinProcess(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
        const one = dial(program.port, handshake(await program.arm.session()));
        await wait(300);
        const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4]);
        one.socket.write(Buffer.concat([head, Buffer.alloc(2 ** 20)]));
        await one.end(3000);
        const alive = (await fetch(`${program.url}/readyz`)).ok;
        return outcomeOf(`closed ${!one.isOpen()}, alive ${alive}`, {
          opened: one.received().includes(' 101 '),
          'closed with 1009': one.received().includes(String.fromCharCode(0x03, 0xf1)),
          alive,
        });
      }),
  },
];
