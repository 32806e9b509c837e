/**
 * The HTTP application (D8): what every request meets, and the way to a call. Express is the
 * router; the index of its routes finds most calls before it (D45), so that it may be loaded late:
 * with the first request for it, where no tick waits for that.
 */

import { refuse } from '../../../contract/refusal.ts';
import { accessLog } from './access-log.ts';
import type { ApplicationOptions } from './application-options.ts';
import { sendRefusal } from './error-response.ts';
import type { ExchangeListener } from './exchange.ts';
import { NodeAdapter } from './node-adapter.ts';
import { allowOrigin, originRefusal } from './origins.ts';
import { Pipeline } from './pipeline.ts';
import { passesReadyCheck } from './ready-check.ts';
import { RouteIndex } from './route-index.ts';
import { securityHeaders } from './security-headers.ts';
import { servedRoutes } from './served-routes.ts';

/** The observers that see each request before it is handled. */
function requestObservers({
  services,
  onAnswered,
  watch,
}: ApplicationOptions): readonly ExchangeListener[] {
  const headers = securityHeaders();
  return [
    (exchange) => exchange.closeUnreadBody(services.wall),
    accessLog(services.wall, onAnswered),
    ...(watch ? [watch] : []),
    ({ response }) => {
      for (const [name, value] of headers) response.setHeader(name, value);
    },
  ];
}

/** Loads Express and what it serves; takes longer than a tick. */
export const loadExpress = () => import('./express-application.ts');

/** Creates the application. */
export function createApplication(options: ApplicationOptions): ExchangeListener {
  const observers = requestObservers(options);
  const routes = servedRoutes(options.handlers);
  const index = new RouteIndex(routes);
  const adapter = new NodeAdapter(new Pipeline(options), options);
  let others: Promise<ExchangeListener> | null = null;
  const loadOthers = () => {
    others ??= loadExpress().then(({ createExpressApplication }) =>
      createExpressApplication(options, routes, adapter),
    );
    return others;
  };
  if (!options.isLate) void loadOthers();
  return (exchange) => {
    for (const observe of observers) observe(exchange);
    const { request, response } = exchange;
    const foreign = originRefusal(request, options.allowedOrigins);
    if (foreign) return sendRefusal(response, foreign);
    const found = index.find(request.method, request.url);
    if (!found) {
      loadOthers().then(
        (answer) => answer(exchange),
        (error: unknown) => {
          options.onBug(error, null);
          sendRefusal(response, refuse('internal'));
        },
      );
    } else {
      allowOrigin(request, response, options.allowedOrigins);
      if (!passesReadyCheck(options, response)) return;
      adapter.serve(exchange, found);
    }
  };
}
