/**
 * Kills a saving process again and again, each time at another moment, and holds what is on disk
 * to everything that had been acknowledged. Test code.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { Database } from '../store/database.ts';
import { DISK_STEPS, type DiskStep } from '../store/disk-steps.cases.ts';
import { emptyRecords } from '../store/records.ts';

const WRITER = new URL('./writer.cases.ts', import.meta.url);

interface Head {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
}

type Fact =
  | { readonly ready: true }
  | { readonly saved: Head }
  | { readonly removed: number }
  | { readonly token: { readonly id: number; readonly name: string } };

/** What has been acknowledged so far. */
interface Ledger {
  readonly toolpaths: Map<number, Head>;
  readonly tokens: Map<number, string>;
  acknowledged: number;
  /** Toolpaths on which a step had begun that was not acknowledged: they may be either way. */
  last: number;
}

/** The writer as one plain file, so that a process starts in a moment. */
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

function note(ledger: Ledger, fact: Fact): void {
  if ('ready' in fact) return;
  ledger.acknowledged++;
  if ('saved' in fact) {
    ledger.toolpaths.set(fact.saved.id, fact.saved);
    ledger.last = fact.saved.id;
  } else if ('removed' in fact) ledger.toolpaths.delete(fact.removed);
  else if ('token' in fact) ledger.tokens.set(fact.token.id, fact.token.name);
}

/** When to kill: so many acknowledgments after the start, and then so much later. */
interface Moment {
  readonly facts: number;
  readonly delay_ms: number;
}

/** Never: the writer ends itself at a step of the disk. */
const BY_ITSELF: Moment = { facts: Number.POSITIVE_INFINITY, delay_ms: 0 };

/** Lets the writer save until the moment comes, then kills it without a warning. */
function saveUntilKilled(args: readonly string[], ledger: Ledger, moment: Moment) {
  let facts = 0;
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let rest = '';
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  child.stdout.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const fact = JSON.parse(line) as Fact;
      note(ledger, fact);
      if (facts++ === moment.facts) setTimeout(() => child.kill('SIGKILL'), moment.delay_ms);
    }
  });
  return new Promise<void>((done, fail) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') done();
      else fail(new Error(`the writer ended by itself, code ${code}: ${complaint}`));
    });
  });
}

/** What does not agree with the ledger after a kill; empty when all is well. */
async function disagreements(place: string, ledger: Ledger): Promise<string[]> {
  const database = await Database.open(place, emptyRecords('kill', '4.9.0'));
  const found = await database.inspect();
  const rows = new Map(database.records.toolpaths.map((row) => [row.id, row]));
  for (const [id, head] of ledger.toolpaths) {
    const row = rows.get(id);
    // The step after the last acknowledgment may have been saved without being told.
    if (id === ledger.last && (row === undefined || row.hash !== head.hash)) continue;
    if (row?.hash !== head.hash || row.name !== head.name)
      found.push(`toolpath ${id} is not there`);
  }
  for (const row of rows.values()) {
    const body = await database.readBody(row);
    if (!body || hashToolpath(body) !== row.hash) found.push(`toolpath ${row.id} is not itself`);
  }
  const tokens = new Map(database.records.tokens.map((token) => [token.id, token.name]));
  for (const [id, name] of ledger.tokens) {
    if (tokens.get(id) !== name) found.push(`token ${id} is not there`);
  }
  for (const row of rows.values()) ledger.toolpaths.set(row.id, row);
  for (const id of [...ledger.toolpaths.keys()]) if (!rows.has(id)) ledger.toolpaths.delete(id);
  await database.close();
  const files = await readdir(place, { recursive: true });
  const left = files.filter((file) => file.endsWith('.new'));
  return [...found, ...left.map((file) => `${file} was left behind`)];
}

/** One life of the writer: its arguments after the folder, and when it is killed. */
interface Life {
  readonly args: readonly string[];
  readonly moment: Moment;
}

/** What came of some lives: what was lost, and how many acknowledgments there were. */
interface Outcome {
  readonly lost: readonly string[];
  readonly acknowledged: number;
}

/** Lives the lives one after another in the same folder. */
async function live(writer: string, place: string, lives: readonly Life[]): Promise<Outcome> {
  const ledger: Ledger = { toolpaths: new Map(), tokens: new Map(), acknowledged: 0, last: 0 };
  const lost: string[] = [];
  for (const { args, moment } of lives) {
    await saveUntilKilled([writer, place, ...args], ledger, moment);
    for (const loss of await disagreements(place, ledger)) {
      lost.push(`${args.join(' ')}: ${loss}`);
    }
  }
  return { lost, acknowledged: ledger.acknowledged };
}

/** Lives every other life in a folder of its own: they mostly wait, for starts and for the disk. */
async function liveTwoAtATime(lives: readonly Life[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'armtwin-kill-'));
  try {
    const writer = await bundleWriter(folder);
    const turns = [0, 1].map((turn) =>
      live(
        writer,
        join(folder, `data-${turn}`),
        lives.filter((_, i) => i % 2 === turn),
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
  const lives = Array.from({ length: rounds }, (_, round) => {
    // Moments spread over the steps and within them.
    const moment = { facts: round % 8, delay_ms: (round * 3) % 11 };
    return { args: [String(round)], moment };
  });
  return liveTwoAtATime(lives);
}

/** Kills at each step of a durable write in turn, in the first write and in later ones. */
export function killAtSteps(writes: readonly number[]): Promise<Outcome> {
  const lifeAt = (step: DiskStep, write: number): Life => ({
    args: [`${step}-${write}`, step, String(write)],
    moment: BY_ITSELF,
  });
  return liveTwoAtATime(DISK_STEPS.flatMap((step) => writes.map((write) => lifeAt(step, write))));
}
