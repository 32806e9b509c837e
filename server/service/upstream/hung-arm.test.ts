/**
 * A remote arm that hangs: calls end in time, and what it did not accept has no effect (D7).
 * @module-tag ci
 */

import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../clock/wall-clock.ts';
import { expectError, send } from '../http/api-fixture.cases.ts';
import { HttpServer } from '../http/http-server.ts';
import { RequestGate } from '../http/request-gate.ts';
import { type ProxyServer, startUpstreamProxy } from './upstream-server.ts';

const LOCAL = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  logLevel: 'silent',
} as const;

/** The system clock, with timers that fire a hundred times as soon. */
const FAST = {
  ...systemClock,
  afterUnreferenced: (delay_ms: number, task: () => void) =>
    systemClock.afterUnreferenced(delay_ms / 100, task),
};

const opened: (() => unknown)[] = [];
afterEach(() => Promise.all(opened.splice(0).map((close) => close())));

/** An arm that accepts connections and never answers; its connections with how they ended. */
async function openHung(): Promise<{ proxy: ProxyServer; ends: string[]; sockets: Socket[] }> {
  const ends: string[] = [];
  const sockets: Socket[] = [];
  const arm: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', (error: NodeJS.ErrnoException) => ends.push(String(error.code)));
    socket.on('end', () => ends.push('end'));
    socket.resume();
  });
  await new Promise<void>((resolve) => arm.listen(0, LOCAL.host, resolve));
  const { port } = arm.address() as AddressInfo;
  const upstream = `http://127.0.0.1:${port}`;
  const proxy = await startUpstreamProxy({ ...LOCAL, upstream }, FAST);
  opened.push(() => arm.close(), proxy.close);
  return { proxy, ends, sockets };
}

const UNKNOWN =
  'it is not known whether the call takes effect, now or later: look before you repeat it';

describe('an arm that never answers', () => {
  it.each([
    ['GET /api/v1/data/snapshot', 'no reply within 16 s'],
    ['POST /api/v1/controls/lock', `no reply within 16 s; ${UNKNOWN}`],
    ['POST /api/v1/users/7/tokens/?a=1', `no reply within 16 s; ${UNKNOWN}`],
    ['POST /api/v1/config/update', `no reply within 121 s; ${UNKNOWN}`],
    ['GET /api/v1/toolpaths/7/build', 'no reply within 301 s'],
    ['PATCH /api/v1/nothing', `no reply within 16 s; ${UNKNOWN}`],
  ])('is given the time of %s, and its connection is reset', async (call, details) => {
    const { proxy, ends } = await openHung();
    const got = await send(proxy.url, call, { raw: '{}' });
    expect([got.status, expectError(got).error_code, expectError(got).details]).toEqual([
      504,
      1,
      details,
    ]);
    await expect.poll(() => ends).toEqual(['ECONNRESET']);
  });

  it('is given the time of a call for a handshake', async () => {
    const { proxy, ends } = await openHung();
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const got = await send(proxy.url, 'GET /api/v1/data/stream', { headers });
    expect([got.status, expectError(got).details]).toEqual([504, 'no reply within 16 s']);
    await expect.poll(() => ends).toEqual(['ECONNRESET']);
  });

  it('loses the connection of a client that has gone', async () => {
    const { proxy, ends, sockets } = await openHung();
    const client = connect(Number(new URL(proxy.url).port), LOCAL.host);
    client.write('POST /api/v1/controls/lock HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => sockets.length).toBe(1);
    client.destroy();
    await expect.poll(() => ends).toEqual(['ECONNRESET']);
  });
});

it('says of a call that failed on the way whether the arm may have it', async () => {
  const arm = createHttp((request) => request.socket.destroy());
  await new Promise<void>((resolve) => arm.listen(0, LOCAL.host, resolve));
  const { port } = arm.address() as AddressInfo;
  const proxy = await startUpstreamProxy({ ...LOCAL, upstream: `http://127.0.0.1:${port}` });
  opened.push(proxy.close);
  const call = 'POST /api/v1/controls/lock';
  const cut = await send(proxy.url, call);
  expect([cut.status, expectError(cut).details]).toEqual([502, `ECONNRESET; ${UNKNOWN}`]);
  await new Promise((resolve) => arm.close(resolve));
  const gone = await send(proxy.url, call);
  expect([gone.status, expectError(gone).details]).toEqual([
    502,
    'ECONNREFUSED; the call was not sent',
  ]);
});

/** Calls the port and resets or closes the connection, on another thread. */
const CLIENT = `
const { port, how, cell } = require('node:worker_threads').workerData;
const client = require('node:net').connect(port, '127.0.0.1', () => {
  client.write('POST /call HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\\r\\n{}', () => {
    client[how]();
    setTimeout(() => Atomics.notify(cell, 0), 100);
  });
});`;

/** How many calls a twin handles that hung while a client sent one and ended the connection. */
async function handledAfterHang(how: 'resetAndDestroy' | 'end'): Promise<number> {
  const gate = new RequestGate();
  let handled = 0;
  gate.setHandler(({ response }) => {
    handled += 1;
    response.end();
  });
  const server = new HttpServer(gate);
  const port = await server.listen(0, LOCAL.host);
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(CLIENT, { eval: true, workerData: { port, how, cell } });
  await new Promise((resolve) => client.once('online', resolve));
  expect(Atomics.wait(cell, 0, 0, 5000)).toBe('ok');
  await new Promise((resolve) => client.once('exit', resolve));
  await new Promise((resolve) => server.node.close(resolve));
  return handled;
}

it('does no call of a connection that was reset before a hung twin accepted it', async () => {
  expect(await handledAfterHang('resetAndDestroy')).toBe(0);
  expect(await handledAfterHang('end')).toBe(1);
});
