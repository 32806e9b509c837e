/** Malformed HTTP requests are refused in the error format (§7). */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { sharedApiFixture } from './api-fixture.cases.ts';
import { HttpServer } from './http-server.ts';
import { RequestGate } from './request-gate.ts';

const POST = 'POST /api/v1/auth HTTP/1.1\r\nHost: a\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

const fixture = sharedApiFixture();

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

  it('is missing on a plain GET or HEAD of the stream, which closes when asked to', async () => {
    for (const method of ['GET', 'HEAD']) {
      const head = `${method} /api/v1/data/stream HTTP/1.1\r\nHost: a\r\nConnection: close`;
      const received = await dialogue(`${head}\r\n\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 426 /);
      expect(received).toMatch(/^Connection: Upgrade, close\r$/m);
    }
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

/** Heads and bodies whose end two readers can see at different places. */
const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ['a length, then chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['chunks, then a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ['a vertical tab', 'Transfer-Encoding: \v' + 'chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
  ['a length with a sign', 'Content-Length: +2\r\n\r\n{}'],
  ['a negative length', 'Content-Length: -2\r\n\r\n{}'],
  ['a list of lengths', 'Content-Length: 2, 2\r\n\r\n{}'],
  ['a length of 2^77', 'Content-Length: 151115727451828646838272\r\n\r\n{}'],
  ['an empty length', 'Content-Length: \r\n\r\n'],
  ['a negative chunk', 'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of 2^68', 'Transfer-Encoding: chunked\r\n\r\n100000000000000002\r\n{}\r\n0\r\n\r\n'],
  ['a chunk with a bare line feed', 'Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n'],
  ['a chunk that is too short', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n'],
  ['an extension with a line feed', 'Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n'],
  ['a length in a trailer', 'Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\n'],
  ['a bare carriage return', 'X: a\rContent-Length: 2\r\n\r\n{}'],
  ['a zero byte', 'X: a\0b\r\nContent-Length: 2\r\n\r\n{}'],
];

it.each([404, 415])(
  'a request that is answered with %i before its body is answered once',
  async (status) => {
    const path = status === 404 ? '/absent' : '/api/v1/auth';
    const chunked = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = connect(fixture.twin.port, '127.0.0.1', () => socket.write(chunked));
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => {});
    await expect.poll(() => received).toContain('}');
    socket.write('this is no chunk\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`]);
  },
);

describe('a request behind another one', () => {
  const statuses = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.map(Number);
  const hidden = 'GET /api/versions HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  it.each(AMBIGUOUS)('is not answered after %s', async (_what, rest) => {
    expect(statuses(await dialogue(`${POST}${JSON_TYPE}${rest}${hidden}`))).toEqual([400]);
  });

  it('is not answered after a body that says so, nor after an upgrade', async () => {
    const body = `Content-Length: ${hidden.length}\r\n\r\n${hidden}`;
    const size = hidden.length.toString(16);
    const chunks = `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`;
    const wanted = 'Connection: Upgrade\r\nUpgrade: websocket';
    const upgrade = `GET /api/v1/data/stream HTTP/1.1\r\nHost: a\r\n${wanted}\r\n`;
    const offer = (protocol: string) =>
      `${POST}Connection: close, Upgrade\r\nUpgrade: ${protocol}\r\n`;
    for (const [text, status] of [
      [`${POST}Connection: close\r\n${body}`, 415],
      [`${offer('h2c')}${body}`, 415],
      [`${offer('TLS/1.0')}${chunks}`, 415],
      [`${upgrade}${body}`, 400],
      [`${upgrade}${chunks}`, 400],
      [`${upgrade}\r\n${hidden}`, 401],
      [`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`, 405],
      [`GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n${hidden}`, 200],
    ] as const) {
      expect([text, statuses(await dialogue(text))]).toEqual([text, [status]]);
    }
  });

  it('is answered after it, although a refusal takes less time', async () => {
    const wrong = JSON.stringify({ email: 'ada@example.org', password: 'not the password' });
    const login =
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${wrong.length}\r\n\r\n${wrong}`;
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    for (const [text, status] of [
      ['bytes that are not HTTP\r\n\r\n', 400],
      ['GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
      [`GET /api/v1/data/stream HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n\r\n`, 401],
      [`GET /livez HTTP/1.1\r\nHost: evil.example.org\r\n${upgrade}\r\n\r\n`, 421],
    ] as const) {
      expect([text, statuses(await dialogue(login + text))]).toEqual([text, [401, status]]);
    }
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
  const server = new HttpServer(new RequestGate());
  const port = await server.listen(0, '127.0.0.1');
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
  server.node.close();
});

/** A server with a connection whose client has sent `text`, which is not read yet. */
async function unread(text: string) {
  const handled: string[] = [];
  const gate = new RequestGate();
  gate.setHandler(({ request, response }) => {
    handled.push(`${request.method} ${request.url}`);
    response.end('done');
  });
  const server = new HttpServer(gate);
  const port = await server.listen(0, '127.0.0.1');
  const accepted = once(server.node, 'connection');
  const client = connect(port, '127.0.0.1');
  const [[socket]] = await Promise.all([accepted, once(client, 'connect')]);
  let received = '';
  client.on('data', (chunk) => (received += String(chunk)));
  const closed = once(client, 'close').then(() => received);
  client.write(text);
  /** Refuses the connection as Node does when its time is over. */
  const expire = (code: string) =>
    server.node.emit('clientError', Object.assign(new Error(), { code }), socket);
  return { handled, server, socket, client, closed, expire };
}

describe('a connection that is refused before its request is read', () => {
  const DELETE = 'DELETE /one HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  it('does not have the request carried out', async () => {
    const { handled, server, closed, expire } = await unread(DELETE);
    expire('HPE_INVALID_METHOD');
    expect(await closed).toMatch(/^HTTP\/1.1 400 /);
    expect(handled).toEqual([]);
    server.node.close();
  });

  it.each(['FOO', 'get'])('names the missing method of %s', async (method) => {
    const { server, socket, closed, handled } = await unread(`${method} /one HTTP/1.1\r\n\r\n`);
    socket.resume();
    expect(await closed).toMatch(/^HTTP\/1.1 400 .*does not begin with a known method/s);
    expect(handled).toEqual([]);
    server.node.close();
  });

  it('is not refused as late where the request waits to be read', async () => {
    const { handled, server, closed, expire } = await unread(DELETE);
    expire('ERR_HTTP_REQUEST_TIMEOUT');
    expect(await closed).toMatch(/^HTTP\/1.1 200 .*done$/s);
    expect(handled).toEqual(['DELETE /one']);
    server.node.close();
  });

  it('is not closed as idle where the request waits to be read', async () => {
    const { handled, server, socket, closed } = await unread(DELETE);
    server.node.emit('timeout', socket);
    expect(await closed).toMatch(/^HTTP\/1.1 200 .*done$/s);
    expect(handled).toEqual(['DELETE /one']);
    server.node.close();
  });

  it('is refused as late where only a part of it waits', async () => {
    const { handled, server, client, closed, expire } = await unread(DELETE.slice(0, -2));
    expire('ERR_HTTP_REQUEST_TIMEOUT');
    await once(client, 'data');
    client.write('\r\n');
    expect(await closed).toMatch(/^HTTP\/1.1 400 /);
    expect(handled).toEqual([]);
    server.node.close();
  });
});
