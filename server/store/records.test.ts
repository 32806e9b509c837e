/** The records as one object of lists: what an edit writes, and which index is refused. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { isRecord, recordsProblem } from './record-check.ts';
import { emptyRecords, type Records, type UserRecord } from './records.ts';
import { Store } from './store.ts';

const user = (id: number): UserRecord => {
  return { id, email: `${id}@b`, role: 'user', password: null };
};
const token = (id: number) => {
  return { id, user_id: 1, name: 't', secret_sha256: `${id}`, created_at: '', last_used_at: null };
};
const toolpath = (id: number) => ({ id, owner_id: 1, name: 't', hash: 'h' });

describe('an index', () => {
  const index = (): Records => {
    const lists = { users: [user(1)], tokens: [token(2)], toolpaths: [toolpath(3)] };
    return { ...emptyRecords('arm', '4.9.0'), ...lists };
  };

  it('of a new twin and one with records are complete', () => {
    expect([recordsProblem(emptyRecords('arm', '1')), recordsProblem(index())]).toEqual([
      null,
      null,
    ]);
    expect(emptyRecords('arm', '1')).toEqual({
      ...{ format: 1, name: 'arm', software_version: '1', users: [], tokens: [], toolpaths: [] },
      last_ids: { user: 0, token: 0, toolpath: 0 },
    });
  });

  it.each([
    [undefined, 'not JSON'],
    [null, 'not an object'],
    ['text', 'not an object'],
    [{ format: 2 }, 'format 2, not 1'],
    [{ users: undefined }, 'users are missing'],
    [{ tokens: {} }, 'tokens are missing'],
    [{ toolpaths: [toolpath(1), null] }, 'entry 1 of toolpaths is not one of toolpaths'],
    [{ tokens: [{}] }, 'entry 0 of tokens is not one of tokens'],
    [{ name: 1 }, 'no name or version'],
    [{ software_version: null }, 'no name or version'],
    [{ last_ids: undefined }, 'last_ids are missing'],
    [{ last_ids: { user: 0, token: 0 } }, 'last_ids are missing'],
    [{ last_ids: { user: -1, token: 0, toolpath: 0 } }, 'last_ids are missing'],
  ])('with %j is refused: %s', (part, problem) => {
    const value = part && typeof part === 'object' ? { ...index(), ...part } : part;
    expect(recordsProblem(value)).toBe(problem);
  });

  it('has records whose texts, ids, roles and passwords are of their kind', () => {
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
      toolpaths: [{ id: null }, { owner_id: -1 }, { name: 1 }, { hash: undefined }],
    };
    for (const name of names) {
      for (const part of wrong[name]) {
        expect([part, isRecord(name, { ...rows[name], ...part })]).toEqual([part, false]);
      }
    }
    expect(isRecord('users', { ...user(1), role: 'admin', password: 'salt:key' })).toBe(true);
  });
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
      return [draft.name, draft.software_version, draft.format];
    });
    expect(seen).toEqual(['new', '2', 1]);
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
