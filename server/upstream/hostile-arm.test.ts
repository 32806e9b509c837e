/** An arm elsewhere that answers nonsense: the page before it goes on. */
import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { errorOf, send } from '../http/household.cases.ts';
import { type PassingServer, startPassThrough } from './upstream-server.ts';

let arm: Server;
let door: PassingServer;

/** Something at the arm's address that says the same to everybody. */
async function openBefore(said: string): Promise<void> {
  arm = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(said, 'latin1'));
  });
  await new Promise<void>((resolve) => arm.listen(0, '127.0.0.1', resolve));
  const address = arm.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const upstream = `http://127.0.0.1:${port}`;
  door = await startPassThrough({ host: '127.0.0.1', port: 0, logLevel: 'silent', upstream });
}

afterEach(async () => {
  await door.close();
  await new Promise((resolve) => arm.close(resolve));
});

const BODY = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}';
const UPGRADE = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };

it.each([
  ['a status below 100', `HTTP/1.1 099 Low\r\n${BODY}`],
  ['a status with letters of control', `HTTP/1.1 200 O\u0001K\r\n${BODY}`],
  ['no HTTP', 'good morning\r\n\r\n'],
  ['nothing', ''],
  [
    'an upgrade that nobody asked for',
    'HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  ],
])('answers 502 where the arm says %s', async (_what, said) => {
  await openBefore(said);
  const got = await send(door.url, 'GET /api/versions');
  expect(got.status).toBe(502);
  errorOf(got);
  expect((await send(door.url, 'GET /livez')).status).toBe(200);
});

it.each([
  ['a status below 100', `HTTP/1.1 099 Low\r\n${BODY}`],
  ['nothing', ''],
  ['less than it promised', 'HTTP/1.1 400 No\r\nContent-Length: 100\r\n\r\nshort'],
])('ends a handshake where the arm says %s', async (_what, said) => {
  await openBefore(said);
  await send(door.url, 'GET /api/v1/data/stream', { headers: UPGRADE }).catch(() => null);
  expect((await send(door.url, 'GET /livez')).status).toBe(200);
});
