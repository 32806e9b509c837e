/** Users and their tokens as records: what is refused, what is kept, and what goes with a user. */

import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { Database } from '../../store/database.ts';
import { openStore } from '../../store/open-store.ts';
import type { PasswordChecks } from './password-checks.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { createSecret, createSessionToken, sha256 } from './secrets.ts';
import { type CreatedToken, type PublicUser, Users } from './users.ts';

const TIME = '2020-01-02T03:04:05Z';
const OTHER_TIME = '2021-01-02T03:04:05Z';
const ENDED = refuse('not_authenticated');
const guard = () => ENDED;

let database: Database;
let users: Users;
let now: string;
let unsaved: unknown[];
/** Runs while a password is checked. */
let duringCheck: () => unknown;
let admin: PublicUser;
let ada: PublicUser;

/** Checks of passwords without the cost of a hash. */
const QUICK = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async ({ password, stored }: { password: string; stored: string | null }) => {
    await duringCheck();
    return password === 'busy' ? refuse('log_ins_busy') : stored === `hash of ${password}`;
  },
};

beforeEach(async () => {
  database = await Database.open(await openStore(':memory:'), {
    name: 'users',
    software_version: '4.9.0',
  });
  now = TIME;
  unsaved = [];
  duringCheck = () => {};
  users = new Users({
    database,
    passwords: QUICK as object as PasswordChecks,
    timestamp: () => now,
    onUnsaved: (error) => unsaved.push(error),
  });
  admin = await made('admin@example.org', 'for admins');
  ada = await made('Ada@example.org', 'for Ada');
});

async function made(email: string, password: string | null = null): Promise<PublicUser> {
  const user = await users.create(email, password);
  if ('refused' in user) throw new Error(user.refused);
  return user;
}

async function tokenOf(user_id: number, name: string): Promise<CreatedToken> {
  const token = await users.createToken(user_id, name);
  if ('refused' in token) throw new Error(token.refused);
  return token;
}

const taken = (email: string) =>
  refuse('invalid_arguments', [{ path: '/email', problem: `${email} is already a user` }]);

describe('a user', () => {
  it('is an admin if it is the first one, and has the next id', async () => {
    expect([admin, ada]).toEqual([
      { id: 1, email: 'admin@example.org', role: 'admin' },
      { id: 2, email: 'Ada@example.org', role: 'user' },
    ]);
    expect(users.list()).toEqual([admin, ada]);
    expect(users.find(2)).toEqual({ ...ada, password: 'hash of for Ada' });
    expect([users.find(3), users.named('none@example.org')]).toEqual([null, null]);
    expect(users.named('aDA@example.org')?.id).toBe(2);
  });

  it('is listed by its id, also with two digits', async () => {
    for (let i = 3; i <= 11; i++) await made(`user-${i}@example.org`);
    await users.remove(5);
    const restored = {
      id: 5,
      email: 'restored@example.org',
      role: 'user',
      password: null,
    } as const;
    await database.store.change((draft) => draft.put(database.users, 5, { row: restored }));
    expect(users.list().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('is created in the transaction of what else is created', async () => {
    const created: PublicUser[] = [];
    const onCreated = (_: unknown, user: PublicUser) => void created.push(user);
    const bob = await users.create('bob@example.org', null, { onCreated });
    expect(created).toEqual([bob]);
    expect(users.find(3)?.password).toBeNull();
  });

  it('is not created with the e-mail of another, nor for a caller who has left', async () => {
    expect(await users.create('ADA@example.org', null)).toEqual(taken('ADA@example.org'));
    expect(await users.create('bob@example.org', null, { guard })).toBe(ENDED);
    expect(users.list()).toHaveLength(2);
  });

  it('may have an e-mail that differs by more than upper and lower case', async () => {
    expect(await users.create('straße@example.org', null)).toMatchObject({ id: 3 });
    expect(await users.create('STRASSE@example.org', null)).toMatchObject({ id: 4 });
    expect(await users.create('Straße@example.org', null)).toEqual(taken('Straße@example.org'));
  });

  it('is not created beyond the limit', async () => {
    await database.change((draft) => {
      for (let id = 3; id < limits.users; id++) {
        draft.users.push({ id, email: `user-${id}@example.org`, role: 'user', password: null });
      }
      draft.last_ids.user = limits.users;
    });
    await made('last@example.org');
    const refusal = await users.create('bob@example.org', null);
    expect(refusal).toMatchObject({ refused: 'invalid_arguments' });
    expect(JSON.stringify(refusal)).toContain(`already ${limits.users} users`);
  });

  it('changes only in what an edit names', async () => {
    expect(await users.update(2, { email: 'ada@example.com' })).toEqual({
      ...ada,
      email: 'ada@example.com',
    });
    expect(await users.update(2, { role: 'admin' })).toMatchObject({ role: 'admin' });
    await users.update(2, { password: 'new' });
    const changed = { id: 2, email: 'ada@example.com', role: 'admin', password: 'hash of new' };
    expect(users.find(2)).toEqual(changed);
    expect(await users.update(2, {})).toEqual({ id: 2, email: 'ada@example.com', role: 'admin' });
    expect(users.find(2)).toEqual(changed);
    expect(users.find(1)).toEqual({ ...admin, password: 'hash of for admins' });
  });

  it('is known before and after a change, as the transaction found it', async () => {
    const seen: unknown[] = [];
    const onChanged = (...both: readonly unknown[]) => void seen.push(...both);
    const changing = users.update(2, { password: 'new' }, { onChanged });
    await users.update(2, { role: 'admin' });
    await changing;
    const before = { ...ada, role: 'admin', password: expect.any(String) };
    expect(seen).toEqual([before, { ...before, password: 'hash of new' }]);
    await users.update(9, { role: 'user' }, { onChanged });
    await users.update(2, { role: 'user' }, { guard, onChanged });
    expect(seen).toHaveLength(2);
  });

  it('keeps its e-mail in other letters, and takes that of no other', async () => {
    expect(await users.update(2, { email: 'ADA@EXAMPLE.ORG' })).toMatchObject({
      email: 'ADA@EXAMPLE.ORG',
    });
    expect(await users.update(2, { email: 'Admin@example.org' })).toEqual(
      taken('Admin@example.org'),
    );
  });

  it('is not changed if it does not exist, nor for a caller who has left', async () => {
    expect(await users.update(9, { role: 'user' })).toMatchObject({ refused: 'not_found' });
    expect(await users.remove(9)).toMatchObject({ refused: 'not_found' });
    expect(await users.update(2, { role: 'admin' }, { guard })).toBe(ENDED);
    expect(await users.remove(2, guard)).toBe(ENDED);
    expect(users.list()).toEqual([admin, ada]);
  });

  it('stays an admin and exists as long as there is no other admin', async () => {
    for (const email of ['bob@example.org', 'eve@example.org']) await made(email);
    expect(await users.update(1, { role: 'user' })).toEqual(refuse('last_admin'));
    expect(await users.remove(1)).toEqual(refuse('last_admin'));
    expect(await users.update(1, { role: 'admin' })).toEqual(admin);
    expect(await users.update(2, { role: 'user' })).toEqual(ada);
    await users.update(2, { role: 'admin' });
    expect(await users.update(1, { role: 'user' })).toMatchObject({ role: 'user' });
    expect(await users.remove(2)).toEqual(refuse('last_admin'));
    expect(await users.remove(1)).toMatchObject({ id: 1 });
  });
});

describe('the removal of a user', () => {
  it('removes tokens and toolpaths with their bodies, and no others', async () => {
    const rows = [1, 2, 2].map((owner_id, i) => ({
      id: i + 1,
      owner_id,
      name: 'a toolpath',
      hash: `${i}`.repeat(64),
      modified_at: '2020-01-01T00:00:00.000Z',
      bytes: 2,
    }));
    await database.change((draft, transaction) => {
      draft.toolpaths.push(...rows);
      for (const row of rows) database.putBody(transaction, row, Buffer.from('{}'));
    });
    for (const owner_id of [1, 2, 2]) await tokenOf(owner_id, 'a token');
    expect(await users.remove(2)).toEqual(ada);
    expect(database.records.toolpaths.map(({ id }) => id)).toEqual([1]);
    expect(database.records.tokens.map(({ id }) => id)).toEqual([1]);
    const bodies = await Promise.all(rows.map((row) => database.readBody(row).catch(() => null)));
    expect(bodies.map((body) => body !== null)).toEqual([true, false, false]);
  });

  it('is done although one who hears of it fails, and the others still hear', async () => {
    const heard: number[] = [];
    const error = new Error('the disk is full');
    users.onDeleted.push(
      () => Promise.reject(error),
      async (id) => void heard.push(id),
    );
    expect(await users.remove(9)).toMatchObject({ refused: 'not_found' });
    expect(await users.remove(2)).toEqual(ada);
    expect([heard, unsaved]).toEqual([[2], [error]]);
  });
});

describe('a log-in', () => {
  const attempt = (password: string, email = 'ada@example.org') =>
    users.logIn({ email, password, address: '::1' });

  it('finds the user with the right password alone', async () => {
    expect(await attempt('for Ada')).toMatchObject({ id: 2 });
    expect(await attempt('for admins')).toBeNull();
    expect(await attempt('for Ada', 'none@example.org')).toBeNull();
    expect(await attempt('busy')).toMatchObject({ refused: 'log_ins_busy' });
    await made('bob@example.org', null);
    expect(await attempt('null', 'bob@example.org')).toBeNull();
  });

  it('fails if the password or the user changes during the check', async () => {
    duringCheck = () => users.update(2, { password: 'new' });
    expect(await attempt('for Ada')).toBeNull();
    duringCheck = () => users.remove(2);
    expect(await attempt('new')).toBeNull();
  });
});

describe('a token', () => {
  it('is found by its secret, and listed without it for its user', async () => {
    const [a, b, c] = [await tokenOf(2, 'a'), await tokenOf(1, 'b'), await tokenOf(2, 'c')];
    expect(a).toEqual({ id: 1, name: 'a', token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(users.tokenOf(b.token)).toMatchObject({ id: 2, user_id: 1, name: 'b' });
    expect(users.tokenOf('unknown')).toBeNull();
    const listed = { created_at: TIME, last_used_at: null };
    expect(users.tokensOf(2)).toEqual([
      { id: 1, name: 'a', ...listed },
      { id: 3, name: 'c', ...listed },
    ]);
    expect(JSON.stringify(database.records.tokens)).not.toContain(c.token);
    expect(database.records.last_ids.token).toBe(3);
    const row = database.tokens.get(1)!;
    await users.removeToken(2, 1);
    await database.store.change((draft) => draft.put(database.tokens, 1, { row }));
    expect(users.tokensOf(2).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('may have a secret that exists already, and is created with what else is', async () => {
    const created: number[] = [];
    const options = { secret: 'of mine', onCreated: (_: unknown, id: number) => created.push(id) };
    const token = await users.createToken(2, 'own', options as object);
    expect([token, created]).toEqual([{ id: 1, name: 'own', token: 'of mine' }, [1]]);
    expect(users.tokenOf('of mine')?.id).toBe(1);
  });

  it('is not created for no user, beyond the limit, or for a caller who has left', async () => {
    expect(await users.createToken(9, 'a')).toMatchObject({ refused: 'not_found' });
    expect(await users.createToken(2, 'a', { guard })).toBe(ENDED);
    for (let i = 0; i < limits.tokens_per_user; i++) await tokenOf(2, `${i}`);
    const refusal = (await users.createToken(2, 'more')) as Refusal;
    expect(refusal.refused).toBe('invalid_arguments');
    expect(JSON.stringify(refusal)).toContain(`already ${limits.tokens_per_user} tokens`);
    expect(await users.createToken(1, 'of another user')).toMatchObject({
      name: 'of another user',
    });
  });

  it('is removed by its own user alone', async () => {
    const { token } = await tokenOf(2, 'a');
    expect(await users.removeToken(1, 1)).toBe(false);
    expect(await users.removeToken(2, 9)).toBe(false);
    expect(await users.removeToken(2, 1, guard)).toBe(ENDED);
    expect(users.tokenOf(token)).not.toBeNull();
    expect(await users.removeToken(2, 1)).toBe(true);
    expect(users.tokenOf(token)).toBeNull();
  });

  it('shows its last use at once and keeps it, however many uses there are', async () => {
    const saves: unknown[] = [];
    const { change } = database.store;
    database.store.change = (edit) => {
      saves.push(edit);
      return change.call(database.store, edit) as never;
    };
    await tokenOf(2, 'a');
    await tokenOf(2, 'b');
    saves.length = 0;
    for (const time of [TIME, OTHER_TIME]) {
      now = time;
      for (const id of [1, 2]) users.recordTokenUse(database.tokens.get(id)!);
    }
    const used = () => users.tokensOf(2).map(({ last_used_at }) => last_used_at);
    expect(used()).toEqual([OTHER_TIME, OTHER_TIME]);
    const saved = () => database.records.tokens.map(({ last_used_at }) => last_used_at);
    await expect.poll(saved).toEqual([OTHER_TIME, OTHER_TIME]);
    await new Promise(setImmediate);
    expect(saves.length).toBeLessThanOrEqual(2);
    now = TIME;
    users.recordTokenUse(database.tokens.get(1)!);
    await expect.poll(saved).toEqual([TIME, OTHER_TIME]);
  });

  it('keeps a use that comes while an earlier one is saved', async () => {
    await tokenOf(2, 'a');
    const { change } = database.store;
    database.store.change = async (edit) => {
      const value = await change.call(database.store, edit);
      database.store.change = change;
      now = OTHER_TIME;
      users.recordTokenUse(database.tokens.get(1)!);
      return value as never;
    };
    users.recordTokenUse(database.tokens.get(1)!);
    await expect.poll(() => database.tokens.get(1)?.last_used_at).toBe(OTHER_TIME);
  });

  it('works although its use cannot be saved, and its next use is saved', async () => {
    await tokenOf(2, 'a');
    const error = new Error('the disk is full');
    const { change } = database.store;
    database.store.change = () => Promise.reject(error);
    users.recordTokenUse(database.tokens.get(1)!);
    await expect.poll(() => unsaved).toEqual([error]);
    expect(users.tokensOf(2)[0]?.last_used_at).toBe(TIME);
    database.store.change = change;
    await new Promise(setImmediate);
    users.recordTokenUse(database.tokens.get(1)!);
    await expect.poll(() => database.tokens.get(1)?.last_used_at).toBe(TIME);
  });

  it('may be removed before its use is saved', async () => {
    const { token } = await tokenOf(2, 'a');
    const used = database.tokens.get(1)!;
    const removed = users.removeToken(2, 1);
    users.recordTokenUse(used);
    expect(await removed).toBe(true);
    await new Promise(setImmediate);
    expect([users.tokenOf(token), database.records.tokens, unsaved]).toEqual([null, [], []]);
  });
});

describe('secrets', () => {
  it('are random, and known by their hash', async () => {
    expect(createSecret()).not.toBe(createSecret());
    expect(createSessionToken()).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(sha256('abc')).toMatch(/^ba7816bf8f01cfea.*f20015ad$/);
    const [one, other] = [await hashPassword('the same'), await hashPassword('the same')];
    expect(one).toMatch(/^[\da-f]{32}:[\da-f]{64}$/);
    expect(one).not.toBe(other);
    for (const stored of [one, other]) expect(await verifyPassword('the same', stored)).toBe(true);
    expect(await verifyPassword('another', one)).toBe(false);
    expect(await verifyPassword('the same', null)).toBe(false);
  });
});
