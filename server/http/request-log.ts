/**
 * Gives every request an id, and tells when it was answered: to the log and to the figures. Only
 * the route's name is told, never the path with its ids, a header or a body.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ROUTES } from '../../contract/routes.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { AnsweredRequest } from '../metrics/log.ts';
import { askedOf } from './asked.ts';
import type { Watch } from './patience.ts';

const HEADER = 'X-Request-Id';
/** An id of the client's own is kept when it can stand in a log. */
const USABLE = /^[A-Za-z0-9._-]{1,64}$/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];

/** Row ids by method and path as Express writes it. */
const NAMES = new Map<string, string>(
  ROUTES.map(({ id, method, path }) => [`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, id]),
);

/** A request that a router may have found a route for. */
type Routed = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** The name of what answered: a row's id, a path of the service, or `other`. */
function routeName(method: string, route: { readonly path?: unknown } | undefined): string {
  const path = typeof route?.path === 'string' ? route.path : null;
  return path === null ? 'other' : (NAMES.get(`${method} ${path}`) ?? path);
}

/** Sees every request; `tell` hears of it once its reply, or its connection, has gone. */
export function requestLog(wall: WallClock, tell: (request: AnsweredRequest) => void): Watch {
  return (request, response) => {
    const given = request.headers['x-request-id'];
    const request_id = typeof given === 'string' && USABLE.test(given) ? given : randomUUID();
    const began_ms = wall.now_ms();
    response.setHeader(HEADER, request_id);
    response.once('close', () => {
      const asked = request.method ?? '';
      const method = METHODS.includes(asked) ? asked : 'other';
      const { route }: Routed = request;
      tell({
        request_id,
        method,
        route: askedOf(response).route ?? routeName(method, route),
        status: response.statusCode,
        duration_ms: wall.now_ms() - began_ms,
      });
    });
  };
}
