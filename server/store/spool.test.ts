/** Spools: lines are readable after appends, restarts and compactions. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { observeDisk } from './disk-steps.cases.ts';
import { Spool, type SpoolEntry } from './spool.ts';

const NAME = 'lines.jsonl';
const LONG = 'é'.repeat(16 * 1024);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(place = folder) {
  const found: { line: string; at: SpoolEntry }[] = [];
  const spool = await Spool.open(place, NAME, (line, at) => found.push({ line, at }));
  return { spool, found };
}

const line = (number: number) => `${number} ${LONG}`;

/** Appends lines and waits until all are on disk. */
async function filled(spool: Spool, count: number): Promise<SpoolEntry[]> {
  const added = Array.from({ length: count }, (_, number) => spool.append(line(number)));
  await Promise.all(added.map(({ kept }) => kept));
  return added.map(({ at }) => at);
}

describe.each(['on disk', 'in memory'])('lines %s', (where) => {
  it('are readable after other lines were appended and removed', async () => {
    const { spool } = await opened(where === 'on disk' ? folder : ':memory:');
    const places = await filled(spool, 5);
    await spool.remove(places[1]!, 'gone');
    await filled(spool, 3);
    expect(await spool.read(places[3]!)).toBe(line(3));
    expect(await spool.read(places[0]!)).toBe(line(0));
    await spool.close();
  });
});

describe('a spool on disk', () => {
  it('creates no file before the first line', async () => {
    const { spool } = await opened();
    expect(readdirSync(folder)).toEqual([]);
    await filled(spool, 1);
    expect(readdirSync(folder)).toEqual([NAME]);
    await spool.close();
  });

  it('loads all lines at the next start and overwrites a torn line', async () => {
    const { spool } = await opened();
    const places = await filled(spool, 3);
    await spool.remove(places[0]!, 'gone');
    await spool.close();
    appendFileSync(join(folder, NAME), 'torn');
    const { spool: next, found } = await opened();
    expect(found.map((one) => one.line)).toEqual([line(0), line(1), line(2), 'gone']);
    const { at, kept } = next.append('after');
    await kept;
    expect([await next.read(at), await next.read(found[2]!.at)]).toEqual(['after', line(2)]);
    await next.close();
  });

  it('is compacted without removed lines, and all entries stay valid', async () => {
    const { spool } = await opened();
    const places = await filled(spool, 100);
    const kept = places.filter((_, number) => number % 10 === 0);
    for (const at of places) if (!kept.includes(at)) await spool.remove(at, 'gone');
    const { size } = statSync(join(folder, NAME));
    expect(size).toBeLessThan(100 * LONG.length);
    expect(size).toBeLessThan(2 * 10 * 2 * LONG.length + limits.log_compaction_bytes + 1000);
    const read = await Promise.all(kept.map((at) => spool.read(at)));
    expect(read).toEqual(kept.map((_, i) => line(10 * i)));
    await spool.close();
    const { found } = await opened();
    expect(found.filter((one) => one.line !== 'gone').length).toBeLessThan(40);
  });

  it('keeps lines that are appended after `clear` during a write', async () => {
    const { spool } = await opened();
    void spool.append('before');
    const cleared = spool.clear();
    const after = spool.append('after');
    await Promise.all([cleared, after.kept]);
    expect(await spool.read(after.at)).toBe('after');
    await spool.close();
    expect((await opened()).found.map((one) => one.line)).toEqual(['after']);
  });

  it('can read a line that was not written, and works again after the error', async () => {
    const { spool } = await opened();
    const end = observeDisk((step) => {
      if (step === 'sync') throw Object.assign(new Error('EIO'), { code: 'EIO' });
    });
    const lost = spool.append('lost');
    await expect(lost.kept).rejects.toThrow('EIO');
    end();
    const [at] = await filled(spool, 1);
    expect([await spool.read(lost.at), await spool.read(at!)]).toEqual(['lost', line(0)]);
    await spool.close();
    expect((await opened()).found.map((one) => one.line)).toEqual([line(0)]);
  });
});
