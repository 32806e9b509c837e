/** A remote arm that sends invalid replies: the proxy keeps working. */
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { expectError, send } from '../http/api-fixture.cases.ts';
import { type ProxyServer, startUpstreamProxy } from './upstream-server.ts';

let arm: Server;
let proxy: ProxyServer;

/** A server at the arm's address that always sends the same bytes. */
async function openBefore(bytes: string): Promise<void> {
  arm = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  await new Promise<void>((resolve) => arm.listen(0, '127.0.0.1', resolve));
  const address = arm.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const upstream = `http://127.0.0.1:${port}`;
  proxy = await startUpstreamProxy({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    logLevel: 'silent',
    upstream,
  });
}

afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => arm.close(resolve));
});

const BODY = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}';
const UPGRADE = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };

it.each([
  ['a status below 100', `HTTP/1.1 099 Low\r\n${BODY}`],
  ['a status with control characters', `HTTP/1.1 200 O\u0001K\r\n${BODY}`],
  ['text that is not HTTP', 'good morning\r\n\r\n'],
  ['nothing', ''],
  ['an unrequested upgrade', 'HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
])('answers 502 when the arm sends %s', async (_what, bytes) => {
  await openBefore(bytes);
  const got = await send(proxy.url, 'GET /api/versions');
  expect(got.status).toBe(502);
  expectError(got);
  expect((await send(proxy.url, 'GET /livez')).status).toBe(200);
});

it.each([
  ['a status below 100', `HTTP/1.1 099 Low\r\n${BODY}`],
  ['nothing', ''],
  ['less than its Content-Length', 'HTTP/1.1 400 No\r\nContent-Length: 100\r\n\r\nshort'],
])('ends a handshake when the arm sends %s', async (_what, bytes) => {
  await openBefore(bytes);
  await send(proxy.url, 'GET /api/v1/data/stream', { headers: UPGRADE }).catch(() => null);
  expect((await send(proxy.url, 'GET /livez')).status).toBe(200);
});
