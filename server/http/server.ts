/**
 * The HTTP server: timeouts and limits of limits.ts, and a gate that answers before the joints are
 * ready (D6). Also: admission of connections.
 */
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { systemClock, type WallClock } from '../clock/clock.ts';
import {
  identifyReplies,
  identifyReply,
  noteHandshake,
  refuseOnSocket,
  sendJson,
  sendRefusal,
} from './reply.ts';
import { announcesBody } from './request-parts.ts';

/** Forwards requests to the current handler; until one is set, answers 503. */
export class RequestGate {
  private handler: RequestListener = (request, response) => {
    if (request.url === '/livez') sendJson(response, 200, { alive: true });
    else sendRefusal(response, refuse('not_ready', { reasons: ['The joints are starting'] }));
  };

  private readonly hosts: HostPolicy;

  constructor(hosts = new HostPolicy([])) {
    this.hosts = hosts;
  }

  readonly listener: RequestListener = (request, response) => {
    const refusal = this.hosts.refusalOf(request);
    if (refusal) sendRefusal(response, refusal);
    else this.handler(request, response);
  };

  setHandler(handler: RequestListener): void {
    this.handler = handler;
  }
}

/** Whether the headers ask for a WebSocket. */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const offered = (headers.upgrade ?? '').toLowerCase().split(',');
  return method === 'GET' && offered.some((protocol) => protocol.trim() === 'websocket');
}

/**
 * A request that is upgraded only to a WebSocket. Other protocols are ignored (RFC 9110 §7.8):
 * Java's HttpClient and `curl --http2` offer h2c on ordinary calls. Node asks for `upgrade` once
 * the headers are parsed.
 */
class ApiRequest extends IncomingMessage {
  private announcesUpgrade: boolean | undefined;

  get upgrade(): boolean {
    const isTunnel = this.method === 'CONNECT';
    return this.announcesUpgrade === true && (isTunnel || asksForWebSocket(this));
  }

  set upgrade(announced: boolean | null) {
    this.announcesUpgrade = announced === true;
  }
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Passes WebSocket handshakes on; answers those that no HTTP service may take. */
export function acceptUpgrades(
  server: Server,
  listener: UpgradeListener,
  hosts = new HostPolicy([]),
): void {
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    noteHandshake(request, socket);
    afterEarlierReplies(socket, () => {
      const refusal = hosts.refusalOf(request);
      if (refusal) refuseOnSocket(socket, refusal.refused, String(refusal.details));
      else if (announcesBody(request)) {
        refuseOnSocket(socket, 'malformed_body', 'A WebSocket handshake has no body');
      } else {
        // Its answer keeps the connection as an event stream or ends it.
        keepConnection(request.socket);
        listener(request, socket, head);
      }
    });
  });
}

/** Answers tunnels and unknown expectations, which Node answers without a body or not at all. */
function refuseOtherProtocols(server: Server): void {
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    noteHandshake(request, socket);
    afterEarlierReplies(socket, () => {
      refuseOnSocket(socket, 'method_not_allowed', 'CONNECT: this service is not a proxy');
    });
  });
  server.on('checkExpectation', (request, response) => {
    identifyReply(request, response);
    const details = `Expect: ${request.headers.expect}; only 100-continue is known`;
    sendRefusal(response, refuse('unknown_expectation', details));
  });
}

/** Creates a server with the limits of limits.ts. */
export function createHttpServer(gate: RequestGate, wall: WallClock = systemClock): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers_s * 1000,
      requestTimeout: limits.request_s * 1000,
      connectionsCheckingInterval: limits.connections_check_s * 1000,
      keepAliveTimeout: limits.keep_alive_s * 1000,
      // The gate checks it, to answer in the API's error format.
      requireHostHeader: false,
      IncomingMessage: ApiRequest,
    },
    (request, response) => {
      identifyReply(request, response);
      gate.listener(request, response);
    },
  );
  identifyReplies(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = () => refuseMalformedRequest(error, socket);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') unlessArrived(socket, wall, refusal);
    else refusal();
  });
  refuseOtherProtocols(server);
  admitConnections(server);
  closeIdleConnections(server, wall);
  return server;
}

/** What a malformed request is, where the code of the parser shows more. */
const INCOMPLETE = 'This is not a complete HTTP request';
const MALFORMED: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'The request does not begin with a known method, such as GET or POST',
};

/** Connections with a malformed request. */
const refused = new WeakSet<Duplex>();

/** Answers malformed and late requests in the error format and closes the connection. */
function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A client would take a second reply to one request for the reply to the next.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredEarly(socket)) {
    socket.destroy();
    return;
  }
  // The parser reports each further chunk. Behind `Connection: close` nothing is answered.
  socket.pause();
  if (refused.has(socket) || error.code === 'HPE_CLOSED_CONNECTION') return;
  refused.add(socket);
  afterEarlierReplies(socket, () => {
    const large = error.code === 'HPE_HEADER_OVERFLOW';
    if (large) refuseOnSocket(socket, 'body_too_large', 'The headers are too large');
    else refuseOnSocket(socket, 'malformed_body', MALFORMED[error.code ?? ''] ?? INCOMPLETE);
  });
}

/** The address that a server listens on; a wildcard address stands for every interface. */
export function boundAddress(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address ? address.address : '';
}

/** Listens; resolves with the port. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** The number of open connections, including event streams. */
export function connectionCount(server: Server): number {
  return openConnections(server)?.size ?? 0;
}

/** Stops accepting connections; resolves when all are closed, by force after `limits.drain_s`. */
export function closeServer(server: Server, wall: WallClock): Promise<void> {
  const open = openConnections(server) ?? [];
  return new Promise((resolve) => {
    const cancel = wall.afterUnreferenced(limits.drain_s * 1000, () => {
      for (const socket of open) socket.destroy();
    });
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Admission of connections. Beyond the limit of an address, or of all, the connection that has been
 * idle longest without a valid session closes, and the new one is served: clients that connect and
 * send nothing, or send slowly, cannot shut out clients with a session. Also: idle timeouts, and
 * the host names that the service answers to.
 */

/** Open connections of a server, in the order in which they were accepted. */
interface Connections {
  readonly open: Set<Socket>;
  readonly byAddress: Map<string, Set<Socket>>;
}

const connectionsOf = new WeakMap<Server, Connections>();

/** Connections with a valid session, and event streams. */
const kept = new WeakSet<Socket>();

/** Marks a connection as one of a known client. */
export function keepConnection(socket: Socket): void {
  kept.add(socket);
}

/** The open connections of a server, including upgraded ones, which Node does not list. */
export function openConnections(server: Server): ReadonlySet<Socket> | undefined {
  return connectionsOf.get(server)?.open;
}

/** The oldest of these connections that has no session; null if all have one. */
function oldestStranger(sockets: Iterable<Socket>): Socket | null {
  for (const socket of sockets) if (!kept.has(socket)) return socket;
  return null;
}

/** Open connections of each server of this process, and of one address of them. */
let most: number = limits.connections;
let mostOfAddress: number = limits.connections_per_address;

/** Admits fewer connections, where the process can open no more files. */
export function admitAtMost(count: number): void {
  most = Math.min(count, limits.connections);
  mostOfAddress = Math.floor((most * limits.connections_per_address) / limits.connections);
}

/** Closes a connection to admit a new one of an address; false when there is none to close. */
function makeRoom({ open, byAddress }: Connections, own: ReadonlySet<Socket>): boolean {
  const isFull = open.size >= most;
  if (!isFull && own.size < mostOfAddress) return true;
  // When all are too many, the address with the most gives one up first.
  const crowded = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
  const closing = oldestStranger(isFull ? crowded : own) ?? (isFull ? oldestStranger(open) : null);
  if (!closing) return false;
  forget({ open, byAddress }, closing);
  closing.destroy();
  return true;
}

const addresses = new WeakMap<Socket, string>();

function forget({ open, byAddress }: Connections, socket: Socket): void {
  open.delete(socket);
  const address = addresses.get(socket) ?? '';
  const own = byAddress.get(address);
  own?.delete(socket);
  if (own?.size === 0) byAddress.delete(address);
}

/** Tracks the connections of a server and holds them to the limits. */
export function admitConnections(server: Server): void {
  const connections: Connections = { open: new Set(), byAddress: new Map() };
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    // Its client has reset it before it was accepted: what it asked for is not wanted any more.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const own = connections.byAddress.get(address) ?? new Set();
    if (!makeRoom(connections, own)) {
      socket.destroy();
      return;
    }
    addresses.set(socket, address);
    connections.open.add(socket);
    connections.byAddress.set(address, own.add(socket));
    socket.once('close', () => forget(connections, socket));
  });
}

/**
 * The exchanges of connections. Idle timeouts close connections whose reply is not read, or whose
 * body still arrives after the reply: Node's own timeouts cover only headers and whole requests,
 * the latter in minutes. Replies below HTTP wait for those to earlier requests.
 */

/** Observes a request before it is handled. */
export type RequestObserver = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The exchanges of each connection: those without a whole reply, in order, and the latest. */
const exchanges = new WeakMap<Duplex, readonly Exchange[]>();

function isAnswered({ response }: Exchange): boolean {
  return response.writableFinished || response.destroyed;
}

/** Whether a request on this connection was answered before its body was complete. */
export function isAnsweredEarly(socket: Duplex): boolean {
  const exchange = exchanges.get(socket)?.at(-1);
  return exchange !== undefined && !exchange.request.complete && exchange.response.headersSent;
}

/**
 * Calls back unless a request, or the rest of one, has arrived on this connection and was not yet
 * read: after a stall of this process Node counts the time of the stall as the client's.
 */
export function unlessArrived(socket: Duplex, wall: WallClock, task: () => void): void {
  const latest = () => {
    const exchange = exchanges.get(socket)?.at(-1);
    return { exchange, isComplete: exchange?.request.complete };
  };
  const before = latest();
  // The second time comes after a whole turn of the event loop, wherever this one stands.
  wall.soon(() =>
    wall.soon(() => {
      const now = latest();
      if (now.exchange === before.exchange && now.isComplete === before.isComplete) task();
    }),
  );
}

/**
 * Calls back once the earlier requests of a connection are answered, at once if there are none; not
 * if it closes with their replies. A reply that Node does not put in order would otherwise overtake
 * theirs, and its client would take it for theirs. A request whose body is malformed is not one of
 * the earlier ones.
 */
export function afterEarlierReplies(socket: Duplex, task: () => void): void {
  const last = exchanges
    .get(socket)
    ?.filter((exchange) => exchange.request.complete && !isAnswered(exchange))
    .at(-1);
  if (!last) task();
  else {
    last.response.once('close', () => {
      if (socket.writable) task();
    });
  }
}

/**
 * Closes connections without traffic for `limits.connection_idle_s`, answered ones after
 * `limits.keep_alive_s`, except while a call is read or handled: that has its own limits. Event
 * streams use pings instead.
 */
export function closeIdleConnections(server: Server, wall: WallClock): void {
  server.on('request', (request, response) => {
    const open = exchanges.get(request.socket)?.filter((exchange) => !isAnswered(exchange)) ?? [];
    exchanges.set(request.socket, [...open, { request, response }]);
  });
  server.setTimeout(limits.connection_idle_s * 1000, (socket) => {
    unlessArrived(socket, wall, () => {
      const exchange = exchanges.get(socket)?.at(-1);
      const isBusy = exchange !== undefined && !exchange.response.writableEnded;
      // What waits in the socket is a reply that the client does not read.
      if (!isBusy || socket.writableLength > 0) socket.destroy();
    });
  });
}

/** Closes a connection that still sends its body `limits.unread_body_s` after the reply. */
export function closeUnreadBodies(wall: WallClock): RequestObserver {
  return (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cancel = wall.afterUnreferenced(limits.unread_body_s * 1000, () => {
        if (!request.complete) request.socket.destroy();
      });
      request.once('close', cancel);
    });
  };
}

/**
 * The host names that the service answers to (RFC 9110 §7.2). A page on a public name that resolves
 * to this machine (DNS rebinding) shares the origin of that name, so its requests pass every check
 * of origins. The Host header gives it away: the service answers to addresses, to names that no
 * public DNS serves, and to the names of `--allow-host`.
 */

/** Top-level names that public DNS never serves (RFC 6761, 6762, 8375, 9476; ICANN .internal). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'test', 'alt', 'svc'];

function hostHeaders(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Host and port of a Host header (RFC 9110 §7.2): a name, an IPv4 or a bracketed IPv6 address. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Refuses a missing, repeated or malformed Host header. */
function hostRefusal({ rawHeaders, httpVersion, headers }: IncomingMessage): Refusal | null {
  const hosts = hostHeaders(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return refuse('malformed_body', 'Send one Host header');
  }
  if (hosts === 0 || HOST.test(headers.host!)) return null;
  return refuse('malformed_body', 'The Host header must be a host name or address and a port');
}

/**
 * Replaces a target in absolute form (`GET http://arm/api/versions`, RFC 9112 §3.2.2) by its path;
 * its authority replaces the Host header, whatever that says. Refuses every other form.
 */
function targetRefusal(request: IncomingMessage): Refusal | null {
  const { url = '' } = request;
  if (url.startsWith('/') || url === '*') return null;
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (!HOST.test(authority)) {
    return refuse('malformed_body', 'The target must be a path, or http://<host>/<path>');
  }
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return null;
}

/** The name or address of an authority, without port, brackets and trailing dot. */
function nameOf(authority: string): string {
  const name = authority.toLowerCase().replace(/:\d*$/, '');
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isPrivateName(name: string): boolean {
  if (isIP(name) !== 0 || !name.includes('.')) return true;
  return PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

export class HostPolicy {
  private readonly names: ReadonlySet<string>;
  /** Ends of names, each with its leading dot. */
  private readonly suffixes: readonly string[];
  private readonly allowsAny: boolean;

  /** `allowed` are names without ports, `*.name` for those below a name, or `*` for any. */
  constructor(allowed: readonly string[]) {
    this.names = new Set([...allowed, hostname()].map(nameOf));
    this.suffixes = allowed
      .filter((name) => name.startsWith('*.'))
      .map((name) => nameOf(name).slice(1));
    this.allowsAny = allowed.includes('*');
  }

  private isAllowed(name: string): boolean {
    if (this.allowsAny || isPrivateName(name) || this.names.has(name)) return true;
    return this.suffixes.some((suffix) => name.endsWith(suffix));
  }

  /** Refuses a request to a malformed or unknown host; its target becomes a plain path. */
  refusalOf(request: IncomingMessage): Refusal | null {
    const malformed = hostRefusal(request) ?? targetRefusal(request);
    if (malformed) return malformed;
    const name = nameOf(request.headers.host ?? '');
    if (this.isAllowed(name)) return null;
    return refuse(
      'unknown_host',
      `${name} is not a name of this service; add it with --allow-host`,
    );
  }
}
