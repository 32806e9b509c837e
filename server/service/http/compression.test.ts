/** Compressed replies and pages: only where accepted, with Vary and an ETag of their own. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../clock/wall-clock.ts';
import { send, sharedApiFixture, smallToolpath } from './api-fixture.cases.ts';
import { acceptsGzip } from './compression.ts';
import { HttpServer } from './http-server.ts';
import { endCompressed, endPieces } from './reply-body.ts';
import { RequestGate } from './request-gate.ts';
import { answeredBy } from './served.cases.ts';
import { serveStaticPages } from './static-pages.ts';

const GZIP = { 'Accept-Encoding': 'gzip' };
const PLAIN = { 'Accept-Encoding': 'identity' };

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, *', false],
  ['*', true],
  ['*;q=0', false],
  ['deflate, br', false],
])('Accept-Encoding %s accepts gzip: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

describe('long replies', () => {
  const texts = ['a', '€', '😀', 'a😀'].map((one) => 'x' + one.repeat(200_000));
  const bytes = new TextEncoder().encode(texts[2]);
  let turns = 0;
  const server = createServer((request, response) => {
    const text = texts[Number(request.url?.slice(1))];
    const isOver = () => response.writableFinished || response.destroyed;
    const count = () => {
      turns++;
      if (!isOver()) setImmediate(count);
    };
    turns = 0;
    count();
    if (text === undefined) endPieces(response, ['[', bytes, ']']);
    else endCompressed(response, text);
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it.each([0, 1, 2, 3])('arrive whole, also where a character would be cut (%s)', async (i) => {
    const reply = await fetch(`${url}/${i}`, { headers: PLAIN });
    const size = Buffer.byteLength(texts[i]!);
    expect(reply.headers.get('content-length')).toBe(String(size));
    expect((await reply.text()) === texts[i]).toBe(true);
  });

  it('in pieces arrive whole, and tell their length', async () => {
    const reply = await fetch(`${url}/pieces`, { headers: PLAIN });
    expect(reply.headers.get('content-length')).toBe(String(bytes.length + 2));
    expect((await reply.text()) === `[${texts[2]}]`).toBe(true);
  });

  it('leave the thread after each slice, so that ticks are in time', async () => {
    await (await fetch(`${url}/0`, { headers: PLAIN })).text();
    expect(turns).toBeGreaterThanOrEqual(texts[0]!.length / 65_536);
  });
});

describe('replies', () => {
  const fixture = sharedApiFixture();

  const build = async (headers: Record<string, string>) => {
    const { session } = fixture.ada;
    return fetch(`${fixture.twin.url}/api/v1/toolpath/calc`, {
      method: 'PUT',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Authorization: `Bearer ${session}`,
      },
      body: JSON.stringify({ toolpath: smallToolpath() }),
    });
  };

  it('of a document and a trajectory are compressed, and equal the plain ones', async () => {
    const document = `${fixture.twin.url}/openapi.json`;
    for (const get of [(headers: Record<string, string>) => fetch(document, { headers }), build]) {
      const [packed, plain] = [await get(GZIP), await get(PLAIN)];
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(plain.headers.get('content-encoding')).toBe(null);
      for (const { headers } of [packed, plain]) {
        expect(headers.get('vary')).toContain('Accept-Encoding');
      }
      expect(await packed.text()).toBe(await plain.text());
    }
  });

  it('that are short stay as they are', async () => {
    const headers = { ...GZIP };
    for (const path of ['/api/v1/data/snapshot', '/api/v1/users', '/api/v1/nowhere']) {
      const got = await fixture.send('GET', path, { as: fixture.ada, headers });
      expect([got.headers['content-encoding'], got.headers['vary']]).toEqual([
        undefined,
        undefined,
      ]);
      expect(Number(got.headers['content-length'])).toBe(Buffer.byteLength(got.text));
    }
  });
});

describe('pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-pages-'));
  const script = 'export const answer = 42;\n'.repeat(500);
  let url = '';
  let server: HttpServer;
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>');
    writeFileSync(join(folder, 'assets', 'script.js'), script);
    writeFileSync(join(folder, 'picture.jpg'), 'not a picture');
    const app = express();
    app.disable('etag');
    serveStaticPages(app, { viewer: folder, docsPage: folder });
    const gate = new RequestGate();
    gate.setHandler(answeredBy(app));
    server = new HttpServer(gate);
    url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  afterAll(async () => {
    await server.close(systemClock);
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string>, method = 'GET') =>
    send(url, `${method} ${path}`, { headers });

  it('are compressed where accepted, with an ETag for each form', async () => {
    const packed = await get('/assets/script.js', GZIP);
    const plain = await get('/assets/script.js', {});
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(Number(packed.headers['content-length'])).toBeLessThan(script.length / 10);
    expect(plain.headers['content-encoding']).toBe(undefined);
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(plain.text).toBe(script);
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(packed.headers['cache-control']).toBe(plain.headers['cache-control']);
    const unpacked = await fetch(`${url}/assets/script.js`, { headers: GZIP });
    expect(await unpacked.text()).toBe(script);
    expect(gunzipSync(Buffer.from(await rawBytes('/assets/script.js'))).toString()).toBe(script);
  });

  /** The bytes as sent. */
  async function rawBytes(path: string): Promise<Uint8Array> {
    const { port } = new URL(url);
    const socket = createConnection(Number(port), '127.0.0.1');
    const head = 'Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n';
    socket.end(`GET ${path} HTTP/1.1\r\n${head}`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const all = Buffer.concat(chunks);
    return all.subarray(all.indexOf('\r\n\r\n') + 4);
  }

  it('are not sent again while they are fresh', async () => {
    for (const headers of [GZIP, {}]) {
      const first = await get('/assets/script.js', headers);
      const etag = String(first.headers['etag']);
      const again = await get('/assets/script.js', { ...headers, 'If-None-Match': etag });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
      const other = await get('/assets/script.js', { ...headers, 'If-None-Match': '"other"' });
      expect(other.status).toBe(200);
    }
  });

  it('leave ranges, other types, unknown paths and folders to the plain handler', async () => {
    const range = await get('/assets/script.js', { ...GZIP, Range: 'bytes=0-9' });
    expect([range.status, range.text]).toEqual([206, script.slice(0, 10)]);
    expect((await get('/picture.jpg', GZIP)).headers['content-encoding']).toBe(undefined);
    expect((await get('/docs', GZIP)).status).toBe(301);
    expect((await get('/docs/', GZIP)).headers['content-encoding']).toBe('gzip');
    expect((await get('/', GZIP)).headers['content-encoding']).toBe('gzip');
    for (const path of ['/assets/%2e%2e/%2e%2e/etc/passwd', '/none.js']) {
      expect((await get(path, GZIP)).status, path).toBeGreaterThanOrEqual(400);
    }
    const head = await get('/assets/script.js', GZIP, 'HEAD');
    expect([head.status, head.text, head.headers['content-encoding']]).toEqual([200, '', 'gzip']);
  });
});
