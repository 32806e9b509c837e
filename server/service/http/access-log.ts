/** The access log: an id for each request, and a line once it is answered. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ROUTES } from '../../../contract/routes.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { AnsweredRequest } from '../logging/answered-request.ts';
import type { ExchangeListener } from './exchange.ts';

const REQUEST_ID_HEADER = 'X-Request-Id';
/** Request ids of clients that are safe to log. */
const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];

/** Route ids by method and Express path. */
const ROUTE_NAMES = new Map<string, string>(
  ROUTES.map(({ id, method, path }) => [`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, id]),
);

/** A request after routing; `route` is set by Express. */
type Routed = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** The route id, the path of another endpoint, or `other`. */
function routeName(method: string, route: { readonly path?: unknown } | undefined): string {
  const path = typeof route?.path === 'string' ? route.path : null;
  return path === null ? 'other' : (ROUTE_NAMES.get(`${method} ${path}`) ?? path);
}

/**
 * Gives every request an id and reports it once its reply was sent or its connection closed. It
 * reports the route, never a path with ids, a header or a body.
 */
export function accessLog(
  wall: WallClock,
  onAnswered: (request: AnsweredRequest) => void,
): ExchangeListener {
  return (exchange) => {
    const { request, response } = exchange;
    const given = request.headers['x-request-id'];
    const request_id = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
    const start_ms = wall.now_ms();
    response.setHeader(REQUEST_ID_HEADER, request_id);
    response.once('close', () => {
      const { method: requestMethod = '' } = request;
      const method = METHODS.includes(requestMethod) ? requestMethod : 'other';
      const { route }: Routed = request;
      onAnswered({
        request_id,
        method,
        route: exchange.route ?? routeName(method, route),
        status: response.statusCode,
        duration_ms: wall.now_ms() - start_ms,
      });
    });
  };
}
