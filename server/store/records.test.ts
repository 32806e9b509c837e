/** The records as one object of lists: what an edit writes, and which rows are records. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { isRecord } from './record-check.ts';
import type { UserRecord } from './records.ts';
import { Store } from './store.ts';

const user = (id: number): UserRecord => {
  return { id, email: `${id}@b`, role: 'user', password: null };
};
const token = (id: number) => {
  return { id, user_id: 1, name: 't', secret_sha256: `${id}`, created_at: '', last_used_at: null };
};
const toolpath = (id: number) => {
  return {
    id,
    owner_id: 1,
    name: 't',
    hash: 'h',
    modified_at: '2020-01-01T00:00:00.000Z',
    bytes: 2,
  };
};

it('records have texts, numbers, roles and passwords of their kind', () => {
  const rows = { users: user(1), tokens: token(1), toolpaths: toolpath(1) };
  const names = ['users', 'tokens', 'toolpaths'] as const;
  for (const name of names) {
    expect([name, isRecord(name, rows[name])]).toEqual([name, true]);
    for (const value of [null, undefined, 'text', 5]) expect(isRecord(name, value)).toBe(false);
  }
  const wrong = {
    users: [
      ...[{ id: 0 }, { id: 1.5 }, { email: 1 }, { role: 'king' }, { role: 'administrator' }],
      ...[{ role: 'superuser' }, { password: 5 }],
    ],
    tokens: [
      ...[{ id: '1' }, { user_id: 0 }, { name: null }, { secret_sha256: 1 }],
      { created_at: undefined },
    ],
    toolpaths: [
      ...[{ id: null }, { owner_id: -1 }, { name: 1 }, { hash: undefined }],
      ...[{ modified_at: null }, { bytes: 0 }],
    ],
  };
  for (const name of names) {
    for (const part of wrong[name]) {
      expect([part, isRecord(name, { ...rows[name], ...part })]).toEqual([part, false]);
    }
  }
  expect(isRecord('users', { ...user(1), role: 'admin', password: 'salt:key' })).toBe(true);
});

describe('an edit', () => {
  let database: Database;
  beforeEach(async () => {
    database = await Database.open(await Store.open(null), { name: 'a', software_version: '1' });
    await database.change((draft) => {
      draft.users = [user(2), user(1)];
      draft.tokens.push(token(3));
      draft.toolpaths = [toolpath(4)];
      Object.assign(draft.last_ids, { user: 2, token: 3 });
    });
  });

  const tables = () => {
    const { users, tokens, toolpaths, settings, counters } = database;
    return [users, tokens, toolpaths, settings, counters].map((table) => table.version);
  };

  it('reads lists in order of their ids, as copies', async () => {
    const { users, tokens, toolpaths, last_ids, name, software_version } = database.records;
    expect([users, tokens, toolpaths]).toEqual([[user(1), user(2)], [token(3)], [toolpath(4)]]);
    expect(last_ids).toEqual({ user: 2, token: 3, toolpath: 0 });
    expect([name, software_version]).toEqual(['a', '1']);
    const seen = await database.change((draft) => {
      draft.name = 'new';
      draft.software_version = '2';
      return [draft.name, draft.software_version];
    });
    expect(seen).toEqual(['new', '2']);
    expect(database.records).toMatchObject({ name: 'new', software_version: '2' });
  });

  it('that changes nothing writes nothing', async () => {
    const before = tables();
    await database.change((draft) => {
      const { users, tokens, toolpaths, last_ids, name, software_version } = draft;
      Object.assign(draft, { users, tokens, toolpaths, name, software_version });
      return last_ids;
    });
    expect(tables()).toEqual(before);
  });

  it('writes the rows that differ, and only those', async () => {
    const before = tables();
    const kept = database.users.get(1);
    await database.change((draft) => {
      draft.users[1]!.email = 'new';
      draft.last_ids.toolpath = 4;
    });
    expect(tables().map((version, at) => version - before[at]!)).toEqual([1, 0, 0, 0, 1]);
    expect(database.users.get(1)).toBe(kept);
    expect(database.users.get(2)?.email).toBe('new');
    expect(database.counters.get('toolpath')).toBe(4);
    await database.change((draft) => {
      draft.tokens = [];
    });
    expect([database.tokens.size, database.users.size, database.toolpaths.size]).toEqual([0, 2, 1]);
  });
});
