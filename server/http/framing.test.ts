/** Malformed HTTP requests are refused in the error format (§7). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';
import { createHttpServer, listen, RequestGate } from './server.ts';

const POST = 'POST /api/v1/auth HTTP/1.1\r\nHost: a\r\n';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await startApiFixture();
});
afterAll(() => fixture.close());

/** Everything that the twin sends until it closes the connection. */
function dialogue(text: string): Promise<string> {
  const { port } = fixture.twin;
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
}

describe('framing', () => {
  it.each([
    ['two Host headers', 'GET /api/versions HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no Host header', 'GET /api/versions HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
    ],
    [
      'a length with chunked encoding',
      `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a Host with a space', 'GET /api/versions HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a Host with a path', 'GET /api/versions HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['an empty Host', 'GET /api/versions HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a Host with a mark', 'GET /openapi.json HTTP/1.1\r\nHost: <b>"\r\n\r\n'],
    ['a target without a host', 'GET http:///api/versions HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target with a user', 'GET http://u@a/api/versions HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown expectation', 'GET /api/versions HTTP/1.1\r\nHost: a\r\nExpect: fun\r\n\r\n'],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without an end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}`],
    ['bytes that are not HTTP', '\u0016\u0003\u0001\u0002\r\n\r\n'],
  ])('refuses %s with 4xx', async (_name, text) => {
    const close = text.includes('\r\n\r\n')
      ? text.replace('\r\nHost', '\r\nConnection: close\r\nHost')
      : text;
    const received = await dialogue(close);
    expect(received).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(JSON.parse(received.slice(received.indexOf('{')))).toMatchObject({
      error: { error_code: 8 },
    });
  });
});

describe('an offer of another protocol', () => {
  const offer = [
    'Host: a',
    'User-Agent: Java-http-client/17',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  ].join('\r\n');
  const last = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const body = '{"token":"no such token"}';

  it.each([
    ['GET', `GET /api/v1/name HTTP/1.1\r\n${offer}\r\n\r\n`, 200],
    [
      'POST with a length',
      `POST /api/v1/auth HTTP/1.1\r\n${offer}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
      401,
    ],
    [
      'POST in chunks',
      `POST /api/v1/auth HTTP/1.1\r\n${offer}\r\nContent-Type: application/json\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      401,
    ],
  ])('is ignored on a %s, and the connection serves further calls', async (_what, text, status) => {
    const { port } = fixture.twin;
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    await expect.poll(() => received).toContain('}');
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.write(last);
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
  });

  it('is ignored for a WebSocket on a call that is not GET', async () => {
    const head = 'DELETE /api/v1/name HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade';
    expect(await dialogue(`${head}\r\nUpgrade: websocket\r\n\r\n`)).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('is refused for a WebSocket with a body', async () => {
    const head = 'GET /api/v1/data/stream HTTP/1.1\r\nHost: a\r\nConnection: Upgrade';
    const text = `${head}\r\nUpgrade: websocket\r\nContent-Length: ${last.length}\r\n\r\n${last}`;
    const received = await dialogue(text);
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400']);
  });
});

describe('a target in absolute form', () => {
  const closing = 'Host: other\r\nConnection: close\r\n\r\n';

  it.each(['http://arm:8080', 'HTTP://arm', 'https://[::1]:80'])(
    'is the path of %s',
    async (origin) => {
      const received = await dialogue(`GET ${origin}/api/v1/name HTTP/1.1\r\n${closing}`);
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('names the host that the documents show, in place of the header', async () => {
    const received = await dialogue(`GET http://arm:81/openapi.json HTTP/1.1\r\n${closing}`);
    expect(received).toContain('"servers":[{"url":"http://arm:81"');
  });

  it('may have no path', async () => {
    const received = await dialogue(`GET http://arm?x HTTP/1.1\r\n${closing}`);
    expect(received).toMatch(/^HTTP\/1\.1 (200|404) /);
  });
});

it('keeps no more connections of an address than the limit, and serves the open ones', async () => {
  const server = createHttpServer(new RequestGate());
  const port = await listen(server, 0, '127.0.0.1');
  const sockets: Socket[] = [];
  const dial = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', resolve);
      socket.on('error', () => {});
      sockets.push(socket);
    });
  for (let count = 0; count < limits.connections_per_address + 20; count++) await dial();
  const open = () => sockets.filter(({ closed }) => !closed);
  await expect.poll(() => open().length).toBe(limits.connections_per_address);
  const [first] = open();
  const received = once(first!, 'data');
  first!.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await received)).toContain('200 OK');
  for (const socket of sockets) socket.destroy();
  server.close();
});
