/**
 * The pages that are built: the viewer and the API documentation, with their caching and their
 * compressed copies.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import type { Express, RequestHandler } from 'express';
import express from 'express';
import { withArm } from '../../../arms/arm-element.ts';
import { BOUND_ARM } from '../../../arms/bound-arm.ts';
import { limits } from '../../../contract/limits.ts';
import type { ApplicationOptions } from './application-options.ts';
import { acceptsGzip, compress, varyByEncoding } from './compression.ts';

/** Serves the viewer and the documentation page, if they are built. */
export function serveStaticPages(
  app: Express,
  { viewer, docsPage }: Pick<ApplicationOptions, 'viewer' | 'docsPage'>,
): void {
  const files = { index: 'index.html', maxAge: limits.page_cache_s * 1000 };
  if (docsPage && existsSync(docsPage)) {
    app.use('/docs', compressedFiles(docsPage), express.static(docsPage, files));
  }
  if (!viewer || !existsSync(viewer)) return;
  if (BOUND_ARM.fingerprint !== '') app.use(startPage(viewer));
  app.use(precompressedFiles(viewer), compressedFiles(viewer));
  app.use(express.static(viewer, { index: 'index.html', cacheControl: false, setHeaders }));
}

/** Sends the start page with the arm of this process, which the built page does not have. */
function startPage(viewer: string): RequestHandler {
  const file = join(viewer, 'index.html');
  return (request, response, next) => {
    const isStart = request.path === '/' || request.path === '/index.html';
    if (!['GET', 'HEAD'].includes(request.method) || !isStart || !existsSync(file)) return next();
    response.setHeader('Cache-Control', cacheControl(file));
    response.type('html').send(withArm(readFileSync(file, 'utf8')));
  };
}

function setHeaders(response: ServerResponse, path: string): void {
  response.setHeader('Cache-Control', cacheControl(path));
}

/**
 * How long a file of a built folder is kept: for good where its name has a hash of its content, as
 * in `assets`; an `index.html` is asked for again each time, so that an update is seen.
 */
function cacheControl(path: string): string {
  if (/[\\/]assets[\\/]/.test(path)) return 'public, max-age=31536000, immutable';
  return /index\.html$/.test(path) ? 'no-cache' : `public, max-age=${limits.page_cache_s}`;
}

const COMPRESSED_TYPES = ['.html', '.js', '.css', '.svg', '.json', '.txt', '.wasm'];

interface CompressedFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modified: string;
}

/** The files of a folder by URL path, with the index of each folder under its own path. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED_TYPES.includes(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const url = `/${path.slice(folder.length + 1).replaceAll('\\', '/')}`;
    files.set(url, path);
    if (entry.name === 'index.html') files.set(url.slice(0, -entry.name.length), path);
  }
  return files;
}

/**
 * Serves the files of a built folder compressed to clients that accept it, with an ETag of their
 * own. Ranges, other clients and other files are left to the next handler. A compressed file stays
 * in memory until it changes.
 */
function compressedFiles(folder: string): RequestHandler {
  let files: ReadonlyMap<string, string> | null = null;
  const cache = new Map<string, Promise<CompressedFile>>();

  async function compressedFile(path: string, version: string): Promise<CompressedFile> {
    const bytes = await compress(readFileSync(path));
    return { bytes, etag: `W/"${version}-gzip"`, modified: statSync(path).mtime.toUTCString() };
  }

  return (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    files ??= filesOf(folder);
    const path = files.get(request.path);
    if (path === undefined || !existsSync(path)) return next();
    varyByEncoding(response);
    const isWhole = request.headers.range === undefined;
    if (!isWhole || !acceptsGzip(request.headers['accept-encoding'])) return next();
    // The next handler redirects a folder without its slash, which relative links need.
    if (request.path === '/' && !/\/(\?|$)/.test(request.originalUrl)) return next();
    const { size, mtimeMs } = statSync(path);
    const version = `${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}`;
    const key = `${version} ${path}`;
    const found = cache.get(key) ?? compressedFile(path, version);
    cache.set(key, found);
    return found.then(({ bytes, etag, modified }) => {
      response.type(extname(path));
      response.setHeader('Cache-Control', cacheControl(path));
      response.setHeader('ETag', etag);
      response.setHeader('Last-Modified', modified);
      response.setHeader('Content-Encoding', 'gzip');
      if (request.fresh) response.status(304).removeHeader('Content-Encoding');
      if (request.fresh) return void response.end();
      response.setHeader('Content-Length', bytes.byteLength);
      return void response.end(request.method === 'HEAD' ? undefined : bytes);
    }, next);
  };
}

/** Encodings of the copies that the build writes beside a file, the smaller first. */
const ENCODINGS = { br: 'br', gzip: 'gz' } as const;

/** Sends the copy that the build compressed, where the client accepts one. */
function precompressedFiles(folder: string): RequestHandler {
  const copies = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  return (request, response, next) => {
    const path = request.path === '/' ? 'index.html' : request.path.slice(1);
    const known = (Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[]).filter((name) =>
      copies.has(normalize(`${path}.${ENCODINGS[name]}`)),
    );
    if (known.length > 0) response.vary('Accept-Encoding');
    const encoding = known.find((name) => request.acceptsEncodings(name));
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!encoding || !isRead) return next();
    response.type(extname(path));
    response.setHeader('Content-Encoding', encoding);
    setHeaders(response, `/${path}`);
    response.sendFile(`${path}.${ENCODINGS[encoding]}`, { root: folder, cacheControl: false });
  };
}
