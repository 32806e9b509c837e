/** Rules for sessions and authentication (spec §3.3, §4.1, §5). */

import { limits } from '../../contract/limits.ts';
import { routeOf } from '../../contract/routes.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { newAdminSession } from '../steps/admin-session.ts';

const lost = { status: 401, error_code: 5 } as const;
const lockPath = '/api/v1/controls/lock';

async function authorized(context: RuleContext, value: string | null) {
  const headers: Record<string, string> = value === null ? {} : { Authorization: value };
  return context.raw({ method: 'GET', path: lockPath, headers });
}

async function expectUnauthorized(context: RuleContext, value: string | null, code: number) {
  const reply = await authorized(context, value);
  context.expect.equal(reply.status, 401, `status with Authorization ${value}`);
  const { error } = context.expect.fits('ErrorBody', reply.body);
  context.expect.equal(error.error_code, code, `error_code with Authorization ${value}`);
}

export const SESSION_RULES: readonly Rule[] = [
  {
    id: 'session/from-token',
    requirements: ['A97', 'A104', 'A148'],
    routes: ['createSession'],
    statement: 'An API token can be exchanged for a session token without a session.',
    async check(context) {
      const anonymous = await context.as('anonymous');
      const { token } = await anonymous.does('createSession', { token: context.tokenOf('user') });
      const reply = await authorized(context, `Bearer ${token}`);
      context.expect.equal(reply.status, 200, 'a call with the new session');
    },
  },
  {
    id: 'session/unknown-token-refused',
    requirements: ['A97', 'A152', 'A161'],
    routes: ['createSession'],
    statement: 'An unknown API token is refused with 401 and error_code 5.',
    async check(context) {
      const anonymous = await context.as('anonymous');
      await anonymous.refused('createSession', { body: { token: 'no such token' } }, lost);
    },
  },
  {
    id: 'session/needed',
    requirements: ['A149', 'A152'],
    routes: ['getLock'],
    statement: 'Without a session, or with an unknown one, calls are refused with error_code 5.',
    async check(context) {
      await expectUnauthorized(context, null, 5);
      await expectUnauthorized(context, 'Bearer None', 5);
    },
  },
  {
    id: 'session/old-scheme-refused',
    requirements: ['A150', 'A152'],
    routes: ['getLock'],
    statement: 'The scheme API, any other but Bearer, and Bearer alone return error_code 6.',
    async check(context) {
      await expectUnauthorized(context, 'Bearer', 6);
      await expectUnauthorized(context, `API ${context.tokenOf('user')}`, 6);
      await expectUnauthorized(context, 'Basic dXNlcjpwYXNz', 6);
    },
  },
  {
    id: 'session/ended-by-delete',
    requirements: ['A99', 'A105'],
    routes: ['endSession'],
    statement: 'DELETE auth returns 204 and ends the session at once.',
    async check(context) {
      const user = await context.as('user');
      await user.does('endSession');
      await user.refused('getLock', {}, lost);
    },
  },
  {
    id: 'session/renewed',
    requirements: ['A98', 'A103', 'A106', 'A163'],
    routes: ['renewSession'],
    statement:
      'A renewal extends the session by 30 minutes; without it the session ends after 30 minutes.',
    needs: { armTime_s: 2 * limits.session_idle_s },
    async check(context) {
      const kept = await context.as('user');
      const anonymous = await context.as('anonymous');
      const { token } = await anonymous.does('createSession', { token: context.tokenOf('user') });
      const streams = [
        await context.listen(kept),
        await context.listen({ ...anonymous, session: token }),
      ];
      await context.settle(limits.session_idle_s * 0.6);
      await kept.does('renewSession');
      await context.settle(limits.session_idle_s * 0.6);
      await kept.does('getLock');
      await expectUnauthorized(context, `Bearer ${token}`, 5);
      await context.until('its stream has ended', async () => !streams[1]?.isOpen());
      context.expect.ok(streams[0]?.isOpen() === true, 'the other stream goes on');
    },
  },
  {
    id: 'session/48-hours-at-most',
    requirements: ['A98', 'A103', 'A163'],
    routes: ['renewSession'],
    statement: 'A session ends 48 hours after its creation regardless of renewals.',
    needs: { armTime_s: limits.session_age_s + 3600 },
    async check(context) {
      const user = await context.as('user');
      const step_s = limits.session_idle_s - 300;
      for (let age_s = step_s; age_s < limits.session_age_s; age_s += step_s) {
        await context.settle(step_s);
        await user.does('renewSession');
      }
      await context.settle(step_s);
      await user.refused('getLock', {}, lost);
    },
  },
  {
    id: 'session/log-in-limit',
    requirements: ['A152'],
    routes: ['createSession', 'logIn', 'cyclePower'],
    statement:
      'Ten failed password log-ins block account and address until a power cycle, but no token.',
    needs: { sim: true, admin: true },
    async check(context) {
      const anonymous = await context.as('anonymous');
      // Clears the failed log-ins of other rules too.
      await (await context.as('admin')).does('cyclePower');
      const { session } = await newAdminSession(context);
      const guess = { body: { email: 'unknown@armtwin.test', password: 'only a guess' } };
      const body = { token: context.tokenOf('user') };
      try {
        for (let failed = 0; failed < limits.failed_log_ins_per_min; failed++) {
          await anonymous.refused('logIn', guess, lost);
        }
        await anonymous.refused('logIn', guess, { status: 429, error_code: 5 });
        const other = { body: { ...guess.body, email: 'other@armtwin.test' } };
        await anonymous.refused('logIn', other, lost);
        await anonymous.does('createSession', body);
      } finally {
        const headers = { Authorization: `Bearer ${session}` };
        await context.raw({ method: 'POST', path: routeOf('cyclePower').path, headers });
      }
      await anonymous.refused('logIn', guess, lost);
    },
  },
  {
    id: 'session/by-password',
    requirements: ['A153'],
    routes: ['logIn', 'createUser', 'deleteUser'],
    statement: 'E-mail and password create a session; a wrong password does not.',
    needs: { admin: true },
    async check(context) {
      const admin = await context.as('admin');
      const anonymous = await context.as('anonymous');
      const body = { email: 'rules-log-in@armtwin.test', password: 'right and long' };
      const { user } = await admin.does('createUser', body);
      try {
        const { token } = await anonymous.does('logIn', body);
        context.expect.equal((await authorized(context, `Bearer ${token}`)).status, 200, 'a call');
        await anonymous.refused('logIn', { body: { ...body, password: 'wrong but long' } }, lost);
      } finally {
        await admin.does('deleteUser', { user_id: user.id });
      }
    },
  },
];
