/** Rules of the HTTP surface: content types, paths, bodies, errors (spec §1, §5, §7). */
import { ROUTES, type RouteRow } from '../routes.ts';
import { checkRefusal } from './actor.ts';
import type { Rule, RuleContext } from './rule.ts';

/** What every arm has; the hand on a simulated one has rules of its own. */
const ARM_ROUTES = ROUTES.filter((row) => !row.path.startsWith('/sim/'));

const runPath = '/api/v1/controls/run';
/** More than any client has to say before its body. */
const HEADER_BYTES = 32 * 1024;

async function withSession(context: RuleContext): Promise<Record<string, string>> {
  const { session } = await context.as('user');
  return { Authorization: `Bearer ${session}` };
}

export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http/content-type',
    requirements: ['A2', 'A152', 'A160'],
    routes: ['run'],
    statement: 'A body that is not application/json is refused with 415.',
    async check(context) {
      const headers = { ...(await withSession(context)), 'Content-Type': 'text/plain' };
      const body = '{"mode":"teach","loop":1}';
      const reply = await context.raw({ method: 'POST', path: runPath, headers, body });
      checkRefusal(reply, { status: 415, error_code: 8 });
    },
  },
  {
    id: 'http/malformed-json',
    requirements: ['A159', 'A160', 'A175'],
    routes: ['run'],
    statement: 'A body that does not parse is refused with 400 in the error format.',
    async check(context) {
      const headers = { ...(await withSession(context)), 'Content-Type': 'application/json' };
      for (const body of ['', '{', '[1,]', '{"mode":NaN}', '\u0000', '{"a":1}x']) {
        const reply = await context.raw({ method: 'POST', path: runPath, headers, body });
        checkRefusal(reply, { status: 400, error_code: 8 });
      }
    },
  },
  {
    id: 'http/endless-headers',
    requirements: ['A159', 'A160'],
    routes: ['getLock'],
    statement: 'Headers beyond all measure are refused with 413 in the error format.',
    async check(context) {
      const headers = { ...(await withSession(context)), 'X-Filler': 'a'.repeat(HEADER_BYTES) };
      const reply = await context.raw({ method: 'GET', path: '/api/v1/controls/lock', headers });
      checkRefusal(reply, { status: 413, error_code: 8 });
    },
  },
  {
    id: 'http/unknown-path',
    requirements: ['A1', 'A5', 'A159', 'A160'],
    routes: ['getVersions'],
    statement: 'An unknown path is 404 in the error format; only the versions lie outside /api/v1.',
    async check(context) {
      const headers = await withSession(context);
      for (const path of ['/api/v1/nowhere', '/api/v1/versions', '/api/v1/toolpaths/abc']) {
        const reply = await context.raw({ method: 'GET', path, headers });
        checkRefusal(reply, { status: 404 });
      }
    },
  },
  {
    id: 'http/no-session-no-call',
    requirements: ['A5', 'A149', 'A152', 'A159'],
    routes: ARM_ROUTES.filter((row) => row.auth === 'session').map((row) => row.id),
    statement: 'Every call that needs a session refuses without one, in the error format.',
    async check(context) {
      const rows: readonly RouteRow[] = ARM_ROUTES;
      for (const row of rows) {
        if (row.auth === 'none' || row.carries) continue;
        const path = row.path.replaceAll(/\{\w+\}/g, '1');
        const hasBody = row.body !== undefined;
        const content = hasBody
          ? { headers: { 'Content-Type': 'application/json' }, body: '{}' }
          : {};
        const reply = await context.raw({ method: row.method, path, ...content });
        checkRefusal(reply, { status: 401, error_code: 5 });
      }
    },
  },
  {
    id: 'http/unknown-fields',
    requirements: ['A4', 'A159', 'A161'],
    routes: ['createSession'],
    statement: 'Invalid arguments are error_code 8.',
    async check({ as }) {
      const nobody = await as('nobody');
      await nobody.refused('createSession', { body: {} }, { status: 400, error_code: 8 });
      await nobody.refused('createSession', { body: { token: 5 } }, { status: 400, error_code: 8 });
    },
  },
];
