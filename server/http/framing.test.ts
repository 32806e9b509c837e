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

describe('framing', () => {
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

  it.each([
    ['two Host headers', 'GET /api/versions HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no Host header', 'GET /api/versions HTTP/1.1\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
    ],
    [
      'a length with chunked encoding',
      `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
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

it('accepts no connection beyond the limit, and serves the open ones', async () => {
  const server = createHttpServer(new RequestGate());
  const port = await listen(server, 0, '127.0.0.1');
  const sockets: Socket[] = [];
  const dial = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', resolve);
      socket.on('error', () => {});
      sockets.push(socket);
    });
  for (let count = 0; count < limits.connections + 20; count++) await dial();
  const open = () => sockets.filter(({ closed }) => !closed);
  await expect.poll(() => open().length).toBe(limits.connections);
  const [first] = open();
  const received = once(first!, 'data');
  first!.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await received)).toContain('200 OK');
  for (const socket of sockets) socket.destroy();
  server.close();
});
