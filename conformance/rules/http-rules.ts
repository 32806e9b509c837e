/** Rules for HTTP: content types, paths, bodies and errors (spec §1, §5, §7). */
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';

/** The endpoints of every arm; /sim/v1 has its own rules. */
const ARM_ROUTES = ROUTES.filter((row) => !row.path.startsWith('/sim/'));

const runPath = '/api/v1/controls/run';
/** More than any client sends as headers. */
const HEADER_BYTES = 32 * 1024;
/** An id that no object has. */
const NO_SUCH_ID = 999_999_999;

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
    id: 'http/optional-body',
    requirements: ['A2', 'A160'],
    routes: ROUTES.filter((row: RouteRow) => row.bodyOptional).map(({ id }) => id),
    statement: 'A call whose fields are all optional needs neither a body nor a content type.',
    needs: { sim: true },
    async check(context) {
      const session = await withSession(context);
      for (const row of ROUTES as readonly RouteRow[]) {
        if (!row.bodyOptional || row.role === 'admin') continue;
        const path = row.path.replace(/\{\w+\}/g, String(NO_SUCH_ID));
        const method = row.method;
        const bare = await context.raw({ method, path, headers: session });
        const headers = { ...session, 'Content-Type': 'application/json' };
        const empty = await context.raw({ method, path, headers, body: '{}' });
        context.expect.equal(bare.status, empty.status, `status of ${row.id} without a body`);
        context.expect.equal(bare.body, empty.body, `reply of ${row.id} without a body`);
      }
      const admin = await context.as('admin');
      await admin.does('searchJournal');
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
        checkRefusal(reply, INVALID);
      }
    },
  },
  {
    id: 'http/endless-headers',
    requirements: ['A159', 'A160'],
    routes: ['getLock'],
    statement: 'Oversized headers are refused with 413 in the error format.',
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
    statement:
      'An unknown path returns 404 in the error format; only the versions are outside /api/v1.',
    async check(context) {
      const headers = await withSession(context);
      for (const path of ['/api/v1/nowhere', '/api/v1/versions', '/api/v1/toolpaths/abc']) {
        const reply = await context.raw({ method: 'GET', path, headers });
        checkRefusal(reply, { status: 404 });
      }
    },
  },
  {
    id: 'http/session-needed',
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
    statement: 'Invalid arguments return error_code 8.',
    async check({ as }) {
      const anonymous = await as('anonymous');
      await anonymous.refused('createSession', { body: {} }, INVALID);
      await anonymous.refused('createSession', { body: { token: 5 } }, INVALID);
    },
  },
];
