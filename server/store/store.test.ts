/** The store: transactions, group commit, restarts, compaction, failures and damage. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOURNAL_FOLDER } from './data-folder.ts';
import type { Disk, DiskFile } from './disk.ts';
import { openStore, type StoreOptions } from './open-store.ts';
import type { Store } from './store.ts';
import { systemDisk } from './system-disk.ts';

interface Item {
  readonly name: string;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const items = (store: Store) => store.table<Item>('items');
const add = (store: Store, name: string, body: string | null = null) =>
  store.change((draft) => {
    const id = draft.nextNumber('item');
    draft.put(items(store), id, { row: { name }, body });
    return id;
  });
const names = (store: Store) => [...items(store).rows()].map(([, { name }]) => name);

/** Opens the folder, uses the store and closes it. */
async function withStore<Value>(
  use: (store: Store) => Promise<Value> | Value,
  options: StoreOptions = {},
): Promise<Value> {
  const store = await openStore(folder, options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const segments = () =>
  readdirSync(join(folder, JOURNAL_FOLDER))
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => join(folder, JOURNAL_FOLDER, name));

/** A disk that counts syncs and fails on demand. */
function observedDisk() {
  const state = { syncs: 0, fails: null as 'write' | 'sync' | null };
  const fail = (step: string) => {
    if (state.fails === step) throw Object.assign(new Error('EIO'), { code: 'EIO' });
  };
  const wrap = (file: DiskFile): DiskFile => ({
    ...file,
    async write(bytes, position) {
      fail('write');
      await file.write(bytes, position);
    },
    async sync() {
      fail('sync');
      state.syncs += 1;
      await file.sync();
    },
  });
  const disk: Disk = {
    ...systemDisk,
    open: async (path) => wrap(await systemDisk.open(path)),
    async create(path) {
      const file = await systemDisk.create(path);
      return file && wrap(file);
    },
  };
  return { disk, state };
}

describe('a transaction', () => {
  it('is visible once it is durable, and after a restart', async () => {
    await withStore(async (store) => {
      const adding = add(store, 'one', '{"n":1}');
      expect(names(store)).toEqual([]);
      expect(await adding).toBe(1);
      expect(names(store)).toEqual(['one']);
      expect(await store.readBody(items(store), 1)).toBe('{"n":1}');
    });
    await withStore(async (store) => {
      expect(names(store)).toEqual(['one']);
      expect(await store.readBody(items(store), 1)).toBe('{"n":1}');
      await store.change((draft) => draft.remove(items(store), 1));
    });
    await withStore(async (store) => {
      expect(names(store)).toEqual([]);
      expect(await add(store, 'two')).toBe(2);
    });
  });

  it('sees the changes before it and not those that threw', async () => {
    await withStore(async (store) => {
      const first = add(store, 'a');
      const second = store.change((draft) => {
        draft.put(items(store), 9, { row: { name: 'half' } });
        throw new Error('refused');
      });
      const third = store.change((draft) => [...draft.rows(items(store)).values()]);
      await expect(second).rejects.toThrow('refused');
      expect([await first, await third]).toEqual([1, [{ name: 'a' }]]);
    });
  });

  it('writes a row once that it puts several times, as it was last', async () => {
    await withStore(async (store) => {
      await store.change((draft) => {
        const table = items(store);
        for (const name of ['one', 'two', 'three']) draft.put(table, 'a', { row: { name } });
        draft.put(table, 'b', { row: { name: 'removed' } });
        draft.remove(table, 'b');
        draft.put(table, 'b', { row: { name: 'back' } });
        for (let count = 0; count < 5; count++) draft.nextNumber('item');
      });
      await store.change((draft) => {
        const others = store.table<Item>('others');
        draft.put(others, 1, { row: { name: 'cleared' } });
        draft.clear(others);
        draft.put(others, 1, { row: { name: 'new' } });
      });
    });
    const text = segments()
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
    expect(text).not.toMatch(/one|two/);
    expect(text.match(/"counters","item"/g)).toHaveLength(1);
    await withStore(async (store) => {
      expect(names(store)).toEqual(['three', 'back']);
      expect([...store.table<Item>('others').rows()]).toEqual([[1, { name: 'new' }]]);
      expect(store.counters.get('item')).toBe(5);
    });
  });

  it('shares the sync of others that wait', async () => {
    const { disk, state } = observedDisk();
    await withStore(
      async (store) => {
        await add(store, 'first');
        const before = state.syncs;
        await Promise.all(Array.from({ length: 200 }, (_, at) => add(store, `n${at}`)));
        expect(state.syncs - before).toBeLessThanOrEqual(2);
        expect(items(store).size).toBe(201);
      },
      { disk },
    );
  });

  it.each(['write', 'sync'] as const)('changes nothing when %s fails', async (step) => {
    const { disk, state } = observedDisk();
    await withStore(
      async (store) => {
        await add(store, 'kept');
        state.fails = step;
        await expect(add(store, 'lost')).rejects.toThrow('could not be saved: EIO');
        expect([names(store), store.fault]).toEqual([['kept'], 'the data folder fails']);
        state.fails = null;
        expect(await add(store, 'after')).toBe(2);
        expect([names(store), store.fault]).toEqual([['kept', 'after'], null]);
      },
      { disk },
    );
    await withStore((store) => expect(names(store)).toEqual(['kept', 'after']));
  });
});

describe('the journal', () => {
  const options = { segment_bytes: 64 * 1024 };
  const body = JSON.stringify('x'.repeat(20_000));

  it('stays bounded while rows are replaced, and keeps all others', { tags: ['ci'] }, async () => {
    await withStore(async (store) => {
      store.onProblem = (problem) => expect.unreachable(problem);
      for (let n = 0; n < 20; n++) await add(store, `kept ${n}`, body);
      for (let n = 0; n < 400; n++) {
        await store.change((draft) =>
          draft.put(items(store), 'hot', { row: { name: `hot ${n}` }, body }),
        );
      }
      await store.settle();
      const size = segments().reduce((total, path) => total + statSync(path).size, 0);
      expect(size).toBeLessThan(3e6);
    }, options);
    await withStore(async (store) => {
      expect(names(store).sort()).toEqual(
        [...Array.from({ length: 20 }, (_, n) => `kept ${n}`), 'hot 399'].sort(),
      );
      for (const [key] of items(store).rows()) {
        expect(await store.readBody(items(store), key)).toBe(body);
      }
      // Nothing else of what was read stays in memory.
      expect(store.report).toEqual({ damages: [], unfinished_bytes: 0 });
      expect(await add(store, 'next')).toBe(21);
    }, options);
  });

  it('ignores an unfinished write at its end', async () => {
    await withStore((store) => add(store, 'one'));
    const [path] = segments();
    writeFileSync(path!, `${readFileSync(path!, 'utf8')}0123abcd {"n":2,"d`);
    for (const expected of ['one', 'one two']) {
      await withStore(async (store) => {
        expect(store.report.damages).toEqual([]);
        if (expected === 'one') {
          expect(store.report.unfinished_bytes).toBe(18);
          await add(store, 'two');
        }
      });
    }
    await withStore((store) => expect(names(store)).toEqual(['one', 'two']));
  });

  it('names a damaged change, keeps the others and the damaged file', async () => {
    await withStore(async (store) => {
      for (const name of ['one', 'two', 'three']) await add(store, name);
    });
    const [path] = segments();
    const text = readFileSync(path!, 'utf8');
    writeFileSync(path!, text.replace('"two"', '"tvo"'));
    await withStore(async (store) => {
      expect(names(store)).toEqual(['one', 'three']);
      const [damage, ...more] = store.report.damages;
      expect(damage).toMatchObject({ lost: [2], inIndex: false });
      expect(damage!.text).toContain(path);
      expect(more).toEqual([]);
      expect(await add(store, 'four')).toBe(4);
    });
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('"tvo"');
    await withStore((store) => expect(store.report.damages).toEqual([]));
  });

  it('finds acknowledged changes missing at the end', async () => {
    await withStore(async (store) => {
      for (const name of ['one', 'two']) await add(store, name);
    });
    const [path] = segments();
    const lines = readFileSync(path!, 'utf8').split('\n');
    writeFileSync(path!, `${lines.slice(0, -2).join('\n')}\n`);
    await withStore((store) => {
      expect(names(store)).toEqual(['one']);
      expect(store.report.damages).toMatchObject([{ lost: [2] }]);
    });
  });

  it('does not open without changes of users', async () => {
    await withStore(async (store) => {
      const users = store.table('users');
      await store.change((draft) => draft.put(users, 1, { row: { name: 'ada' } }));
      await add(store, 'one');
    });
    const [path] = segments();
    writeFileSync(path!, readFileSync(path!, 'utf8').replace('ada', 'adb'));
    await expect(openStore(folder)).rejects.toThrow(`${path} is damaged: changes of users`);
    await withStore((store) => expect(names(store)).toEqual(['one']), { acceptsLoss: true });
  });

  it('restores lines that were doubled or swapped', async () => {
    await withStore(async (store) => {
      for (const name of ['one', 'two', 'three']) await add(store, name);
    });
    const [path] = segments();
    const [head, one, two, three] = readFileSync(path!, 'utf8').split('\n');
    writeFileSync(path!, [head, two, one, one, three, ''].join('\n'));
    await withStore((store) => {
      expect(names(store)).toEqual(['one', 'two', 'three']);
      expect(store.report.damages.length).toBe(1);
    });
  });

  it('reports a body that was damaged while the store is open', async () => {
    await withStore(async (store) => {
      const problems: string[] = [];
      store.onProblem = (problem) => problems.push(problem);
      await add(store, 'one', '{"value":1}');
      const [path] = segments();
      writeFileSync(path!, readFileSync(path!, 'utf8').replace('"value":1', '"value":2'));
      await expect(store.readBody(items(store), 1)).rejects.toThrow('items 1 is lost');
      expect(problems.length).toBe(1);
    });
  });
});

describe('a second writer', () => {
  it('is refused while the first has the folder', async () => {
    await withStore(() =>
      expect(openStore(folder)).rejects.toThrow(`is in use by process ${process.pid}`),
    );
  });

  it('keeps what was acknowledged; the first acknowledges nothing more', async () => {
    const first = await openStore(folder);
    await add(first, 'one');
    writeFileSync(join(folder, 'writer-2.lock'), 'released');
    await expect(add(first, 'late')).rejects.toThrow('has taken over');
    expect(first.fault).toBe('another armtwin has taken over the data folder');
    await first.close();
    await withStore((store) => expect(names(store)).toEqual(['one']));
  });
});
