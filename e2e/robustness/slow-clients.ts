/** Slow clients: headers and bodies that never end, and readers that never read. */
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { dial, quantile, type RawSocket } from './raw-connection.ts';
import { type TwinProcess, withTwinProcess } from './twin-process.ts';

const CLIENTS = 300;
/** Each fills several megabytes of socket buffers before those of the twin. */
const READERS = 100;
const WINDOW_MS = 10_000;
const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];

/** Sends normal requests until a time; returns durations (ms), -1 for failures. */
async function normalCalls(url: string, until_ms: number): Promise<number[]> {
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

async function runAttack(program: TwinProcess, { count, attack, drip }: AttackPlan) {
  const until_ms = performance.now() + WINDOW_MS;
  const connections = Array.from({ length: count }, attack);
  await wait(500);
  const most = connections.filter((one) => one.isOpen()).length;
  const dripping = setInterval(() => {
    for (const { socket, isOpen } of connections) if (drip && isOpen()) socket.write(drip);
  }, 1000);
  const durations = await normalCalls(program.url, until_ms);
  clearInterval(dripping);
  const left = (await program.metric('armtwin_connections')) - 1;
  for (const { socket } of connections) socket.destroy();
  return { most, left, durations };
}

interface AttackPlan {
  readonly count: number;
  readonly attack: () => RawSocket;
  /** Data that each connection sends every second. */
  readonly drip: string | null;
}

type Attack = (program: TwinProcess) => Promise<AttackPlan>;

function slowClientCheck(id: string, fault: string, attackOf: Attack): RobustnessCheck {
  return {
    id,
    fault,
    goal: 'other clients are served throughout; no attacking connection is open after 10 s',
    in: null,
    run: () =>
      withTwinProcess(FLAGS, async (program) => {
        const plan = await attackOf(program);
        const { most, left, durations } = await runAttack(program, plan);
        const failed = durations.filter((duration) => duration < 0).length;
        const p99_ms = quantile(durations, 0.99);
        // The normal client keeps at most two connections alive.
        const still = Math.max(0, left - 2);
        return outcomeOf(
          `${most} connections, ${still} left after 10 s; ${durations.length} normal calls, ` +
            `${failed} failed, p99 ${p99_ms.toFixed(0)} ms`,
          {
            'the attack took place': most > plan.count / 2,
            closed: still === 0,
            served: failed === 0,
          },
        );
      }),
  };
}

export const slowClientChecks: readonly RobustnessCheck[] = [
  slowClientCheck(
    'slow-headers',
    'headers that never end, one line a second',
    async ({ port }) => ({
      attack: () => dial(port, 'GET /api/versions HTTP/1.1\r\nHost: a\r\n'),
      count: CLIENTS,
      drip: 'X-More: 1\r\n',
    }),
  ),
  slowClientCheck('slow-bodies', 'bodies that never end, one byte a second', async ({ port }) => ({
    attack: () => {
      const head = ['POST /api/v1/auth HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
      return dial(port, `${head.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`);
    },
    count: CLIENTS,
    drip: ' ',
  })),
  slowClientCheck('slow-strangers', 'the same without a session', async ({ port }) => ({
    attack: () => {
      const head =
        'POST /api/v1/controls/run HTTP/1.1\r\nHost: a\r\nContent-Type: application/json';
      return dial(port, `${head}\r\nContent-Length: 1000\r\n\r\n{`);
    },
    count: CLIENTS,
    drip: ' ',
  })),
  slowClientCheck(
    'slow-readers',
    'clients that request large replies and never read',
    async ({ port }) => ({
      attack: () => {
        const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
        const one = dial(port, request.repeat(20), false);
        one.socket.pause();
        return one;
      },
      count: READERS,
      drip: null,
    }),
  ),
];
