/** What a journal reports when it is opened: missing segments, writes that may be taken back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FIRST_SEGMENT } from './first-segment.ts';
import { HeadFile, latestHead } from './head-file.ts';
import { encodeLine, linesOf } from './journal-line.ts';
import { type LoadedJournal, loadJournal } from './journal-load.ts';
import { JOURNAL_FORMAT, segmentPath } from './segment.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { Store } from './store.ts';
import { openSimulated, seeded } from './store-history.cases.ts';

const folder = '/data/journal';
const sizes = { segment_bytes: 1, compaction_bytes: 1e9 };
let disk: SimulatedDisk;
let epochs: { current: number; delay_turns: number };
beforeEach(() => {
  disk = new SimulatedDisk(seeded(1));
  epochs = { current: 0, delay_turns: 0 };
});

const open = () => openSimulated(disk, epochs, sizes);
const put = (store: Store, key: number | string, row: unknown = key) =>
  store.change((draft) => draft.put(store.table('rows'), key, { row }));
const keys = (store: Store) => [...store.table('rows').rows()].map(([key]) => key);
const path = (number: number) => segmentPath(folder, number);
const removeHeads = async () => {
  for (const name of disk.paths) if (name.includes('head-')) await disk.remove(name);
};

/** Writes a head file that does not know where the segments start. */
const writeShortHead = async (n: number) => {
  await removeHeads();
  const state = { n, i: 0, first: 1, starts: new Map() };
  await new HeadFile(disk, `${folder}/head-1`).write(state, true);
};
/** Damages the first line of a segment. */
const damageOpening = (number: number) =>
  disk.damage(path(number), (bytes) => Buffer.from(bytes.fill(0, 12, 13)));
/** The texts of all files. */
const content = () =>
  Promise.all(disk.paths.map(async (one) => [one, String(await disk.read(one))] as const));

/** What a writer with the lock, or a reader, finds. */
const load = (epoch: number | null) => {
  const lock = epoch === null ? null : { epoch, isHeld: async () => true };
  const durableOnly = lock === null;
  const options = { disk, folder, lock, acceptsLoss: true, segment_bytes: 1, durableOnly };
  return loadJournal(options, () => {});
};
/** Numbers of the segments that have a size, and of those whose start is known. */
const segmentsOf = ({ sizes, starts }: LoadedJournal) => [[...sizes.keys()], [...starts.keys()]];

/** Opens for reading, as a backup beside a writer does. */
const reading = (durableOnly: boolean) => {
  const options = { disk, folder, lock: null, acceptsLoss: true, segment_bytes: 1, durableOnly };
  return Store.open(options);
};

describe('a journal whose segments are missing', () => {
  beforeEach(async () => {
    const store = await open();
    for (let key = 1; key <= 4; key++) await put(store, key);
    await store.close();
  });

  it.each([
    ['with the head file', async () => {}],
    ['without it', removeHeads],
    ['with one that does not know them', () => writeShortHead(4)],
  ])('at the beginning is refused, %s, unless the loss is accepted', async (_how, prepare) => {
    for (const number of [1, 2]) await disk.remove(path(number));
    await prepare();
    const text = `${path(1)} is missing. Restore a backup`;
    await expect(open()).rejects.toThrow(text);
    const store = await reading(false);
    const damage = { file: path(1), lost: [1, 2], inIndex: true };
    const lost = `${path(1)} is missing: its changes are lost`;
    expect(store.report.damages).toEqual([{ ...damage, text: lost }]);
    expect(keys(store)).toEqual([3, 4]);
  });

  it('altogether is refused, and empty where nothing was written', async () => {
    for (const number of [1, 2, 3, 4]) await disk.remove(path(number));
    await expect(open()).rejects.toThrow(`${path(1)} is missing.`);
    expect((await reading(false)).report.damages).toMatchObject([{ lost: [1, 2, 3, 4] }]);
    await removeHeads();
    const store = await open();
    expect([store.report.damages, keys(store)]).toEqual([[], []]);
  });

  it('in the middle opens without their changes, which are named', async () => {
    await disk.remove(path(2));
    const store = await open();
    expect(keys(store)).toEqual([1, 3, 4]);
    const [damage, ...more] = store.report.damages;
    expect(damage).toMatchObject({ file: path(2), lost: [2], inIndex: false });
    expect([damage!.text, more]).toEqual([
      `${path(2)} is damaged (transactions are missing): change 2 is lost`,
      [],
    ]);
    // There is no original of what was missing.
    expect(disk.paths.filter((one) => one.endsWith('.damaged'))).toEqual([]);
    await put(store, 5);
    await store.close();
    expect((await open()).report.damages).toEqual([]);
  });

  it('in the middle has a size again once a writer has repaired it', async () => {
    await disk.remove(path(2));
    expect(segmentsOf(await load(null))[0]).toEqual([1, 3, 4]);
    expect(segmentsOf(await load(2))[0]).toEqual([1, 2, 3, 4]);
  });

  it('only while a writer before removes it is read once more', async () => {
    let reads = 0;
    const { read } = SimulatedDisk.prototype;
    disk.read = async (one, range) => {
      if (one === path(2) && range === undefined) reads += 1;
      return one === path(2) && reads === 1 ? null : read.call(disk, one, range);
    };
    expect(await load(null)).toMatchObject({ damages: [], position: { n: 4 } });
    expect(reads).toBe(2);
  });

  it('loses nothing with one that held nothing', async () => {
    const store = await open();
    disk.fails = { step: 'sync', count: 1, alsoTruncate: true };
    await expect(put(store, 5)).rejects.toThrow('could not be saved');
    disk.fails = null;
    const paths = new Set(disk.paths);
    await put(store, 6);
    await store.close();
    // The segment that excludes the change that failed holds its first line alone.
    const empty = disk.paths.filter((one) => paths.has(one) && one.endsWith('.log')).at(-1)!;
    await disk.remove(empty);
    const again = await open();
    const text = `${empty} is missing: nothing is lost`;
    expect(again.report.damages).toEqual([{ file: empty, lost: [], inIndex: false, text }]);
    expect(keys(again)).toEqual([1, 2, 3, 4, 6]);
    await again.close();
    expect((await open()).report.damages).toEqual([]);
  });

  it('that a transaction has given up is whole', async () => {
    const store = await open();
    const [other, counters] = [store.table('other'), store.counters];
    await store.change((draft) => {
      // Neither another table nor another counter counts.
      draft.put(other, FIRST_SEGMENT, { row: 4 });
      draft.put(counters, 'other', { row: 4 });
      draft.put(counters, FIRST_SEGMENT, { row: 3 });
      for (const key of [1, 2]) draft.remove(store.table('rows'), key);
    });
    await store.close();
    await removeHeads();
    for (const number of [1, 2]) await disk.remove(path(number));
    const again = await open();
    expect([again.report.damages, keys(again)]).toEqual([[], [3, 4]]);
    await again.close();
    await disk.remove(path(3));
    await removeHeads();
    await expect(open()).rejects.toThrow(`${path(3)} is missing.`);
  });
});

describe('a journal that is damaged', () => {
  beforeEach(async () => {
    const store = await open();
    for (let key = 1; key <= 4; key++) await put(store, key);
    await store.close();
  });

  it.each([1, 2, 3])('in the first line of segment %i loses nothing, then or later', async (at) => {
    // As after a power loss, the head file does not know where that segment starts.
    await writeShortHead(4);
    damageOpening(at);
    const store = await open();
    const text = `${path(at)} is damaged (its first line): nothing is lost`;
    expect(store.report.damages).toEqual([{ file: path(at), lost: [], inIndex: false, text }]);
    expect(keys(store)).toEqual([1, 2, 3, 4]);
    // The next head file does without that start.
    await put(store, 5);
    await store.close();
    const head = await latestHead({ disk, folder }, []);
    const known = [1, 2, 3, 4, 5].filter((number) => number !== at);
    expect([head?.n, [...head!.starts.keys()]]).toEqual([5, known]);
    const again = await open();
    expect([again.report.damages, keys(again)]).toEqual([[], [1, 2, 3, 4, 5]]);
    await put(again, 6);
    await again.close();
    await removeHeads();
    expect(keys(await open())).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('in a first line after a power loss opens again and again', async () => {
    // When the power fails, this disk loses all that is not synced: here the last head file.
    disk = new SimulatedDisk(() => 0);
    epochs.current = 0;
    const long = { ...sizes, segment_bytes: 1e6 };
    const first = await openSimulated(disk, epochs, long);
    for (const key of [1, 2]) await put(first, key);
    await first.close();
    const second = await openSimulated(disk, epochs, long);
    for (const key of [3, 4, 5]) await put(second, key);
    disk = disk.afterPowerLoss();
    expect(disk.paths).toEqual([path(1), path(2), `${folder}/head-1`]);
    damageOpening(2);
    for (const key of [6, 7, 8]) {
      const store = await open();
      expect(keys(store).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
      await put(store, key);
      await store.close();
    }
    expect(keys(await open()).slice(-3)).toEqual([6, 7, 8]);
  });

  it('in the first line of one that replaces refused changes keeps the others', async () => {
    disk = new SimulatedDisk(seeded(1));
    const long = { ...sizes, segment_bytes: 1e6 };
    const store = await openSimulated(disk, epochs, long);
    await put(store, 1);
    disk.fails = { step: 'sync', count: 1, alsoTruncate: true };
    // They have the numbers of those that follow, and more.
    const refused = [11, 12, 13].map((key) => put(store, key));
    for (const change of refused) await expect(change).rejects.toThrow('could not be saved');
    disk.fails = null;
    for (const key of [2, 3]) await put(store, key);
    await store.close();
    await removeHeads();
    damageOpening(2);
    for (const key of [4, 5]) {
      const next = await open();
      await put(next, key);
      await next.close();
    }
    expect(keys(await open())).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
  });

  it('is refused for one segment, also when a later one cannot be read', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const segment = { format: JOURNAL_FORMAT + 1, number: 1, epoch: 1, after: 0, previous: 0 };
    const opening = encodeLine({ n: 0, d: 0, i: 0, segment }, []).bytes;
    disk.damage(path(1), () => opening);
    const { read } = SimulatedDisk.prototype;
    disk.read = async (one, range) => {
      if (one === path(2) && range === undefined) throw new Error('EIO');
      return read.call(disk, one, range);
    };
    await expect(open()).rejects.toThrow(`${path(1)} has format ${JOURNAL_FORMAT + 1}`);
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is not written by a reader', async () => {
    disk.damage(path(1), (bytes) => bytes.subarray(0, -2));
    damageOpening(2);
    const before = await content();
    const store = await reading(true);
    expect(store.report.damages).toMatchObject([{ file: path(1), lost: [1] }, { file: path(2) }]);
    expect(keys(store)).toEqual([2, 3, 4]);
    await store.close();
    expect(await content()).toEqual(before);
  });

  it('ends for a reader where the head file says, also when its last line is lost', async () => {
    disk.damage(path(4), (bytes) => bytes.subarray(0, -2));
    expect(await load(null)).toMatchObject({ damages: [{ lost: [4] }], position: { n: 4, i: 0 } });
  });
});

describe('segments that a transaction has given up', () => {
  beforeEach(async () => {
    const store = await open();
    for (let key = 1; key <= 4; key++) await put(store, key);
    await store.change((draft) => {
      for (const key of [1, 2]) draft.remove(store.table('rows'), key);
      draft.setLastNumber(FIRST_SEGMENT, 3);
    });
    await store.close();
    // A file of a former writer.
    await disk.open(`${folder}/head-0`);
  });

  it('are removed by the next writer, with former head files, and by no reader', async () => {
    const before = await content();
    expect(segmentsOf(await load(null))).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    expect(await content()).toEqual(before);
    expect(segmentsOf(await load(2))).toEqual([
      [3, 4, 5],
      [3, 4, 5],
    ]);
    expect(disk.paths).toEqual([...[3, 4, 5].map(path), `${folder}/head-1`]);
  });

  it('may be damaged: nothing is reported, refused or kept', async () => {
    for (const number of [1, 2]) disk.damage(path(number), (bytes) => bytes.subarray(0, -2));
    const store = await open();
    expect([store.report.damages, keys(store)]).toEqual([[], [3, 4]]);
    expect(disk.paths).toEqual([...[3, 4, 5].map(path), `${folder}/head-1`]);
  });
});

describe('the last changes of a journal', () => {
  it('may be taken back by the writer before, until a line or a head file names them', async () => {
    const store = await open();
    await put(store, 1);
    const released = disk.copy();
    await put(store, 2);
    const whole = disk.copy();
    await writeShortHead(1);
    // The second change stands in the last segment; nothing else says that it is durable.
    expect(keys(await reading(true))).toEqual([1]);
    expect(keys(await reading(false))).toEqual([1, 2]);
    // Without a head file nothing says that it is not: a folder that lost it keeps all.
    await removeHeads();
    expect(keys(await reading(true))).toEqual([1, 2]);
    disk = whole;
    expect(keys(await reading(true))).toEqual([1, 2]);
    disk = released;
    expect(keys(await reading(true))).toEqual([1]);
  });

  it('of another writer are kept, and written again', async () => {
    await put(await open(), 1);
    await removeHeads();
    const next = await open();
    expect(keys(next)).toEqual([1]);
    await disk.remove(path(1));
    await put(next, 2);
    await next.close();
    const store = await open();
    expect([keys(store), store.report.damages]).toEqual([[1, 2], []]);
  });

  it('are written again without those that are durable', async () => {
    const long = { ...sizes, segment_bytes: 1e6 };
    const store = await openSimulated(disk, epochs, long);
    for (const key of [1, 2, 3]) await put(store, key);
    await removeHeads();
    await openSimulated(disk, epochs, long);
    const numbers = linesOf((await disk.read(path(2)))!).map(({ head }) => head.n);
    // The first line states what was before it.
    expect(numbers).toEqual([2, 3]);
  });

  it('are read only without a lock', async () => {
    await put(await open(), 1);
    await expect(put(await reading(false), 2)).rejects.toThrow(
      `${folder} is open for reading only`,
    );
  });
});
