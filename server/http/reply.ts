/**
 * Writes replies: JSON, files, server-sent events, and refusals with the only error bodies. Also:
 * their compression, the header X-Armtwin, and the security headers. Also: the type of request
 * handlers, and the services that they use.
 */
import {
  type IncomingHttpHeaders,
  IncomingMessage,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import helmet from 'helmet';
import { ERROR_ROWS, type ErrorName, errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Dialect, ErrorOf, RouteId, RouteOf, RouteRow } from '../../contract/routes.ts';
import type { SchemaTypes } from '../../contract/types.ts';
import { type Clock, runDueTicks, systemClock, type WallClock } from '../clock/clock.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { DocumentBodies, DocumentReader } from '../documents/document-tasks.ts';
import type { AuditLog } from '../metrics/metrics.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller } from '../robot/commands.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { PasswordChecks } from '../sessions/password-checks.ts';
import type { Session, Sessions, Users } from '../sessions/users.ts';
import type { Database, Guard } from '../store/database.ts';
import type { Hub } from '../stream/hub.ts';
import type { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import type { Updates } from '../updates/updates.ts';
import type { IdempotencyKeys, RecordOutcome } from './idempotency.ts';

/**
 * The services that request handlers use; the composition root creates them. The pipeline checks
 * identity, role, schema, object, lock and state from the route's row before a handler runs.
 */
export interface Services {
  /** For reads; commands go through `loop.apply`. */
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly planner: Planner;
  readonly documents: DocumentReader;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly library: ToolpathLibrary;
  readonly database: Database;
  readonly hub: Hub;
  /** For calls that wait for standstill while the clock is stepped or paused. */
  readonly clock: Clock;
  readonly time: TwinTime;
  readonly wall: WallClock;
  readonly passwords: PasswordChecks;
  readonly audit: AuditLog;
  readonly updates: Updates;
  readonly idempotency: IdempotencyKeys;
}

/** The time limit of a call. Once it has passed the call is refused and must have no effect. */
export interface Deadline {
  readonly passed: boolean;
  /** The client has closed its connection and waits for no answer. */
  readonly isLeft: boolean;
  /** The effect has begun: the call is answered by its outcome, not by the time limit. */
  isCommitted: boolean;
}

interface TimeoutOptions {
  readonly limit_s: number;
  readonly wall: WallClock;
  readonly deadline: { passed: boolean; readonly isCommitted: boolean };
}

/** The result of the work, or a refusal when it takes longer than the limit. */
export function withTimeout(
  work: Promise<Answer>,
  { limit_s, wall, deadline }: TimeoutOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      if (deadline.isCommitted) return;
      deadline.passed = true;
      resolve(refuse('timed_out', `Not done within ${limit_s} s`));
    });
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        cancel();
        end(value);
      };
    work.then(settle(resolve), settle(reject));
  });
}

/** A call that passed every check of its route. */
export interface Call<Body = unknown> {
  readonly row: RouteRow;
  readonly body: Body;
  /** Ids in the path. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Names in the path. */
  readonly names: Readonly<Record<string, string>>;
  /** Query parameters that the route defines; all are whole numbers. */
  readonly query: Readonly<Record<string, number>>;
  /** Query parameters that are texts. */
  readonly filters: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  /** Address of the client, for counting failed log-ins. */
  readonly address: string;
  readonly deadline: Deadline;
}

/** A call with an authenticated caller; routes with auth `none` have none. */
export interface SessionCall<Body = unknown> extends Call<Body> {
  readonly caller: Caller;
  readonly session: Session;
  /**
   * The refusal when the session has ended or the time limit has passed since the call began. A
   * handler that waits for something asks it before every effect that follows.
   */
  readonly recheck: Guard;
  /**
   * Stores the outcome under the idempotency key of the call, in the transaction that creates its
   * object; without a key nothing is stored.
   */
  readonly record: RecordOutcome;
  /** The header Last-Event-ID: the last event that a client of a feed has seen. */
  readonly lastEventId: number | null;
}

/** Where server-sent events go (WHATWG HTML, server-sent events). */
export interface EventSink {
  /** Writes text; false while the client does not read: `onDrain` follows. */
  write(text: string): boolean;
  /** Ends the reply once it is read; `abort`: now. */
  end(): void;
  abort(): void;
}

/** A source of server-sent events. */
export interface EventFeed {
  /** True if nothing will ever come: the client must not connect again. */
  readonly isOver: boolean;
  /** Begins to send; called once. */
  open(sink: EventSink): void;
  onDrain(): void;
  /** The connection is closed. */
  close(): void;
}

/** A long text in pieces: an array of known size, or made by a generator while they are sent. */
export type Pieces = readonly (string | Uint8Array)[] | Generator<string>;

/** A successful reply; `{}` where the route has no reply body. */
export interface Reply {
  readonly reply: object;
  /**
   * The body as JSON text, in place of `reply`: whole, in pieces if a worker thread built it, or in
   * pieces that are made while it is sent.
   */
  readonly text?: string | Pieces;
  /** A file of another media type, in place of JSON. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Events that are sent as they happen, in place of JSON. */
  readonly feed?: EventFeed;
  /** The reply of an earlier call with the same idempotency key. */
  readonly isRepeated?: true;
}

export type Answer<Name extends ErrorName = ErrorName> = Reply | Refusal<Name>;

export const EMPTY: Reply = { reply: {} };

/** Creates a reply with this body. */
export function answer(reply: object): Reply {
  return { reply };
}

/** Items of a list that are written at a time. */
const LIST_ITEMS = 200;

/** A list, or one whose items are made when a part of it is wanted. */
type ListItems = Pick<readonly object[], 'length' | 'slice'>;

function* listPieces(name: string, items: ListItems, rest: object): Generator<string> {
  for (let from = 0; from < items.length; from += LIST_ITEMS) {
    const before = from === 0 ? `{${JSON.stringify(name)}:[` : ',';
    const some = items.slice(from, from + LIST_ITEMS);
    yield before + some.map((item) => JSON.stringify(item)).join(',');
  }
  const after = JSON.stringify(rest).slice(1);
  yield after === '}' ? ']}' : `],${after}`;
}

/** Creates a reply with a list that may be long, and other fields: ticks go between its pieces. */
export function answerList(name: string, items: ListItems, rest: object = {}): Reply {
  if (items.length <= LIST_ITEMS) return answer({ [name]: items.slice(), ...rest });
  return { ...EMPTY, text: listPieces(name, items, rest) };
}

/** The answer to a command: an empty reply, or the refusal. */
export function done<Name extends ErrorName>(refusal: Refusal<Name> | null): Answer<Name> {
  return refusal ?? EMPTY;
}

type BodyOf<Id extends RouteId> = Id extends keyof DocumentBodies
  ? DocumentBodies[Id]
  : SchemaBodyOf<Id>;

type SchemaBodyOf<Id extends RouteId> =
  RouteOf<Id> extends { body: infer Name extends keyof SchemaTypes } ? SchemaTypes[Name] : unknown;

type CallOf<Id extends RouteId> =
  RouteOf<Id> extends { auth: 'none' } ? Call<BodyOf<Id>> : SessionCall<BodyOf<Id>>;

export type Handler<Id extends RouteId = RouteId> = (
  call: CallOf<Id>,
  services: Services,
) => Answer<ErrorOf<Id>> | Promise<Answer<ErrorOf<Id>>>;

/** Handlers by route id; routes without one answer 404. */
export type Handlers = { readonly [Id in RouteId]?: Handler<Id> };

/**
 * Compressed replies and pages for clients that accept gzip (RFC 9110 §12.5.3). Short replies are
 * never compressed: that would cost them more time than it saves. Streams are not compressed.
 */

/** Compresses bytes on another thread. */
export const compress = promisify(gzip);

/** Whether an Accept-Encoding header accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Names the header that decides about the encoding, for caches. */
export function varyByEncoding(response: ServerResponse): void {
  const given = response.getHeader('Vary');
  const names = given === undefined ? [] : [String(given)];
  response.setHeader('Vary', [...names, 'Accept-Encoding'].join(', '));
}

function isWanted(response: ServerResponse): boolean {
  return acceptsGzip(response.req.headers['accept-encoding']);
}

/** The most that is written at a time (bytes): ticks wait while the system copies it. */
const SLICE_BYTES = 64 * 1024;

/** Texts and bytes in slices; a character of two UTF-16 units stays whole. */
function* slicesOf(pieces: Pieces): Generator<string | Uint8Array> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      let to = Math.min(from + SLICE_BYTES, piece.length);
      if (typeof piece === 'string') {
        if (to < piece.length && piece.codePointAt(to - 1)! > 0xffff) to--;
        yield piece.slice(from, to);
      } else yield piece.subarray(from, to);
      from = to;
    }
  }
}

/** Ends a reply with a long body. Ticks go between its slices, and it waits for a slow reader. */
function endSlices(response: ServerResponse, pieces: Pieces, target: Writable = response): void {
  const slices = slicesOf(pieces);
  const writeNext = () => {
    if (response.destroyed) return;
    runDueTicks();
    const { value, done } = slices.next();
    if (done) target.end();
    else if (target.write(value)) systemClock.soon(writeNext);
    else target.once('drain', () => systemClock.soon(writeNext));
  };
  writeNext();
}

/** Ends a reply with a text or bytes of known size, compressed where it is long and accepted. */
export function endCompressed(response: ServerResponse, body: string | Buffer): void {
  const size = Buffer.byteLength(body);
  if (size < limits.compressed_least_bytes) {
    response.setHeader('Content-Length', size);
    response.end(body);
    return;
  }
  varyByEncoding(response);
  const send = (bytes: string | Buffer) => {
    if (response.destroyed) return;
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    if (bytes.length <= SLICE_BYTES) response.end(bytes);
    else endSlices(response, [bytes]);
  };
  if (!isWanted(response)) send(body);
  else {
    const sendPlain = () => send(body);
    void compress(body).then((bytes) => {
      response.setHeader('Content-Encoding', 'gzip');
      send(bytes);
    }, sendPlain);
  }
}

/** Ends a reply with the pieces of a long text, compressed where accepted. */
export function endPieces(response: ServerResponse, pieces: Pieces): void {
  varyByEncoding(response);
  if (!isWanted(response)) {
    if ('length' in pieces) {
      const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
      response.setHeader('Content-Length', size);
    }
    endSlices(response, pieces);
    return;
  }
  response.setHeader('Content-Encoding', 'gzip');
  const target = createGzip();
  target.pipe(response);
  endSlices(response, pieces, target);
}

/**
 * The header X-Armtwin, which every reply of a server carries (D4): those of routes and pages,
 * and those that are written to a connection without a route: to handshakes and malformed requests.
 */

/** The value of the header for a request; one that is malformed has no headers. */
export type Banner = (headers: IncomingHttpHeaders) => string;

const BANNER = 'X-Armtwin';
const banners = new WeakMap<Server, Banner>();
const serverOf = new WeakMap<Duplex, Server>();
/** The headers of the handshakes that are not answered yet. */
const handshakes = new WeakMap<Duplex, IncomingHttpHeaders>();

/** Lets the replies of a server be identified by the connection they are for. */
export function identifyReplies(server: Server): void {
  server.on('connection', (socket: Duplex) => serverOf.set(socket, server));
}

/** Sets what the replies of a server carry from now on. */
export function setBanner(server: Server, banner: Banner): void {
  banners.set(server, banner);
}

/** Remembers what a connection has asked for, whose answer is not a `ServerResponse`. */
export function noteHandshake({ headers }: IncomingMessage, socket: Duplex): void {
  handshakes.set(socket, headers);
}

/** The header line of an answer that is written to a connection; none without a banner. */
export function bannerLines(socket: Duplex): string[] {
  const server = serverOf.get(socket);
  const banner = server && banners.get(server);
  return banner ? [`${BANNER}: ${banner(handshakes.get(socket) ?? {})}`] : [];
}

/** Sets the header of a reply. */
export function identifyReply(
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const server = serverOf.get(socket);
  const banner = server && banners.get(server);
  if (banner) response.setHeader(BANNER, banner(headers));
}

/** Sends a JSON reply; cheaper than Express's own. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Sends JSON text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  endCompressed(response, text);
}

/** Sends a file of a media type other than JSON. */
export function sendFile(
  response: ServerResponse,
  media: string,
  { name, text }: NonNullable<Reply['file']>,
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${media}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  endCompressed(response, text);
}

/**
 * Sends server-sent events until the feed ends or the client leaves. A feed that is over gets 204:
 * an EventSource then does not connect again.
 */
export function sendFeed(response: ServerResponse, feed: EventFeed): void {
  if (feed.isOver) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no'); // A proxy must not buffer it (nginx).
  response.flushHeaders();
  response.on('drain', () => feed.onDrain());
  response.on('close', () => feed.close());
  const [end, abort] = [() => response.end(), () => response.destroy()];
  feed.open({ write: (text) => response.write(text), end, abort });
}

/** Headers that HTTP requires beside some statuses (RFC 9110 §15.5.22, RFC 6455 §4.2.2). */
const STATUS_HEADERS: { readonly [status: number]: Readonly<Record<string, string>> } = {
  426: { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
  503: { 'Retry-After': String(limits.retry_after_s) },
};

/** Writes a refusal to a raw socket and ends the connection. */
export function refuseOnSocket(
  socket: Duplex,
  name: ErrorName,
  details: string | null = null,
): void {
  const body = JSON.stringify(errorReply(name, details));
  const { status } = ERROR_ROWS[name];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...bannerLines(socket),
    ...Object.entries(STATUS_HEADERS[status] ?? {}).map(([header, value]) => `${header}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status } = ERROR_ROWS[refusal.refused];
  for (const [header, value] of Object.entries(STATUS_HEADERS[status] ?? {})) {
    response.setHeader(header, value);
  }
  // A hop-by-hop header takes effect only if Connection names it.
  if (status === 426) {
    response.setHeader('Connection', response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close');
  }
  const { retry_after_s } = refusal;
  if (retry_after_s !== undefined) response.setHeader('Retry-After', String(retry_after_s));
  const unread = ['body_too_large', 'timed_out', 'upstream_timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  sendJson(response, status, errorReply(refusal.refused, refusal.details, refusal.count));
}

/** Refuses a call and returns false before the arm is ready. */
export function passesReadyCheck(
  options: { notReady(): string | null },
  response: ServerResponse,
): boolean {
  const reason = options.notReady();
  if (reason !== null) sendRefusal(response, refuse('not_ready', { reasons: [reason] }));
  return reason === null;
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
