/** The database: durable changes, bodies, pinned bodies, and damage. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolpathText } from '../documents/toolpath-text.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { Database } from './database.ts';
import { openStore } from './open-store.ts';
import type { UserRecord } from './records.ts';
import { StorageError } from './storage-error.ts';
import { Store } from './store.ts';

const smallDocument = toolpathText(smallToolpath());

const DEFAULTS = { name: 'Fresh', software_version: '4.9.0' };

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'armtwin-data-')), 'data');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const open = async (place = folder) => Database.open(await openStore(place), DEFAULTS);
const inMemory = async () => Database.open(await Store.open(null), DEFAULTS);
const row = (id: number) => ({
  ...{ id, owner_id: 1, name: `t${id}`, hash: `${id}`.repeat(64) },
  ...{ modified_at: '2020-01-01T00:00:00.000Z', bytes: 7 },
});

describe('a change', () => {
  it('is visible once it is saved, and present after reopening', async () => {
    const first = await open();
    const saving = first.change((draft) => {
      draft.name = 'New';
      draft.users.push({ id: ++draft.last_ids.user, email: 'a@b', role: 'admin', password: null });
    });
    expect([first.records.name, first.records.users]).toEqual(['Fresh', []]);
    await saving;
    expect([first.records.name, first.records.users.length]).toEqual(['New', 1]);
    await first.close();
    const second = await open();
    expect(second.records).toMatchObject({ name: 'New', last_ids: { user: 1 } });
    await second.close();
  });

  it('runs after earlier changes, and one that throws changes nothing', async () => {
    const database = await open();
    const counts = Array.from({ length: 20 }, () =>
      database.change((draft) => ++draft.last_ids.user),
    );
    const failing = database.change((draft) => {
      draft.name = 'Half';
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('a bug');
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(database.records.name).toBe('Fresh');
    await database.close();
  });

  it('writes only the rows that differ', async () => {
    const database = await open();
    await database.change((draft) => {
      for (let id = 1; id <= 3; id++) draft.toolpaths.push(row(id));
    });
    const before = [2, 3].map((id) => database.toolpaths.get(id));
    await database.change((draft) => {
      draft.toolpaths = draft.toolpaths.filter(({ id }) => id !== 1);
    });
    expect([1, 2, 3].map((id) => database.toolpaths.get(id))).toEqual([undefined, ...before]);
    expect(database.toolpaths.get(2)).toBe(before[0]);
    await database.close();
  });
});

describe('a toolpath body', () => {
  it('is saved and removed with its record, unless it is pinned', async () => {
    const database = await open();
    const save = (id: number) =>
      database.change((draft, transaction) => {
        draft.toolpaths.push(row(id));
        database.putBody(transaction, row(id), smallDocument.json);
      });
    await Promise.all([save(1), save(2)]);
    database.pinBodies([row(2)]);
    await database.change((draft, transaction) => {
      draft.toolpaths = [];
      for (const id of [1, 2]) database.removeBody(transaction, row(id));
    });
    expect(await database.readBody(row(1))).toBeNull();
    expect(await database.readBody(row(2))).toEqual(Buffer.from(smallDocument.json));
    await database.close();
    const again = await open();
    expect(await again.readBody(row(2))).toBeNull();
    await again.close();
  });

  it('that is missing is reported', async () => {
    const database = await open();
    await database.change((draft) => void draft.toolpaths.push(row(1)));
    expect(database.inspect()).toEqual(['The content of toolpath 1 is lost: it cannot be opened']);
    await database.close();
  });
});

describe('a folder', () => {
  it('is created with its parents', async () => {
    const place = join(folder, 'of', 'the', 'arm');
    await (await open(place)).close();
    expect(existsSync(place)).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self'))('that can never be is refused, not tried for ever', () =>
    expect(open('/proc/arm/twin')).rejects.toThrow('No folder can be made in /proc'),
  );

  it.each([
    ['is a file itself', '', 'is a file, where a folder should be'],
    ['lies in a file', '/data', "ENOTDIR: not a directory, stat '"],
  ])('that %s is refused with its name', async (_why, below, problem) => {
    const file = `${folder}.txt`;
    writeFileSync(file, '');
    const refused = expect(open(`${file}${below}`)).rejects;
    await refused.toThrow(`${file}${below}`);
    await refused.toThrow(problem);
  });
});

it('finds tokens by their hash after each kind of change', async () => {
  const database = await Database.open(await openStore(':memory:'), {
    name: 'a',
    software_version: '4.9.0',
  });
  const token = (id: number, hash: string) => {
    return { id, user_id: 1, name: 't', secret_sha256: hash, created_at: '', last_used_at: null };
  };
  const found = (hash: string) => database.tokens.findBy(hash)?.id;
  await database.change((draft) => draft.tokens.push(token(1, 'one'), token(2, 'two')));
  expect([found('one'), found('two'), found('three')]).toEqual([1, 2, undefined]);
  await database.change((draft) => {
    draft.tokens = [token(2, 'other'), token(3, 'one')];
  });
  expect([found('one'), found('two'), found('other')]).toEqual([3, undefined, 2]);
  await database.store.change((draft) => draft.clear(database.tokens));
  expect(found('one')).toBeUndefined();
  await database.close();
});

describe('the records of a store', () => {
  const text = '{"a":1}';
  const user: UserRecord = { id: 1, email: 'a@b', role: 'admin', password: null };
  const token = { id: 2, user_id: 1, name: 't', created_at: '', last_used_at: null };

  /** The rows of a folder, with the names of tables that make it readable. */
  async function writtenBefore() {
    const store = await Store.open(null);
    await store.change((draft) => {
      draft.put(store.table('users'), 1, { row: user });
      draft.put(store.table('tokens'), 2, { row: { ...token, secret_sha256: 'x' } });
      for (const id of [3, 4]) draft.put(store.table('toolpaths'), id, { row: row(id) });
      for (const name of ['3.3333333333333333', '5.5555555555555555']) {
        draft.put(store.table('bodies'), name, { row: null, body: text });
      }
      for (const [hash, user_id] of Object.entries({ y: 1, z: 2 })) {
        const row = { user_id, token_id: user_id };
        draft.put(store.table('revoked_tokens'), hash, { row });
      }
      draft.put(store.table('settings'), 'name', { row: 'Old' });
      draft.put(store.table('settings'), 'software_version', { row: '4.1.0' });
      draft.put(store.counters, 'toolpath', { row: 7 });
    });
    return store;
  }

  it('are those of the tables with their names', async () => {
    const database = await Database.open(await writtenBefore(), DEFAULTS);
    const { name, software_version, records } = database;
    expect([name, software_version]).toEqual(['Old', '4.1.0']);
    expect(records).toEqual({
      ...{ name, software_version, collision_detection: null, scheduler: null, users: [user] },
      ...{ tokens: [{ ...token, secret_sha256: 'x' }], toolpaths: [row(3), row(4)] },
      last_ids: { user: 0, token: 0, toolpath: 7 },
    });
    expect(database.tokens.findBy('x')?.id).toBe(2);
    expect(database.revokedTokens.get('y')?.user_id).toBe(1);
    expect([1, 2, 3].map((id) => [...database.revokedTokens.keysIn(id)])).toEqual([
      ...[['y'], ['z'], []],
    ]);
    expect(String(await database.readBody(row(3)))).toBe(text);
    expect(await database.readBody(row(5))).toBeNull();
  });

  it('are the same object until one of them changes', async () => {
    const database = await inMemory();
    const before = database.records;
    expect(database.records).toBe(before);
    await database.change((draft) => {
      draft.name = 'New';
    });
    expect([before.name, database.records.name]).toEqual(['Fresh', 'New']);
  });

  it('stay as they are when no defaults are given', async () => {
    const { name, software_version, records } = Database.over(await Store.open(null));
    expect([name, software_version, records.name]).toEqual(['', '', '']);
  });

  it('name what is lost, and nothing else', async () => {
    const database = await Database.open(await writtenBefore(), DEFAULTS);
    const damage = { file: 'f', lost: [], inIndex: false, text: 'f is damaged' };
    database.store.report = { damages: [damage], unfinished_bytes: 0 };
    const lost = 'The content of toolpath 4 is lost: it cannot be opened';
    expect(database.inspect()).toEqual(['f is damaged', lost]);
  });

  it('open on a disk that keeps unused bodies, and not with a mistake', async () => {
    const store = await writtenBefore();
    store.refuseChanges(new StorageError('full'));
    const database = await Database.open(store, DEFAULTS);
    expect(String(await database.readBody(row(5)))).toBe(text);
    const other = await writtenBefore();
    other.beforeCommit = () => {
      throw new Error('a mistake');
    };
    await expect(Database.open(other, DEFAULTS)).rejects.toThrow('a mistake');
  });
});
