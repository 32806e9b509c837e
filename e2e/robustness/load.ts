/** Load on the twin: many calls, stream clients and builds during a run. */
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { connect, type StreamSocketClass } from '../../contract/client.ts';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { PipelinedClient } from './pipelined-client.ts';
import { quantile } from './raw-connection.ts';
import { runForever, startTwinProcess, type TwinProcess, withTwinProcess } from './twin-process.ts';

const RATE_PER_S = 2000;
const DURATION_S = 30;
const STREAMS = 100;
const CALLERS = 32;
const BUILD_EVERY_MS = 1000;

const CALLS = [
  'GET /api/v1/data/snapshot',
  'GET /api/v1/controls/lock',
  'GET /api/versions',
  'GET /api/v1/toolpaths',
  'GET /api/v1/name',
];

/** Sends calls at a constant rate, whether or not earlier ones were answered (no coordinated
 * omission). */
async function callEvenly(program: TwinProcess, session: string): Promise<number[]> {
  const clients = Array.from({ length: CALLERS }, () => new PipelinedClient(program.port, session));
  const start_ms = performance.now();
  let sent = 0;
  while (sent < RATE_PER_S * DURATION_S) {
    const due = Math.min(
      RATE_PER_S * DURATION_S,
      Math.floor(((performance.now() - start_ms) / 1000) * RATE_PER_S),
    );
    for (; sent < due; sent++) clients[sent % CALLERS]!.send(CALLS[sent % CALLS.length]!);
    await wait(2);
  }
  await Promise.all(clients.map((client) => client.settled(10_000)));
  return clients.flatMap((client) => client.close());
}

/** Builds a new toolpath every second while `going`. */
async function keepBuilding(program: TwinProcess, going: () => boolean): Promise<number> {
  const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  const toolpath = JSON.parse(await readFile(path, 'utf8'));
  let built = 0;
  while (going()) {
    toolpath.metadata.payload = 0.1 + (built % 1000) / 1000;
    const made = await program.arm.calcToolpath({ toolpath });
    if (made.trajectory) built += 1;
    await wait(BUILD_EVERY_MS);
  }
  return built;
}

async function runLoadCheck(): Promise<{ holds: boolean; figure: string }> {
  return withTwinProcess(['--log-level', 'silent'], async (program) => {
    await runForever(program);
    const session = await program.arm.session();
    let messages = 0;
    for (let count = 0; count < STREAMS; count++) {
      const arm = connect({
        baseUrl: program.url,
        session,
        WebSocket: WebSocket as StreamSocketClass,
      });
      await arm.events({ onEvent: () => void messages++ }).opened;
    }
    await wait(2000);
    const before_mb = await program.memory_mb();
    const used_s = await program.processor_s();
    let going = true;
    const building = keepBuilding(program, () => going);
    const durations = await callEvenly(program, session);
    going = false;
    const built = await building;
    const failed = durations.filter((duration) => duration < 0).length;
    const p99_ms = quantile(durations, 0.99);
    const late_ms = 1000 * (await program.metric('armtwin_tick_lateness_p99_seconds'));
    const share = ((await program.processor_s()) - used_s) / DURATION_S;
    const grown_mb = (await program.memory_mb()) - before_mb;
    return outcomeOf(
      `${durations.length} calls in ${DURATION_S} s, ${failed} failed, ` +
        `p99 ${p99_ms.toFixed(0)} ms; tick lateness p99 ${late_ms.toFixed(1)} ms; ` +
        `${built} builds; ${STREAMS} streams, ${messages} messages; ` +
        `memory ${grown_mb >= 0 ? '+' : ''}${grown_mb.toFixed(0)} MB; ` +
        `${(100 * share).toFixed(0)} % of a processor; machine load ${loadavg()[0]!.toFixed(1)} ` +
        `on ${availableParallelism()} processors`,
      {
        'no errors': failed === 0,
        'p99 <= 50 ms': p99_ms <= 50,
        'lateness p99 <= 4 ms': late_ms <= 4,
        'memory flat': grown_mb < 40,
      },
    );
  });
}

/** Nice values of the threads of the program by their ids: first that of the control loop. */
async function nicenesses({ child }: TwinProcess): Promise<number[]> {
  const threads = await readdir(`/proc/${child.pid}/task`);
  const read = async (thread: string) => {
    const status = await readFile(`/proc/${child.pid}/task/${thread}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[16]);
  };
  return Promise.all(
    threads
      .map(Number)
      .sort((a, b) => a - b)
      .map(String)
      .map(read),
  );
}

const priority: RobustnessCheck = {
  id: 'priority',
  fault: 'threads that read bodies, plan and collect garbage need all processors',
  goal: 'the thread of the control loop goes first: the others have a lower priority (Linux)',
  in: 'npm test',
  async run() {
    if (process.platform !== 'linux') return { holds: true, figure: 'not Linux: not judged' };
    return withTwinProcess(['--driver', 'fast', '--log-level', 'silent'], async (program) => {
      const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
      const toolpath = JSON.parse(await readFile(path, 'utf8'));
      const [waypoint] = toolpath.waypoints;
      for (let id = 1000; id < 4000; id++) toolpath.waypoints.push({ ...waypoint, label_id: id });
      const builds = Array.from({ length: 4 }, () => program.arm.calcToolpath({ toolpath }));
      await Promise.all(builds);
      const [loop = 0, ...others] = await nicenesses(program);
      const equal = others.filter((niceness) => niceness <= loop).length;
      const figure = `${others.length} threads beside the control loop's, ${equal} not below it`;
      return outcomeOf(figure, { 'all are below it': others.length > 0 && equal === 0 });
    });
  },
};

/** The memory of the young generation in the thread of the control loop (MB). */
async function youngGeneration_mb(program: TwinProcess): Promise<number> {
  program.signal('SIGUSR2');
  for (;;) {
    const bytes = /young generation (\d+) bytes/.exec(program.stderr())?.[1];
    if (bytes !== undefined) return Number(bytes) / 2 ** 20;
    await wait(10);
  }
}

const collections: RobustnessCheck = {
  id: 'collections',
  fault: '4000 calls, 32 at a time, while threads start that read bodies and plan',
  goal: 'the young generation of the control loop does not grow: a collection stops all ticks',
  in: null,
  async run() {
    const flags = ['--driver', 'fast', '--log-level', 'silent'];
    const program = await startTwinProcess(flags, './preloads/young-generation.mjs');
    try {
      const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
      const toolpath = JSON.parse(await readFile(path, 'utf8'));
      await program.arm.calcToolpath({ toolpath });
      const callOften = async () => {
        for (let i = 0; i < 125; i++) await program.arm.getVersions();
      };
      await Promise.all(Array.from({ length: 32 }, callOften));
      const size_mb = await youngGeneration_mb(program);
      return outcomeOf(`${size_mb} MB`, { 'at most 4 MB': size_mb <= 4 });
    } finally {
      await program.stop();
    }
  },
};

export const loadChecks: readonly RobustnessCheck[] = [
  priority,
  collections,
  {
    id: 'load',
    fault: `${RATE_PER_S} mixed calls a second, ${STREAMS} stream clients, builds, a running arm`,
    goal: 'no error, p99 at most 50 ms, tick lateness p99 at most 4 ms, memory flat',
    in: null,
    run: runLoadCheck,
  },
];
