/**
 * The Express application: health, the interface's own documents, the viewer, the rows of the
 * endpoint table, and last what answers when nothing else did (decision D8).
 */
import { existsSync } from 'node:fs';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { AnsweredRequest } from '../metrics/log.ts';
import { refuse } from '../robot/refusal.ts';
import { documentHandler } from './documents.ts';
import { sendRefusal } from './error-reply.ts';
import { directCalls, mountRoutes, passesGate, pipelinesOf } from './mount.ts';
import { endLeftoverBodies, type Watch } from './patience.ts';
import type { PipelineOptions } from './pipeline.ts';
import { requestLog } from './request-log.ts';

export interface ApplicationOptions extends PipelineOptions {
  /** Folder of the built viewer; null serves none. */
  readonly viewer: string | null;
  /** Folder of the page that shows the interface, at /docs; null serves none. */
  readonly docsPage: string | null;
  /** Documents served as JSON, by path. */
  readonly documents: Readonly<Record<string, (baseUrl: string) => object>>;
  readonly allowedOrigins: readonly string[];
  /** Sees every request before anything answers it. */
  readonly watch?: Watch;
  /** Why go_to would not work now, one reason each; none: ready. */
  readonly unready: () => readonly string[];
  readonly metrics: {
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** Hears of every request that was answered. */
  readonly onAnswered: (request: AnsweredRequest) => void;
}

/** What a page of ours may do: no inline script, nothing from elsewhere. */
export const contentSecurity = helmet({
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
    const reasons = options.unready();
    if (reasons.length === 0) response.json({ ready: true });
    else sendRefusal(response, refuse('not_ready', { reasons }));
  });
  app.get('/metrics', async (_request, response) => {
    const { contentType, text } = options.metrics;
    response.type(contentType).send(await text());
  });
}

/** Lets pages of other origins call; answers whether one is allowed to. */
function admitOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (!origin || !(allowed.includes(origin) || allowed.includes('*'))) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Vary', 'Origin');
  return true;
}

function crossOrigin(app: Express, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  app.use((request, response, next) => {
    const isAdmitted = admitOrigin(request, response, allowed);
    if (isAdmitted && request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
}

/** What people look at: there where the program has been built. */
export function pages(
  app: Express,
  { viewer, docsPage }: Pick<ApplicationOptions, 'viewer' | 'docsPage'>,
): void {
  const files = { index: 'index.html', maxAge: '1h' };
  if (docsPage && existsSync(docsPage)) app.use('/docs', express.static(docsPage, files));
  if (viewer && existsSync(viewer)) app.use(express.static(viewer, files));
}

/** What answers when nothing else did, and when something failed; `onBug` is told of the latter. */
export function answerTheRest(app: Express, onBug: ApplicationOptions['onBug']): void {
  app.use((request, response) => {
    sendRefusal(response, refuse('unknown_path', `There is nothing at ${request.path}`));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const malformed = error instanceof URIError;
    if (!malformed) onBug(error, null);
    sendRefusal(response, refuse(malformed ? 'unknown_path' : 'internal'));
  });
}

/** The headers that `contentSecurity` sets: the same for every request. */
function securityHeaders(): readonly (readonly [string, string])[] {
  const empty = new ServerResponse(new IncomingMessage(new Socket()));
  contentSecurity(empty.req, empty, () => {});
  return Object.entries(empty.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** Everything that looks at a request before it is answered. */
function watchesOf({ rooms, onAnswered, watch }: ApplicationOptions): readonly Watch[] {
  const headers = securityHeaders();
  return [
    endLeftoverBodies(rooms.wall),
    requestLog(rooms.wall, onAnswered),
    ...(watch ? [watch] : []),
    (_request, response) => {
      for (const [name, value] of headers) response.setHeader(name, value);
    },
  ];
}

/**
 * Assembles everything that answers HTTP. Calls whose path says all are answered past Express,
 * whose way through its layers costs more than most of them.
 */
export function createApplication(options: ApplicationOptions): RequestListener {
  const watches = watchesOf(options);
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
  pages(app, options);
  app.use((request, response, next) => {
    if (passesGate(options, request, response)) next();
  });
  answerTheRest(app, options.onBug);
  return (request, response) => {
    for (const look of watches) look(request, response);
    const found = direct.get(`${request.method} ${request.url}`);
    if (!found) app(request, response);
    else {
      admitOrigin(request, response, options.allowedOrigins);
      if (passesGate(options, request, response)) found.serve(request, response);
    }
  };
}
