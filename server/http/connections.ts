/**
 * Admission of connections. Beyond the limit of an address, or of all, the connection that has been
 * idle longest without a valid session closes, and the new one is served: clients that connect and
 * send nothing, or send slowly, cannot shut out clients with a session. Also: idle timeouts, and
 * the host names that the service answers to.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/clock.ts';

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

/** Closes a connection to admit a new one of an address; false when there is none to close. */
function makeRoom({ open, byAddress }: Connections, own: ReadonlySet<Socket>): boolean {
  const isFull = open.size >= limits.connections;
  if (!isFull && own.size < limits.connections_per_address) return true;
  // When all are too many, the address with the most gives one up first.
  const most = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
  const closing = oldestStranger(isFull ? most : own) ?? (isFull ? oldestStranger(open) : null);
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
    const address = socket.remoteAddress ?? '';
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
 * Closes connections without traffic for `limits.connection_idle_s`, except while a call is read or
 * handled: that has its own limits. Event streams use pings instead.
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
      if (!isBusy) socket.destroy();
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
