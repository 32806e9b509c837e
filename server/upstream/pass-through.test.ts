/** The page for an arm elsewhere, over the wire: a twin behind it, an echo, and nobody. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  errorOf,
  type Household,
  openHousehold,
  send,
  smallToolpath,
} from '../http/household.cases.ts';
import { type PassingServer, startPassThrough } from './upstream-server.ts';

const LOCAL = { host: '127.0.0.1', port: 0, logLevel: 'silent' } as const;

describe('with a twin behind', () => {
  let house: Household;
  let door: PassingServer;
  beforeAll(async () => {
    house = await openHousehold();
    door = await startPassThrough({ ...LOCAL, upstream: house.twin.url });
  });
  afterAll(async () => {
    await door.close();
    await house.close();
  });

  it('answers a call as the arm does, status, body and headers', async () => {
    for (const call of ['GET /api/v1/data/snapshot', 'GET /api/v1/nothing', 'PUT /api/v1/name']) {
      const [direct, through] = await Promise.all(
        [house.twin.url, door.url].map((url) => send(url, call, { as: house.ada })),
      );
      expect([through!.status, through!.text]).toEqual([direct!.status, direct!.text]);
      expect(through!.headers['x-armtwin']).toBe(direct!.headers['x-armtwin']);
    }
  });

  it('passes bodies on, and who sends them', async () => {
    const made = await send(door.url, 'POST /api/v1/auth', { body: { token: house.bob.token } });
    expect(made.status).toBe(200);
    const session = (made.body as { token: string }).token;
    const body = { name: 'through the door', toolpath: smallToolpath() };
    const saved = await send(door.url, 'POST /api/v1/toolpaths', { as: session, body });
    expect(saved.status).toBe(200);
    const read = await send(house.twin.url, 'GET /api/v1/toolpaths', { as: house.bob });
    expect(read.body).toMatchObject({ toolpaths: [{ name: 'through the door' }] });
  });

  it('keeps the hand on the twin at home', async () => {
    const got = await send(door.url, 'GET /sim/v1/clock', { as: house.admin });
    expect(got.status).toBe(404);
    const direct = await send(house.twin.url, 'GET /sim/v1/clock', { as: house.admin });
    expect(direct.status).toBe(200);
  });

  it('carries the stream, and the refusal of one', async () => {
    const ear = await house.listen(house.ada, door.url);
    await send(door.url, 'POST /api/v1/controls/lock', { as: house.ada });
    await expect.poll(() => ear.heard.some(({ type }) => type === 'lock_status')).toBe(true);
    ear.close();
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const key = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const call = 'GET /api/v1/data/stream';
    const got = await send(door.url, call, { as: null, headers: { ...upgrade, ...key } });
    expect([got.status, errorOf(got).error_code]).toEqual([401, 5]);
  });
});

describe('with any other server behind', () => {
  let echo: Server;
  let heard: IncomingMessage;
  let door: PassingServer;
  beforeAll(async () => {
    echo = createServer((request, response) => {
      heard = request;
      response.writeHead(201, 'Made', [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['Connection', 'close, X-Hop', 'X-Hop', 'gone', 'X-Kept', 'kept'],
      ]);
      request.pipe(response);
    });
    await new Promise<void>((resolve) => echo.listen(0, LOCAL.host, resolve));
    const { port } = echo.address() as AddressInfo;
    door = await startPassThrough({ ...LOCAL, upstream: `http://127.0.0.1:${port}/arm` });
  });
  afterAll(async () => {
    await door.close();
    echo.close();
  });

  it('shows itself as the arm, and leaves all but the connection as it was', async () => {
    const headers = { Origin: door.url, 'X-Own': 'mine', Connection: 'close' };
    const sent = { raw: '{"a": 1}', headers };
    const got = await send(door.url, 'POST /api/v1/../v1/users?x=1', sent);
    expect([got.status, got.text, heard.url]).toEqual([
      201,
      '{"a": 1}',
      '/arm/api/v1/../v1/users?x=1',
    ]);
    const { port } = echo.address() as AddressInfo;
    expect(heard.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      origin: `http://127.0.0.1:${port}`,
      'x-own': 'mine',
    });
    expect(got.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-kept': 'kept' });
    expect(got.headers['x-hop']).toBeUndefined();
    expect(got.headers['x-armtwin']).toContain('driver=upstream');
  });

  it('leaves the origin of a foreign page to the arm', async () => {
    await send(door.url, 'GET /api/v1/name', { headers: { Origin: 'http://elsewhere.test' } });
    expect(heard.headers.origin).toBe('http://elsewhere.test');
  });
});

describe('with nobody behind', () => {
  it('says so in the error format, and is not ready', async () => {
    const none = createServer();
    await new Promise<void>((resolve) => none.listen(0, LOCAL.host, resolve));
    const { port } = none.address() as AddressInfo;
    await new Promise((resolve) => none.close(resolve));
    const door = await startPassThrough({ ...LOCAL, upstream: `http://127.0.0.1:${port}` });
    const got = await send(door.url, 'GET /api/v1/name');
    expect([got.status, errorOf(got).error_code, errorOf(got).details]).toEqual([
      502,
      1,
      'ECONNREFUSED',
    ]);
    expect((await send(door.url, 'GET /readyz')).status).toBe(503);
    expect((await send(door.url, 'GET /livez')).status).toBe(200);
    await door.close();
  });
});
