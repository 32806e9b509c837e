/** `armtwin --upstream`: serves the viewer for a remote arm and proxies its API; runs no robot. */
import { randomUUID } from 'node:crypto';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { ROUTES } from '../../contract/routes.ts';
import { logSourceOf, productVersion } from '../app/product-info.ts';
import type { Config } from '../cli/config.ts';
import { systemClock, type WallClock } from '../clock/clock.ts';
import { createViewerApplication, isProxied } from '../http/express-application.ts';
import { refuseOnSocket, sendRefusal } from '../http/reply.ts';
import { allowOrigin, originRefusal, pathOf } from '../http/request-parts.ts';
import {
  acceptUpgrades,
  closeServer,
  createHttpServer,
  HostPolicy,
  listen,
  RequestGate,
} from '../http/server.ts';
import { createLog } from '../metrics/metrics.ts';
import { failureReason, PROBE_PATH, probeArm } from './arm-probe.ts';

/**
 * A reverse proxy for the API of a remote arm: calls and event streams, without hop-by-hop headers
 * and with headers that protect the viewer. If the arm does not answer, the reply is 502 in the
 * error format, and 504 where the time of the call is over. The proxy is stateless; the arm checks
 * authentication, the proxy the origins of pages.
 */

/** Headers that belong to one connection (RFC 9110) and are not forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export type HeaderList = readonly (readonly [name: string, value: string])[];

function headerPairs(rawHeaders: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return pairs;
}

/** The headers to forward, in their order. */
export function endToEndHeaders({ rawHeaders, headers }: IncomingMessage): HeaderList {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return headerPairs(rawHeaders).filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !named.includes(lower);
  });
}

/** Names this proxy in Via (RFC 9110 §7.6.3), by which it knows a request that it has forwarded. */
const VIA = 'via';
const LOOP = 'its address leads back to this server; give that of the arm with --upstream';

/** Whether this proxy has forwarded the request before. */
function isLoop({ headers }: IncomingMessage, id: string): boolean {
  return headers.via?.split(', ').includes(id) ?? false;
}

/** Headers to send; a list for a name that occurs more than once. */
export type SentHeaders = Record<string, string | string[]>;

/**
 * Says how the body of a forwarded request ends. Node does so by itself only for methods that have
 * a body; the arm would take that of a GET or DELETE in chunks for the next request, which nothing
 * here has checked.
 */
function framingOf({ headers }: IncomingMessage): SentHeaders {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

/**
 * The headers of a forwarded request. Host and origin are those of the arm: the proxy has checked
 * the origin, with the scheme by which the page came to it.
 */
export function requestHeaders(
  request: IncomingMessage,
  { upstream, id }: { readonly upstream: URL; readonly id: string },
): SentHeaders {
  const sent: SentHeaders = {};
  for (const [name, value] of endToEndHeaders(request)) {
    const lower = name.toLowerCase();
    if (lower === 'x-forwarded-proto') continue;
    const passed = lower === 'origin' ? upstream.origin : value;
    const before = sent[lower];
    sent[lower] = before === undefined ? passed : [before, passed].flat();
  }
  const via = [request.headers.via, id].filter((one) => one !== undefined).join(', ');
  return { ...sent, ...framingOf(request), [VIA]: via, host: upstream.host };
}

export interface UpstreamProxyOptions {
  /** Base URL of the arm, without a trailing slash. */
  readonly upstream: URL;
  readonly wall: WallClock;
  /** The X-Armtwin header for replies without one. */
  readonly banner: string;
  /** The entry of this proxy in Via. */
  readonly id: string;
}

export interface UpstreamProxy {
  /** Forwards a call and returns its reply. */
  call(request: IncomingMessage, response: ServerResponse): void;
  /** Forwards a handshake, then both directions of the stream. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Why the arm cannot be used; null when it answers. */
  upstreamFault(): Promise<string | null>;
}

const BANNER = 'X-Armtwin';

/**
 * What a reply gets that lacks it: a page that the arm sends in place of data runs no script on the
 * origin of the viewer, and is taken for nothing else.
 */
const SAFE_HEADERS: HeaderList = [
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Headers of the arm for its own pages; the proxy has those for its own. */
const CROSS_ORIGIN = /^access-control-/i;
const LENGTH = /^content-length$/i;
const NO_CONTENT = 204;

/** The headers of a reply, and those that it lacks. */
function replyHeaders(reply: IncomingMessage, banner: string): string[] {
  // A reply that has no body says no length of one (RFC 9110 §8.6): Node would wait for the body.
  const isEmpty = reply.statusCode === NO_CONTENT;
  const passed = endToEndHeaders(reply).filter(
    ([name]) => !CROSS_ORIGIN.test(name) && !(isEmpty && LENGTH.test(name)),
  );
  const added = [...SAFE_HEADERS, [BANNER, banner] as const];
  const lacking = added.filter(([name]) => reply.headers[name.toLowerCase()] === undefined);
  return [...passed, ...lacking].flat();
}

function statusLine({ statusCode, statusMessage }: IncomingMessage, headers: string[]): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Lets the system ask whether the other end of a silent connection is still there. */
function keepAlive(socket: Duplex): void {
  if (socket instanceof Socket) socket.setKeepAlive(true, limits.stream_ping_s * 1000);
}

/** Pipes two sockets into each other; closing one closes the other. */
function linkStreams(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [end, rest] of [
    [one, other],
    [other, one],
  ] as const) {
    end.on('error', () => rest.destroy());
    end.on('close', () => rest.destroy());
  }
}

/** Paths of the routes with their time limits (s). */
const CALL_LIMITS = ROUTES.map(({ method, path, timeout_s }) => {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  return { method, pattern: new RegExp(`^${pattern}/?$`), timeout_s };
});

/**
 * The time that the arm has for the reply of a call (ms): that of the route, and a margin in which
 * the refusal of the arm arrives, which says that nothing has happened.
 */
function limitOf_ms(method: string, url: string): number {
  const path = pathOf(url);
  const fits = (row: (typeof CALL_LIMITS)[number]) =>
    row.method === method && row.pattern.test(path);
  const { timeout_s } = CALL_LIMITS.find(fits) ?? { timeout_s: limits.call_default_s };
  return (timeout_s + limits.upstream_margin_s) * 1000;
}

/** Creates the function that opens requests to the arm, with a connect timeout. */
function createRequestOpener({ upstream, wall }: UpstreamProxyOptions) {
  const secure = upstream.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  // Not joined with URL, which would normalize the path: the arm must get it unchanged.
  const prefix = upstream.pathname.replace(/\/$/, '');
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  return (method: string, path: string, headers: SentHeaders): ClientRequest => {
    const outgoing = send({
      protocol: upstream.protocol,
      hostname,
      port: upstream.port,
      method,
      path: prefix + path,
      headers,
      agent: false,
    });
    const giveUp = () => outgoing.destroy(new Error('no connection in time'));
    const cancel = wall.afterUnreferenced(limits.headers_s * 1000, giveUp);
    outgoing.once('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        cancel();
        connected.add(outgoing);
      }),
    );
    outgoing.once('close', cancel);
    return outgoing;
  };
}

type RequestOpener = ReturnType<typeof createRequestOpener>;

/** Requests that the arm may have received. */
const connected = new WeakSet<ClientRequest>();

/**
 * Ends a request without waiting for its reply. The connection is reset, not closed: what an arm
 * that hangs has not accepted yet is then gone, where it would still do a call that was sent whole.
 */
function abandon(outgoing: ClientRequest): void {
  const { socket } = outgoing;
  const isPlain = socket instanceof Socket && !(socket instanceof TLSSocket);
  if (isPlain && connected.has(outgoing) && !socket.destroyed) socket.resetAndDestroy();
  outgoing.destroy();
}

const UNKNOWN_OUTCOME =
  'it is not known whether the call takes effect, now or later: look before you repeat it';

/** What is said of a call that failed on the way: why, and what is known of its effect. */
function failureText(outgoing: ClientRequest, why: string): string {
  if (outgoing.method === 'GET' || outgoing.method === 'HEAD') return why;
  return `${why}; ${connected.has(outgoing) ? UNKNOWN_OUTCOME : 'the call was not sent'}`;
}

/** Calls back with the refusal when the time for the reply is over. */
function limitTime(
  outgoing: ClientRequest,
  wall: WallClock,
  { limit_ms, onOver }: { limit_ms: number; onOver: (refusal: Refusal) => void },
): void {
  const over = () => {
    const text = failureText(outgoing, `no reply within ${limit_ms / 1000} s`);
    onOver(refuse('upstream_timed_out', text));
  };
  const cancel = wall.afterUnreferenced(limit_ms, over);
  for (const end of ['response', 'upgrade', 'close']) outgoing.once(end, cancel);
}

/** Ends a reply that stands still; its end says that it is not complete. */
function limitSilence(reply: IncomingMessage): void {
  const limit_s = limits.call_default_s;
  reply.setTimeout(limit_s * 1000, () => reply.destroy(new Error(`no data for ${limit_s} s`)));
}

/** Forwards a reply; one that stops in the middle ends the connection of the client. */
function forwardReply(reply: IncomingMessage, response: ServerResponse, headers: string[]): void {
  const { statusCode = 0, statusMessage } = reply;
  if (response.hasHeader('Access-Control-Allow-Origin')) headers.push('Vary', 'Origin');
  response.writeHead(statusCode, statusMessage, headers);
  const isFeed = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  if (!isFeed) limitSilence(reply);
  reply.pipe(response);
  reply.on('error', () => {
    // What follows a complete reply is no part of it.
    if (!reply.complete) response.destroy();
  });
}

function proxyCall(open: RequestOpener, options: UpstreamProxyOptions): UpstreamProxy['call'] {
  const { banner, id, wall } = options;
  return (request, response) => {
    if (isLoop(request, id)) {
      response.setHeader(BANNER, banner);
      return sendRefusal(response, refuse('upstream_gone', LOOP));
    }
    const { method = 'GET', url = '/' } = request;
    const outgoing = open(method, url, requestHeaders(request, options));
    const fail = (refusal: Refusal) => {
      if (!response.writableEnded) {
        if (response.headersSent || response.destroyed) response.destroy();
        else {
          response.statusMessage = '';
          response.setHeader(BANNER, banner);
          sendRefusal(response, refusal);
        }
      }
      abandon(outgoing);
    };
    const gone = (error: Error) =>
      fail(refuse('upstream_gone', failureText(outgoing, failureReason(error))));
    let isAnswered = () => false;
    outgoing.on('response', (reply) => {
      isAnswered = () => reply.complete;
      try {
        forwardReply(reply, response, replyHeaders(reply, banner));
      } catch (error) {
        // The arm may send headers that Node refuses to write.
        gone(error as Error);
      }
    });
    outgoing.on('upgrade', () => gone(new Error('an unexpected protocol upgrade')));
    outgoing.on('error', (error) => {
      // The arm may answer before it has the whole body, and send more than its reply.
      if (!isAnswered()) gone(error);
    });
    limitTime(outgoing, wall, { limit_ms: limitOf_ms(method, url), onOver: fail });
    response.on('close', () => {
      if (!response.writableFinished) abandon(outgoing);
    });
    request.pipe(outgoing);
  };
}

function proxyUpgrade(
  open: RequestOpener,
  options: UpstreamProxyOptions,
): UpstreamProxy['upgrade'] {
  const { banner, id, wall } = options;
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (isLoop(request, id)) return refuseOnSocket(socket, 'upstream_gone', LOOP);
    const handshake = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
    const headers = { ...requestHeaders(request, options), ...handshake };
    const path = request.url ?? '/';
    const outgoing = open('GET', path, headers);
    let isAnswered = false;
    for (const kind of ['upgrade', 'response']) {
      outgoing.once(kind, () => {
        isAnswered = true;
      });
    }
    outgoing.on('upgrade', (reply, far, farHead) => {
      const joined = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), ...joined]));
      socket.write(farHead);
      far.setTimeout(0);
      far.write(head);
      // Neither side may send for hours; one that lost its power never says that it is gone.
      keepAlive(request.socket);
      keepAlive(far);
      linkStreams(socket, far);
    });
    outgoing.on('response', (reply) => {
      socket.write(statusLine(reply, [...replyHeaders(reply, banner), 'Connection', 'close']));
      limitSilence(reply);
      reply.pipe(socket);
      reply.on('close', () => {
        if (!reply.complete) socket.destroy();
      });
    });
    const fail = ({ refused, details }: Refusal) => {
      // The client has the head of an answer, and would take a second one for its body.
      if (isAnswered) return;
      if (socket.writable) refuseOnSocket(socket, refused, String(details));
      abandon(outgoing);
    };
    outgoing.on('error', (error) => fail(refuse('upstream_gone', failureReason(error))));
    limitTime(outgoing, wall, { limit_ms: limitOf_ms('GET', path), onOver: fail });
    socket.on('close', () => outgoing.destroy());
    outgoing.end();
  };
}

/** Creates the proxy for one arm. */
export function createUpstreamProxy(options: UpstreamProxyOptions): UpstreamProxy {
  const open = createRequestOpener(options);
  return {
    call: proxyCall(open, options),
    upgrade: proxyUpgrade(open, options),
    upstreamFault: () => {
      const { upstream, id, wall } = options;
      const headers = { host: upstream.host, [VIA]: id };
      return probeArm(open('GET', PROBE_PATH, headers), wall);
    },
  };
}

const VIEWER = fileURLToPath(new URL('../../viewer', import.meta.url));

export interface ProxyServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Who may use the service, as its options name them. */
interface Admission {
  readonly hosts: HostPolicy;
  readonly origins: readonly string[];
}

function proxyStreams(server: Server, proxy: UpstreamProxy, { hosts, origins }: Admission): void {
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The idle timeout is for calls; streams use pings.
    request.socket.setTimeout(0);
    const foreign = originRefusal(request, origins);
    if (foreign) refuseOnSocket(socket, foreign.refused, String(foreign.details));
    else if (isProxied(request.url ?? '')) proxy.upgrade(request, socket, head);
    else refuseOnSocket(socket, 'unknown_path', request.url ?? '');
  };
  acceptUpgrades(server, open, hosts);
}

/** Passes on the requests of no page, of pages of this server and of allowed origins. */
function checkOrigins(handler: RequestListener, origins: readonly string[]): RequestListener {
  return (request, response) => {
    const foreign = originRefusal(request, origins);
    if (foreign) return sendRefusal(response, foreign);
    const isAllowed = allowOrigin(request, response, origins);
    if (isAllowed && request.method === 'OPTIONS') response.writeHead(204).end();
    else handler(request, response);
  };
}

/** Starts the server; resolves when it listens, even if the arm does not answer. */
export async function startUpstreamProxy(
  config: Pick<Config, 'host' | 'port' | 'allowedHosts' | 'allowedOrigins' | 'logLevel'> & {
    readonly upstream: string;
  },
  wall = systemClock,
): Promise<ProxyServer> {
  const { host, upstream, allowedOrigins: origins } = config;
  const proxy = createUpstreamProxy({
    upstream: new URL(upstream),
    wall,
    banner: `${productVersion()}; driver=upstream`,
    id: `1.1 armtwin-${randomUUID()}`,
  });
  const hosts = new HostPolicy([host, ...config.allowedHosts]);
  const gate = new RequestGate(hosts);
  const server = createHttpServer(gate);
  const log = createLog(config.logLevel, logSourceOf({ name: null }));
  const onBug = (error: unknown) => log.error('Unhandled error in a request', error);
  const application = createViewerApplication({ ...proxy, viewer: VIEWER, onBug });
  gate.setHandler(checkOrigins(application, origins));
  proxyStreams(server, proxy, { hosts, origins });
  const port = await listen(server, config.port, host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, close: () => closeServer(server, systemClock) };
}
