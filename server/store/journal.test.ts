/** The journal: what a write that fails leaves behind, and which calls it makes of the disk. */
import { beforeEach, describe, expect, it } from 'vitest';
import { latestHead } from './head-file.ts';
import { StoreJournal } from './journal.ts';
import { segmentPath } from './segment.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';

const folder = '/data/journal';
let disk: SimulatedDisk;
/** The next answers to a writer that asks whether it holds the lock; later ones are yes. */
let answers: boolean[];
beforeEach(() => {
  // When the power fails, this disk loses all that is not synced.
  disk = new SimulatedDisk(() => 0);
  answers = [];
});

const options = (segment_bytes = 1e6, epoch = 1) => {
  const lock = { epoch, isHeld: async () => answers.shift() ?? true };
  return { disk, folder, lock, acceptsLoss: false, segment_bytes, compaction_bytes: 1e9 };
};
const open = (segment_bytes?: number, epoch?: number) => Store.open(options(segment_bytes, epoch));
const put = (store: Store, key: number, row: unknown = key) =>
  store.change((draft) => draft.put(store.table('rows'), key, { row }));
const keys = (store: Store) => [...store.table('rows').rows()].map(([key]) => key);
const path = (number: number) => segmentPath(folder, number);
const headPath = `${folder}/head-1`;
/** The texts of all files. */
const content = () =>
  Promise.all(disk.paths.map(async (one) => [one, String(await disk.read(one))] as const));
/** What the head file states, by default as the disk is now. */
const headOf = async (on = disk) => {
  const head = (await latestHead({ disk: on, folder }, []))!;
  return { n: head.n, starts: [...head.starts.keys()] };
};

describe('a change that fails', () => {
  const refused = { isUncertain: false };

  it('names the segment that could not be written, also the first', async () => {
    const store = await open();
    disk.fails = { step: 'sync', count: 1 };
    const message = expect.stringContaining(path(1));
    await expect(put(store, 1)).rejects.toMatchObject({ ...refused, message });
  });

  it('is removed, and no segment is begun for it', async () => {
    const store = await open();
    await put(store, 1);
    const before = await content();
    disk.fails = { step: 'sync', count: 1 };
    await expect(put(store, 2)).rejects.toMatchObject(refused);
    expect(await content()).toEqual(before);
    await put(store, 3);
    expect(keys(await open())).toEqual([1, 3]);
  });

  it('and cannot be removed is excluded by a new segment, which is durable', async () => {
    const store = await open();
    await put(store, 1);
    disk.fails = { step: 'sync', count: 1, alsoTruncate: true };
    await expect(put(store, 2)).rejects.toMatchObject(refused);
    expect(disk.paths).toEqual([path(1), path(2), headPath]);
    disk = disk.afterPowerLoss();
    expect(await headOf()).toEqual({ n: 1, starts: [1, 2] });
    expect(keys(await open())).toEqual([1]);
  });

  it('and can neither be removed nor excluded may be found after a restart', async () => {
    const store = await open();
    await put(store, 1);
    disk.fails = { step: 'sync', count: 9, alsoTruncate: true };
    await expect(put(store, 2)).rejects.toMatchObject({ isUncertain: true });
    expect(disk.paths).toEqual([path(1), headPath]);
  });

  it('with the first write of a segment leaves no segment, also for the head file', async () => {
    const store = await open();
    disk.fails = { step: 'sync', count: 1 };
    await expect(put(store, 1)).rejects.toMatchObject(refused);
    expect(disk.paths).toEqual([]);
    await put(store, 2);
    expect(disk.paths).toEqual([path(2), headPath]);
    expect((await headOf()).starts).toEqual([2]);
  });

  it('because no segment can be created changes no file', async () => {
    const store = await open();
    const removed: string[] = [];
    disk.remove = async (one) => void removed.push(one);
    disk.fails = { step: 'create', count: 1 };
    await expect(put(store, 1)).rejects.toMatchObject(refused);
    expect([disk.paths, removed]).toEqual([[], []]);
  });

  it('before it is written needs no new segment', async () => {
    const store = await open();
    await put(store, 1);
    const before = await content();
    // Nothing is there that would have to be removed.
    disk.fails = { step: 'write', count: 0, alsoTruncate: true };
    const change = put(store, 2, 2n);
    await expect(change).rejects.toThrow(`${path(1)} could not be saved: TypeError`);
    await expect(change).rejects.toMatchObject(refused);
    expect(await content()).toEqual(before);
  });

  it('because the lock was lost before it is certain', async () => {
    const store = await open();
    await put(store, 1);
    answers = [false, false];
    const change = put(store, 2);
    await expect(change).rejects.toThrow(`another armtwin has taken over ${folder}`);
    await expect(change).rejects.toMatchObject(refused);
  });

  it('because the lock was lost meanwhile stays, as the next writer may have read it', async () => {
    const store = await open();
    answers = [true, false, false];
    await expect(put(store, 1)).rejects.toMatchObject({ isUncertain: true });
    expect(disk.paths).toEqual([path(1)]);
    expect(keys(await open(1e6, 2))).toEqual([1]);
  });

  it('stays as well where the lock cannot be looked at', async () => {
    const looks = [async () => true];
    const lost = () => Promise.reject(new Error('EIO'));
    const lock = { epoch: 1, isHeld: () => (looks.shift() ?? lost)() };
    const store = await Store.open({ ...options(), lock });
    await expect(put(store, 1)).rejects.toMatchObject({ isUncertain: true });
    expect(disk.paths).toEqual([path(1)]);
  });

  it('while it is written again for another writer keeps the journal closed', async () => {
    await put(await open(), 1);
    await disk.remove(headPath);
    disk.fails = { step: 'sync', count: 1 };
    const opening = open(1e6, 2);
    await expect(opening).rejects.toThrow('could not be saved: ENOSPC');
    await expect(opening).rejects.toBeInstanceOf(StorageError);
    expect(disk.paths).toEqual([path(1)]);
    expect(keys(await open(1e6, 3))).toEqual([1]);
  });
});

describe('a journal', () => {
  it('closes a segment that has its size exactly', async () => {
    await put(await open(), 1);
    const size_bytes = (await disk.read(path(1)))!.length;
    for (const [more, expected] of [
      [0, [path(1), path(2), headPath]],
      [1, [path(1), headPath]],
    ] as const) {
      disk = new SimulatedDisk(() => 0);
      const store = await open(size_bytes + more);
      for (const key of [1, 2]) await put(store, key);
      expect(disk.paths).toEqual(expected);
    }
  });

  it('syncs its folder for the first write of a segment only', async () => {
    let syncs = 0;
    disk.syncFolder = async () => {
      syncs += 1;
    };
    const store = await open();
    for (const key of [1, 2, 3]) await put(store, key);
    expect(syncs).toBe(1);
  });

  it('without segments has none to remove', async () => {
    const { journal } = await StoreJournal.open(options(), () => {});
    expect(journal.oldest).toBeNull();
    await journal.removeOldest();
    expect(disk.paths).toEqual([]);
  });

  it('counts a segment that it left while it had no lock, and removes it in its turn', async () => {
    const { journal } = await StoreJournal.open(options(1), () => {});
    const commit = () =>
      journal.commit([[{ kind: 'put', table: 'rows', key: 1, row: 1, body: null }]]);
    await commit();
    answers = [true, false, false];
    await expect(commit()).rejects.toMatchObject({ isUncertain: true });
    await commit();
    expect([disk.paths, journal.segment_count]).toEqual([[path(1), path(2), path(3), headPath], 3]);
    for (let count = 0; count < 2; count++) await journal.removeOldest();
    expect(disk.paths).toEqual([path(3), headPath]);
  });

  it('closes its files, and makes its head file durable', async () => {
    let opened = 0;
    const { open: openFile, create } = SimulatedDisk.prototype;
    const counted = <File extends object>(file: File): File => {
      opened += 1;
      const close = async () => {
        opened -= 1;
      };
      return Object.assign(file, { close });
    };
    disk.open = async (one) => counted(await openFile.call(disk, one));
    disk.create = async (one) => counted((await create.call(disk, one))!);
    const store = await open();
    for (const key of [1, 2]) await put(store, key);
    // The name of the head file is durable once its folder is synced again.
    await disk.syncFolder(folder);
    expect([opened, await headOf(disk.afterPowerLoss())]).toEqual([2, { n: 1, starts: [1] }]);
    await store.close();
    expect([opened, await headOf(disk.afterPowerLoss())]).toEqual([0, { n: 2, starts: [1] }]);
  });
});
