/**
 * The target of a request, checked. Also: the context of a request, and the headers
 * that replies have whatever they answer: security, and those of other origins (CORS).
 */

import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { failure, type Refusal, type Result, refuse, success } from '../../contract/refusal.ts';
import { type Dialect, ROUTES, type RouteRow } from '../../contract/routes.ts';
import { isNameParameter } from '../../contract/schemas.ts';
import type { DialectSetting } from '../cli/config.ts';
import type { WallClock } from '../clock/clock.ts';
import type { AnsweredRequest } from '../metrics/metrics.ts';
import type { Caller } from '../robot/commands.ts';
import type { Session, Sessions, Users } from '../sessions/users.ts';
import type { PipelineOptions } from './pipeline.ts';
import { sendRefusal } from './reply.ts';
import type { RequestObserver } from './server.ts';

/** Path parameters and query of a request, checked against its route (§7, D6). */

/** Method and path of a call, without the query string. */
export interface CallTarget {
  readonly method: string;
  readonly path: string;
}

/** The parameters of a path: ids and names. */
export interface PathParameters {
  readonly parameters: Readonly<Record<string, number>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The ids and names in a path, or null if an id is not a positive integer. */
export function parametersOf(pathValues: Readonly<Record<string, unknown>>): PathParameters | null {
  const values: Record<string, number> = {};
  const names: Record<string, string> = {};
  for (const name of Object.keys(pathValues)) {
    const text = String(pathValues[name]);
    if (isNameParameter(name)) {
      names[name] = text;
      continue;
    }
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || !Number.isSafeInteger(value)) return null;
    values[name] = value;
  }
  return { parameters: values, names };
}

/** The query parameters: whole numbers, and texts that select entries. */
export interface QueryValues {
  readonly query: Readonly<Record<string, number>>;
  readonly filters: Readonly<Record<string, string>>;
}

const NO_VALUES: QueryValues = { query: {}, filters: {} };

/** The filters that the route defines, or a refusal of an invalid one. */
function filtersOf(row: RouteRow, given: URLSearchParams): Result<QueryValues['filters'], Refusal> {
  const values: Record<string, string> = {};
  for (const [name, { maxLength, enum: allowed }] of Object.entries(row.filters ?? {})) {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) continue;
    const isKnown = allowed?.includes(text) ?? text.length <= maxLength;
    if (more.length > 0 || !isKnown) {
      const choice = allowed ? `one of ${allowed.join(', ')}` : `at most ${maxLength} characters`;
      const details = [{ path: `?${name}`, problem: `must be given once, ${choice}` }];
      return failure(refuse('invalid_arguments', details));
    }
    values[name] = text;
  }
  return success(values);
}

/** The query parameters that the route defines, or a refusal of an invalid one. */
export function queryOf(row: RouteRow, url: string): Result<QueryValues, Refusal> {
  if (!row.query) return success(NO_VALUES);
  const given = new URLSearchParams(url.slice(pathOf(url).length));
  const values: Record<string, number> = {};
  for (const [name, bounds] of Object.entries(row.query)) {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) continue;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds;
    if (more.length > 0 || !(value >= minimum && value <= maximum)) {
      const upTo = bounds.maximum === undefined ? '' : `, at most ${maximum}`;
      const problem = `must be one whole number, at least ${minimum}${upTo}`;
      return failure(refuse('invalid_arguments', [{ path: `?${name}`, problem }]));
    }
    values[name] = value;
  }
  const filters = filtersOf(row, given);
  return filters.ok ? success({ query: values, filters: filters.value }) : filters;
}

/** A URL without its query string. */
export function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The number in the header Last-Event-ID; null for none. */
export function lastEventIdOf({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  const text = headers['last-event-id'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * The context of a request: its user, body, route and response dialect. The pipeline fills it in;
 * the access log and the journal read it. Also: the check that the service is ready, and
 * authentication by the bearer token.
 */

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

/** Refuses a call and returns false before the arm is ready. */
export function passesReadyCheck(options: PipelineOptions, response: ServerResponse): boolean {
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

/** Security headers of pages: no inline script, nothing from other origins. */
export const contentSecurityHeaders = helmet({
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

/** The headers that `contentSecurityHeaders` sets, computed once: they never change. */
export function securityHeaders(): readonly (readonly [string, string])[] {
  const empty = new ServerResponse(new IncomingMessage(new Socket()));
  contentSecurityHeaders(empty.req, empty, () => {});
  return Object.entries(empty.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** Sets the CORS headers if the request's origin is allowed; returns whether it is. */
export function allowOrigin(
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
