/** Histories with failing writes, power losses and other writers, from seeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StorageError, systemDisk } from './disk.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { Store } from './store.ts';
import { runHistory, seeded } from './store-history.cases.ts';

const SEEDS = 60;

it('keeps what is acknowledged, and nothing that is refused', async () => {
  const violations: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) violations.push(...(await runHistory(seed)));
  expect(violations.slice(0, 5)).toEqual([]);
});

// In these two, a writer that has lost the lock and its successor create a segment at once.
it.each([6437, 6678])('creates each segment for one writer alone (seed %i)', async (seed) => {
  expect(await runHistory(seed)).toEqual([]);
});

// In these, a writer that has lost the lock removes what its successor has read.
it.each([13167, 13772, 13786])('keeps what a successor has read (seed %i)', async (seed) => {
  expect(await runHistory(seed)).toEqual([]);
});

it('settles although a change that waits fails', async () => {
  const store = await Store.open(null);
  store.beforeCommit = () => {
    throw new StorageError('full');
  };
  const change = store.change((draft) => draft.nextNumber('n'));
  await store.settled();
  await expect(change).rejects.toThrow('full');
});

it('is simulated on a disk that creates a file for one of several', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-create-'));
  for (const disk of [systemDisk, new SimulatedDisk(seeded(1))]) {
    const path = join(folder, 'segment');
    const made = await Promise.all(Array.from({ length: 8 }, () => disk.create(path)));
    for (const file of made) await file?.close();
    expect(made.filter((file) => file !== null)).toHaveLength(1);
  }
  rmSync(folder, { recursive: true });
});
