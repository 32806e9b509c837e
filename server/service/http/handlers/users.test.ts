/** Calls about users, sessions and tokens: what is refused, audited, ended and published. */

import { beforeEach, describe, expect, it } from 'vitest';
import { type Refusal, refuse } from '../../../../contract/refusal.ts';
import type { Caller } from '../../../robot/caller.ts';
import { Database } from '../../../store/database.ts';
import { openStore } from '../../../store/open-store.ts';
import type { PasswordChecks } from '../../sessions/password-checks.ts';
import type { Session } from '../../sessions/sessions.ts';
import { type PublicUser, Users } from '../../sessions/users.ts';
import type { Answer } from '../reply.ts';
import type { Services } from '../services.ts';
import { sessionHandlers } from './sessions.ts';
import { userHandlers } from './users.ts';

const ADDRESS = '10.0.0.7';
const BUSY = refuse('log_ins_busy');
const ENDED = refuse('not_authenticated');
const EVERY_TIME = '2020-01-02T03:04:05Z';

/** Checks of passwords without the cost of a hash. */
const QUICK = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async ({ password, stored }: { password: string; stored: string | null }) =>
    password === 'busy' ? BUSY : stored === `hash of ${password}`,
};

let users: Users;
let services: Services;
let admin: PublicUser;
let ada: PublicUser;
/** Sessions by secret; the number of the user and of the token are in it. */
let open: Session[];
let audited: unknown[];
let published: unknown[];
let forgotten: unknown[];
/** The users whose offered toolpath was dropped. */
let unshared: number[];

function fakesBeside(database: Database): object {
  return {
    database,
    sessions: {
      create(user_id: number, token_id: number | null) {
        open.push({ user_id, token_id: token_id ?? -1, created_s: 0, expires_s: 1 });
        return `session ${open.length}`;
      },
      endWhere(matches: (session: Session) => boolean) {
        open = open.filter((session) => !matches(session));
      },
    },
    audit: { record: (event: string, details: object) => audited.push([event, details]) },
    hub: { publish: (event: object) => published.push(event) },
    loop: { apply: (command: object) => forgotten.push(command) },
    library: { forgetShared: (user_id: number) => unshared.push(user_id) },
  };
}

beforeEach(async () => {
  [open, audited, published, forgotten, unshared] = [[], [], [], [], []];
  const place = { name: 'users', software_version: '4.9.0' };
  const database = await Database.open(await openStore(':memory:'), place);
  const passwords = QUICK as object as PasswordChecks;
  const timestamp = () => EVERY_TIME;
  users = new Users({ database, passwords, timestamp, onUnsaved: () => {} });
  services = { ...fakesBeside(database), users } as object as Services;
  admin = (await users.create('admin@example.org', 'for admins')) as PublicUser;
  ada = (await users.create('ada@example.org', 'for Ada')) as PublicUser;
});

const callerOf = ({ id, role }: PublicUser): Caller => ({ user_id: id, token_id: 1, role });

type Recheck = () => Refusal<'not_authenticated'> | null;
type AnyHandler = (call: object, services: Services) => Answer | Promise<Answer>;

/** Makes a call; what every call has is added. */
async function call(
  handler: unknown,
  parts: object,
  recheck: Recheck = () => null,
): Promise<Answer> {
  const deadline = { passed: false, isLeft: false, isCommitted: false };
  const common = { origin: { address: ADDRESS }, deadline, recheck, record: () => {} };
  return (handler as AnyHandler)({ ...common, ...parts }, services);
}

const createdToken = async (user_id: number) => {
  const token = await users.createToken(user_id, 'test');
  if ('refused' in token) throw new Error(token.refused);
  return token;
};

describe('a log-in', () => {
  it('by a token begins a session of it, and notes its use', async () => {
    const { id: token_id, token } = await createdToken(ada.id);
    const got = await call(sessionHandlers.createSession, { body: { token } });
    expect(got).toEqual({ reply: { token: 'session 1' } });
    expect(open).toMatchObject([{ user_id: ada.id, token_id }]);
    expect(audited).toEqual([['log_in', { user_id: ada.id, token_id, address: ADDRESS }]]);
    expect(users.tokensOf(ada.id)).toMatchObject([{ last_used_at: EVERY_TIME }]);
  });

  it('by an unknown token is refused and audited', async () => {
    const got = await call(sessionHandlers.createSession, { body: { token: 'none' } });
    expect(got).toMatchObject({ refused: 'wrong_credentials' });
    expect([open, audited]).toEqual([[], [['log_in_failed', { address: ADDRESS }]]]);
  });

  it.each([
    ['ada@example.org', 'for Ada', 'log_in', undefined],
    ['ada@example.org', 'wrong', 'log_in_failed', 'wrong_credentials'],
    ['ada@example.org', 'busy', 'log_in_refused', 'log_ins_busy'],
    ['bob@example.org', 'for Ada', 'log_in_failed', 'wrong_credentials'],
  ])(
    'by %s with the password "%s" is audited as %s',
    async (...[email, password, event, refused]) => {
      const got = await call(sessionHandlers.logIn, { body: { email, password } });
      expect('refused' in got ? got.refused : undefined).toBe(refused);
      const known = email === ada.email ? { user_id: ada.id } : {};
      expect(audited).toEqual([[event, { address: ADDRESS, ...known }]]);
      expect(open).toHaveLength(refused === undefined ? 1 : 0);
    },
  );

  it('whose time is over begins no session', async () => {
    const body = { email: ada.email, password: 'for Ada' };
    const deadline = { passed: true, isLeft: false, isCommitted: false };
    const got = await call(sessionHandlers.logIn, { body, deadline });
    expect(got).toMatchObject({ refused: 'timed_out' });
    expect([open, audited]).toEqual([[], []]);
  });
});

describe('a change of a user', () => {
  const change = (by: PublicUser, body: object, recheck?: Recheck) => {
    const parts = { caller: callerOf(by), body, parameters: { user_id: ada.id } };
    return call(userHandlers.updateUser, parts, recheck);
  };
  const events = () => audited.map((one) => (one as [string])[0]);
  beforeEach(() => {
    for (const { id } of [admin, ada]) services.sessions.create(id, null);
  });

  it.each([
    [{ email: 'new@example.org' }, ['user_changed'], true],
    [{ password: 'another one' }, ['password_changed'], false],
    [{ role: 'admin' }, ['role_changed'], true],
    [{ email: 'new@example.org', role: 'admin' }, ['role_changed', 'user_changed'], true],
    [{ email: 'ada@example.org', role: 'user' }, [], false],
    [{}, [], false],
  ] as const)('to %j by an admin is audited as %j', async (edit, expected, isPublished) => {
    const user = { ...ada, ...('email' in edit && { email: edit.email }) };
    const changed = { ...user, ...('role' in edit && { role: edit.role }) };
    expect(await change(admin, edit)).toEqual({ reply: { user: changed } });
    expect(events()).toEqual(expected);
    const details = { by: admin.id, user_id: ada.id, role: changed.role, address: ADDRESS };
    for (const [, given] of audited as [string, object][]) expect(given).toEqual(details);
    expect(published).toEqual(isPublished ? [{ type: 'user_updated', user: changed }] : []);
  });

  it.each([
    [{ password: 'another one' }, true],
    [{ role: 'admin' }, true],
    [{ email: 'new@example.org' }, false],
    [{ role: 'user' }, false],
  ])('to %j ends the sessions of the user: %s', async (edit, isEnded) => {
    await change(admin, edit);
    expect(open.map(({ user_id }) => user_id)).toEqual(isEnded ? [admin.id] : [admin.id, ada.id]);
  });

  it.each([
    { email: 'new@example.org' },
    { password: 'another one' },
    { email: 'new@example.org', password: 'another one' },
  ])('to %j by the user needs the current password', async (edit) => {
    const path = '/current_password';
    expect(await change(ada, edit)).toMatchObject({
      ...{ refused: 'invalid_arguments', details: [{ path }] },
    });
    expect(await change(ada, { ...edit, current_password: 'wrong' })).toMatchObject({
      ...{ refused: 'invalid_arguments', details: [{ path }] },
    });
    expect(await change(ada, { ...edit, current_password: 'busy' })).toBe(BUSY);
    expect([audited, users.find(ada.id)!.email]).toEqual([[], ada.email]);
    expect(await change(ada, { ...edit, current_password: 'for Ada' })).not.toHaveProperty(
      'refused',
    );
  });

  it('of nothing needs no password; another role needs an admin', async () => {
    expect(await change(ada, {})).toEqual({ reply: { user: ada } });
    expect(await change(ada, { role: 'admin' })).toMatchObject({ refused: 'role_too_low' });
  });

  it('that is refused changes, audits and publishes nothing', async () => {
    expect(await change(admin, { role: 'admin' }, () => ENDED)).toBe(ENDED);
    expect(await change(admin, { email: admin.email })).toMatchObject({
      refused: 'invalid_arguments',
    });
    expect([audited, published, open.length]).toEqual([[], [], 2]);
    expect(users.find(ada.id)).toMatchObject({ email: ada.email, role: 'user' });
  });
});

describe('a deleted token', () => {
  const remove = (token_id: number, recheck?: Recheck) => {
    const parameters = { user_id: ada.id, token_id };
    return call(userHandlers.deleteToken, { caller: callerOf(ada), parameters }, recheck);
  };

  it('loses its sessions, and the lock also where it has none', async () => {
    const [used, unused] = [await createdToken(ada.id), await createdToken(ada.id)];
    services.sessions.create(ada.id, used.id);
    services.sessions.create(ada.id, null);
    expect(await remove(unused.id)).toEqual({ reply: {} });
    expect([open.length, forgotten]).toEqual([2, [{ kind: 'forget_token', token_id: unused.id }]]);
    expect(await remove(used.id)).toEqual({ reply: {} });
    expect(open.map(({ token_id }) => token_id)).toEqual([-1]);
    const details = { by: ada.id, user_id: ada.id, address: ADDRESS };
    expect(audited).toEqual([
      ['token_deleted', { ...details, token_id: unused.id }],
      ['token_deleted', { ...details, token_id: used.id }],
    ]);
  });

  it('is one of the user, and stays where the call is refused', async () => {
    const { id } = await createdToken(ada.id);
    services.sessions.create(ada.id, id);
    expect(await remove(id, () => ENDED)).toBe(ENDED);
    expect(await remove(id + 1)).toMatchObject({ refused: 'not_found' });
    expect([open.length, audited, forgotten]).toEqual([1, [], []]);
  });
});

describe('a new user', () => {
  const create = (recheck?: Recheck) => {
    const body = { email: 'eve@example.org', password: 'for Eve' };
    return call(userHandlers.createUser, { caller: callerOf(admin), body }, recheck);
  };

  it('is answered, audited with who made it, and published', async () => {
    const got = (await create()) as { reply: { user: PublicUser } };
    const { user } = got.reply;
    expect(user).toMatchObject({ email: 'eve@example.org', role: 'user' });
    const details = { by: admin.id, user_id: user.id, role: 'user', address: ADDRESS };
    expect(audited).toEqual([['user_created', details]]);
    expect(published).toEqual([{ type: 'user_created', user }]);
  });

  it('is none where the call is refused: nothing is audited or published', async () => {
    expect(await create(() => ENDED)).toBe(ENDED);
    expect([audited, published, users.list().length]).toEqual([[], [], 2]);
  });
});

describe('a deleted user', () => {
  const remove = (recheck?: Recheck) => {
    const parts = { caller: callerOf(admin), parameters: { user_id: ada.id } };
    return call(userHandlers.deleteUser, parts, recheck);
  };
  /** Ada has a session by token, one by log-in, and a token without one; the admin has one. */
  const withSessions = async () => {
    const [used, unused] = [await createdToken(ada.id), await createdToken(ada.id)];
    for (const token_id of [used.id, null]) services.sessions.create(ada.id, token_id);
    services.sessions.create(admin.id, 99);
    return [used.id, unused.id];
  };

  it('loses all sessions, and the lock of each token and log-in', async () => {
    const tokens = await withSessions();
    expect(await remove()).toEqual({ reply: { user: ada } });
    expect(open.map(({ user_id }) => user_id)).toEqual([admin.id]);
    const ids = [...tokens, -1];
    expect(forgotten).toEqual(ids.map((token_id) => ({ kind: 'forget_token', token_id })));
    const details = { by: admin.id, user_id: ada.id, address: ADDRESS };
    expect(audited).toEqual([['user_deleted', details]]);
    expect(published).toEqual([{ type: 'user_deleted', user: ada }]);
    expect(unshared).toEqual([ada.id]);
  });

  it('stays with its sessions where the call is refused', async () => {
    await withSessions();
    expect(await remove(() => ENDED)).toBe(ENDED);
    expect([open.length, forgotten, audited, published, unshared]).toEqual([3, [], [], [], []]);
    expect(users.find(ada.id)).toMatchObject({ email: ada.email });
  });
});

describe('a new token', () => {
  const create = (recheck?: Recheck) => {
    const parts = { caller: callerOf(admin), body: { name: 'cell 3' } };
    return call(userHandlers.createToken, { ...parts, parameters: { user_id: ada.id } }, recheck);
  };

  it('is answered with its secret, and audited with user and maker', async () => {
    const { reply } = (await create()) as { reply: { id: number; token: string } };
    expect(users.tokenOf(reply.token)).toMatchObject({ id: reply.id, user_id: ada.id });
    const details = { by: admin.id, user_id: ada.id, token_id: reply.id, address: ADDRESS };
    expect(audited).toEqual([['token_created', details]]);
  });

  it('is none where the call is refused: nothing is audited', async () => {
    expect(await create(() => ENDED)).toBe(ENDED);
    expect([audited, users.tokensOf(ada.id)]).toEqual([[], []]);
  });
});
