/**
 * Kills a saving process repeatedly, each time at another moment, and compares the disk with the
 * acknowledged changes. Test code.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { Database } from '../store/database.ts';
import { openStore } from '../store/open-store.ts';
import { DISK_STEPS, type DiskStep } from '../store/simulated-disk.cases.ts';

const WRITER = new URL('./writer.cases.ts', import.meta.url);

interface Head {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
}

type Acknowledgment =
  | { readonly ready: true }
  | { readonly saved: Head }
  | { readonly removed: number }
  | { readonly token: { readonly id: number; readonly name: string } };

/** The changes acknowledged so far. */
interface Ledger {
  readonly toolpaths: Map<number, Head>;
  readonly tokens: Map<number, string>;
  acknowledged: number;
  /** The toolpath with a possibly unacknowledged change: old and new state are valid. */
  last: number;
}

/** Bundles the writer into one file, so that it starts quickly. */
async function bundleWriter(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(WRITER),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'writer.mjs' } },
    },
  });
  return join(folder, 'writer.mjs');
}

function note(ledger: Ledger, ack: Acknowledgment): void {
  if ('ready' in ack) return;
  ledger.acknowledged++;
  if ('saved' in ack) {
    ledger.toolpaths.set(ack.saved.id, ack.saved);
    ledger.last = ack.saved.id;
  } else if ('removed' in ack) ledger.toolpaths.delete(ack.removed);
  else if ('token' in ack) ledger.tokens.set(ack.token.id, ack.token.name);
}

/** When to kill: a number of acknowledgments after the start, plus a delay. */
interface KillTime {
  readonly acknowledgments: number;
  readonly delay_ms: number;
}

/** Never: the writer ends itself at a disk step. */
const NEVER: KillTime = { acknowledgments: Number.POSITIVE_INFINITY, delay_ms: 0 };

/** Runs the writer and kills it with SIGKILL at the kill time. */
function saveUntilKilled(args: readonly string[], ledger: Ledger, kill_time: KillTime) {
  let acknowledgments = 0;
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let rest = '';
  let error_output = '';
  child.stderr.on('data', (chunk) => {
    error_output += String(chunk);
  });
  child.stdout.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const ack = JSON.parse(line) as Acknowledgment;
      note(ledger, ack);
      if (acknowledgments++ === kill_time.acknowledgments)
        setTimeout(() => child.kill('SIGKILL'), kill_time.delay_ms);
    }
  });
  return new Promise<void>((done, fail) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') done();
      else fail(new Error(`the writer ended by itself, code ${code}: ${error_output}`));
    });
  });
}

/** Differences between disk and ledger after a kill. */
async function differences(place: string, ledger: Ledger): Promise<string[]> {
  const store = await openStore(place);
  const database = await Database.open(store, { name: 'kill', software_version: '4.9.0' });
  const found = database.inspect();
  const rows = new Map(database.records.toolpaths.map((row) => [row.id, row]));
  for (const [id, head] of ledger.toolpaths) {
    const row = rows.get(id);
    // The step after the last acknowledgment may have been saved without an acknowledgment.
    if (id === ledger.last && (row === undefined || row.hash !== head.hash)) continue;
    if (row?.hash !== head.hash || row.name !== head.name) found.push(`toolpath ${id} is missing`);
  }
  for (const row of rows.values()) {
    const json = await database.readBody(row);
    if (!json || hashToolpath(JSON.parse(Buffer.from(json).toString()) as object) !== row.hash)
      found.push(`toolpath ${row.id} has another content`);
  }
  const tokens = new Map(database.records.tokens.map((token) => [token.id, token.name]));
  for (const [id, name] of ledger.tokens) {
    if (tokens.get(id) !== name) found.push(`token ${id} is missing`);
  }
  for (const row of rows.values()) ledger.toolpaths.set(row.id, row);
  for (const id of [...ledger.toolpaths.keys()]) if (!rows.has(id)) ledger.toolpaths.delete(id);
  await database.close();
  const files = await readdir(place, { recursive: true });
  const left = files.filter((file) => file.endsWith('.new'));
  return [...found, ...left.map((file) => `${file} is a leftover file`)];
}

/** One run of the writer: its arguments after the folder, and its kill time. */
interface WriterRun {
  readonly args: readonly string[];
  readonly kill_time: KillTime;
}

/** Lost changes and number of acknowledgments of some runs. */
interface Outcome {
  readonly lost: readonly string[];
  readonly acknowledged: number;
}

/** Runs the writers one after another in the same folder. */
async function runWriters(
  writer: string,
  place: string,
  runs: readonly WriterRun[],
): Promise<Outcome> {
  const ledger: Ledger = { toolpaths: new Map(), tokens: new Map(), acknowledged: 0, last: 0 };
  const lost: string[] = [];
  for (const { args, kill_time } of runs) {
    await saveUntilKilled([writer, place, ...args], ledger, kill_time);
    for (const loss of await differences(place, ledger)) {
      lost.push(`${args.join(' ')}: ${loss}`);
    }
  }
  return { lost, acknowledged: ledger.acknowledged };
}

/** Runs the writers in two folders concurrently, because they mostly wait for the disk. */
async function runInTwoFolders(runs: readonly WriterRun[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'armtwin-kill-'));
  try {
    const writer = await bundleWriter(folder);
    const turns = [0, 1].map((turn) =>
      runWriters(
        writer,
        join(folder, `data-${turn}`),
        runs.filter((_, i) => i % 2 === turn),
      ),
    );
    const [one, other] = (await Promise.all(turns)) as [Outcome, Outcome];
    return {
      lost: [...one.lost, ...other.lost],
      acknowledged: one.acknowledged + other.acknowledged,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills `rounds` times, each time at another moment. */
export function killRepeatedly(rounds: number): Promise<Outcome> {
  const runs = Array.from({ length: rounds }, (_, round) => {
    // Spreads the kill times over the steps and within them.
    const kill_time = { acknowledgments: round % 8, delay_ms: (round * 3) % 11 };
    return { args: [String(round)], kill_time };
  });
  return runInTwoFolders(runs);
}

/** Kills at each step of a durable write, in the first write and in later ones. */
export function killAtSteps(writes: readonly number[]): Promise<Outcome> {
  const runAt = (step: DiskStep, write: number): WriterRun => ({
    args: [`${step}-${write}`, step, String(write)],
    kill_time: NEVER,
  });
  const runs = DISK_STEPS.flatMap((step) => writes.map((write) => runAt(step, write)));
  return runInTwoFolders(runs);
}
