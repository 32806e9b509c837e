/**
 * The first admin of a new data folder, and what the options of a later start mean: which token
 * they make valid, which they revoke, and what stays revoked.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import type { SeedBody } from '../../../contract/types.generated.ts';
import { createTwin, type Twin } from '../../index.ts';
import { Database } from '../../store/database.ts';
import { openStore } from '../../store/open-store.ts';
import { StorageError } from '../../store/storage-error.ts';
import { ensureAdmin, type FirstAdminSettings } from './first-admin.ts';
import type { PasswordChecks } from './password-checks.ts';
import { hashPassword } from './passwords.ts';
import { REVOKED_PER_OWNER, withoutRevokedTokens } from './revoked-tokens.ts';
import { tokenWarning } from './token-warning.ts';
import { Users } from './users.ts';

const SETTINGS: FirstAdminSettings = {
  admin_email: null,
  admin_password: null,
  token: 'configured',
  showsCredentials: true,
};

let database: Database;
let users: Users;
/** Lines of the audit log and of the log. */
let lines: string[];

beforeEach(async () => {
  database = await Database.open(await openStore(':memory:'), {
    name: 'first',
    software_version: '4.9.0',
  });
  lines = [];
  users = new Users({
    database,
    passwords: { hash: hashPassword } as object as PasswordChecks,
    timestamp: () => '2020-01-02T03:04:05Z',
    onUnsaved: () => {},
  });
});

const parts = () => ({
  users,
  database,
  audit: {
    record: (event: string, { user_id, token_id }: { user_id?: number; token_id?: number }) =>
      void lines.push(`${event} ${user_id} ${token_id ?? ''}`.trim()),
  },
  log: {
    info: (text: string) => void lines.push(`info: ${text}`),
    warn: (text: string) => void lines.push(`warn: ${text}`),
  },
});

/** Starts with options; returns the lines of this start. */
async function start(options: Partial<FirstAdminSettings> = {}) {
  lines = [];
  await ensureAdmin(parts(), { ...SETTINGS, ...options });
  return lines;
}

/** What a secret is: the id of its token and its owner. */
function tokenOf(secret: string) {
  const token = users.tokenOf(secret);
  return token && { id: token.id, of: token.user_id, name: token.name };
}

async function secondAdmin(): Promise<number> {
  const user = await users.create('second@example.org', null);
  if ('refused' in user) throw new Error(user.refused);
  await users.update(user.id, { role: 'admin' });
  return user.id;
}

it.each([
  ['x'.repeat(19), '192.0.2.1', true],
  ['x'.repeat(20), '192.0.2.1', false],
  ['x', 'localhost', false],
  [null, '192.0.2.1', false],
])('the token %s on %s is easy to guess: %s', (token, host, isWarned) => {
  expect(tokenWarning({ token, host }) !== null).toBe(isWarned);
});

describe('a new data folder', () => {
  it('gets what the options say, and generated secrets for the rest', async () => {
    const generated = await ensureAdmin(parts(), SETTINGS);
    const password = expect.stringMatching(/^.{20,}$/);
    expect(generated).toEqual({ email: 'admin@armtwin.local', password, token: null });
    expect(tokenOf('configured')).toEqual({ id: 1, of: 1, name: 'first token' });
    expect(lines).toEqual(['user_created 1', 'token_created 1 1']);
    expect(await start()).toEqual([]);
  });

  it('gets a generated token, which a later start with one does not revoke', async () => {
    const own = { admin_email: 'a@b.example', admin_password: 'chosen', token: null };
    const generated = await ensureAdmin(parts(), { ...SETTINGS, ...own });
    const token = expect.stringMatching(/^.{20,}$/);
    expect(generated).toEqual({ email: 'a@b.example', password: null, token });
    await start();
    expect(tokenOf(generated!.token!)).toEqual({ id: 1, of: 1, name: 'first token' });
    expect(tokenOf('configured')).toEqual({ id: 2, of: 1, name: 'command line' });
  });

  it('gets no admin where the generated secrets cannot be kept', async () => {
    const keep = () => {
      throw new Error('no space');
    };
    const given = ensureAdmin(parts(), { ...SETTINGS, token: null }, keep);
    await expect(given).rejects.toThrow('no space');
    expect(users.list()).toEqual([]);
  });

  it('gets a password only where it is given or a generated one is seen', async () => {
    const quiet = { ...SETTINGS, showsCredentials: false };
    expect(await ensureAdmin(parts(), quiet)).toMatchObject({ password: null, token: null });
    expect(users.find(1)).toMatchObject({ email: 'admin@armtwin.local', password: null });
  });

  it('is a reason to stop when the admin cannot be created', async () => {
    const create = async () => ({ refused: 'invalid_arguments', details: 'no e-mail' });
    const failing = Object.assign(Object.create(users) as Users, { create });
    const given = ensureAdmin({ ...parts(), users: failing }, SETTINGS);
    await expect(given).rejects.toThrow('no e-mail');
  });

  it('is a reason to stop when the token cannot be created', async () => {
    const createToken = async () => ({ refused: 'limit_reached', details: 'no place' });
    const failing = Object.assign(Object.create(users) as Users, { createToken });
    const given = ensureAdmin({ ...parts(), users: failing }, SETTINGS);
    await expect(given).rejects.toThrow('no place');
    expect(lines).toEqual(['user_created 1']);
  });
});

describe('the token of a later start', () => {
  beforeEach(() => start());

  it('replaces the one before, and does not come back', async () => {
    const replaced = await start({ token: 'another' });
    expect(replaced).toEqual([
      'token_created 1 2',
      expect.stringMatching(/^info: The API token of --token .* is new: token 2 of user 1$/),
      'token_deleted 1 1',
      expect.stringContaining('info: Token 1 of user 1 is revoked'),
    ]);
    expect([tokenOf('configured'), tokenOf('another')?.id]).toEqual([null, 2]);
    expect(await start({ token: 'another' })).toEqual([]);
    const [warning, ...rest] = await start();
    expect(warning).toMatch(/^warn: .*was revoked \(token 1 of user 1\) and stays invalid/);
    expect([rest, tokenOf('configured'), tokenOf('another')?.id]).toEqual([[], null, 2]);
    expect(`${replaced} ${warning}`).not.toMatch(/configured|another\b(?! one)/);
  });

  it('stays revoked after its deletion, also for another admin', async () => {
    const second = await secondAdmin();
    await users.removeToken(1, 1);
    for (const change of [{ role: 'admin' }, { role: 'user' }] as const) {
      await users.update(1, change);
      expect(await start()).toEqual([expect.stringContaining('was revoked (token 1 of user 1)')]);
    }
    await users.remove(1);
    expect(await start()).toEqual([
      expect.stringContaining('was revoked (token 1 of a user who was deleted)'),
    ]);
    expect(users.tokensOf(second)).toEqual([]);
  });

  it('stays revoked when its user was deleted with it', async () => {
    const second = await secondAdmin();
    await users.remove(1);
    expect(await start()).toEqual([expect.stringContaining('of a user who was deleted')]);
    await start({ token: 'fresh' });
    expect(tokenOf('fresh')).toMatchObject({ of: second });
  });

  it('stays with its owner, who is not made admin by it', async () => {
    await secondAdmin();
    await users.update(1, { role: 'user' });
    expect(await start()).toEqual([expect.stringContaining('belongs to user 1, who is no admin')]);
    expect(users.find(1)?.role).toBe('user');
  });

  it('may be one that a call made, which replaces the one before', async () => {
    await users.createToken(1, 'made by a call', { secret: 'made' });
    expect(await start({ token: 'made' })).toContain('token_deleted 1 1');
    expect(tokenOf('made')).toEqual({ id: 2, of: 1, name: 'made by a call' });
    await users.removeToken(1, 2);
    expect(await start({ token: 'made' })).toEqual([expect.stringContaining('was revoked')]);
  });

  it('is reported where the admin has too many', async () => {
    await users.removeToken(1, 1);
    for (let n = 0; n < limits.tokens_per_user; n++) await users.createToken(1, `${n}`);
    const [warning, ...rest] = await start({ token: 'more' });
    expect([warning, rest]).toEqual([expect.stringContaining('is not valid'), []]);
    expect(tokenOf('more')).toBeNull();
  });

  it('does not count tokens of others, nor those that it replaces', async () => {
    const second = await secondAdmin();
    for (let n = 0; n < limits.tokens_per_user; n++) await users.createToken(second, `${n}`);
    for (let n = 1; n < limits.tokens_per_user; n++) await users.createToken(1, `${n}`);
    await start({ token: 'another' });
    expect(tokenOf('another')).toMatchObject({ of: 1 });
    expect(users.tokensOf(1)).toHaveLength(limits.tokens_per_user);
  });

  it('counts only tokens of options as those of earlier starts, whatever their names', async () => {
    await users.createToken(1, 'command line', { secret: 'of a user' });
    await start({ token: 'another' });
    expect(tokenOf('of a user')?.id).toBe(2);
    expect(tokenOf('configured')).toBeNull();
  });

  it('revokes each for its own owner', async () => {
    const second = await secondAdmin();
    const token = { secret: 'of two', is_configured: true } as const;
    await users.createToken(second, 'command line', token);
    await start({ token: 'another' });
    expect([tokenOf('configured'), tokenOf('of two')]).toEqual([null, null]);
    expect(await start({ token: 'of two' })).toEqual([
      expect.stringContaining(`2 of user ${second}`),
    ]);
  });

  it('cannot be saved in a folder that cannot be written, and the start goes on', async () => {
    database.store.refuseChanges(new StorageError('read-only'));
    expect(await start()).toEqual([]);
    expect(await start({ token: 'other' })).toEqual([
      expect.stringMatching(/could not be saved: read-only. It is not valid; one of an earlier/),
    ]);
    expect(tokenOf('configured')?.id).toBe(1);
  });

  it('may be valid although it cannot be saved as that of the options', async () => {
    await users.createToken(1, 'by a call', { secret: 'of a call' });
    database.store.refuseChanges(new StorageError('read-only'));
    expect(await start({ token: 'of a call' })).toEqual([expect.stringContaining('It is valid;')]);
  });

  it('does not hide a defect of the store', async () => {
    vi.spyOn(database.store, 'change').mockRejectedValue(new Error('a defect'));
    await expect(start()).rejects.toThrow('a defect');
  });
});

describe('e-mail and password of a later start', () => {
  it('are compared with those of the folder', async () => {
    await start({ admin_email: 'a@b.example', admin_password: 'chosen' });
    const same = { admin_email: 'A@b.example', admin_password: 'chosen' };
    expect(await start(same)).toEqual([]);
    expect(await start({ ...same, admin_password: 'another' })).toEqual([
      expect.stringMatching(/^warn: --admin-password applies only to a new data folder.* user 1/),
    ]);
    expect(await start({ ...same, admin_email: 'x@b.example' })).toEqual([
      expect.stringMatching(/^warn: --admin-email applies only to a new data folder/),
    ]);
  });
});

describe('revoked tokens', () => {
  const revoked = () => [...database.revokedTokens.rows()].map(([, row]) => row);
  async function make(secret: string): Promise<number> {
    const token = await users.createToken(1, 'one', { secret });
    if ('refused' in token) throw new Error(token.refused);
    return token.id;
  }

  it('are forgotten beyond a limit, the oldest first, except those of options', async () => {
    await start();
    await users.removeToken(1, 1);
    await database.store.change((draft) => {
      for (let n = 0; n < REVOKED_PER_OWNER - 1; n++) {
        draft.put(database.revokedTokens, `${n}`, { row: { user_id: 1, token_id: 100 + n } });
      }
    });
    await users.removeToken(1, await make('last'));
    expect(revoked()).toHaveLength(REVOKED_PER_OWNER);
    expect(database.revokedTokens.get('0')).toBeUndefined();
    expect(database.revokedTokens.get('1')).toBeDefined();
    for (const token of ['last', 'configured']) {
      expect(await start({ token })).toEqual([expect.stringContaining('was revoked')]);
    }
  });

  it.each([
    [REVOKED_PER_OWNER - 1, 0],
    [REVOKED_PER_OWNER, 1],
  ])(
    '%i of them and one more: %i are forgotten, of the oldest tokens',
    async (count, forgotten) => {
      await start();
      const hashes = Array.from({ length: count }, (_, n) => `${n}`);
      await database.store.change((draft) => {
        // The tokens were not revoked in the order in which they were made.
        hashes.forEach((hash, n) => {
          draft.put(database.revokedTokens, hash, { row: { user_id: 1, token_id: 5000 - n } });
        });
      });
      await users.removeToken(1, await make('last'));
      const gone = hashes.filter((hash) => database.revokedTokens.get(hash) === undefined);
      expect(gone).toEqual(hashes.toReversed().slice(0, forgotten));
    },
  );

  it('of few are all kept', async () => {
    await start();
    for (const secret of ['a', 'b', 'c']) await users.removeToken(1, await make(secret));
    await database.store.change((draft) => {
      for (let n = 0; n < REVOKED_PER_OWNER / 2; n++) {
        draft.put(database.revokedTokens, `${n}`, { row: { user_id: 1, token_id: 100 + n } });
      }
    });
    await users.removeToken(1, await make('d'));
    expect(revoked()).toHaveLength(4 + REVOKED_PER_OWNER / 2);
  });

  it('of a seed are left out of a later start', async () => {
    await start();
    await users.removeToken(1, await make('leaked'));
    await make('valid');
    const named = ['leaked', 'valid', 'new'].map((token) => ({ name: token, token }));
    const seed: SeedBody = { users: [{ email: 'a@b.example', tokens: named }, { email: 'b@x' }] };
    const warnings: string[] = [];
    const { users: left } = withoutRevokedTokens(seed, database, (text) => warnings.push(text));
    expect(left).toEqual([{ email: 'a@b.example', tokens: named.slice(1) }, { email: 'b@x' }]);
    expect(warnings).toEqual([expect.stringContaining('“leaked” of --seed was revoked')]);
    expect(withoutRevokedTokens({}, database, () => {})).toEqual({});
  });
});

describe('a twin', () => {
  const LEAKED = 'a token that was leaked';

  it('does not let a token in that was deleted, whatever its next start names', async () => {
    const data = mkdtempSync(join(tmpdir(), 'armtwin-revoked-'));
    const leaked = { email: 'bob@example.org', tokens: [{ name: 'of Bob', token: LEAKED }] };
    const options = { data, token: 'configured', seed: { users: [leaked] } };
    const enters = async ({ url }: Twin, token: string) => {
      const arm = connect({ baseUrl: url, token });
      return arm.listUsers().then(
        () => true,
        () => false,
      );
    };
    try {
      const twin = await createTwin(options);
      const arm = connect({ baseUrl: twin.url, token: 'configured' });
      await arm.deleteToken({ user_id: 2, token_id: 2 });
      await arm.deleteToken({ user_id: 1, token_id: 1 });
      await twin.close();
      const next = await createTwin(options);
      expect([await enters(next, 'configured'), await enters(next, LEAKED)]).toEqual([
        false,
        false,
      ]);
      await next.close();
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});
