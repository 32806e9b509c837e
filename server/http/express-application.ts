/**
 * What Express serves: health endpoints, metrics, API documents, the viewer, calls whose address is
 * not plain, and the fallback handlers. Also: the application of `--upstream`, which serves the
 * viewer.
 */

import { existsSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, normalize } from 'node:path';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { ApplicationOptions } from './application.ts';
import type { PipelineOptions, Pipelines } from './pipeline.ts';
import { cacheControl, compressedFiles, endCompressed, sendRefusal } from './reply.ts';
import { allowOrigin, contentSecurityHeaders, isCall, passesReadyCheck } from './request-parts.ts';

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
  /** Whether the arm isReachable. */
  readonly isUpstreamReachable: () => Promise<boolean>;
  /** Receives unhandled errors. */
  readonly onBug: (error: unknown) => void;
}

/** Creates the application. */
export function createViewerApplication(options: ViewerApplicationOptions): Express {
  const { viewer, call, isUpstreamReachable: isReachable, onBug } = options;
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
    if (await isReachable()) response.json({ ready: true });
    else
      sendRefusal(response, refuse('not_ready', { reasons: ['the upstream arm does not answer'] }));
  });
  serveStaticPages(app, { viewer, docsPage: null });
  addFallbackHandlers(app, onBug);
  return app;
}
