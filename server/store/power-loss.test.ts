/** Histories with failing writes, power losses and other writers, from seeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { openSimulated, runHistory, seeded } from './store-history.cases.ts';
import { systemDisk } from './system-disk.ts';

const SEEDS = 60;

/** The path of a segment by its short name, or of a head file. */
function pathOf(name: string): string {
  return `/data/journal/${name.replace(/^\d+/, (number) => number.padStart(8, '0'))}`;
}

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

it('does not need a segment that the writer before may still remove', async () => {
  const epochs = { current: 0, delay_turns: 0 };
  const sizes = { segment_bytes: 1, compaction_bytes: 1_000_000 };
  const put = (store: Store, key: number) =>
    store.change((draft) => draft.put(store.table<number>('rows'), key, { row: key }));
  const before = new SimulatedDisk(seeded(1));
  const first = await openSimulated(before, epochs, sizes);
  await put(first, 1);
  // The second change stands in a segment of its own, and its sync never ends.
  before.calls_left = 4;
  void put(first, 2);
  while (before.calls_left > 0) await new Promise(setImmediate);
  const disk = before.copy();
  const second = await openSimulated(disk, epochs, sizes);
  expect(second.table<number>('rows').entries.size).toBe(2);
  await put(second, 3);
  expect(disk.paths).toEqual(['1.log', '2.log', '3.log', '4.log', 'head-1', 'head-2'].map(pathOf));
  // The first writer gives its change up, and the power fails before any head file is durable.
  for (const name of ['2.log', 'head-1', 'head-2']) await disk.remove(pathOf(name));
  const third = await openSimulated(disk, epochs, sizes);
  expect([...third.table<number>('rows').rows()].map(([key]) => key)).toEqual([1, 2, 3]);
});

it('is not certain of a failure when it lost the lock while it gave the change up', async () => {
  const answers: boolean[] = [];
  const lock = { epoch: 1, isHeld: () => Promise.resolve(answers.shift() ?? true) };
  const disk = new SimulatedDisk(seeded(1));
  const folder = '/data/journal';
  const store = await Store.open({ disk, folder, lock, acceptsLoss: false, segment_bytes: 600 });
  const rows = store.table<number>('rows');
  await store.change((draft) => draft.put(rows, 1, { row: 1 }));
  disk.fails = { step: 'sync', count: 1 };
  // Before the write, before the removal, and after it: its successor may have read the change.
  answers.push(true, true, false);
  const change = store.change((draft) => draft.put(rows, 1, { row: 2 }));
  await expect(change).rejects.toMatchObject({ isUncertain: true });
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
