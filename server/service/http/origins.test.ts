/** Pages of other origins: no call of theirs is done, whatever its path (SECURITY, D8). */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { ROUTES, type RouteRow } from '../../../contract/routes.ts';
import {
  type ApiFixture,
  expectError,
  type HttpReply,
  PASSWORD,
  type RequestParts,
  send,
  startApiFixture,
} from './api-fixture.cases.ts';

const FRIEND = 'http://friend.test';
let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture({ dialect: 'fielded', allowedOrigins: [FRIEND] });
});
afterAll(() => fixture.close());

const rows: readonly RouteRow[] = ROUTES;
const CALLS = rows.map(({ method, path }) => [method, path.replace(/\{\w+\}/g, '1')] as const);
const PAGES = [
  ...['/', '/assets/main.js', '/docs/', '/openapi.json', '/asyncapi.json'],
  ...['/metrics', '/livez', '/readyz', '/healthz', '/nowhere'],
];

function from(origin: string, call: string, sent: RequestParts = {}) {
  const headers = { Origin: origin, ...sent.headers };
  return send(fixture.twin.url, call, { as: fixture.admin, ...sent, headers });
}

function expectForeign(got: HttpReply): void {
  expect([got.status, expectError(got).error_code]).toEqual([403, 4]);
  expect(got.headers['access-control-allow-origin']).toBeUndefined();
}

describe('a page of another origin', () => {
  it.each(CALLS)('may not call %s %s', async (method, path) => {
    for (const address of [path, `${path}?a=1`, `${path}/`]) {
      expectForeign(await from('http://other.test', `${method} ${address}`));
    }
  });

  it.each(PAGES)('may not read %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expectForeign(await from('http://other.test', `${method} ${path}`));
    }
  });

  it.each(['null', 'nonsense', 'file://', 'http://127.0.0.1', 'http://localhost:1'])(
    'is one of %s',
    async (origin) => {
      expectForeign(await from(origin, 'GET /api/v1/name'));
    },
  );

  it('locks no user out by failed log-ins', async () => {
    const { email } = fixture.ada;
    for (let tries = 0; tries <= limits.failed_log_ins_per_min; tries++) {
      const raw = JSON.stringify({ email, password: 'guess' });
      expectForeign(await from('http://other.test', 'POST /api/v1/auth/login', { raw }));
    }
    const body = { email, password: PASSWORD };
    expect((await fixture.send('POST', '/api/v1/auth/login', { body })).status).toBe(200);
  });

  it('gets no permission in advance', async () => {
    const headers = { 'Access-Control-Request-Method': 'POST' };
    expectForeign(await from('http://other.test', 'OPTIONS /api/v1/auth', { headers }));
  });
});

describe('a page of the service', () => {
  it.each(['/', '/api/v1/users', '/openapi.json', '/metrics', '/readyz'])(
    'reads %s, with its origin and without',
    async (path) => {
      expect((await from(fixture.twin.url, `GET ${path}`)).status).toBe(200);
      expect((await fixture.send('GET', path, { as: fixture.admin })).status).toBe(200);
    },
  );

  it.each([
    ['http', 403],
    ['https', 200],
  ])('that comes with %s through a proxy with TLS is answered %i', async (scheme, status) => {
    const origin = `${scheme}://${new URL(fixture.twin.url).host}`;
    const headers = { 'X-Forwarded-Proto': 'https' };
    expect((await from(origin, 'GET /api/v1/name', { headers })).status).toBe(status);
  });
});

describe('a page of an allowed origin', () => {
  it('may call, and may ask in advance', async () => {
    const body = { token: fixture.ada.token };
    const called = await from(FRIEND, 'POST /api/v1/auth', { body });
    const headers = { 'Access-Control-Request-Method': 'POST' };
    const asked = await from(FRIEND, 'OPTIONS /api/v1/auth', { headers });
    expect([called.status, asked.status]).toEqual([200, 204]);
    for (const reply of [called, asked]) {
      expect(reply.headers['access-control-allow-origin']).toBe(FRIEND);
      expect(reply.headers['vary']).toContain('Origin');
    }
  });
});
