/**
 * The parts of a request, checked: its target, its bearer token, its origin and its body. Also: the
 * context of a request.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { failure, type Refusal, type Result, refuse, success } from '../../contract/refusal.ts';
import { type Dialect, ROUTES, type RouteRow } from '../../contract/routes.ts';
import { isNameParameter, type SchemaId } from '../../contract/schemas.ts';
import type { WallClock } from '../clock/clock.ts';
import type { DocumentReader, ReadBody } from '../documents/document-tasks.ts';
import type { AnsweredRequest } from '../metrics/metrics.ts';
import type { Caller } from '../robot/commands.ts';
import type { Session, Sessions, Users } from '../sessions/users.ts';
import type { RequestObserver } from './server.ts';

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

/** The ids and names in a path, or null if an id is not a positive integer, in its one spelling. */
export function parametersOf(pathValues: Readonly<Record<string, unknown>>): PathParameters | null {
  const values: Record<string, number> = {};
  const names: Record<string, string> = {};
  for (const name of Object.keys(pathValues)) {
    const text = String(pathValues[name]);
    if (isNameParameter(name)) {
      names[name] = text;
      continue;
    }
    if (!/^[1-9][0-9]{0,14}$/.test(text)) return null;
    values[name] = Number(text);
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

/** The header Authorization; two of them are one that no scheme has: Node would drop the second. */
export function authorizationOf(request: IncomingMessage): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}

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

/**
 * Origins. Browsers name the origin of a page in every request that may have an effect elsewhere;
 * that of another page is refused before anything is done, since a reply without CORS headers only
 * hides from the page what its call did. Requests without an origin come from no page, or open one.
 */

function isListed(origin: string, allowed: readonly string[]): boolean {
  return allowed.includes(origin) || allowed.includes('*');
}

/** Whether the request is no page's, or that of a page of this server or of an allowed origin. */
export function originAllowed(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowed: readonly string[],
): boolean {
  const { origin, host, 'x-forwarded-proto': scheme } = headers;
  if (origin === undefined || isListed(origin, allowed)) return true;
  try {
    const page = new URL(origin);
    // Behind TLS, a page that came without it may be another's.
    return page.host === host && (scheme !== 'https' || page.protocol === 'https:');
  } catch {
    return false;
  }
}

/** The refusal of a request of another page; null for every other request. */
export function originRefusal(
  request: Pick<IncomingMessage, 'headers'>,
  allowed: readonly string[],
): Refusal<'role_too_low'> | null {
  if (originAllowed(request, allowed)) return null;
  return refuse('role_too_low', 'Pages of this origin may not call; --allow-origin names others');
}

/** Sets the CORS headers if the request's origin is allowed; returns whether it is. */
export function allowOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (!origin || !isListed(origin, allowed)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key',
  );
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Vary', 'Origin');
  return true;
}

/**
 * Reads request bodies with limits on size and time, checks the content type and parses strict
 * UTF-8 JSON (§7, D2).
 */

const PACKAGE_TYPES = ['application/x.automata-update', 'application/octet-stream'];

/** Types that clients add to a request without a body unasked: aiohttp, and `curl -d ''` (D2). */
const UNCHOSEN_TYPES = ['application/octet-stream', 'application/x-www-form-urlencoded'];

/** True when the request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

function needsBody(row: RouteRow): boolean {
  return row.body !== undefined && row.bodyOptional !== true;
}

/** Whether arms in the field take the call whatever its body is (D3): that has nothing to say. */
function isOpenBody(row: RouteRow): boolean {
  return row.body === undefined || (!needsBody(row) && row.path.startsWith('/api/'));
}

/** The refusal for a wrong content type, or null. */
export function contentTypeRefusal(
  row: RouteRow,
  request: IncomingMessage,
  dialect: Dialect,
): Refusal | null {
  const header = request.headers['content-type'];
  const expects = row.carries === 'package' ? PACKAGE_TYPES : ['application/json'];
  if (header === undefined) {
    const hasJson = needsBody(row) || announcesBody(request);
    const needed = row.carries === 'package' || (hasJson && dialect === 'documented');
    if (!needed) return null;
    return refuse('wrong_content_type', `Send Content-Type: ${expects[0]}`);
  }
  if (!needsBody(row) && !announcesBody(request) && UNCHOSEN_TYPES.includes(header)) {
    return null;
  }
  const [type, ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (expects.includes(type!.trim()) && utf8) return encodingRefusal(request);
  return refuse('wrong_content_type', `Send Content-Type: ${expects[0]}, not ${header}`);
}

/** The refusal of a compressed body, which would else be read as what it is not (RFC 9110 §8.4). */
function encodingRefusal(request: IncomingMessage): Refusal | null {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return null;
  if (!announcesBody(request)) return null;
  return refuse('wrong_content_type', `Send the body without Content-Encoding: ${encoding}`);
}

/** Limits on the size of a body and on the time to receive it. */
interface BodyBounds {
  readonly limit_bytes: number;
  /** Bytes from the start that are kept; all others are counted and dropped. */
  readonly kept_bytes: number;
  readonly limit_s: number;
  readonly wall: WallClock;
  /** How long no more of a large body is to be received after these bytes of it (ms). */
  readonly pause_ms: (bytes: number) => number;
}

/** The size that a request announces for its body (bytes); 0 if it does not. */
function announcedSize({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? 0);
}

/** Refuses a body whose announced size is too large, without reading it. */
export function sizeRefusal(
  request: Pick<IncomingMessage, 'headers'>,
  limit_bytes: number,
): Refusal | null {
  if (announcedSize(request) <= limit_bytes) return null;
  return refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
}

/** How much larger the memory of a small body becomes, up to what is expected. */
const GROWTH = 4;
/** Largest memory that grows (bytes); a larger body has pieces of it: copies delay ticks. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The bytes of a body, in memory that grows with them. The chunks would each keep the memory that
 * they were received in until garbage is collected, and joined they are in memory twice: V8
 * interrupts ticks for 5 to 10 ms, and longer, when so much memory outside of its heap is in use.
 */
class BodyBytes {
  size = 0;
  /** The size that the body is expected to have at most (bytes). */
  private readonly expected: number;
  private readonly full: Buffer[] = [];
  /** The last piece, and how much of it is in use (bytes). */
  private memory: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(expected: number) {
    this.expected = expected;
  }

  add(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      this.grow(rest.length);
      const taken = rest.subarray(0, this.memory.length - this.used);
      taken.copy(this.memory, this.used);
      this.used += taken.length;
      this.size += taken.length;
      rest = rest.subarray(taken.length);
    }
  }

  /** Makes memory for at least one of the bytes. */
  private grow(bytes: number): void {
    if (this.used === PIECE_BYTES) {
      this.full.push(this.memory);
      this.memory = Buffer.alloc(0);
      this.used = 0;
    }
    const needed = this.used + bytes;
    if (needed <= this.memory.length) return;
    const expected = this.expected - (this.size - this.used);
    const arrived = this.full.length > 0 ? PIECE_BYTES : GROWTH * needed;
    const grown = Math.min(PIECE_BYTES, Math.max(needed, Math.min(expected, arrived)));
    if (grown === this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(grown);
    this.memory.copy(larger, 0, 0, this.used);
    this.memory = larger;
  }

  /** The bytes in order; all pieces but the last are full. */
  pieces(): Buffer[] {
    return [...this.full, this.memory.subarray(0, this.used)];
  }
}

/**
 * Reads the body and returns its kept bytes in pieces, at least one; beyond a limit the rest stays
 * unread and the connection closes.
 */
export function readBody(
  request: IncomingMessage,
  { limit_bytes, kept_bytes, limit_s, wall, pause_ms }: BodyBounds,
): Promise<readonly Buffer[] | Refusal> {
  const tooLarge = refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
  const early = sizeRefusal(request, limit_bytes);
  if (early) return Promise.resolve(early);
  return new Promise<readonly Buffer[] | Refusal>((resolve) => {
    const body = new BodyBytes(Math.min(announcedSize(request) || limit_bytes, kept_bytes));
    let size = 0;
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      resolve(refuse('timed_out', `The body was not complete within ${limit_s} s`));
    });
    request.on('close', cancel);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit_bytes) {
        request.pause();
        resolve(tooLarge);
      } else if (body.size < kept_bytes) {
        body.add(chunk.subarray(0, kept_bytes - body.size));
        const delay_ms = size > limits.large_document_bytes ? pause_ms(chunk.length) : 0;
        if (delay_ms === 0) return;
        request.pause();
        wall.afterUnreferenced(delay_ms, () => request.resume());
      }
    });
    request.on('end', () => {
      cancel();
      resolve(body.pieces());
    });
    request.on('error', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
    request.on('aborted', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
  });
}

const NO_BODY: ReadBody = { body: undefined, ignored: [], sha256: null };

/** The body of a call without one: the fields of a body that it may leave out are absent. */
export function absentBody(row: RouteRow): ReadBody {
  return row.body === undefined ? NO_BODY : { ...NO_BODY, body: {} };
}

/** Whether the body must be read before the call can be handled. */
export function readsBody(row: RouteRow, request: IncomingMessage): boolean {
  return row.carries === 'package' || needsBody(row) || announcesBody(request);
}

interface BodyReading {
  readonly dialect: Dialect;
  readonly wall: WallClock;
  readonly documents: DocumentReader;
  /** Whether the SHA-256 of the canonical body is needed. */
  readonly needsHash: boolean;
}

/** Receives the body of a call, then reads and validates it. */
export async function readAndValidate(
  row: RouteRow,
  request: IncomingMessage,
  { dialect, wall, documents, needsHash }: BodyReading,
): Promise<ReadBody | Refusal> {
  const isDefault = row.timeout_s === limits.call_default_s;
  const limit_s = isDefault ? limits.body_default_s : row.timeout_s;
  const isPackage = row.carries === 'package';
  const kept_bytes = isPackage ? limits.package_head_bytes : row.bodyLimit_bytes;
  const pause_ms = (bytes: number) => documents.pauseAfter(bytes);
  const bounds = { limit_bytes: row.bodyLimit_bytes, kept_bytes, limit_s, wall, pause_ms };
  const pieces = await readBody(request, bounds);
  if ('refused' in pieces) return pieces;
  if (isPackage) return { ...NO_BODY, body: pieces[0] };
  const schema = (row.body ?? 'Nothing') as SchemaId;
  const isUsers = row.role === 'user';
  const task = { route: row.id, schema, dialect, pieces, needsHash, isUsers };
  const read = await documents.body(task);
  const isIgnored = dialect === 'fielded' && isOpenBody(row);
  return isIgnored && 'refused' in read ? absentBody(row) : read;
}
