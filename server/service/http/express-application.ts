/**
 * What Express serves: calls, health endpoints, metrics, API documents, the viewer, and the fallback
 * handlers.
 */
import type { Express } from 'express';
import { refuse } from '../../../contract/refusal.ts';
import type { ApplicationOptions } from './application-options.ts';
import { documentHandler } from './document-handler.ts';
import { sendRefusal } from './error-response.ts';
import { exactApplication } from './exact-application.ts';
import type { ExchangeListener } from './exchange.ts';
import { addFallbackHandlers } from './fallback-handlers.ts';
import type { NodeAdapter } from './node-adapter.ts';
import { allowOrigin } from './origins.ts';
import { passesReadyCheck } from './ready-check.ts';
import { endCompressed } from './reply-body.ts';
import { mountRoutes, type ResponseLocals } from './router.ts';
import type { ServedRoute } from './served-routes.ts';
import { serveStaticPages } from './static-pages.ts';

function health(app: Express, options: ApplicationOptions): void {
  app.get('/livez', (_request, response) => {
    response.json({ alive: true });
  });
  app.get('/readyz', (_request, response) => {
    const fault = options.storageFault();
    const reasons = [
      ...options.notReadyReasons(),
      ...(fault === null ? [] : [`Saves are refused: ${fault}`]),
    ];
    const details = { reasons, ...(fault !== null && { read_only: fault }) };
    if (reasons.length === 0) response.json({ ready: true });
    else sendRefusal(response, refuse('not_ready', details));
  });
  app.get('/metrics', async (_request, response) => {
    const { contentType, text } = options.metrics;
    response.type(contentType);
    endCompressed(response, await text());
  });
}

function crossOrigin(app: Express, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  app.use((request, response, next) => {
    const isAllowed = allowOrigin(request, response, allowed);
    if (isAllowed && request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
}

/** Creates the application: every route, and what is no route. */
export function createExpressApplication(
  options: ApplicationOptions,
  routes: readonly ServedRoute[],
  adapter: Pick<NodeAdapter, 'serve'>,
): ExchangeListener {
  const app = exactApplication();
  health(app, options);
  crossOrigin(app, options.allowedOrigins);
  mountRoutes(app, options, { routes, adapter });
  for (const [path, build] of Object.entries(options.documents)) {
    app.get(path, documentHandler(build));
  }
  serveStaticPages(app, options);
  app.use((_request, response, next) => {
    if (passesReadyCheck(options, response)) next();
  });
  addFallbackHandlers(app, options.onBug);
  return (exchange) => {
    const locals: ResponseLocals = { exchange };
    app(exchange.request, Object.assign(exchange.response, { locals }));
  };
}
