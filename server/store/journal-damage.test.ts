/** What a journal reports when it is opened: missing segments, writes that may be taken back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, type RowOperation } from './documents.ts';
import { FIRST_SEGMENT } from './journal-load.ts';
import { checkSegment, JOURNAL_FORMAT, linesOf, segmentPath } from './journal-scan.ts';
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
    ['with the head file', true],
    ['without it', false],
  ])('at the beginning is refused, %s, unless the loss is accepted', async (_how, hasHead) => {
    for (const number of [1, 2]) await disk.remove(path(number));
    if (!hasHead) await removeHeads();
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
    await put(store, 5);
    await store.close();
    expect((await open()).report.damages).toEqual([]);
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

describe('the last changes of a journal', () => {
  it('may be taken back by the writer before, until a line or a head file names them', async () => {
    const store = await open();
    await put(store, 1);
    const released = disk.copy();
    await put(store, 2);
    const whole = disk.copy();
    await removeHeads();
    // The second change stands in the last segment; nothing else says that it is durable.
    expect(keys(await reading(true))).toEqual([1]);
    expect(keys(await reading(false))).toEqual([1, 2]);
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

describe('a segment', () => {
  const operation: RowOperation = { kind: 'put', table: 'rows', key: 1, row: 1, body: null };
  const line = (n: number, d = n - 1) => encodeLine({ n, d, i: 0 }, [operation]).bytes;
  const opening = (format = JOURNAL_FORMAT) => {
    const segment = { format, number: 1, epoch: 1, after: 0, previous: 0 };
    return encodeLine({ n: 0, d: 0, i: 0, segment }, []).bytes;
  };
  const check = (...parts: readonly Buffer[]) =>
    checkSegment(
      { path: 'f', number: 1, bytes: Buffer.concat(parts) },
      { before: { n: 0, i: 0 }, end: null, head: null },
    );
  const found = ({ lines, damages, unfinished_bytes }: ReturnType<typeof check>) => [
    lines.map(({ head }) => head.n),
    damages.map(({ text }) => text),
    unfinished_bytes,
  ];

  it('of a later version is refused', async () => {
    expect(() => check(opening(JOURNAL_FORMAT + 1))).toThrow(
      'f has format 3; this version reads up to 2. Use a newer armtwin.',
    );
    expect(found(check(opening(1), line(1)))).toEqual([[1], [], 0]);
  });

  it('names what is damaged, and ignores what was not finished', () => {
    const torn = line(4).subarray(0, 12);
    expect(found(check(opening(), line(1), line(2), torn))).toEqual([[1, 2], [], 12]);
    expect(found(check(opening(), line(1), line(4)))).toEqual([
      ...[[1, 4], ['f is damaged (transactions are missing): changes 2 to 3 are lost'], 0],
    ]);
    // Three was not durable when five was written: five belongs to a write that is unfinished.
    expect(found(check(opening(), line(1), line(2, 1), line(5, 2)))).toEqual([
      ...[[1, 2], [], line(5, 2).length],
    ]);
    const bytes = 'f is damaged (bytes between its lines): nothing is lost';
    expect(found(check(opening(), line(1), Buffer.from('x\n'), line(2)))).toEqual([
      [1, 2],
      [bytes],
      0,
    ]);
    const order = 'f is damaged (lines are repeated or out of order): nothing is lost';
    expect(found(check(opening(), line(2), line(1), line(1), line(3)))).toEqual([
      [1, 2, 3],
      [order],
      0,
    ]);
    const first = 'f is damaged (its first line): nothing is lost';
    expect(found(check(line(1), line(2)))).toEqual([[1], [first], line(2).length]);
  });

  it('is read line by line', () => {
    expect(linesOf(Buffer.from('a\n\n')).length).toBe(0);
    expect(linesOf(Buffer.concat([line(1), line(2), Buffer.from('x')])).length).toBe(2);
  });
});
