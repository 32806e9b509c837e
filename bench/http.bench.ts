/**
 * HTTP and event stream of the built program, in its own process, with the arm running. Goals: GET
 * snapshot and PUT forward_kinematics 4,000 req/s on one core, p99 50 ms; 100 stream clients 12 %
 * of a core, 10 clients of Foxglove 10 %; a list of 1,000 toolpaths p99 10 ms; a durable save p99
 * 20 ms. On a busy machine the rate by processor time is more reliable than by wall time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { requestBytes, runLoad } from './load-generator.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const CLIENTS = fileURLToPath(new URL('./stream-clients.mjs', import.meta.url));
const TOOLPATH = fileURLToPath(
  new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url),
);
const TOKEN = 'token-of-the-benchmark';
/** Clock ticks of /proc per second. */
const TICKS_PER_S = 100;
const LOAD_MS = 6000;
const STREAM_MS = 8000;

const toolpath = JSON.parse(readFileSync(TOOLPATH, 'utf8')) as Toolpath;
const wait = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

async function startProgram(data: string) {
  const flags = ['--port', '0', '--token', TOKEN, '--log-level', 'warn', '--data', data];
  const child = spawn(process.execPath, [MAIN, ...flags, '--foxglove', '0']);
  const live = once(child.stderr, 'data');
  const url = /http:\S+/.exec(String((await once(child.stdout, 'data'))[0]))![0];
  const arm = connect({ baseUrl: url, token: TOKEN });
  return {
    arm,
    url,
    foxgloveUrl: /ws:\S+\//.exec(String((await live)[0]))![0],
    port: Number(new URL(url).port),
    session: await arm.session(),
    /** Processor time so far (s). */
    processor_s() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
      return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

type Program = Awaited<ReturnType<typeof startProgram>>;

async function keepMoving({ arm }: Program): Promise<void> {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath });
  await arm.run({ mode: 'automatic', loop: 0 });
}

/** Processor share of the program without clients. */
async function ownShare(program: Program): Promise<number> {
  const before_s = program.processor_s();
  await wait(STREAM_MS);
  return (program.processor_s() - before_s) / (STREAM_MS / 1000);
}

async function rate(program: Program, name: string, request: Buffer): Promise<void> {
  const before_s = program.processor_s();
  const { port } = program;
  const load = await runLoad({ port, requests: [request], connections: 32, limit_ms: LOAD_MS });
  const processor_s = program.processor_s() - before_s;
  console.log(
    `${name}: ${(load.done / load.wall_s).toFixed(0)} req/s by wall time, ` +
      `${(load.done / processor_s).toFixed(0)} per second of processor time including the arm, ` +
      `p50 ${load.p50_ms.toFixed(1)} ms, p99 ${load.p99_ms.toFixed(1)} ms`,
  );
}

interface Clients {
  readonly name: string;
  readonly url: string;
  readonly count: number;
}

async function streams(program: Program, clients: Clients, own: number): Promise<void> {
  const { name, url, count } = clients;
  const child = spawn(process.execPath, [CLIENTS, url, program.session, String(count)]);
  await once(child.stdout, 'data');
  await wait(1000);
  const share = (await ownShare(program)) - own;
  child.kill('SIGTERM');
  const [messages] = await once(child.stdout, 'data');
  console.log(
    `${count} ${name}: ${(share * 100).toFixed(1)} % of a core in addition to ` +
      `${(own * 100).toFixed(1)} % of the arm, ${String(messages).trim()}`,
  );
}

async function library(program: Program): Promise<void> {
  const { port, session } = program;
  const saves = Array.from({ length: 1000 }, (_, i) =>
    requestBytes('POST /api/v1/toolpaths', session, { name: `bench ${i}`, toolpath }),
  );
  const limit_ms = 120_000;
  const save = await runLoad({ port, requests: saves, connections: 1, count: 1000, limit_ms });
  const list = [requestBytes('GET /api/v1/toolpaths', session)];
  const lists = await runLoad({ port, requests: list, connections: 1, count: 500, limit_ms });
  for (const [name, { done, p50_ms, p99_ms }] of [
    ['durable save', save],
    ['list of 1,000', lists],
  ] as const) {
    console.log(`${name}: ${done}, p50 ${p50_ms.toFixed(2)} ms, p99 ${p99_ms.toFixed(2)} ms`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-bench-'));
const program = await startProgram(join(folder, 'data'));
try {
  await library(program);
  await keepMoving(program);
  const own = await ownShare(program);
  const { url, foxgloveUrl } = program;
  await streams(program, { name: 'stream clients', url, count: 100 }, own);
  await streams(program, { name: 'clients of Foxglove', url: foxgloveUrl, count: 10 }, own);
  const joints = [0, 0.5, -1.7, 0, -1.2, 0];
  await rate(program, 'GET snapshot', requestBytes('GET /api/v1/data/snapshot', program.session));
  const forward = 'PUT /api/v1/calc/forward_kinematics';
  await rate(program, 'PUT forward_kinematics', requestBytes(forward, program.session, { joints }));
} finally {
  await program.stop();
  rmSync(folder, { recursive: true });
}
