/** The page's files: compressed copies for clients that accept them, and how long they are kept. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { send } from './api-fixture.cases.ts';
import { answeredBy, answerHere } from './served.cases.ts';
import { serveStaticPages } from './static-pages.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(50);
const GZIP = { 'Accept-Encoding': 'gzip' };
const BR = { 'Accept-Encoding': 'br' };
const PLAIN = { 'Accept-Encoding': 'identity' };
const AN_HOUR = `public, max-age=${limits.page_cache_s}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'page-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, path), content);

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  write('index.html', '<!doctype html>');
  write('assets/main-abc.js', SCRIPT);
});

/** The replies by the viewer, or by the documentation page, while `work` is under way. */
function withPages<Result>(
  work: (get: (path: string, headers?: object, method?: string) => PageReply) => Promise<Result>,
  pages: { viewer: string | null; docsPage: string | null } = { viewer: folder, docsPage: null },
  serve = serveStaticPages,
): Promise<Result> {
  const app = express();
  app.disable('etag');
  serve(app, pages);
  return answerHere(answeredBy(app), (url) =>
    work((path, headers = {}, method = 'GET') =>
      send(url, `${method} ${path}`, { headers: { ...headers } }),
    ),
  );
}
type PageReply = ReturnType<typeof send>;

describe('a copy that the build compressed', () => {
  beforeEach(() => {
    write('assets/main-abc.js.br', brotliCompressSync(SCRIPT));
    write('assets/main-abc.js.gz', gzipSync(SCRIPT));
    write('index.html.br', brotliCompressSync('<!doctype html>'));
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
  ])('answers Accept-Encoding %s with %s', (accepted, encoding) =>
    withPages(async (get) => {
      for (const method of ['GET', 'HEAD']) {
        const path = '/assets/main-abc.js';
        const { headers } = await get(path, { 'Accept-Encoding': accepted }, method);
        expect(headers['content-encoding']).toBe(encoding);
        expect(headers['content-type']).toContain('javascript');
        expect(headers['vary']).toContain('Accept-Encoding');
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      }
    }),
  );

  it('is the file that it is a copy of', () =>
    withPages(async (get) => {
      const { headers } = await get('/assets/main-abc.js', BR);
      expect(Number(headers['content-length'])).toBe(brotliCompressSync(SCRIPT).byteLength);
      expect((await get('/assets/main-abc.js', PLAIN)).text).toBe(SCRIPT);
    }));

  it('of the page itself is asked for again, so that an update is seen', () =>
    withPages(async (get) => {
      for (const path of ['/', '/index.html']) {
        const { headers } = await get(path, BR);
        expect(headers['content-encoding']).toBe('br');
        expect(headers['cache-control']).toBe('no-cache');
        expect((await get(path, PLAIN)).headers['cache-control']).toBe('no-cache');
      }
    }));

  it('is for reading', () =>
    withPages(async (get) => {
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        const got = await get('/assets/main-abc.js', BR, method);
        expect([method, got.status]).toEqual([method, 404]);
        expect(got.headers['content-encoding']).toBe(undefined);
      }
    }));
});

describe('a file without a copy', () => {
  it('is compressed where that is accepted, with an ETag of its own', () =>
    withPages(async (get) => {
      const first = await get('/assets/main-abc.js', GZIP);
      const etag = String(first.headers['etag']);
      expect(first.headers['content-encoding']).toBe('gzip');
      expect(etag).toMatch(/^W\/"[0-9a-f]+-[0-9a-f]+-gzip"$/);
      expect(Number(first.headers['content-length'])).toBeLessThan(SCRIPT.length / 4);
      const again = await get('/assets/main-abc.js', { ...GZIP, 'If-None-Match': etag });
      expect([again.status, again.headers['etag']]).toEqual([304, etag]);
      expect(again.headers['content-encoding']).toBe(undefined);
      expect(again.headers['content-length']).toBe(undefined);
    }));

  it.each(['html', 'js', 'css', 'svg', 'json', 'txt', 'wasm', 'png'])(
    'is compressed where its type is text or code: %s',
    async (type) => {
      write(`index.html.${type}`, SCRIPT);
      const pages = { viewer: folder, docsPage: null };
      await withPages(async (get) => {
        const { headers } = await get(`/index.html.${type}`, GZIP);
        expect(headers['content-encoding']).toBe(type === 'png' ? undefined : 'gzip');
        expect(headers['cache-control']).toBe(AN_HOUR);
      }, pages);
    },
  );

  it('stays compressed until it changes, apart from others', async () => {
    const app = express();
    serveStaticPages(app, { viewer: folder, docsPage: null });
    write('other.js', '// other\n');
    await answerHere(answeredBy(app), async (url) => {
      const text = async (path: string) =>
        (await fetch(`${url}/${path}`, { headers: GZIP })).text();
      expect(await text('assets/main-abc.js')).toBe(SCRIPT);
      expect(await text('other.js')).toBe('// other\n');
      write('other.js', '// changed since\n');
      expect(await text('other.js')).toBe('// changed since\n');
      expect(await text('assets/main-abc.js')).toBe(SCRIPT);
    });
  });

  it('is for reading, and gone when it is removed', () =>
    withPages(async (get) => {
      expect((await get('/assets/main-abc.js', GZIP, 'POST')).status).toBe(404);
      expect((await get('/assets/main-abc.js', GZIP)).status).toBe(200);
      rmSync(join(folder, 'assets/main-abc.js'));
      expect((await get('/assets/main-abc.js', GZIP)).status).toBe(404);
    }));
});

it('leads nowhere else', () =>
  withPages(async (get) => {
    const outside = ['/assets/../../etc/passwd', '/%2e%2e/x', '/assets/none.js', '/assets/'];
    for (const path of outside) {
      expect([path, (await get(path, GZIP)).status]).toEqual([path, 404]);
    }
  }));

it('keeps the documentation page for an hour, where it is built', async () => {
  await withPages(
    async (get) => {
      const got = await get('/docs/assets/main-abc.js', PLAIN);
      expect([got.text, got.headers['cache-control']]).toEqual([SCRIPT, AN_HOUR]);
      expect((await get('/')).status).toBe(404);
    },
    { viewer: null, docsPage: folder },
  );
  await withPages(async (get) => expect((await get('/docs/', GZIP)).status).toBe(404), {
    viewer: join(folder, 'none'),
    docsPage: join(folder, 'none'),
  });
});
