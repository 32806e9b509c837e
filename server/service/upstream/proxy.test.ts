/** The upstream proxy: with a twin, an echo server, and no server behind it. */

import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiFixture,
  expectError,
  send,
  smallToolpath,
  startApiFixture,
} from '../http/api-fixture.cases.ts';
import { type ProxyServer, startUpstreamProxy } from './upstream-server.ts';

const LOCAL = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  logLevel: 'silent',
} as const;

describe('in front of a twin', () => {
  let fixture: ApiFixture;
  let proxy: ProxyServer;
  beforeAll(async () => {
    fixture = await startApiFixture();
    proxy = await startUpstreamProxy({ ...LOCAL, upstream: fixture.twin.url });
  });
  afterAll(async () => {
    await proxy.close();
    await fixture.close();
  });

  it('returns status, body and headers of the arm', async () => {
    for (const call of ['GET /api/v1/data/snapshot', 'GET /api/v1/nothing', 'PUT /api/v1/name']) {
      const [direct, through] = await Promise.all(
        [fixture.twin.url, proxy.url].map((url) => send(url, call, { as: fixture.ada })),
      );
      expect([through!.status, through!.text]).toEqual([direct!.status, direct!.text]);
      expect(through!.headers['x-armtwin']).toBe(direct!.headers['x-armtwin']);
    }
  });

  it('forwards bodies and credentials', async () => {
    const made = await send(proxy.url, 'POST /api/v1/auth', { body: { token: fixture.bob.token } });
    expect(made.status).toBe(200);
    const session = (made.body as { token: string }).token;
    const body = { name: 'through the proxy', toolpath: smallToolpath() };
    const saved = await send(proxy.url, 'POST /api/v1/toolpaths', { as: session, body });
    expect(saved.status).toBe(200);
    const read = await send(fixture.twin.url, 'GET /api/v1/toolpaths', { as: fixture.bob });
    expect(read.body).toMatchObject({ toolpaths: [{ name: 'through the proxy' }] });
  });

  it('does not proxy the simulation control API', async () => {
    const got = await send(proxy.url, 'GET /sim/v1/clock', { as: fixture.admin });
    expect(got.status).toBe(404);
    const direct = await send(fixture.twin.url, 'GET /sim/v1/clock', { as: fixture.admin });
    expect(direct.status).toBe(200);
  });

  it('proxies the stream, and a rejected handshake', async () => {
    const listener = await fixture.listen(fixture.ada, proxy.url);
    await send(proxy.url, 'POST /api/v1/controls/lock', { as: fixture.ada });
    await expect
      .poll(() => listener.received.some(({ type }) => type === 'lock_status'))
      .toBe(true);
    listener.close();
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const key = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const call = 'GET /api/v1/data/stream';
    const got = await send(proxy.url, call, { as: null, headers: { ...upgrade, ...key } });
    expect([got.status, expectError(got).error_code]).toEqual([401, 5]);
  });
});

describe('in front of another server', () => {
  let echo: Server;
  let received: IncomingMessage;
  let proxy: ProxyServer;
  let friendly: ProxyServer;
  beforeAll(async () => {
    echo = createServer((request, response) => {
      received = request;
      response.writeHead(201, 'Made', [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['Connection', 'close, X-Hop', 'X-Hop', 'gone', 'X-Kept', 'kept'],
        ...['Access-Control-Allow-Origin', '*'],
      ]);
      request.pipe(response);
    });
    await new Promise<void>((resolve) => echo.listen(0, LOCAL.host, resolve));
    const { port } = echo.address() as AddressInfo;
    const options = { ...LOCAL, upstream: `http://127.0.0.1:${port}/arm` };
    proxy = await startUpstreamProxy(options);
    friendly = await startUpstreamProxy({ ...options, allowedOrigins: ['http://friend.test'] });
  });
  afterAll(async () => {
    await Promise.all([proxy.close(), friendly.close()]);
    echo.close();
  });

  it('rewrites host and origin, drops hop-by-hop headers, and protects the viewer', async () => {
    const headers = { Origin: proxy.url, 'X-Own': 'mine', Connection: 'close' };
    const sent = { raw: '{"a": 1}', headers };
    const got = await send(proxy.url, 'POST /api/v1/../v1/users?x=1', sent);
    expect([got.status, got.text, received.url]).toEqual([
      201,
      '{"a": 1}',
      '/arm/api/v1/../v1/users?x=1',
    ]);
    const { port } = echo.address() as AddressInfo;
    expect(received.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      origin: `http://127.0.0.1:${port}`,
      'x-own': 'mine',
    });
    expect(got.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-kept': 'kept' });
    expect(got.headers['x-hop']).toBeUndefined();
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
    expect(got.headers['x-armtwin']).toContain('driver=upstream');
    // What the arm sends in place of data runs no script beside the viewer.
    expect(got.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(got.headers['x-content-type-options']).toBe('nosniff');
  });

  it('refuses calls and streams of foreign pages, which do not reach the arm', async () => {
    await send(proxy.url, 'GET /api/v1/name?before');
    const handshake = { Connection: 'Upgrade', Upgrade: 'websocket' };
    for (const extra of [{}, handshake]) {
      const headers = { Origin: 'http://other.test', ...extra };
      const got = await send(proxy.url, 'GET /api/v1/data/stream', { headers });
      expect([got.status, expectError(got).error_code]).toEqual([403, 4]);
    }
    expect((await send(proxy.url, 'GET /', { headers: { Origin: 'null' } })).status).toBe(403);
    expect(received.url).toBe('/arm/api/v1/name?before');
  });

  it('lets pages of allowed origins call, in the name of its own', async () => {
    const headers = { Origin: 'http://friend.test', 'X-Forwarded-Proto': 'https' };
    const got = await send(friendly.url, 'GET /api/v1/name', { headers });
    expect([got.status, got.headers['access-control-allow-origin'], got.headers['vary']]).toEqual([
      201,
      'http://friend.test',
      'Origin',
    ]);
    expect(received.headers.origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(received.headers['x-forwarded-proto']).toBeUndefined();
    const asked = await send(friendly.url, 'OPTIONS /api/v1/auth', { headers });
    expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, POST, PUT, DELETE',
    ]);
  });
});

const WRONG_ADDRESS = 'give the address of an arm with --upstream';
const asJson = { 'Content-Type': 'application/json' };

/** An arm that answers every call so. */
function answering(status: number, headers: OutgoingHttpHeaders, text: string): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(text);
}

describe('/readyz of a proxy', () => {
  let arm: Server;
  let proxy: ProxyServer;
  const open = async (answer: RequestListener) => {
    arm = createServer(answer);
    await new Promise<void>((resolve) => arm.listen(0, LOCAL.host, resolve));
    const { port } = arm.address() as AddressInfo;
    const upstream = `http://127.0.0.1:${port}`;
    proxy = await startUpstreamProxy({ ...LOCAL, upstream });
    return send(proxy.url, 'GET /readyz');
  };
  afterEach(async () => {
    await proxy.close();
    arm.closeAllConnections();
    arm.close();
  });

  const asked = 'the upstream answers GET /api/versions with';
  const other = `${asked} something else than its versions: ${WRONG_ADDRESS}`;
  const status = (shown: string) =>
    `${asked} status ${shown}: ${WRONG_ADDRESS}, or wait until it is ready`;
  const late = 'the upstream arm does not answer: no complete reply within 2 s';

  it.each<[string, RequestListener, string]>([
    ['never answers', () => {}, late],
    [
      'stands still in its answer',
      (_, response) => response.writeHead(200, asJson).write('{'),
      late,
    ],
    [
      'breaks off its answer',
      (_, response) => response.writeHead(200, asJson).write('{', () => response.destroy()),
      'the upstream arm does not answer: ECONNRESET',
    ],
    ['answers 500', answering(500, asJson, '{}'), status('500')],
    ['answers 404', answering(404, asJson, '{"error": {}}'), status('404')],
    [
      'leads elsewhere',
      answering(307, { ...asJson, Location: 'https://arm/' }, '{}'),
      status('307 to https://arm/'),
    ],
    ['answers with a page', answering(200, {}, '<html>'), other],
    ['answers with other data', answering(200, asJson, '[]'), other],
    ['answers with data that is cut', answering(200, asJson, '{"APIs": ['), other],
  ])('is false for an arm that %s', { tags: ['ci'] }, async (_what, answer, reason) => {
    const got = await open(answer);
    expect([got.status, expectError(got).details]).toEqual([503, { reasons: [reason] }]);
  });

  it.each<[string, RequestListener]>([
    ['states its versions', answering(200, asJson, '{"robot": "4.7.0", "APIs": ["v1"]}')],
    ['wants a session first', answering(401, asJson, '{"error": {}}')],
    [
      'compresses what it says',
      answering(200, { ...asJson, 'Content-Encoding': 'gzip' }, '\u001f\u008b'),
    ],
  ])('is true for an arm that %s', async (_what, answer) => {
    expect((await open(answer)).status).toBe(200);
  });
});

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const none = createServer();
  await new Promise<void>((resolve) => none.listen(0, LOCAL.host, resolve));
  const { port } = none.address() as AddressInfo;
  await new Promise((resolve) => none.close(resolve));
  return port;
}

describe('before itself', () => {
  it.each([1, 2])('a ring of %d answers 502 with what to do, and is not ready', async (count) => {
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const proxies = await Promise.all(
      ports.map((port, i) => {
        const upstream = `http://127.0.0.1:${ports[(i + 1) % count]}`;
        return startUpstreamProxy({ ...LOCAL, port, upstream });
      }),
    );
    const { url } = proxies[0]!;
    const got = await send(url, 'GET /api/v1/name');
    expect([got.status, expectError(got).details]).toEqual([
      502,
      'its address leads back to this server; give that of the arm with --upstream',
    ]);
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const key = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const stream = 'GET /api/v1/data/stream';
    expect((await send(url, stream, { headers: { ...headers, ...key } })).status).toBe(502);
    expect((await send(url, 'GET /readyz')).status).toBe(503);
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });
});

describe('without a server behind it', () => {
  it('answers 502 in the error format, and is not ready', async () => {
    const port = await freePort();
    const proxy = await startUpstreamProxy({ ...LOCAL, upstream: `http://127.0.0.1:${port}` });
    const got = await send(proxy.url, 'GET /api/v1/name');
    expect([got.status, expectError(got).error_code, expectError(got).details]).toEqual([
      502,
      1,
      'ECONNREFUSED',
    ]);
    expect((await send(proxy.url, 'GET /readyz')).status).toBe(503);
    expect((await send(proxy.url, 'GET /livez')).status).toBe(200);
    await proxy.close();
  });
});
