/** Clients that are slow on purpose: headers, bodies and readers that never come to an end. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Check, outcomeOf } from './check.ts';
import { type Program, withProgram } from './program.ts';
import { dial, quantile, type RawConnection } from './raw.ts';

const CLIENTS = 300;
/** Each of these fills the system's own buffers, some megabytes, before it tries the twin's. */
const READERS = 100;
const WINDOW_MS = 10_000;
const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];

/** Asks again and again, as an honest client would; answers the durations, or -1 for a failure. */
async function honestCalls(url: string, until_ms: number): Promise<number[]> {
  const durations = [];
  while (performance.now() < until_ms) {
    const start_ms = performance.now();
    const reply = await fetch(`${url}/api/versions`).catch(() => null);
    durations.push(reply?.status === 200 ? performance.now() - start_ms : -1);
    await reply?.text();
    await wait(100);
  }
  return durations;
}

async function besiege(program: Program, { count, attack, drip }: Siege) {
  const until_ms = performance.now() + WINDOW_MS;
  const connections = Array.from({ length: count }, attack);
  await wait(500);
  const most = connections.filter((one) => one.isOpen()).length;
  const dripping = setInterval(() => {
    for (const { socket, isOpen } of connections) if (drip && isOpen()) socket.write(drip);
  }, 1000);
  const durations = await honestCalls(program.url, until_ms);
  clearInterval(dripping);
  const left = (await program.figure('connections')) - 1;
  for (const { socket } of connections) socket.destroy();
  return { most, left, durations };
}

interface Siege {
  readonly count: number;
  readonly attack: () => RawConnection;
  /** What each sends every second. */
  readonly drip: string | null;
}

type Attack = (program: Program) => Promise<Siege>;

function slow(id: string, fault: string, attackOf: Attack): Check {
  return {
    id,
    fault,
    goal: 'others served throughout; 0 of the connections open after 10 s',
    quick: false,
    run: () =>
      withProgram(FLAGS, async (program) => {
        const siege = await attackOf(program);
        const { most, left, durations } = await besiege(program, siege);
        const failed = durations.filter((duration) => duration < 0).length;
        const p99_ms = quantile(durations, 0.99);
        // The honest client's own connections are kept alive by it: at most two.
        const still = Math.max(0, left - 2);
        return outcomeOf(
          `${most} connections, ${still} left after 10 s; ${durations.length} honest calls, ` +
            `${failed} failed, p99 ${p99_ms.toFixed(0)} ms`,
          {
            'the attack took place': most > siege.count / 2,
            cut: still === 0,
            served: failed === 0,
          },
        );
      }),
  };
}

export const slowClients: readonly Check[] = [
  slow('slow-headers', 'headers that never end, a line a second', async ({ port }) => ({
    attack: () => dial(port, 'GET /api/versions HTTP/1.1\r\nHost: a\r\n'),
    count: CLIENTS,
    drip: 'X-More: 1\r\n',
  })),
  slow('slow-bodies', 'bodies that never end, a byte a second', async ({ port }) => ({
    attack: () => {
      const head = ['POST /api/v1/auth HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
      return dial(port, `${head.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`);
    },
    count: CLIENTS,
    drip: ' ',
  })),
  slow('slow-strangers', 'the same without a session, answered at once', async ({ port }) => ({
    attack: () => {
      const head =
        'POST /api/v1/controls/run HTTP/1.1\r\nHost: a\r\nContent-Type: application/json';
      return dial(port, `${head}\r\nContent-Length: 1000\r\n\r\n{`);
    },
    count: CLIENTS,
    drip: ' ',
  })),
  slow('slow-readers', 'clients that ask for large replies and never read', async ({ port }) => ({
    attack: () => {
      const ask = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
      const one = dial(port, ask.repeat(20), false);
      one.socket.pause();
      return one;
    },
    count: READERS,
    drip: null,
  })),
];
