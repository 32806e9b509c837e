/** What Express answers, with fakes of the calls: health, methods, documents, pages, errors. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { expect, it, vi } from 'vitest';
import { ROUTES } from '../../../contract/routes.ts';
import { isProxied } from '../upstream/proxied-paths.ts';
import { createViewerApplication } from '../upstream/viewer-application.ts';
import { expectError, send } from './api-fixture.cases.ts';
import { QUIET_OPTIONS } from './application-options.cases.ts';
import type { ApplicationOptions } from './application-options.ts';
import { documentHandler } from './document-handler.ts';
import type { ExchangeListener } from './exchange.ts';
import { createExpressApplication } from './express-application.ts';
import type { NodeAdapter } from './node-adapter.ts';
import { answeredBy, answerHere } from './served.cases.ts';
import type { ServedRoute } from './served-routes.ts';

/** Answers with the id of the route that was found and the values in the path. */
const NAMES: Pick<NodeAdapter, 'serve'> = {
  serve: ({ response }, { route, values }) =>
    void response.end(JSON.stringify({ id: route.row.id, values })),
};

const STREAM = '/api/v1/data/stream';
const OPTIONS = {
  ...QUIET_OPTIONS,
  streams: [STREAM],
  metrics: { contentType: 'text/x-metrics', text: async () => 'ticks 7\n' },
} as Partial<ApplicationOptions> as ApplicationOptions;

const SERVED: readonly ServedRoute[] = ROUTES.filter(({ path }) => path !== STREAM).map((row) => ({
  row,
  handler: () => ({ reply: {} }),
}));
const applicationOf = (options: Partial<ApplicationOptions> = {}): ExchangeListener =>
  createExpressApplication({ ...OPTIONS, ...options }, SERVED, NAMES);

/** The reply to one call by an application with these options. */
const reply = (call: string, options: Partial<ApplicationOptions> = {}, headers = {}) =>
  answerHere(applicationOf(options), (url) => send(url, call, { headers }));

it('is alive, and ready unless there are reasons, which it gives', async () => {
  expect((await reply('GET /livez')).body).toEqual({ alive: true });
  expect((await reply('GET /livez')).headers['etag']).toBe(undefined);
  expect((await reply('GET /readyz')).body).toEqual({ ready: true });
  const full = await reply('GET /readyz', { storageFault: () => 'disk full' });
  expect([full.status, expectError(full).details]).toEqual([
    503,
    { reasons: ['Saves are refused: disk full'], read_only: 'disk full' },
  ]);
  const got = await reply('GET /readyz', { notReadyReasons: () => ['no arm', 'no plan'] });
  expect([got.status, expectError(got).details]).toEqual([503, { reasons: ['no arm', 'no plan'] }]);
});

it('serves the metrics in their format', async () => {
  const got = await reply('GET /metrics');
  expect([got.status, got.text]).toEqual([200, 'ticks 7\n']);
  expect(got.headers['content-type']).toContain('text/x-metrics');
});

it('finds calls by their exact address', async () => {
  const found = await reply('GET /api/v1/users/%37/tokens?a=1');
  expect(found.body).toEqual({ id: 'listTokens', values: { user_id: '7' } });
  expect((await reply('GET /api/v1/Users?a=1')).status).toBe(404);
});

it('names the methods of an address that has others', async () => {
  const got = await reply('PATCH /api/v1/users');
  expect([got.status, got.headers['allow']]).toEqual([405, 'GET, POST']);
  const stream = await reply(`POST ${STREAM}`);
  expect([stream.status, stream.headers['allow']]).toEqual([405, 'GET']);
});

it('asks for a WebSocket at the address of a stream', async () => {
  const got = await reply(`GET ${STREAM}`);
  expect([got.status, got.headers['upgrade']]).toEqual([426, 'websocket']);
});

it.each(['GET /api/v1/users?a=1', 'GET /nowhere'])('refuses %s until it is ready', async (call) => {
  const got = await reply(call, { notReady: () => 'the arm starts' });
  expect([got.status, expectError(got).details]).toEqual([503, { reasons: ['the arm starts'] }]);
});

it('serves documents before it is ready', async () => {
  const documents = { '/openapi.json': (url: string) => ({ url }) };
  const got = await reply('GET /openapi.json', { documents, notReady: () => 'the arm starts' });
  expect(got.body).toEqual({ url: expect.stringMatching(/^http:\/\/127/) });
});

it('answers an allowed page that asks in advance; other requests go to a call', async () => {
  const allowedOrigins = ['http://friend.test'];
  const friend = { Origin: 'http://friend.test' };
  const asked = await reply('OPTIONS /api/v1/users', { allowedOrigins }, friend);
  expect([asked.status, asked.text]).toEqual([204, '']);
  expect(asked.headers['access-control-allow-origin']).toBe('http://friend.test');
  const called = await reply('GET /api/v1/users?a=1', { allowedOrigins }, friend);
  expect(called.body).toMatchObject({ id: 'listUsers' });
  expect(called.headers['access-control-allow-origin']).toBe('http://friend.test');
  expect((await reply('OPTIONS /api/v1/users', { allowedOrigins })).status).toBe(405);
});

it('answers 500 to an error, and reports it', async () => {
  const onBug = vi.fn();
  const metrics = { contentType: 'text/plain', text: () => Promise.reject(new Error('no text')) };
  const got = await reply('GET /metrics', { onBug, metrics });
  expect([got.status, expectError(got).error_code]).toEqual([500, 1]);
  expect(onBug.mock.calls).toEqual([[new Error('no text'), null]]);
});

it('finds nothing at an address that cannot be decoded, which is no error', async () => {
  const onBug = vi.fn();
  const got = await reply('GET /api/v1/users/%E0%A4%A/tokens', { onBug });
  expect([got.status, expectError(got).title]).toEqual([404, 'No such path']);
  expect(onBug).not.toHaveBeenCalled();
});

it('makes the bytes of a document once for each of the last eight hosts', () => {
  const handler = documentHandler((url) => ({ url }));
  const bytesFor = (host?: string) => {
    const sent: Buffer[] = [];
    const response = { setHeader: () => {}, end: (bytes: Buffer) => sent.push(bytes) };
    const [request, answered] = [{ headers: { host } }, response] as object[];
    handler(...([request, answered, () => {}] as Parameters<RequestHandler>));
    return sent[0]!;
  };
  const first = bytesFor('0');
  expect(String(first)).toBe('{"url":"http://0"}');
  const others = Array.from({ length: 7 }, (_, i) => bytesFor(`${i + 1}`));
  expect(bytesFor('0')).toBe(first);
  expect(bytesFor('7')).toBe(others.at(-1));
  bytesFor('8');
  expect(bytesFor('1')).toBe(others[0]);
  expect(bytesFor('0')).not.toBe(first);
  expect(String(bytesFor())).toBe('{"url":"http://localhost"}');
});

it('separates calls from pages by the first segment of the path', async () => {
  for (const { path } of ROUTES) expect(isProxied(path)).toBe(!path.startsWith('/sim/'));
  // Calls that another arm may know.
  for (const path of ['/api/v9/all', '/workflow/v9/all']) expect(isProxied(path)).toBe(true);
  for (const path of ['/', '/apis', '/assets/api/v1.js', '/docs/']) {
    expect([path, isProxied(path)]).toEqual([path, false]);
  }
  const documents = { '/document': (url: string) => ({ urls: [url, `${url}/b`] }) };
  const app = createExpressApplication({ ...OPTIONS, documents }, SERVED, NAMES);
  await answerHere(app, async (url) => {
    expect((await send(url, 'GET /api/v1/users?a=1')).body).toMatchObject({ id: 'listUsers' });
    const got = await send(url, 'GET /document', { headers: { Host: 'arm:8' } });
    expect(got.body).toEqual({ urls: ['http://arm:8', 'http://arm:8/b'] });
  });
});

it('of another arm passes its calls on, and serves health and pages', async () => {
  const call: Parameters<typeof createViewerApplication>[0]['call'] = (request, response) =>
    response.end(`passed on: ${request.url}`);
  const state: { fault: string | null } = { fault: null };
  const onBug = vi.fn();
  const upstreamFault = async () => state.fault;
  const app = createViewerApplication({ viewer: '/none', call, upstreamFault, onBug });
  await answerHere(answeredBy(app), async (url) => {
    expect((await send(url, 'GET /api/v1/users?a=1')).text).toBe('passed on: /api/v1/users?a=1');
    const alive = await send(url, 'GET /livez');
    expect(alive.body).toEqual({ alive: true });
    expect(alive.headers['content-security-policy']).toContain("default-src 'self'");
    expect((await send(url, 'GET /readyz')).body).toEqual({ ready: true });
    state.fault = 'it does not answer';
    const got = await send(url, 'GET /readyz');
    expect([got.status, expectError(got).details]).toEqual([503, { reasons: [state.fault] }]);
    const sim = await send(url, 'GET /sim/v1/clock');
    expect([sim.status, expectError(sim).title]).toEqual([404, 'No such path']);
  });
});

it('of another arm serves the viewer', async () => {
  const viewer = mkdtempSync(join(tmpdir(), 'armtwin-viewer-'));
  writeFileSync(join(viewer, 'index.html'), '<title>The viewer</title>');
  const faults = { upstreamFault: async () => null, onBug: () => {} };
  const app = createViewerApplication({ viewer, call: () => {}, ...faults });
  await answerHere(answeredBy(app), async (url) => {
    const got = await send(url, 'GET /');
    expect([got.status, got.text]).toEqual([200, '<title>The viewer</title>']);
  });
  rmSync(viewer, { recursive: true });
});
