/**
 * `npm run check soak`: an hour (`--minutes`) of mixed load by ten users on a data folder: ten
 * streams, two workflows, saves, plans, log-ins and deliveries to receivers that fail every other
 * time. In the first half the program is killed again and again and started on the same folder; in
 * the second it runs on, and descriptors, memory and journal must not grow. Then a month passes on a
 * stepped clock, with a run of the daily schedule each day.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { sampleWorkflow } from '../../conformance/samples/sample-workflow.ts';
import { type ArmClient, connect, type StreamSocketClass } from '../../contract/client.ts';
import { createPrng } from '../../physics/math/prng.ts';
import {
  killTwinProcesses,
  startTwinProcess,
  type TwinProcess,
} from '../robustness/twin-process.ts';
import { newToolpath, PASSWORD, sleep } from './scene.ts';

const USERS = 10;
const KILLS = 6;
const DAYS = 30;
const DAY_S = 24 * 3600;
const SAMPLES = 40;
/** What may grow between the first and the last quarter of the samples. */
const MOST = { descriptors: 8, memory_mib: 32, journal_mib: 24 } as const;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const half_ms = 30_000 * Number(values.minutes);
const random = createPrng(59);
const counts = { calls: 0, refused: 0, broken: 0, messages: 0, deliveries: 0 };

/** A receiver that fails every other time. */
async function flakyReceiver(): Promise<string> {
  let heard = 0;
  const server = createServer((request, response) => {
    request.resume();
    heard += 1;
    if (heard % 2 === 0) response.destroy();
    else response.writeHead(heard % 3 === 0 ? 500 : 204).end();
    counts.deliveries += 1;
  });
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

function clientOf({ url }: TwinProcess, user: number): ArmClient {
  const logIn = { email: `user-${user}@example.org`, password: PASSWORD };
  return connect({ baseUrl: url, logIn, WebSocket: WebSocket as StreamSocketClass });
}

/** What a user does over and over; each leaves as much as there was before. */
const DEEDS: readonly ((arm: ArmClient, receiver: string) => Promise<unknown>)[] = [
  (arm) => arm.getSnapshot(),
  (arm) => arm.listToolpaths(),
  (arm) => arm.calcToolpath({ toolpath: newToolpath(1) as never }),
  async (arm) => {
    const body = { name: 'of the soak', toolpath: newToolpath(1) as never };
    const { toolpath } = await arm.createToolpath(body);
    await arm.deleteToolpath({ toolpath_id: toolpath.id });
  },
  (arm, url) => arm.testHook({ url }),
  async (arm, url) => {
    const hooks = [{ type: 'RunStateChangeHook' as const, parameters: { url } }];
    const { workflow } = await arm.createWorkflow(sampleWorkflow({ hooks }));
    const { run } = await arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
    await arm.stopRun({ run_id: run.id });
    await arm.deleteWorkflow({ workflow_id: workflow.id });
  },
];

interface Life {
  readonly end: () => Promise<void>;
}

/** Lets all users act on a twin until its end. */
async function live(twin: TwinProcess, receiver: string): Promise<Life> {
  let isOn = true;
  const arms = Array.from({ length: USERS }, (_, user) => clientOf(twin, user));
  const streams = arms.map((arm) => arm.events({ onEvent: () => void counts.messages++ }));
  const lanes = arms.map(async (arm, user) => {
    while (isOn) {
      // Workflows are two users' alone.
      const deeds = user < 2 ? DEEDS : DEEDS.slice(0, -1);
      const deed = deeds[Math.floor(random() * deeds.length)]!;
      await deed(arm, receiver).catch((error: { status?: number }) => {
        if (error.status === undefined) counts.broken += 1;
        else counts.refused += 1;
      });
      counts.calls += 1;
      await sleep(50);
    }
  });
  return {
    async end() {
      isOn = false;
      for (const stream of streams) stream.close();
      await Promise.all(lanes);
    },
  };
}

interface Sample {
  readonly descriptors: number;
  readonly memory_mib: number;
  readonly journal_mib: number;
}

async function sampleOf(twin: TwinProcess, data: string): Promise<Sample> {
  const journal = readdirSync(join(data, 'journal')).map((name) => join(data, 'journal', name));
  const bytes = journal.reduce((sum, path) => {
    return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
  return {
    descriptors: readdirSync(`/proc/${twin.child.pid}/fd`).length,
    memory_mib: await twin.memory_mb(),
    journal_mib: bytes / 2 ** 20,
  };
}

/** The growth from the first to the last quarter; of each the least, as garbage comes and goes. */
function growthOf(samples: readonly Sample[]): Sample {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const least = (part: readonly Sample[], name: keyof Sample) =>
    Math.min(...part.map((sample) => sample[name]));
  const grown = (name: keyof Sample) =>
    least(samples.slice(-quarter), name) - least(samples.slice(0, quarter), name);
  return {
    ...{ descriptors: grown('descriptors'), memory_mib: grown('memory_mib') },
    journal_mib: grown('journal_mib'),
  };
}

const rounded = (sample: Sample) =>
  Object.entries(sample)
    .map(([name, value]) => `${name} ${value.toFixed(0)}`)
    .join(', ');

const problems: string[] = [];

function judge(what: string, samples: readonly Sample[]): void {
  const growth = growthOf(samples);
  console.log(`${what}: at first ${rounded(samples[0]!)}; growth ${rounded(growth)}`);
  for (const [name, most] of Object.entries(MOST)) {
    const grown = growth[name as keyof Sample];
    if (grown > most) problems.push(`${what}: ${name} grew by ${grown.toFixed(0)}`);
  }
}

async function mixedLoad(data: string, receiver: string): Promise<void> {
  const flags = ['--data', data, '--driver', 'fast', '--log-level', 'silent'];
  const first = await startTwinProcess(flags);
  for (let user = 0; user < USERS; user++) {
    await first.arm.createUser({ email: `user-${user}@example.org`, password: PASSWORD });
  }
  let twin = first;
  for (let kill = 0; kill < KILLS; kill++) {
    const life = await live(twin, receiver);
    await sleep(half_ms / KILLS);
    twin.signal('SIGKILL');
    await twin.waitForExit(5000);
    await life.end();
    twin = await startTwinProcess(flags);
    const { users } = await twin.arm.listUsers();
    if (users.length !== USERS + 1) problems.push(`after kill ${kill + 1}: ${users.length} users`);
  }
  const life = await live(twin, receiver);
  const samples: Sample[] = [];
  // What begins with the load is no growth.
  await sleep(half_ms / 10);
  for (let i = 0; i < SAMPLES; i++) {
    await sleep((0.9 * half_ms) / SAMPLES);
    samples.push(await sampleOf(twin, data));
  }
  await life.end();
  const list = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`${values.minutes} minutes, ${KILLS} kills: ${list.join(', ')}`);
  judge('mixed load', samples);
  if ((await twin.stop()) !== 0) problems.push('the program did not end with 0');
}

async function steppedMonth(data: string): Promise<void> {
  const flags = ['--data', data, '--driver', 'fast', '--clock', 'stepped', '--log-level', 'silent'];
  const twin = await startTwinProcess(flags);
  const { arm } = twin;
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'daily', toolpath: newToolpath(1) as never });
  await arm.setScheduler({ enabled: true, start_time: '08:00:00', end_time: '08:00:10' });
  const samples: Sample[] = [];
  let loops = 0;
  for (let day = 0; day < DAYS; day++) {
    await arm.advanceClock({ seconds: DAY_S });
    const { control } = (await arm.getSnapshot()).snapshot;
    if (control.state !== 'ready') problems.push(`day ${day + 1}: ${control.state}`);
    loops += control.loop_count;
    samples.push(await sampleOf(twin, data));
  }
  console.log(`${DAYS} days, ${loops} loops of the daily schedule`);
  if (loops < DAYS) problems.push('the schedule did not start the arm every day');
  judge('stepped month', samples);
  await twin.stop();
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-mixed-'));
try {
  await mixedLoad(join(folder, 'load'), await flakyReceiver());
  await steppedMonth(join(folder, 'month'));
} finally {
  killTwinProcesses();
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.log(`NOT: ${problem}`);
console.log(problems.length === 0 ? 'holds' : `${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
