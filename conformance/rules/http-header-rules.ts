/**
 * Rules for HTTP headers, API documents, CORS and the connection count, which the spec does not
 * define.
 */

import { limits } from '../../contract/limits.ts';
import { routeOf } from '../../contract/routes.ts';
import type { RawRequest } from '../raw-request.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';

const needs = { sim: true } as const;
const VERSIONS = routeOf('getVersions').path;
const LOCK = routeOf('getLock').path;
const LOG_IN = routeOf('createSession').path;

/** The X-Armtwin header of a twin; undefined for other services. */
async function bannerOf({ raw }: RuleContext): Promise<string | undefined> {
  const { headers } = await raw({ method: 'GET', path: VERSIONS });
  return headers.get('x-armtwin') ?? undefined;
}

async function isFielded(context: RuleContext): Promise<boolean> {
  return (await bannerOf(context))?.endsWith('dialect=fielded') ?? false;
}

async function connectionsOf({ raw, expect }: RuleContext): Promise<number> {
  const { text } = await raw({ method: 'GET', path: '/metrics' });
  const [, count] = /^armtwin_connections (\d+)$/m.exec(text) ?? [];
  if (count === undefined) expect.fail('/metrics has no armtwin_connections');
  return Number(count);
}

export const HTTP_HEADER_RULES: readonly Rule[] = [
  {
    id: 'http/content-type-needed',
    requirements: ['A2', 'A160'],
    routes: ['createSession'],
    statement: 'A body without a content type is refused as documented and accepted in the field.',
    needs,
    async check(context) {
      const body = JSON.stringify({ token: context.tokenOf('user') });
      const post = (type: string | null) => {
        const headers = type === null ? {} : { 'Content-Type': type };
        return context.raw({ method: 'POST', path: LOG_IN, headers, body });
      };
      const bare = await post(null);
      if (await isFielded(context)) context.expect.equal(bare.status, 200, 'status without a type');
      else {
        const { details } = checkRefusal(bare, { status: 415, error_code: 8 });
        const says = JSON.stringify(details);
        context.expect.ok(says.includes('application/json'), `${says} names the right type`);
      }
      for (const type of ['application/json; charset=UTF-8', 'Application/JSON']) {
        context.expect.equal((await post(type)).status, 200, `status of ${type}`);
      }
      const other = await post('application/json; charset=utf-16');
      checkRefusal(other, { status: 415, error_code: 8 });
    },
  },
  {
    id: 'http/unknown-fields-named',
    requirements: ['A4'],
    routes: ['createSession'],
    statement:
      'Unknown fields are refused as documented; in the field they are ignored and listed.',
    needs,
    async check(context) {
      const headers = { 'Content-Type': 'application/json' };
      const token = context.tokenOf('user');
      const log = (more: object) => {
        const body = JSON.stringify({ token, ...more });
        return context.raw({ method: 'POST', path: LOG_IN, headers, body });
      };
      const reply = await log({ beside: 1 });
      if (await isFielded(context)) {
        context.expect.equal(reply.status, 200, 'status with an unknown field');
        context.expect.equal(reply.headers.get('x-armtwin-ignored'), '/beside', 'ignored fields');
      } else checkRefusal(reply, INVALID);
      const known = await log({});
      context.expect.equal(known.headers.get('x-armtwin-ignored'), null, 'no other ignored fields');
    },
  },
  {
    id: 'http/bodies-bounded',
    requirements: ['A159'],
    routes: ['createSession'],
    statement: 'A body above the size limit is refused with 413.',
    needs,
    async check({ raw, expect }) {
      const headers = { 'Content-Type': 'application/json' };
      const post = (bytes: number) => {
        const body = `{"token":"${'a'.repeat(bytes - 12)}"}`;
        return raw({ method: 'POST', path: LOG_IN, headers, body });
      };
      const large = await post(limits.body_default_bytes + 1);
      checkRefusal(large, { status: 413, error_code: 8 });
      expect.equal(large.headers.get('connection'), 'close', 'the connection closes');
      const within = await post(limits.body_default_bytes);
      expect.ok(within.status !== 413, 'a body within its bound is read');
    },
  },
  {
    id: 'http/headers',
    requirements: [],
    routes: ['getLock', 'getVersions'],
    statement: 'Replies have server, request id and security headers.',
    needs,
    async check(context) {
      const { session } = await context.as('user');
      const ask = (request: Partial<RawRequest>) => {
        return context.raw({ method: 'GET', path: LOCK, ...request });
      };
      const authorization = `Bearer ${session}`;
      const { headers } = await ask({ headers: { authorization, 'X-Request-Id': 'rule-1' } });
      const { expect } = context;
      expect.equal(headers.get('x-request-id'), 'rule-1', 'an id of the client');
      expect.ok(Number(headers.get('x-armtwin-user')) > 0, 'the user is named');
      expect.ok(
        /; driver=\S+; clock=\S+; dialect=/.test(headers.get('x-armtwin') ?? ''),
        'product and settings',
      );
      const others = [await ask({ path: VERSIONS }), await ask({ path: VERSIONS })];
      const ids = others.map((reply) => reply.headers.get('x-request-id') ?? '');
      expect.ok(ids.every((id) => id.length > 8) && ids[0] !== ids[1], 'ids of our own');
      const odd = await ask({ path: VERSIONS, headers: { 'X-Request-Id': 'a b' } });
      expect.ok(odd.headers.get('x-request-id') !== 'a b', 'an id that no log could hold');
      for (const { headers: seen } of others) {
        expect.equal(seen.get('x-armtwin-user'), null, 'no user header without a session');
        const policy = seen.get('content-security-policy') ?? '';
        expect.ok(policy.includes("default-src 'self'"), 'policy');
        expect.equal(seen.get('x-content-type-options'), 'nosniff', 'guessing of types');
        expect.equal(seen.get('x-powered-by'), null, 'the name of a framework');
      }
    },
  },
  {
    id: 'http/documents',
    requirements: [],
    routes: ['getVersions'],
    statement: 'The API documents are served, with the requested address as server.',
    needs,
    async check({ raw, expect }) {
      const openapi = await raw({ method: 'GET', path: '/openapi.json' });
      expect.equal(openapi.status, 200, 'status of the document of calls');
      const { paths, servers } = openapi.body as { paths: object; servers: { url: string }[] };
      expect.ok(VERSIONS in paths && LOCK in paths, 'calls are described');
      expect.ok(/^https?:/.test(servers[0]?.url ?? ''), 'the address is given');
      const asyncapi = await raw({ method: 'GET', path: '/asyncapi.json' });
      expect.equal(asyncapi.status, 200, 'status of the document of events');
      expect.ok(asyncapi.text.includes('state_change'), 'events are described');
    },
  },
  {
    id: 'http/odd-paths',
    requirements: ['A159', 'A160'],
    routes: ['getVersions', 'getToolpath'],
    statement: 'Malformed paths, invalid ids and unsupported methods are refused.',
    needs,
    async check(context) {
      const { session } = await context.as('user');
      const headers = { authorization: `Bearer ${session}` };
      for (const path of ['/api/v1/%zz', '/api/v1/toolpaths/1e3', '/api/v1/toolpaths/-1', '/no']) {
        checkRefusal(await context.raw({ method: 'GET', path, headers }), { status: 404 });
      }
      const wrong = await context.raw({ method: 'PUT', path: VERSIONS, headers });
      checkRefusal(wrong, { status: 405, error_code: 8 });
      context.expect.equal(wrong.headers.get('allow'), 'GET', 'allowed methods');
    },
  },
  {
    id: 'connection/counted',
    requirements: [],
    routes: ['getVersions'],
    statement: 'Open connections are counted.',
    needs: { ...needs, rawTcp: true },
    async check(context) {
      const before = await connectionsOf(context);
      const wires = Array.from({ length: 8 }, () => {
        return context.dial(`GET ${VERSIONS} HTTP/1.1\r\nHost: arm\r\n\r\n`);
      });
      const during = async () => (await connectionsOf(context)) >= before + wires.length - 2;
      await context.until('all of them are counted', during);
      for (const wire of wires) wire.close();
      const after = async () => (await connectionsOf(context)) <= before + 2;
      await context.until('closed connections are not counted', after);
    },
  },
];
