/** A remote arm that sends invalid replies: the proxy keeps working. */

import { IncomingMessage } from 'node:http';
import { connect, createServer, type Server, Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { expectError, send } from '../http/api-fixture.cases.ts';
import { type ProxyServer, startUpstreamProxy } from './upstream-server.ts';

let arm: Server;
let proxy: ProxyServer;

/** What the arm has received. */
let received = '';

/** A server at the arm's address that always sends the same bytes, and then ends or is silent. */
async function openBefore(bytes: string, then: 'end' | 'write' = 'end'): Promise<void> {
  received = '';
  arm = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data;
    });
    socket.once('data', () => socket[then](bytes, 'latin1'));
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
  vi.restoreAllMocks();
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

/** Lets a reply that stands still end a hundred times as soon. */
function hurry(): void {
  vi.spyOn(IncomingMessage.prototype, 'setTimeout').mockImplementation(function (
    this: IncomingMessage,
    limit_ms: number,
    onSilence,
  ) {
    this.socket.setTimeout(limit_ms / 100, onSilence as () => void);
    return this;
  });
}

const STALLED = 'HTTP/1.1 401 No\r\nContent-Length: 100\r\n\r\n{"error"';

it.each([
  ['a call', {}],
  ['a handshake', UPGRADE],
])('ends the connection of %s whose reply stands still in the middle', async (_what, headers) => {
  hurry();
  await openBefore(STALLED, 'write');
  const sent = send(proxy.url, 'GET /api/v1/data/stream', { headers });
  await expect(sent).rejects.toThrow(/aborted|hang up|ECONNRESET/);
});

it.each([
  ['204 with a length and a body', 'HTTP/1.1 204 Done\r\nContent-Length: 5\r\n\r\nhello', ''],
  ['more than its reply', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}\r\nmore', '{}'],
])('passes on what the arm answers when it sends %s', async (_what, bytes, text) => {
  await openBefore(bytes);
  const got = await send(proxy.url, 'POST /api/v1/controls/pause');
  expect([got.status, got.text]).toEqual([Number(bytes.slice(9, 12)), text]);
});

/** Sends bytes to the proxy; resolves with all that it answers, until it closes. */
function sendBytes(bytes: string): Promise<string> {
  const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  client.write(bytes);
  return new Promise((resolve, reject) => {
    let got = '';
    client.on('data', (data) => {
      got += data;
    });
    client.on('error', reject);
    client.on('close', () => resolve(got));
  });
}

const HEAD = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const HANDSHAKE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n';

it.each(['GET', 'DELETE', 'POST'])('keeps the body of a %s in chunks a body', async (method) => {
  await openBefore(`HTTP/1.1 200 OK\r\n${BODY}`);
  const raw = 'POST /api/v1/controls/run HTTP/1.1\r\nHost: arm\r\n\r\n';
  const chunks = `${raw.length.toString(16)}\r\n${raw}\r\n0\r\n\r\n`;
  const framing = 'Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  await sendBytes(`${method} /api/v1/name ${HEAD}${framing}${chunks}`);
  expect(received.toLowerCase()).toContain('transfer-encoding: chunked\r\n');
  expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe(chunks);
});

it('answers a handshake once when the refusal of the arm is cut', async () => {
  await openBefore(STALLED);
  const got = await sendBytes(`GET /api/v1/data/stream ${HEAD}${HANDSHAKE}`);
  expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('lets the system ask whether both ends of a stream are still there', async () => {
  const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await openBefore('HTTP/1.1 101 On\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  await sendBytes(`GET /api/v1/data/stream ${HEAD}${HANDSHAKE}`);
  expect(asked.mock.calls.filter(([on, after_ms]) => on && after_ms === 15_000)).toHaveLength(2);
});
