/**
 * The HTTP server: timeouts and limits of limits.ts, and a gate that answers before the joints are
 * ready (D6).
 */
import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import { systemClock, type WallClock } from '../clock/clock.ts';
import {
  admitConnections,
  afterEarlierReplies,
  closeIdleConnections,
  HostPolicy,
  isAnsweredEarly,
  keepConnection,
  openConnections,
  unlessArrived,
} from './connections.ts';
import { refuseOnSocket, sendJson, sendRefusal } from './reply.ts';
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
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    afterEarlierReplies(socket, () => {
      refuseOnSocket(socket, 'method_not_allowed', 'CONNECT: this service is not a proxy');
    });
  });
  server.on('checkExpectation', (request, response) => {
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
      // Sent to clients, so that they do not reuse a connection that is about to close.
      keepAliveTimeout: (limits.connection_idle_s - 1) * 1000,
      // The gate checks it, to answer in the API's error format.
      requireHostHeader: false,
      IncomingMessage: ApiRequest,
    },
    gate.listener,
  );
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
    else refuseOnSocket(socket, 'malformed_body', 'This is not a complete HTTP request');
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
