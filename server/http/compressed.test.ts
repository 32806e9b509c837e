/** The page's files: compressed copies for clients that accept them, and how long they are kept. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveStaticPages } from './express-application.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(50);
const folder = mkdtempSync(join(tmpdir(), 'page-'));
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/main-abc.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/main-abc.js.gz'), gzipSync(SCRIPT));
  const app = express();
  serveStaticPages(app, { viewer: folder, docsPage: null });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', null],
])('answers Accept-Encoding %s with %s', async (accepted, encoding) => {
  const headers = { 'Accept-Encoding': accepted };
  const reply = await fetch(`${origin}/assets/main-abc.js`, { headers });
  expect(reply.headers.get('Content-Encoding')).toBe(encoding);
  expect(reply.headers.get('Content-Type')).toContain('javascript');
  expect(reply.headers.get('Vary')).toContain('Accept-Encoding');
  expect(reply.headers.get('Cache-Control')).toContain('immutable');
  expect(await reply.text()).toBe(SCRIPT);
});

it('has the page itself asked for again, so that an update is seen', async () => {
  const reply = await fetch(origin, { headers: { 'Accept-Encoding': 'br' } });
  expect(reply.headers.get('Cache-Control')).toBe('no-cache');
  expect(await reply.text()).toBe('<!doctype html>');
});

it('leads nowhere else', async () => {
  for (const path of ['/assets/../../etc/passwd', '/%2e%2e/x', '/assets/none.js']) {
    expect((await fetch(origin + path)).status).toBe(404);
  }
});
