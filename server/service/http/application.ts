/**
 * The HTTP application (D8): what every request meets, and the way to a call. A call with a plain
 * address goes to its pipeline; Express has the rest, and is loaded with the first request for it
 * where no tick waits for that.
 */

import type { RequestListener } from 'node:http';
import { refuse } from '../../../contract/refusal.ts';
import { accessLog } from './access-log.ts';
import type { ApplicationOptions } from './application-options.ts';
import { sendRefusal } from './error-response.ts';
import type { ExchangeListener } from './exchange.ts';
import { allowOrigin, originRefusal } from './origins.ts';
import { pipelinesOf } from './pipeline.ts';
import { PlainCalls } from './plain-calls.ts';
import { passesReadyCheck } from './ready-check.ts';
import { securityHeaders } from './security-headers.ts';

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
  const pipelines = pipelinesOf(options);
  const calls = new PlainCalls(pipelines);
  let others: Promise<RequestListener> | null = null;
  const loadOthers = () => {
    others ??= loadExpress().then(({ createExpressApplication }) =>
      createExpressApplication(options, pipelines),
    );
    return others;
  };
  if (!options.isLate) void loadOthers();
  return (exchange) => {
    for (const observe of observers) observe(exchange);
    const { request, response } = exchange;
    const foreign = originRefusal(request, options.allowedOrigins);
    if (foreign) return sendRefusal(response, foreign);
    const found = calls.find(request.method, request.url);
    if (!found) {
      loadOthers().then(
        (answer) => answer(request, response),
        (error: unknown) => {
          options.onBug(error, null);
          sendRefusal(response, refuse('internal'));
        },
      );
    } else {
      allowOrigin(request, response, options.allowedOrigins);
      if (!passesReadyCheck(options, response)) return;
      found.pipeline.serve(exchange, found.values);
    }
  };
}
