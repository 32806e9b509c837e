/** Compaction on a simulated disk: when it begins and ends, what it keeps, and what it reports. */
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Compaction } from './compaction.ts';
import type { Draft } from './draft.ts';
import { FIRST_SEGMENT } from './first-segment.ts';
import { latestHead } from './head-file.ts';
import type { StoreJournal } from './journal.ts';
import { linesOf } from './journal-line.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import type { Store } from './store.ts';
import { openSimulated, seeded } from './store-history.cases.ts';

const NEVER = 1e9;
const SEGMENT_BYTES = 600;

let disk: SimulatedDisk;
let epochs: NonNullable<Parameters<typeof openSimulated>[1]>;
let problems: string[];
beforeEach(() => {
  disk = new SimulatedDisk(seeded(1));
  epochs = { current: 0, delay_turns: 0 };
  problems = [];
});

async function open(compaction_bytes: number, segment_bytes = SEGMENT_BYTES): Promise<Store> {
  const store = await openSimulated(disk, epochs, { segment_bytes, compaction_bytes });
  store.onProblem = (problem) => problems.push(problem);
  return store;
}

type Rows = ReturnType<Store['table']>;
const put = (store: Store, key: number | string, row: unknown) =>
  store.change((draft) => draft.put(store.table('rows'), key, { row }));
/** Writes a body and its length. */
const putBody = (store: Store, key: number | string, body: string) =>
  store.change((draft) => draft.put(store.table('rows'), key, { row: body.length, body }));
const rows = (store: Store) => Object.fromEntries(store.table('rows').rows());
const body = (store: Store, key: number | string) => store.readBody(store.table('rows'), key);
/** Numbers of the segments on the disk. */
const segments = () =>
  disk.paths.flatMap((path) => /(\d{8})\.log$/.exec(path)?.[1] ?? []).map(Number);

/** Waits until the compaction that the last change began has ended. */
async function settled(store: Store): Promise<void> {
  await new Promise(setImmediate);
  await store.settle();
}

/** Replaces a row until there are this many segments. */
async function fill(store: Store, count: number): Promise<void> {
  for (let n = 0; segments().length < count; n++) await put(store, 'hot', n);
}

describe('a compaction', () => {
  it('does not begin while most of the journal is needed', async () => {
    const store = await open(0);
    for (let key = 0; key < 20; key++) await put(store, key, { text: 'x'.repeat(40) });
    await settled(store);
    expect(segments()[0]).toBe(1);
    for (let n = 0; n < 70; n++) await put(store, 'hot', n);
    await settled(store);
    expect(segments()[0]).toBeGreaterThan(1);
    expect(Object.keys(rows(store))).toHaveLength(21);
  });

  it('begins when the journal is longer than its rows twice and the allowance', async () => {
    /** Replaces a row on a new disk; returns the first segment that is left. */
    const firstAfter = async (allowance_bytes: number) => {
      disk = new SimulatedDisk(seeded(1));
      const store = await open(allowance_bytes);
      await fill(store, 3);
      await settled(store);
      return segments()[0];
    };
    expect(await firstAfter(NEVER)).toBe(1);
    const logs = disk.paths.filter((path) => path.endsWith('.log'));
    const bytes = Buffer.concat(
      await Promise.all(logs.map(async (path) => (await disk.read(path))!)),
    );
    // The last line holds the only row.
    const allowance_bytes = bytes.length - 2 * linesOf(bytes).at(-1)!.length_bytes;
    expect(await firstAfter(allowance_bytes)).toBe(1);
    expect(await firstAfter(allowance_bytes - 1)).toBeGreaterThan(1);
  });

  it.each([
    [
      'removed',
      (draft: Draft, table: Rows) => [...table.rows()].map(([key]) => draft.remove(table, key)),
    ],
    ['cleared', (draft: Draft, table: Rows) => draft.clear(table)],
  ])('begins when most rows are %s', async (_how, edit) => {
    const store = await open(0);
    for (let key = 0; key < 20; key++) await put(store, key, { text: 'x'.repeat(40) });
    await settled(store);
    expect(segments()[0]).toBe(1);
    await store.change((draft) => edit(draft, store.table('rows')));
    await settled(store);
    expect(segments()[0]).toBeGreaterThan(1);
  });

  it('states durably, in two places, which segment is the first', async () => {
    // When the power fails, this disk loses all that is not synced.
    disk = new SimulatedDisk(() => 0);
    const filled = await open(NEVER);
    await put(filled, 'kept', 1);
    await fill(filled, 6);
    await filled.close();
    const store = await open(0);
    await put(store, 'hot', 'last');
    await settled(store);
    const numbers = segments();
    expect(numbers[0]).toBeGreaterThan(1);
    expect(store.counters.get(FIRST_SEGMENT)).toBe(numbers[0]);
    disk = disk.afterPowerLoss();
    const head = (await latestHead({ disk, folder: dirname(disk.paths[0]!) }, []))!;
    expect([head.first, [...head.starts.keys()]]).toEqual([numbers[0], numbers]);
    for (const path of disk.paths) if (path.includes('head-')) await disk.remove(path);
    const again = await open(NEVER);
    expect([again.report.damages, rows(again)]).toEqual([[], { kept: 1, hot: 'last' }]);
  });

  it('leaves the segment that is being written, whatever is in it', async () => {
    const store = await open(0, NEVER);
    for (let n = 0; n < 40; n++) await put(store, 'hot', n);
    await settled(store);
    expect([segments(), problems]).toEqual([[1], []]);
    expect(store.counters.get(FIRST_SEGMENT)).toBeUndefined();
  });

  it('removes the oldest of more than 64 short segments', async () => {
    const short = await open(NEVER, 1);
    for (let key = 1; key <= 64; key++) await put(short, key, key);
    await settled(short);
    expect([segments().length, segments()[0]]).toEqual([64, 1]);
    await short.close();
    const long = await open(NEVER);
    await put(long, 65, 65);
    await settled(long);
    await long.close();
    expect([segments().length, segments()[0]]).toEqual([64, 2]);
    const store = await open(NEVER);
    expect(Object.keys(rows(store))).toHaveLength(65);
    expect(store.report.damages).toEqual([]);
  });

  it('ends before settle returns, and none begins once the store is being closed', async () => {
    const filled = await open(NEVER);
    await fill(filled, 6);
    await filled.close();
    const store = await open(0);
    disk.latency = () => new Promise(setImmediate);
    await put(store, 'hot', 'last');
    await new Promise(setImmediate);
    await store.close();
    expect(segments().slice(0, 2)).toEqual([2, 3]);
    const again = await open(0);
    await put(again, 'hot', 'very last');
    await settled(again);
    expect(segments().length).toBeLessThan(3);
    expect([rows(again), problems]).toEqual([{ hot: 'very last' }, []]);
  });
});

describe('the rows of a compacted segment', () => {
  /** Writes the first segment, replaces a row in many others, and compacts. */
  async function compacted(first: (store: Store) => Promise<unknown>): Promise<Store> {
    const filled = await open(NEVER);
    await first(filled);
    await fill(filled, 6);
    await filled.close();
    const store = await open(0);
    await put(store, 'hot', 'last');
    await settled(store);
    expect([problems, segments()[0]! > 1]).toEqual([[], true]);
    return store;
  }

  it('keep their last body, however often a transaction writes them', async () => {
    const change = (store: Store, edit: (draft: Draft, table: Rows) => void) =>
      store.change((draft) => edit(draft, store.table('rows')));
    const store = await compacted(async (made) => {
      await putBody(made, 'removed', '"removed"');
      await change(made, (draft, table) => {
        draft.put(table, 'twice', { row: 1, body: '"first"' });
        draft.put(table, 'bare', { row: 1, body: '"first"' });
        draft.put(table, 'again', { row: 0, body: '"former"' });
        draft.remove(table, 'again');
        draft.put(table, 'again', { row: 1, body: '"again"' });
        draft.put(table, 'twice', { row: 2, body: '"second"' });
        draft.put(table, 'bare', { row: 2 });
      });
      await change(made, (draft, table) => draft.remove(table, 'removed'));
    });
    expect(rows(store)).toEqual({ again: 1, twice: 2, bare: 2, hot: 'last' });
    const bodies = ['again', 'twice', 'bare'].map((key) => body(store, key));
    expect(await Promise.all(bodies)).toEqual(['"again"', '"second"', null]);
  });

  it('are not those of a write that failed and could not be removed', async () => {
    const store = await compacted(async (made) => {
      await putBody(made, 'kept', '"kept"');
      disk.fails = { step: 'sync', count: 1, alsoTruncate: true };
      await expect(putBody(made, 'row', '"refused"')).rejects.toThrow('could not be saved');
      disk.fails = null;
      await putBody(made, 'row', '"then"');
    });
    expect(await Promise.all([body(store, 'kept'), body(store, 'row')])).toEqual([
      '"kept"',
      '"then"',
    ]);
    expect(rows(store)['row']).toBe('"then"'.length);
  });

  it('are not those of a failed write at the same place of another segment', async () => {
    let [distance_bytes, pad_bytes] = [0, 300];
    const write = async (made: Store) => {
      await putBody(made, 'kept', JSON.stringify('x'.repeat(400)));
      disk.fails = { step: 'sync', count: 1, alsoTruncate: true };
      await expect(putBody(made, 'row', '"refused"')).rejects.toThrow('could not be saved');
      disk.fails = null;
      const table = made.table('rows');
      await made.change((draft) => {
        draft.put(table, 'pad', { row: 'x'.repeat(pad_bytes) });
        draft.put(table, 'row', { row: 9, body: '"granted"' });
      });
      const failed = (await disk.read(disk.paths[0]!))!.indexOf('"refused"');
      distance_bytes = failed - table.entries.get('row')!.offset;
    };
    await write(await open(NEVER));
    pad_bytes += distance_bytes;
    disk = new SimulatedDisk(seeded(1));
    const store = await compacted(write);
    expect(distance_bytes).toBe(0);
    expect(await body(store, 'row')).toBe('"granted"');
  });

  it('move in transactions of limited size', async () => {
    const text = JSON.stringify('x'.repeat(40_000));
    const filled = await open(NEVER, 300_000);
    for (let key = 0; key < 8; key++) await putBody(filled, key, text);
    for (let n = 0; n < 10; n++) await putBody(filled, 'hot', text);
    await filled.close();
    const store = await open(0, NEVER);
    await put(store, 'hot', 'last');
    await settled(store);
    const parts = await Promise.all(disk.paths.map((path) => disk.read(path)));
    const lines = parts.flatMap((bytes) => linesOf(bytes!));
    const sizes = lines.map(({ length_bytes }) => length_bytes);
    expect(Math.max(...sizes)).toBeGreaterThan(256 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(300_000);
    for (let key = 0; key < 8; key++) expect(await body(store, key)).toBe(text);
  });

  it('that cannot be read stay where they are, and that is reported once', async () => {
    const filled = await open(NEVER);
    await putBody(filled, 'kept', '"kept"');
    await fill(filled, 6);
    await filled.close();
    const store = await open(0);
    const path = disk.paths[0]!;
    disk.damage(path, (bytes) => Buffer.from(String(bytes).replace('"kept"', '"kepT"')));
    for (let n = 0; n < 5; n++) {
      await put(store, 'hot', n);
      await settled(store);
    }
    const reason = `StorageError: ${path} still holds rows`;
    expect(problems).toEqual([`Could not compact the journal: ${reason}`]);
    expect(segments()[0]).toBe(1);
    expect(rows(store)).toEqual({ kept: 6, hot: 4 });
  });
});

describe('a failed first write of a segment', () => {
  it('leaves one segment, which is not compacted', async () => {
    const filled = await open(NEVER);
    await put(filled, 1, 1);
    await filled.change((draft) => draft.remove(filled.table('rows'), 1));
    await filled.close();
    const store = await open(0);
    disk.fails = { step: 'sync', count: 1 };
    await expect(put(store, 2, 2)).rejects.toThrow('ENOSPC');
    await settled(store);
    expect([segments()[0], store.counters.get(FIRST_SEGMENT)]).toEqual([1, undefined]);
    await put(store, 2, 2);
    await settled(store);
    await store.close();
    // The journal alone says which segments may be absent.
    for (const path of disk.paths) if (path.includes('head-')) await disk.remove(path);
    expect(rows(await open(NEVER))).toEqual({ 2: 2 });
    expect(problems).toEqual([]);
  });

  it('ends a compaction that has found no segment after it', async () => {
    const store = await open(NEVER);
    await fill(store, 3);
    const before = [segments(), store.counters.get(FIRST_SEGMENT)];
    const journal: Partial<StoreJournal> = {
      ...{ oldest: 1, secondOldest: null, segment_count: 100 },
      readSegment: async () => ({ lines: [], bytes: Buffer.alloc(0) }),
      removeOldest: async () => void problems.push('removed'),
    };
    const compaction = new Compaction(store, journal as StoreJournal, 0);
    for (const table of store.tables.values()) table.holdsSegment = () => false;
    compaction.consider(0);
    compaction.stop();
    await compaction.finish();
    expect([segments(), store.counters.get(FIRST_SEGMENT)]).toEqual(before);
    expect(problems).toEqual([]);
  });
});
