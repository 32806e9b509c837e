/**
 * What Express serves: health endpoints, metrics, API documents, the viewer, calls whose address is
 * not plain, and the fallback handlers. Also: the application of `--upstream`, which serves the
 * viewer.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { ApplicationOptions, PipelineOptions, Pipelines } from './pipeline.ts';
import {
  acceptsGzip,
  compress,
  contentSecurityHeaders,
  endCompressed,
  passesReadyCheck,
  sendRefusal,
  varyByEncoding,
} from './reply.ts';
import { allowOrigin } from './request-parts.ts';

/** Placeholder for host and port of the server in a document; no document contains it otherwise. */
const HOST_PLACEHOLDER = 'address.of.the.twin.invalid';

/** Hosts whose document bytes are cached; the oldest is dropped first. */
const CACHED_HOSTS = 8;

/**
 * Serves a document as JSON with the address that the client used. Building one takes longer than
 * a hundred calls, so the bytes are cached.
 */
export function documentHandler(build: (baseUrl: string) => object): RequestHandler {
  let pieces: readonly string[] | null = null;
  const cache = new Map<string, Buffer>();
  const bytesFor = (host: string): Buffer => {
    pieces ??= JSON.stringify(build(`http://${HOST_PLACEHOLDER}`)).split(HOST_PLACEHOLDER);
    const bytes = Buffer.from(pieces.join(JSON.stringify(host).slice(1, -1)));
    if (cache.size >= CACHED_HOSTS) cache.delete(cache.keys().next().value!);
    cache.set(host, bytes);
    return bytes;
  };
  return (request, response) => {
    const host = request.headers.host ?? 'localhost';
    const bytes = cache.get(host) ?? bytesFor(host);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    endCompressed(response, bytes);
  };
}

/** First path segments of API calls, such as `/api/`; no page is below them. */
const CALL_PREFIXES = [
  ...new Set(ROUTES.map(({ path }) => path.slice(0, path.indexOf('/', 1) + 1))),
];

/** Whether a URL is an API call, known or unknown. */
function isCall(url: string): boolean {
  return CALL_PREFIXES.some((prefix) => url.startsWith(prefix));
}

function health(app: Express, options: ApplicationOptions): void {
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', (_request, response) => {
    const reasons = options.notReadyReasons();
    const fault = options.storageFault();
    if (reasons.length === 0) response.json({ ready: true, ...(fault && { read_only: fault }) });
    else sendRefusal(response, refuse('not_ready', { reasons }));
  });
  app.get('/metrics', async (_request, response) => {
    const { contentType, text } = options.metrics;
    response.type(contentType);
    endCompressed(response, await text());
  });
}

/** Converts `/users/{id}` to Express syntax. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Mounts every route, and 405 for other methods on their paths. */
function mountRoutes(app: Express, pipelines: Pipelines, options: PipelineOptions): void {
  const router = express.Router({ caseSensitive: true });
  app.use((request, response, next) => {
    if (!isCall(request.url)) next();
    else if (passesReadyCheck(options, response)) router(request, response, next);
  });
  const methods = new Map<string, string[]>();
  for (const [row, pipeline] of pipelines) {
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](expressPath(row.path), (request: Request, response) =>
      pipeline.serve(request, response, request.params),
    );
    methods.set(row.path, [...(methods.get(row.path) ?? []), row.method]);
  }
  for (const path of options.streams) {
    router.get(path, (_request, response) => {
      const details = 'Open a WebSocket here: send Connection: Upgrade and Upgrade: websocket';
      sendRefusal(response, refuse('upgrade_required', details));
    });
    methods.set(path, ['GET']);
  }
  for (const [path, allowed] of methods) {
    router.all(expressPath(path), (request, response) => {
      const choice = allowed.join(', ');
      response.setHeader('Allow', choice);
      const text = `${request.method} is not possible on ${request.path}; use ${choice}`;
      sendRefusal(response, refuse('method_not_allowed', text));
    });
  }
}

function crossOrigin(app: Express, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  app.use((request, response, next) => {
    const isAllowed = allowOrigin(request, response, allowed);
    if (isAllowed && request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
}

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
  app.use(precompressedFiles(viewer), compressedFiles(viewer));
  app.use(express.static(viewer, { index: 'index.html', cacheControl: false, setHeaders }));
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

/** Handles unknown paths and unhandled errors; `onBug` receives the errors. */
function addFallbackHandlers(app: Express, onBug: ApplicationOptions['onBug']): void {
  app.use((request, response) => {
    sendRefusal(response, refuse('unknown_path', `There is nothing at ${request.path}`));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const malformed = error instanceof URIError;
    if (!malformed) onBug(error, null);
    sendRefusal(response, refuse(malformed ? 'unknown_path' : 'internal'));
  });
}

/**
 * An application whose addresses are exact, as those of the API: a proxy that hides `/metrics`
 * hides all of it.
 */
function exactApplication(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}

/** Creates the application of everything but calls with plain addresses. */
export function createExpressApplication(
  options: ApplicationOptions,
  pipelines: Pipelines,
): Express {
  const app = exactApplication();
  health(app, options);
  crossOrigin(app, options.allowedOrigins);
  mountRoutes(app, pipelines, options);
  for (const [path, build] of Object.entries(options.documents)) {
    app.get(path, documentHandler(build));
  }
  serveStaticPages(app, options);
  app.use((_request, response, next) => {
    if (passesReadyCheck(options, response)) next();
  });
  addFallbackHandlers(app, options.onBug);
  return app;
}

/** The HTTP application of `--upstream`: the viewer, health endpoints, and the API proxy. */

/** The simulation control API is not proxied: it is for the operator of that twin. */
const SIMULATION_PATH = '/sim/';

/** Whether a call is proxied. */
export function isProxied(url: string): boolean {
  return isCall(url) && !url.startsWith(SIMULATION_PATH);
}

export interface ViewerApplicationOptions {
  /** Folder of the built viewer. */
  readonly viewer: string;
  /** Proxies a call. */
  readonly call: (request: Request, response: Response) => void;
  /** Why the arm cannot be used; null when it answers. */
  readonly upstreamFault: () => Promise<string | null>;
  /** Receives unhandled errors. */
  readonly onBug: (error: unknown) => void;
}

/** Creates the application. */
export function createViewerApplication(options: ViewerApplicationOptions): Express {
  const { viewer, call, upstreamFault, onBug } = options;
  const app = exactApplication();
  app.use((request, response, next) => {
    if (isProxied(request.url)) call(request, response);
    else next();
  });
  app.use(contentSecurityHeaders);
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', async (_request, response) => {
    const fault = await upstreamFault();
    if (fault === null) response.json({ ready: true });
    else sendRefusal(response, refuse('not_ready', { reasons: [fault] }));
  });
  serveStaticPages(app, { viewer, docsPage: null });
  addFallbackHandlers(app, onBug);
  return app;
}
