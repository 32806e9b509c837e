/** Compaction of append logs during appends: no acknowledged entry is lost. */
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { AppendLog } from './append-log.ts';
import { observeDisk } from './disk-steps.cases.ts';

interface Row {
  readonly key: number;
  readonly version: number;
  readonly text: string;
}

const NAME = 'rows.jsonl';
const KEYS = 10;
/** Long enough that a hundred rows trigger a compaction. */
const TEXT = 'x'.repeat(32 * 1024);
const ROUNDS = 12;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The latest version of each key. */
function latest(rows: readonly Row[]): Row[] {
  const kept = new Map<number, Row>();
  for (const row of rows) kept.set(row.key, row);
  return [...kept.values()];
}

function versions(rows: readonly Row[]): Map<number, number> {
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** A log with its live rows and the acknowledged versions. */
async function openRows() {
  const { log, entries } = await AppendLog.open<Row>(folder, NAME, latest);
  const live = new Map(entries.map((row) => [row.key, row]));
  const acknowledged = versions(entries);
  log.compactFrom(() => live.values());
  const put = async (row: Row) => {
    live.set(row.key, row);
    await log.append(row);
    acknowledged.set(row.key, Math.max(row.version, acknowledged.get(row.key) ?? 0));
  };
  /** Appends many versions of each key, several concurrently. */
  const churn = async () => {
    for (let version = 1; version <= ROUNDS; version++) {
      const keys = Array.from({ length: KEYS }, (_, key) => key);
      await Promise.all(keys.map((key) => put({ key, version, text: TEXT })));
    }
  };
  return { log, acknowledged, put, churn };
}

/** The versions in a log file. */
function versionsIn(path: string): Map<number, number> {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return versions(latest(lines.map((line) => JSON.parse(line) as Row)));
}

describe('a log that outgrows its live entries', () => {
  it('is compacted during use and keeps the latest entries', async () => {
    const { log, churn } = await openRows();
    await churn();
    const all_bytes = ROUNDS * KEYS * TEXT.length;
    const { size } = statSync(join(folder, NAME));
    expect(size).toBeLessThan(all_bytes / 2);
    expect(size).toBeLessThan(
      3 * KEYS * TEXT.length + limits.log_compaction_bytes + KEYS * 2 * TEXT.length,
    );
    await log.close();
    const again = await openRows();
    expect(again.acknowledged).toEqual(
      new Map(Array.from({ length: KEYS }, (_, k) => [k, ROUNDS])),
    );
    await again.log.close();
    expect(readdirSync(folder)).toEqual([NAME]);
  });

  it('loses no acknowledged entry when the process ends at any disk call', async () => {
    const { log, acknowledged, churn } = await openRows();
    const steps: string[] = [];
    const compaction_steps = new Set<string>();
    const lost: string[] = [];
    const end = observeDisk((step, name) => {
      // A process that ends here leaves the file in its present state.
      const copy = join(folder, 'copy');
      copyFileSync(join(folder, NAME), copy);
      const there = versionsIn(copy);
      steps.push(step);
      if (name !== NAME || step === 'rename') compaction_steps.add(step);
      for (const [key, version] of acknowledged) {
        if (!((there.get(key) ?? 0) >= version)) lost.push(`${key} at ${step} ${name}`);
      }
      rmSync(copy);
    });
    await churn();
    end();
    await log.close();
    expect(lost).toEqual([]);
    expect([...compaction_steps].sort()).toEqual([
      'open',
      'rename',
      'sync',
      'sync folder',
      'write',
    ]);
    expect(steps.length).toBeGreaterThan(2 * ROUNDS);
  });

  it.each(['open', 'write', 'sync', 'rename', 'sync folder'])(
    'continues when the disk fails at %s during a compaction',
    async (step) => {
      const { log, churn, put } = await openRows();
      let failures = 0;
      const end = observeDisk((at, name) => {
        const isCompaction = name === `${NAME}.new` || at === 'rename' || at === 'sync folder';
        if (at !== step || !isCompaction) return;
        failures += 1;
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
      await churn();
      end();
      expect(failures).toBeGreaterThan(0);
      await put({ key: 0, version: ROUNDS + 1, text: TEXT });
      await log.close();
      const kept = versionsIn(join(folder, NAME));
      expect(kept.get(0)).toBe(ROUNDS + 1);
      expect(kept.get(KEYS - 1)).toBe(ROUNDS);
      expect(readdirSync(folder)).toEqual([NAME]);
    },
  );

  it('keeps entries after a partly written line', async () => {
    let isFull = false;
    const end = observeDisk((step, name) => {
      if (!isFull || step !== 'write' || name !== NAME) return;
      appendFileSync(join(folder, NAME), '{"key":7,"vers');
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    });
    const { log, put } = await openRows();
    await put({ key: 0, version: 1, text: '' });
    isFull = true;
    await expect(put({ key: 1, version: 1, text: '' })).rejects.toThrow('ENOSPC');
    isFull = false;
    await put({ key: 2, version: 1, text: '' });
    end();
    await log.close();
    const again = await openRows();
    expect([...again.acknowledged.keys()]).toEqual([0, 2]);
    await again.log.close();
  });

  it('keeps entries that are appended during a compaction', async () => {
    const { log, churn, put, acknowledged } = await openRows();
    const late: Promise<void>[] = [];
    const end = observeDisk((step, name) => {
      if (step !== 'write' || name === NAME || late.length >= KEYS) return;
      late.push(put({ key: 100 + late.length, version: 1, text: TEXT }));
    });
    await churn();
    await Promise.all(late);
    end();
    await log.close();
    expect(late.length).toBeGreaterThan(0);
    expect(versionsIn(join(folder, NAME))).toEqual(acknowledged);
  });
});

describe('an append right after another', () => {
  it('is written, also when it follows the resolution of the one before', async () => {
    const { log } = await AppendLog.open<{ n: number }>(folder, NAME, (entries) => entries);
    for (let n = 0; n < 20; n++) await log.append({ n });
    const last = log.append({ n: 20 });
    await log.close();
    await last;
    const lines = readFileSync(join(folder, NAME), 'utf8').split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(
      Array.from({ length: 21 }, (_, n) => n),
    );
  });

  it('is on disk before the log is closed, from a callback of the one before', async () => {
    const { log } = await AppendLog.open<{ n: number }>(folder, NAME, (entries) => entries);
    const second = log.append({ n: 1 }).then(() => log.append({ n: 2 }));
    await second;
    await log.close();
    expect(readFileSync(join(folder, NAME), 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  });
});
