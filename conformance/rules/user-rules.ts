/** Rules for users, roles and API tokens (spec §2.11, §3.3, §5). */

import { limits } from '../../contract/limits.ts';
import type { Actor } from '../actor.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';

const password = 'long enough for anyone';

/** A temporary user for one check. */
async function withUser(
  context: RuleContext,
  email: string,
  check: (admin: Actor, user_id: number) => Promise<void>,
): Promise<void> {
  const admin = await context.as('admin');
  const { user } = await admin.does('createUser', { email, password });
  try {
    await check(admin, user.id);
  } finally {
    const { users } = await admin.does('listUsers');
    const isThere = users.some((other) => other.id === user.id);
    if (isThere) await admin.does('deleteUser', { user_id: user.id });
  }
}

async function sessionStatus(context: RuleContext, session: string): Promise<number> {
  const headers = { Authorization: `Bearer ${session}` };
  const path = '/api/v1/controls/lock';
  return (await context.raw({ method: 'GET', path, headers })).status;
}

export const USER_RULES: readonly Rule[] = [
  {
    id: 'users/token-limit',
    requirements: ['A148'],
    routes: ['createToken', 'listTokens'],
    statement: 'The number of API tokens of a user is limited; one more is refused.',
    needs: { admin: true, sim: true },
    async check(context) {
      await withUser(context, 'rules-many@armtwin.test', async (admin, user_id) => {
        const names = Array.from({ length: limits.tokens_per_user }, (_, i) => `number ${i}`);
        await Promise.all(names.map((name) => admin.does('createToken', { user_id }, { name })));
        const more = { parameters: { user_id }, body: { name: 'one more' } };
        await admin.refused('createToken', more, INVALID);
        const { tokens } = await admin.does('listTokens', { user_id });
        context.expect.equal(tokens.length, limits.tokens_per_user, 'tokens in the end');
      });
    },
  },
  {
    id: 'users/revoked-token-releases-lock',
    requirements: ['A101', 'A157'],
    routes: ['deleteToken', 'takeLock', 'openStream'],
    statement: 'Deleting an API token releases the lock acquired with it and publishes that.',
    needs: { admin: true },
    async check(context) {
      const listener = await context.listen(await context.as('user'));
      await withUser(context, 'rules-revoked@armtwin.test', async (admin, user_id) => {
        const made = await admin.does('createToken', { user_id }, { name: 'revoked' });
        const anonymous = await context.as('anonymous');
        const { token } = await anonymous.does('createSession', { token: made.token });
        const headers = { Authorization: `Bearer ${token}` };
        const path = '/api/v1/controls/lock';
        const { status } = await context.raw({ method: 'POST', path, headers });
        context.expect.equal(status, 200, 'status of taking the lock');
        await listener.received('lock_status', ({ lock }) => lock.owner === 'user');
        await admin.does('deleteToken', { user_id, token_id: made.id });
        await listener.received('lock_status', ({ lock }) => lock.owner === 'none');
        context.expect.equal((await admin.does('getLock')).owner, 'none', 'owner afterwards');
      });
    },
  },
  {
    id: 'users/listed',
    requirements: ['A147', 'A7'],
    routes: ['listUsers'],
    statement: 'Every user can list the users: id, e-mail and role.',
    async check(context) {
      const { users } = await (await context.as('user')).does('listUsers');
      context.expect.ok(users.length > 0, 'a user is listed');
    },
  },
  {
    id: 'users/first-is-admin',
    requirements: ['A154'],
    routes: ['listUsers', 'createUser', 'deleteUser'],
    statement: 'The first user is an admin; later users start with the role user.',
    needs: { admin: true },
    async check(context) {
      await withUser(context, 'rules-later@armtwin.test', async (admin, user_id) => {
        const { users } = await admin.does('listUsers');
        const first = users.reduce((a, b) => (a.id < b.id ? a : b));
        context.expect.equal(first.role, 'admin', 'role of the first user');
        context.expect.equal(
          users.find((u) => u.id === user_id)?.role,
          'user',
          'role of a new one',
        );
      });
    },
  },
  {
    id: 'users/admins-only',
    requirements: ['A153', 'A155'],
    routes: ['createUser', 'deleteUser', 'checkUpdates', 'applyUpdate', 'setCollisionDetection'],
    statement: 'Admin calls by other users return 403 and error_code 4.',
    async check(context) {
      const user = await context.as('user');
      const refusal = { status: 403, error_code: 4 } as const;
      const parameters = { user_id: 1 };
      await user.refused('createUser', { body: { email: 'a@b.c', password } }, refusal);
      await user.refused('deleteUser', { parameters }, refusal);
      await user.refused('checkUpdates', {}, refusal);
      await user.refused('applyUpdate', { body: { version: '5.0.0' } }, refusal);
      await user.refused('setCollisionDetection', { body: { enabled: false } }, refusal);
    },
  },
  {
    id: 'users/promoted',
    requirements: ['A153', 'A156', 'A157', 'A75'],
    routes: ['updateUser', 'createUser', 'openStream'],
    statement: 'An admin can promote a user; user_created and user_updated are published to all.',
    needs: { admin: true },
    async check(context) {
      const listener = await context.listen(await context.as('user'));
      await withUser(context, 'rules-promoted@armtwin.test', async (admin, user_id) => {
        const { user } = await admin.does('updateUser', { user_id }, { role: 'admin' });
        context.expect.equal(user.role, 'admin', 'role after the promotion');
        const isThem = (event: { user: { id: number } }) => event.user.id === user_id;
        await listener.received('user_created', isThem);
        const updated = await listener.received('user_updated', isThem);
        context.expect.equal(updated.user, user, 'user in the event');
      });
      await listener.received('user_deleted', (event) => event.user.email.includes('promoted'));
    },
  },
  {
    id: 'users/own-password',
    requirements: ['A153'],
    routes: ['updateUser', 'logIn'],
    statement: 'Changing one’s own password needs current_password, and ends the open sessions.',
    needs: { admin: true },
    async check(context) {
      const email = 'rules-own@armtwin.test';
      await withUser(context, email, async (_admin, user_id) => {
        const anonymous = await context.as('anonymous');
        const { token } = await anonymous.does('logIn', { email, password });
        const change = async (body: object) => {
          const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
          const path = `/api/v1/users/${user_id}`;
          return context.raw({ method: 'PUT', path, headers, body: JSON.stringify(body) });
        };
        const wanted = { password: 'another long one' };
        context.expect.equal((await change(wanted)).status, 400, 'without the current password');
        const wrong = await change({ ...wanted, current_password: 'not this one' });
        context.expect.equal(wrong.status, 400, 'with a wrong current password');
        context.expect.equal(await sessionStatus(context, token), 200, 'the session so far');
        const right = await change({ ...wanted, current_password: password });
        context.expect.equal(right.status, 200, 'with the current password');
        context.expect.equal(await sessionStatus(context, token), 401, 'the session afterwards');
        await anonymous.does('logIn', { email, ...wanted });
      });
    },
  },
  {
    id: 'users/deleted-user-sessions',
    requirements: ['A100'],
    routes: ['deleteUser', 'logIn'],
    statement: 'Deleting a user ends all their sessions.',
    needs: { admin: true },
    async check(context) {
      const email = 'rules-gone@armtwin.test';
      await withUser(context, email, async (admin, user_id) => {
        const anonymous = await context.as('anonymous');
        const { token } = await anonymous.does('logIn', { email, password });
        context.expect.equal(await sessionStatus(context, token), 200, 'before');
        await admin.does('deleteUser', { user_id });
        context.expect.equal(await sessionStatus(context, token), 401, 'after');
      });
    },
  },
  {
    id: 'users/tokens',
    requirements: ['A101', 'A148'],
    routes: ['createToken', 'listTokens', 'deleteToken', 'createSession'],
    statement:
      'API tokens can be created, listed without secrets, and revoked with their sessions.',
    needs: { admin: true },
    async check(context) {
      await withUser(context, 'rules-tokens@armtwin.test', async (admin, user_id) => {
        const made = await admin.does('createToken', { user_id }, { name: 'laptop' });
        const anonymous = await context.as('anonymous');
        const { token } = await anonymous.does('createSession', { token: made.token });
        const listed = await admin.does('listTokens', { user_id });
        const names = listed.tokens.filter((entry) => entry.id === made.id).map((t) => t.name);
        context.expect.equal(names, ['laptop'], 'the entry in the list');
        const hidden = !JSON.stringify(listed).includes(made.token);
        context.expect.ok(hidden, 'the list holds no secret');
        await admin.does('deleteToken', { user_id, token_id: made.id });
        context.expect.equal(await sessionStatus(context, token), 401, 'session after revocation');
        const { tokens } = await admin.does('listTokens', { user_id });
        const isGone = tokens.every((entry) => entry.id !== made.id);
        context.expect.ok(isGone, 'a revoked token is not listed');
      });
    },
  },
];
