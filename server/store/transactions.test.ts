/** Transactions against a plain model, and a store that fails, is closed, or loses a body. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Disk, DiskFile } from './disk.ts';
import type { Draft } from './draft.ts';
import { lossError } from './folder-loss.ts';
import { openStore } from './open-store.ts';
import { SimulatedDisk } from './simulated-disk.cases.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';
import { openSimulated, seeded } from './store-history.cases.ts';
import { systemDisk } from './system-disk.ts';
import type { Table } from './table.ts';

type Operation =
  | { readonly kind: 'put'; readonly key: number; readonly value: number }
  | { readonly kind: 'remove'; readonly key: number }
  | { readonly kind: 'clear' };

interface Edit {
  readonly operations: readonly Operation[];
  readonly throws: boolean;
}

const KEYS = [0, 1, 2, 3];
const key = fc.constantFrom(...KEYS);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key, value: fc.nat(9) }),
  fc.record({ kind: fc.constant('put' as const), key, value: fc.nat(9) }),
  fc.record({ kind: fc.constant('remove' as const), key }),
  fc.record({ kind: fc.constant('clear' as const) }),
);
const edit: fc.Arbitrary<Edit> = fc.record({
  operations: fc.array(operation, { maxLength: 4 }),
  throws: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
});
const batch = fc.array(edit, { minLength: 2, maxLength: 3 });
const batches = fc.array(batch, { minLength: 2, maxLength: 3 });

const isOdd = (value: number) => value % 2 !== 0;
const groupOf = (value: number) => value % 3;
const GROUPS = [0, 1, 2];
const sorted = (rows: Iterable<readonly [unknown, unknown]>) =>
  [...rows].sort(([a], [b]) => Number(a) - Number(b));

/** A table as a plain map, and the keys that its batch has changed. */
class Model {
  rows = new Map<number, number>();
  changed = new Set<number>();

  copy(): Model {
    return Object.assign(new Model(), { rows: new Map(this.rows), changed: new Set(this.changed) });
  }

  apply(one: Operation): void {
    for (const key of one.kind === 'clear' ? KEYS : [one.key]) {
      this.changed.add(key);
      if (one.kind === 'put') this.rows.set(key, one.value);
      else this.rows.delete(key);
    }
  }

  /** Keys of the rows of each group. */
  groups(): number[][] {
    const rows = [...this.rows].sort(([a], [b]) => a - b);
    return GROUPS.map((group) =>
      rows.filter(([, value]) => groupOf(value) === group).map(([key]) => key),
    );
  }

  /** Compares with what a transaction sees. */
  check(draft: Draft, table: Table<number>): void {
    const isChanged = KEYS.filter((key) => draft.isChanged(table, key));
    const values = KEYS.map((key) => draft.get(table, key));
    const sizes = GROUPS.map((group) => draft.countIn(table, group));
    expect(sizes).toEqual(this.groups().map((keys) => keys.length));
    expect([sorted(draft.rows(table)), values, isChanged, draft.count(table, isOdd)]).toEqual([
      sorted(this.rows),
      KEYS.map((key) => this.rows.get(key)),
      [...this.changed].sort(),
      [...this.rows.values()].filter(isOdd).length,
    ]);
  }
}

function applied(draft: Draft, table: Table<number>, one: Operation): void {
  if (one.kind === 'put') draft.put(table, one.key, { row: one.value });
  else if (one.kind === 'remove') draft.remove(table, one.key);
  else draft.clear(table);
}

/** Makes the edits of a batch at once and in the model; returns the model. */
async function changed(store: Store, before: Model, edits: readonly Edit[]): Promise<Model> {
  const table = store.table<number>('rows');
  let model = before.copy();
  model.changed.clear();
  const changes = edits.map(({ operations, throws }) =>
    store.change((draft) => {
      const own = model.copy();
      own.check(draft, table);
      for (const one of operations) {
        own.apply(one);
        applied(draft, table, one);
        own.check(draft, table);
      }
      if (throws) throw new Error('refused');
      model = own;
    }),
  );
  for (const [at, { throws }] of edits.entries()) {
    if (throws) await expect(changes[at]).rejects.toThrow('refused');
    else await changes[at];
  }
  return model;
}

it('changes a table as a plain map changes, in each batch and after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (given) => {
      const disk = new SimulatedDisk(seeded(1));
      const epochs = { current: 0, delay_turns: 0 };
      let store = await openSimulated(disk, epochs);
      let model = new Model();
      store.table<number>('rows').groupBy(groupOf);
      for (const edits of given) {
        const table = store.table<number>('rows');
        const { version } = table;
        model = await changed(store, model, edits);
        expect(sorted(table.rows())).toEqual(sorted(model.rows));
        expect([table.size, table.get(0)]).toEqual([model.rows.size, model.rows.get(0)]);
        expect(GROUPS.map((group) => [...table.keysIn(group)].sort())).toEqual(model.groups());
        expect(table.version > version).toBe(model.changed.size > 0);
      }
      await store.close();
      store = await openSimulated(disk, epochs);
      const loaded = store.table<number>('rows');
      loaded.groupBy(groupOf);
      expect(sorted(loaded.rows())).toEqual(sorted(model.rows));
      expect(GROUPS.map((group) => [...loaded.keysIn(group)].sort())).toEqual(model.groups());
      expect(store.report).toEqual({ damages: [], unfinished_bytes: 0 });
    }),
    { numRuns: 12 },
  );
});

it('sees what those before it in its batch have put and cleared', async () => {
  const store = await Store.open(null);
  const table = store.table<number>('rows');
  await store.change((draft) => draft.put(table, 'a', { row: 1 }));
  const look = (draft: Draft) => Object.fromEntries(draft.rows(table));
  const edits: readonly ((draft: Draft) => unknown)[] = [
    (draft) => draft.put(table, 'b', { row: 2 }),
    (draft) => draft.put(table, 'c', { row: 3 }),
    look,
    (draft) => draft.clear(table),
    look,
    (draft) => draft.put(table, 'd', { row: 4 }),
    look,
  ];
  const seen = await Promise.all(edits.map((one) => store.change(one)));
  expect([seen[2], seen[4], seen[6]]).toEqual([{ a: 1, b: 2, c: 3 }, {}, { d: 4 }]);
});

describe('a table', () => {
  it('finds rows by a text, also those from before the index', async () => {
    const store = await Store.open(null);
    const table = store.table<string>('names');
    const put = (key: number, row: string) =>
      store.change((draft) => draft.put(table, key, { row }));
    await put(1, 'a');
    expect(table.findBy('A')).toBeUndefined();
    table.indexBy((row) => row.toUpperCase());
    await put(2, 'b');
    expect([table.findBy('A'), table.findBy('B'), table.findBy('C')]).toEqual([
      'a',
      'b',
      undefined,
    ]);
    // A row takes the text of another, which is then removed.
    await put(3, 'a');
    await store.change((draft) => draft.remove(table, 1));
    expect(table.findBy('A')).toBe('a');
    await put(3, 'c');
    expect([table.findBy('A'), table.findBy('C')]).toEqual([undefined, 'c']);
    await store.change((draft) => draft.clear(table));
    await put(4, 'd');
    expect([table.findBy('B'), table.findBy('D')]).toEqual([undefined, 'd']);
  });

  it('has no groups unless it is grouped', async () => {
    const store = await Store.open(null);
    const table = store.table<string>('names');
    await store.change((draft) => draft.put(table, 1, { row: 'a' }));
    expect([table.groupOf('a'), [...table.keysIn('a')]]).toEqual([undefined, []]);
  });

  it('counts no row of a group that its batch has removed', async () => {
    const store = await Store.open(null);
    const table = store.table<{ readonly owner: number }>('notes');
    table.groupBy(({ owner }) => owner);
    await store.change((draft) => {
      for (const [key, owner] of [7, 7, 8].entries()) draft.put(table, key, { row: { owner } });
    });
    const counted = store.change((draft) => {
      draft.remove(table, 0);
      return [7, 8, 9].map((owner) => draft.countIn(table, owner));
    });
    expect(await counted).toEqual([1, 1, 0]);
  });

  it('without rows can be forgotten', async () => {
    const store = await Store.open(null);
    await store.change((draft) => draft.put(store.table('full'), 1, { row: 1 }));
    store.table('empty');
    for (const name of ['full', 'empty', 'unknown']) store.forgetTable(name);
    expect([...store.tables.keys()]).toEqual(['counters', 'full']);
  });
});

describe('numbers of a sequence', () => {
  it('are given once, whatever fails between', async () => {
    const store = await Store.open(null);
    const next = (throws = false) =>
      store.change((draft) => {
        const number = [draft.lastNumber('n'), draft.nextNumber('n'), draft.nextNumber('n')];
        if (throws) throw new Error('refused');
        return number;
      });
    const [first, refused, second] = [next(), next(true), next()];
    await expect(refused).rejects.toThrow('refused');
    expect([await first, await second]).toEqual([
      [0, 1, 2],
      [2, 3, 4],
    ]);
    await store.change((draft) => draft.setLastNumber('n', 9));
    expect(await next()).toEqual([9, 10, 11]);
  });
});

describe('a store', () => {
  const put = (store: Store, row: number, body: string | null = null) =>
    store.change((draft) => draft.put(store.table('rows'), 1, { row, body }));

  it('reports each change of its fault once, and writes nothing for no change', async () => {
    const store = await openSimulated(new SimulatedDisk(seeded(1)));
    const faults: (string | null)[] = [];
    store.onFault = (fault) => faults.push(fault);
    store.beforeCommit = () => {
      throw new StorageError('full', { cause: { code: 'ENOSPC' } });
    };
    for (let n = 0; n < 2; n++) await expect(put(store, n)).rejects.toThrow('full');
    expect(await store.change(() => 5)).toBe(5);
    const shared = [put(store, 3), store.change(() => 5)];
    for (const change of shared) await expect(change).rejects.toThrow('full');
    const { fault } = store;
    store.beforeCommit = () => {};
    for (let n = 0; n < 2; n++) await put(store, n);
    expect([fault, store.fault]).toEqual(['the disk of the data folder is full', null]);
    expect(faults).toEqual([fault, null]);
  });

  it('that refuses changes says why, and can still be read', async () => {
    const store = await Store.open(null);
    await put(store, 1, '"body"');
    const faults: (string | null)[] = [];
    store.onFault = (fault) => faults.push(fault);
    store.refuseChanges(new StorageError('not now', { cause: { code: 'EROFS' } }));
    const fault = 'the data folder is read-only; start again when it can be written';
    expect([store.fault, faults]).toEqual([fault, [fault]]);
    await expect(put(store, 2)).rejects.toThrow('not now');
    expect([store.hindrance, faults]).toEqual([fault, [fault]]);
    await store.settled();
    expect(store.table('rows').get(1)).toBe(1);
    expect(await store.readBody(store.table('rows'), 1)).toBe('"body"');
    expect(await store.readBody(store.table('rows'), 2)).toBeNull();
  });

  it('that is written has its fault until it is saved, and a slow disk after 5 s', async () => {
    const disk = new SimulatedDisk(seeded(1));
    const store = await openSimulated(disk);
    disk.fails = { step: 'sync', count: 1 };
    await expect(put(store, 1)).rejects.toThrow('ENOSPC');
    const fault = 'the disk of the data folder is full';
    const whileSaved = async (look: () => string | null) => {
      const goOn = disk.hold();
      const saved = put(store, 2);
      await new Promise(setImmediate);
      const found = look();
      goOn();
      await saved;
      return [found, store.hindrance];
    };
    expect(await whileSaved(() => store.hindrance)).toEqual([fault, null]);
    // By the clock of the machine, no time has passed.
    expect(await whileSaved(() => store.hindrance)).toEqual([null, null]);
    let time_ms = 0;
    store.now_ms = () => time_ms;
    const passing = (passed_ms: number) => () => {
      time_ms += passed_ms;
      return store.hindrance;
    };
    expect(await whileSaved(passing(4_999))).toEqual([null, null]);
    const text = 'the disk of the data folder has not answered for 5 s';
    expect(await whileSaved(passing(5_000))).toEqual([text, null]);
  });

  it('notes that its folder is lost and held again, while it can be written', async () => {
    const lost = lossError('data', 'gone');
    const fault =
      'the data folder is gone (renamed, deleted or unmounted); start again when it is back';
    const faults: (string | null)[] = [];
    const observed = async () => {
      const store = await Store.open(null);
      store.onFault = (one) => faults.push(one);
      return store;
    };
    const store = await observed();
    for (const loss of [lost, null]) store.noteLoss(loss);
    expect(faults.splice(0)).toEqual([fault, null]);
    await store.close();
    store.noteLoss(lost);
    expect(faults).toEqual([]);
    const readOnly = await observed();
    readOnly.refuseChanges(new StorageError('not now', { cause: { code: 'EROFS' } }));
    readOnly.noteLoss(null);
    expect(readOnly.fault).toContain('the data folder is read-only');
  });

  it('says that its disk does not answer, until it does', async () => {
    const place = mkdtempSync(join(tmpdir(), 'armtwin-hung-'));
    let answer = () => {};
    let isHung = false;
    let isWaiting = false;
    const hung = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
        isWaiting = isHung;
        if (!isHung) resolve();
      });
    const disk: Disk = {
      ...systemDisk,
      async open(path) {
        const file = await systemDisk.open(path);
        const write: DiskFile['write'] = async (bytes, position) => {
          await hung();
          await file.write(bytes, position);
        };
        const { sync, truncate, close } = file;
        return {
          write,
          sync: () => sync.call(file),
          truncate: (size) => truncate.call(file, size),
          close: () => close.call(file),
        };
      },
    };
    const store = await openStore(place, { disk });
    await put(store, 1);
    let time_ms = 1000;
    store.now_ms = () => time_ms;
    isHung = true;
    const saved = put(store, 2);
    await vi.waitUntil(() => isWaiting);
    expect(store.hindrance).toBeNull();
    time_ms += 12_000;
    expect(store.hindrance).toBe('the disk of the data folder has not answered for 12 s');
    isHung = false;
    answer();
    await saved;
    expect(store.hindrance).toBeNull();
    await store.close();
    rmSync(place, { recursive: true });
  });

  it('makes what was asked for before it closes, and nothing after', async () => {
    let released = 0;
    const store = await Store.open(null, async () => {
      released += 1;
    });
    const change = put(store, 1);
    await store.close();
    await change;
    expect(released).toBe(1);
    const closed = put(store, 2);
    await expect(closed).rejects.toThrow('The data folder is closed');
    await expect(closed).rejects.toBeInstanceOf(StorageError);
  });

  it('in memory has found no damage', async () => {
    expect((await Store.open(null)).report).toEqual({ damages: [], unfinished_bytes: 0 });
  });

  it.each(['settled', 'settle'] as const)('waits for its changes (%s)', async (method) => {
    const disk = new SimulatedDisk(seeded(1));
    const store = await openSimulated(disk);
    disk.latency = () => new Promise(setImmediate);
    const change = put(store, 1);
    await store[method]();
    expect(store.table('rows').get(1)).toBe(1);
    await change;
  });

  it('finds no body of a row that is removed meanwhile, and reads a damaged one once', async () => {
    const disk = new SimulatedDisk(seeded(1));
    const store = await openSimulated(disk);
    const rows = store.table('rows');
    await put(store, 1, '"body"');
    let reads = 0;
    disk.read = async () => {
      reads += 1;
      await store.change((draft) => draft.remove(rows, 1));
      return null;
    };
    expect([await store.readBody(rows, 1), reads]).toEqual([null, 1]);
    await put(store, 2, '"body"');
    disk.read = async () => {
      reads += 1;
      return null;
    };
    await expect(store.readBody(rows, 1)).rejects.toThrow('rows 1 is lost');
    expect(reads).toBe(2);
  });

  it('counts damages, those found later, too, and gives up a body that always moves', async () => {
    const disk = new SimulatedDisk(seeded(1));
    const sizes = { segment_bytes: 1, compaction_bytes: 1e9 };
    const store = await openSimulated(disk, undefined, sizes);
    const problems: string[] = [];
    store.onProblem = (problem) => problems.push(problem);
    await put(store, 1, '"first"');
    let moves = 0;
    const { read } = SimulatedDisk.prototype;
    disk.read = async (path, range) => {
      if (moves === 0) return read.call(disk, path, range);
      moves -= 1;
      await put(store, moves, '"moved"');
      return null;
    };
    moves = 3;
    expect(await store.readBody(store.table('rows'), 1)).toBe('"moved"');
    moves = 9;
    await expect(store.readBody(store.table('rows'), 1)).rejects.toThrow('rows 1 is lost');
    expect(moves).toBe(5);
    expect(problems).toHaveLength(1);
    expect(store.damage_count).toBe(1);
    const damage = { file: 'f', lost: [], inIndex: false, text: '' };
    store.report = { damages: [damage, damage], unfinished_bytes: 0 };
    expect(store.damage_count).toBe(3);
    expect(disk.paths).toContain('/data/journal/rows-1.damaged');
  });
});
