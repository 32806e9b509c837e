/**
 * Writes replies: JSON, files, server-sent events, and refusals with the only error bodies. Also:
 * their compression.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { ERROR_ROWS, type ErrorName, errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { systemClock } from '../clock/clock.ts';
import type { EventFeed, Reply } from './handler.ts';

/**
 * Compressed replies and pages for clients that accept gzip (RFC 9110 §12.5.3). Short replies are
 * never compressed: that would cost them more time than it saves. Streams are not compressed.
 */

const compress = promisify(gzip);

/** Whether an Accept-Encoding header accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Names the header that decides about the encoding, for caches. */
export function varyByEncoding(response: ServerResponse): void {
  const given = response.getHeader('Vary');
  const names = given === undefined ? [] : [String(given)];
  response.setHeader('Vary', [...names, 'Accept-Encoding'].join(', '));
}

function isWanted(response: ServerResponse): boolean {
  return acceptsGzip(response.req.headers['accept-encoding']);
}

/** The most that is written at a time (bytes): ticks wait while the system copies it. */
const SLICE_BYTES = 64 * 1024;

/** Texts and bytes in slices; a character of two UTF-16 units stays whole. */
function* slicesOf(pieces: readonly (string | Uint8Array)[]): Generator<string | Uint8Array> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      let to = Math.min(from + SLICE_BYTES, piece.length);
      if (typeof piece === 'string') {
        if (to < piece.length && piece.codePointAt(to - 1)! > 0xffff) to--;
        yield piece.slice(from, to);
      } else yield piece.subarray(from, to);
      from = to;
    }
  }
}

/** Ends a reply with a long body. Ticks go between its slices, and it waits for a slow reader. */
function endSlices(response: ServerResponse, pieces: readonly (string | Uint8Array)[]): void {
  const slices = slicesOf(pieces);
  const writeNext = () => {
    if (response.destroyed) return;
    const { value, done } = slices.next();
    if (done) response.end();
    else if (response.write(value)) systemClock.soon(writeNext);
    else response.once('drain', () => systemClock.soon(writeNext));
  };
  writeNext();
}

/** Ends a reply with a text or bytes of known size, compressed where it is long and accepted. */
export function endCompressed(response: ServerResponse, body: string | Buffer): void {
  const size = Buffer.byteLength(body);
  if (size < limits.compressed_least_bytes) {
    response.setHeader('Content-Length', size);
    response.end(body);
    return;
  }
  varyByEncoding(response);
  const send = (bytes: string | Buffer) => {
    if (response.destroyed) return;
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    if (bytes.length <= SLICE_BYTES) response.end(bytes);
    else endSlices(response, [bytes]);
  };
  if (!isWanted(response)) send(body);
  else {
    const sendPlain = () => send(body);
    void compress(body).then((bytes) => {
      response.setHeader('Content-Encoding', 'gzip');
      send(bytes);
    }, sendPlain);
  }
}

/** Ends a reply with the pieces of a long text, compressed where accepted. */
export function endPieces(
  response: ServerResponse,
  pieces: readonly (string | Uint8Array)[],
): void {
  varyByEncoding(response);
  if (!isWanted(response)) {
    const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    response.setHeader('Content-Length', size);
    endSlices(response, pieces);
    return;
  }
  response.setHeader('Content-Encoding', 'gzip');
  const target = createGzip();
  target.pipe(response);
  for (const piece of pieces) target.write(piece);
  target.end();
}

/**
 * How long a file of a built folder is kept: for good where its name has a hash of its content, as
 * in `assets`; an `index.html` is asked for again each time, so that an update is seen.
 */
export function cacheControl(path: string): string {
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
export function compressedFiles(folder: string): RequestHandler {
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

/** Sends a JSON reply; cheaper than Express's own. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Sends JSON text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  endCompressed(response, text);
}

/** Sends a file of a media type other than JSON. */
export function sendFile(
  response: ServerResponse,
  media: string,
  { name, text }: NonNullable<Reply['file']>,
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${media}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  endCompressed(response, text);
}

/**
 * Sends server-sent events until the feed ends or the client leaves. A feed that is over gets 204:
 * an EventSource then does not connect again.
 */
export function sendFeed(response: ServerResponse, feed: EventFeed): void {
  if (feed.isOver) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // A proxy must not wait for a full buffer (nginx).
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  response.on('drain', () => feed.onDrain());
  response.on('close', () => feed.close());
  feed.open({ write: (text) => response.write(text), end: () => response.end() });
}

/** Headers that HTTP requires beside some statuses (RFC 9110 §15.5.22, RFC 6455 §4.2.2). */
const STATUS_HEADERS: { readonly [status: number]: Readonly<Record<string, string>> } = {
  426: { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
  503: { 'Retry-After': String(limits.retry_after_s) },
};

/** Writes a refusal to a raw socket and ends the connection. */
export function refuseOnSocket(
  socket: Duplex,
  name: ErrorName,
  details: string | null = null,
): void {
  const body = JSON.stringify(errorReply(name, details));
  const { status } = ERROR_ROWS[name];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(STATUS_HEADERS[status] ?? {}).map(([header, value]) => `${header}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status } = ERROR_ROWS[refusal.refused];
  for (const [header, value] of Object.entries(STATUS_HEADERS[status] ?? {})) {
    response.setHeader(header, value);
  }
  // A hop-by-hop header takes effect only if Connection names it.
  if (status === 426) {
    response.setHeader('Connection', response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close');
  }
  const { retry_after_s } = refusal;
  if (retry_after_s !== undefined) response.setHeader('Retry-After', String(retry_after_s));
  const unread = ['body_too_large', 'timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  sendJson(response, status, errorReply(refusal.refused, refusal.details, refusal.count));
}
