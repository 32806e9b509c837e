/**
 * The HTTP application (D8): health endpoints, metrics, API documents, the viewer, the routes of
 * the API, and the fallback handlers. Also: the application of `--upstream`, which serves the
 * viewer.
 */

import { existsSync, readdirSync } from 'node:fs';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { extname, normalize } from 'node:path';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import helmet from 'helmet';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { AnsweredRequest } from '../metrics/metrics.ts';
import { directCalls, mountRoutes, type PipelineOptions, pipelinesOf } from './pipeline.ts';
import { cacheControl, compressedFiles, endCompressed, sendRefusal } from './reply.ts';
import { accessLog, isCall, passesReadyCheck } from './request-parts.ts';
import { closeUnreadBodies, type RequestObserver } from './server.ts';

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

export interface ApplicationOptions extends PipelineOptions {
  /** Folder of the built viewer; null serves none. */
  readonly viewer: string | null;
  /** Folder of the API documentation page, at /docs; null serves none. */
  readonly docsPage: string | null;
  /** Documents served as JSON, by path. */
  readonly documents: Readonly<Record<string, (baseUrl: string) => object>>;
  readonly allowedOrigins: readonly string[];
  /** Observes every request before it is handled. */
  readonly watch?: RequestObserver;
  /** Why the service is not ready for commands; empty when it is. */
  readonly notReadyReasons: () => readonly string[];
  /** Why saves are refused; null when they are not. */
  readonly storageFault: () => string | null;
  readonly metrics: {
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** Receives every answered request. */
  readonly onAnswered: (request: AnsweredRequest) => void;
}

/** Security headers of pages: no inline script, nothing from other origins. */
const contentSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'worker-src': ["'self'", 'blob:'],
      'connect-src': ["'self'", 'ws:', 'http:'],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'self'"],
    },
  },
  strictTransportSecurity: false,
});

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

/** Sets the CORS headers if the request's origin is allowed; returns whether it is. */
function allowOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (!origin || !(allowed.includes(origin) || allowed.includes('*'))) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key',
  );
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Vary', 'Origin');
  return true;
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

/** The headers that `contentSecurityHeaders` sets, computed once: they never change. */
function securityHeaders(): readonly (readonly [string, string])[] {
  const empty = new ServerResponse(new IncomingMessage(new Socket()));
  contentSecurityHeaders(empty.req, empty, () => {});
  return Object.entries(empty.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** The observers that see each request before it is handled. */
function requestObservers({
  services,
  onAnswered,
  watch,
}: ApplicationOptions): readonly RequestObserver[] {
  const headers = securityHeaders();
  return [
    closeUnreadBodies(services.wall),
    accessLog(services.wall, onAnswered),
    ...(watch ? [watch] : []),
    (_request, response) => {
      for (const [name, value] of headers) response.setHeader(name, value);
    },
  ];
}

/**
 * Creates the application. Routes without path parameters bypass Express, whose routing costs more
 * than most of these calls.
 */
export function createApplication(options: ApplicationOptions): RequestListener {
  const observers = requestObservers(options);
  const pipelines = pipelinesOf(options);
  const direct = directCalls(pipelines);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  health(app, options);
  crossOrigin(app, options.allowedOrigins);
  mountRoutes(app, pipelines, options);
  for (const [path, build] of Object.entries(options.documents)) {
    app.get(path, documentHandler(build));
  }
  serveStaticPages(app, options);
  app.use((request, response, next) => {
    if (passesReadyCheck(options, request, response)) next();
  });
  addFallbackHandlers(app, options.onBug);
  return (request, response) => {
    for (const observe of observers) observe(request, response);
    const pipeline = direct.get(`${request.method} ${request.url}`);
    if (!pipeline) app(request, response);
    else {
      allowOrigin(request, response, options.allowedOrigins);
      if (passesReadyCheck(options, request, response)) pipeline.serve(request, response);
    }
  };
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
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
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
