/**
 * Durable saves and starts on large folders. Goals: a save alone p99 15 ms; 100 savers 1,500 saves
 * a second by group commit, stated as a ratio to the syncs that the disk makes; the built program
 * on 10,000 toolpaths and 100,000 deliveries ready within 1.5 s. Run: npm run bench store --
 * [--saves]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../server/clock/wall-clock.ts';
import { DocumentReader } from '../server/documents/document-reader.ts';
import { toolpathText } from '../server/documents/toolpath-text.ts';
import { PasswordChecks } from '../server/service/sessions/password-checks.ts';
import { Users } from '../server/service/sessions/users.ts';
import { Database } from '../server/store/database.ts';
import { openStore } from '../server/store/open-store.ts';
import { smallToolpath } from '../server/toolpaths/small-toolpath.cases.ts';
import { ToolpathLibrary } from '../server/toolpaths/toolpath-library.ts';
import { Outbox } from '../server/webhooks/outbox.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const SAVERS = 100;
const DURATION_MS = 5000;
const STARTS = 5;
const TOOLPATHS = 10_000;
const DELIVERIES = 100_000;
const PART = 500;

const folder = mkdtempSync(join(tmpdir(), 'armtwin-bench-'));

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))]!;
}

/** Times of small appends with a sync each, by themselves (ms): what the disk can do. */
async function syncTimes(): Promise<number[]> {
  const file = await open(join(folder, 'syncs'), 'w');
  const times: number[] = [];
  const end = performance.now() + DURATION_MS;
  for (let count = 0; performance.now() < end; count++) {
    const began = performance.now();
    await file.write(Buffer.alloc(1000), 0, 1000, 1000 * count);
    await file.datasync();
    times.push(performance.now() - began);
  }
  await file.close();
  return times.sort((a, b) => a - b);
}

async function openLibrary(data: string) {
  const store = await openStore(data);
  const database = await Database.open(store, { name: 'bench', software_version: '4.9.0' });
  const passwords = new PasswordChecks(systemClock);
  const users = new Users({ database, passwords, timestamp: () => '2020', onUnsaved: () => {} });
  for (const name of ['a', 'b']) await users.create(`${name}@example.org`, null);
  const documents = new DocumentReader({ wall: systemClock, keepsTime: () => false });
  return { store, library: new ToolpathLibrary(database, documents, () => '2020') };
}

const toolpath = toolpathText(smallToolpath());

/** Times of saves by a number of savers (ms); toolpaths are replaced, so that none is refused. */
async function timesOf(library: ToolpathLibrary, savers: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + DURATION_MS;
  const saver = async (number: number) => {
    const made = await library.create({ owner_id: 1, name: `saver ${number}`, toolpath });
    if ('refused' in made) throw new Error(made.refused);
    for (let count = 0; performance.now() < end; count++) {
      const began = performance.now();
      await library.update({ id: made.id, name: `saver ${number} ${count}`, toolpath });
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: savers }, (_, number) => saver(number)));
  return times.sort((a, b) => a - b);
}

async function saves(): Promise<void> {
  const { store, library } = await openLibrary(join(folder, 'saves'));
  const disk = await syncTimes();
  const syncs = (1000 * disk.length) / DURATION_MS;
  console.log(
    `the disk alone: ${syncs.toFixed(0)} syncs/s, p50 ${percentile(disk, 0.5).toFixed(1)} ms, ` +
      `p99 ${percentile(disk, 0.99).toFixed(1)} ms`,
  );
  for (const savers of [1, SAVERS]) {
    const times = await timesOf(library, savers);
    const rate = (1000 * times.length) / DURATION_MS;
    const [p50, p99] = [0.5, 0.99].map((part) => percentile(times, part));
    const ratio = p99! / percentile(disk, 0.99);
    console.log(
      `${savers} savers: ${rate.toFixed(0)} saves/s, p50 ${p50!.toFixed(1)} ms, ` +
        `p99 ${p99!.toFixed(1)} ms (${ratio.toFixed(1)} x that of a sync); ` +
        `${(rate / syncs).toFixed(1)} saves for each sync of the disk`,
    );
  }
  await store.close();
}

async function fill(data: string): Promise<void> {
  const { store, library } = await openLibrary(data);
  for (let from = 0; from < TOOLPATHS; from += PART) {
    const part = Array.from({ length: PART }, (_, i) => ({ owner_id: 1 + ((from + i) % 2), i }));
    await Promise.all(
      part.map(({ owner_id, i }) => library.create({ owner_id, name: `${from + i}`, toolpath })),
    );
  }
  const outbox = new Outbox(store);
  const content = { owner_id: 1, hook_type: 'NewPlanHook' as const, headers: {} };
  const url = 'http://127.0.0.1:9/hooks';
  for (let from = 0; from < DELIVERIES; from += PART) {
    const contents = Array.from({ length: PART }, (_, i) => {
      const body = JSON.stringify({ run_id: '1', remaining_worktime: from + i });
      return { ...content, run_id: `${from % 8}`, sequence: from + i, url, body };
    });
    await store.change((draft) => outbox.add(draft, contents));
  }
  await store.close();
}

async function startTime(data: string): Promise<number> {
  const began = performance.now();
  const flags = ['--port', '0', '--driver', 'fast', '--data', data, '--log-level', 'silent'];
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const time_ms = performance.now() - began;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return time_ms;
}

async function starts(): Promise<void> {
  const data = join(folder, 'large');
  await fill(data);
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) times.push(await startTime(data));
  const sorted = times.sort((a, b) => a - b);
  const text = `${TOOLPATHS} toolpaths and ${DELIVERIES} deliveries`;
  console.log(
    `start with ${text}: median ${sorted[Math.floor(STARTS / 2)]!.toFixed(0)} ms, ` +
      `slowest ${sorted.at(-1)!.toFixed(0)} ms`,
  );
}

await saves();
if (!process.argv.includes('--saves')) await starts();
rmSync(folder, { recursive: true });
