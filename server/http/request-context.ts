/**
 * The context of a request: its user, body, route and response dialect. The pipeline fills it in;
 * the access log and the journal read it. Also: the check that the service is ready, and
 * authentication by the bearer token.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type Dialect, ROUTES } from '../../contract/routes.ts';
import type { WallClock } from '../clock/clock.ts';
import type { AnsweredRequest } from '../metrics/log-and-health.ts';
import type { Caller } from '../robot/commands.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Users } from '../sessions/users.ts';
import type { RequestObserver } from './connections.ts';
import type { PipelineOptions } from './pipeline.ts';
import { sendRefusal } from './reply.ts';

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
): RequestObserver {
  return (request, response) => {
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
        route: requestContextOf(response).route ?? routeName(method, route),
        status: response.statusCode,
        duration_ms: wall.now_ms() - start_ms,
      });
    });
  };
}

/**
 * The response dialect (D1): `documented` follows the specification, `fielded` matches real arms;
 * `auto` chooses by user agent.
 */
export type DialectSetting = Dialect | 'auto';

/** User agent of the vendor's Python SDK, which accepts the fielded dialect only. */
const FIELDED_CLIENT = 'Automata EvaSDK/';
/** User agent of Go's HTTP client; the Go driver of the field sends JSON without a content type. */
const GO_CLIENT = 'Go-http-client/';

/** The dialect of a reply: as configured, or by the headers of the request. */
export function dialectOf(setting: DialectSetting, headers: IncomingHttpHeaders): Dialect {
  if (setting !== 'auto') return setting;
  const agent = headers['user-agent'] ?? '';
  const isGoDriver = agent.startsWith(GO_CLIENT) && headers['content-type'] === undefined;
  return isGoDriver || agent.startsWith(FIELDED_CLIENT) ? 'fielded' : 'documented';
}

export interface RequestContext {
  user_id: number | null;
  /** SHA-256 of the canonical JSON body; null for no body, and for binary bodies. */
  body_sha256: string | null;
  /** Id of the matching route; null if there is none. */
  route: string | null;
}

const contexts = new WeakMap<ServerResponse, RequestContext>();

/** The mutable context of the request that a response belongs to. */
export function requestContextOf(response: ServerResponse): RequestContext {
  const existing = contexts.get(response);
  if (existing) return existing;
  const context: RequestContext = { user_id: null, body_sha256: null, route: null };
  contexts.set(response, context);
  return context;
}

/** Sets the X-Armtwin header; refuses the call and returns false before the arm is ready. */
export function passesReadyCheck(
  options: PipelineOptions,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const dialect = dialectOf(options.dialect, request.headers);
  response.setHeader('X-Armtwin', options.banner(dialect));
  const reason = options.notReady();
  if (reason !== null) sendRefusal(response, refuse('not_ready', { reasons: [reason] }));
  return reason === null;
}

/** First path segments of API calls, such as `/api/`; no page is below them. */
const CALL_PREFIXES = [
  ...new Set(ROUTES.map(({ path }) => path.slice(0, path.indexOf('/', 1) + 1))),
];

/** Whether a URL is an API call, known or unknown. */
export function isCall(url: string): boolean {
  return CALL_PREFIXES.some((prefix) => url.startsWith(prefix));
}

/** Authentication of requests: the bearer token of the Authorization header (§5, D10). */

export interface Identity {
  readonly session: Session;
  readonly caller: Caller;
}

/** The identity that a session token belongs to, or null. */
export function identify(
  secret: string,
  services: { readonly sessions: Sessions; readonly users: Users },
): Identity | null {
  const session = services.sessions.find(secret);
  const user = session && services.users.find(session.user_id);
  if (!session || !user) return null;
  const { user_id, token_id } = session;
  return { session, caller: { user_id, token_id, role: user.role } };
}

type HeaderRefusal = Refusal<'not_authenticated' | 'malformed_authorization'>;

/** The refusal of a caller: no valid session, or too low a role. */
export type IdentityRefusal = HeaderRefusal | Refusal<'role_too_low'>;

/** The bearer token of the header, or a refusal when it is missing or has another scheme. */
export function bearerToken(header: string | undefined): string | HeaderRefusal {
  if (header === undefined) {
    return refuse('not_authenticated', 'Send Authorization: Bearer <session token>');
  }
  const [scheme, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || rest.length !== 1) {
    return refuse('malformed_authorization', 'The header must be: Bearer <session token>');
  }
  return rest[0]!;
}
