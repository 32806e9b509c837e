/**
 * The HTTP server: timeouts and limits of limits.ts, and a gate that answers before the joints are
 * ready (D6).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import { refuse } from '../../contract/refusal.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { refuseOnSocket, sendJson, sendRefusal } from './error-reply.ts';
import { closeIdleConnections, isAnsweredEarly } from './idle-timeouts.ts';

/** Forwards requests to the current handler; until one is set, answers 503. */
export class RequestGate {
  private handler: RequestListener = (request, response) => {
    if (request.url === '/livez') sendJson(response, 200, { alive: true });
    else sendRefusal(response, refuse('not_ready', 'The joints are starting'));
  };

  readonly listener: RequestListener = (request, response) => {
    const hosts = hostHeaders(request.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
      sendRefusal(response, refuse('malformed_body', 'Send one Host header'));
    } else this.handler(request, response);
  };

  setHandler(handler: RequestListener): void {
    this.handler = handler;
  }
}

function hostHeaders(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Creates a server with the limits of limits.ts. */
export function createHttpServer(gate: RequestGate): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers_s * 1000,
      requestTimeout: limits.request_s * 1000,
      connectionsCheckingInterval: limits.connections_check_s * 1000,
      // Sent to clients, so that they do not reuse a connection that is about to close.
      keepAliveTimeout: (limits.connection_idle_s - 1) * 1000,
      // The gate checks it, to answer in the API's error format.
      requireHostHeader: false,
    },
    gate.listener,
  );
  server.maxConnections = limits.connections;
  server.on('clientError', refuseMalformedRequest);
  trackConnections(server);
  closeIdleConnections(server);
  return server;
}

/** Answers malformed requests in the error format and closes the connection. */
function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A client would take a second reply to one request for the reply to the next.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredEarly(socket)) {
    socket.destroy();
    return;
  }
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  if (large) refuseOnSocket(socket, 'body_too_large', 'The headers are too large');
  else refuseOnSocket(socket, 'malformed_body', 'This is not a complete HTTP request');
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

/** Open connections of each server, including upgraded ones, which Node does not list. */
const connectionsOf = new WeakMap<Server, Set<Socket>>();

function trackConnections(server: Server): void {
  const open = new Set<Socket>();
  connectionsOf.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** The number of open connections, including event streams. */
export function connectionCount(server: Server): number {
  return connectionsOf.get(server)?.size ?? 0;
}

/** Stops accepting connections; resolves when all are closed, by force after `limits.drain_s`. */
export function closeServer(server: Server, wall: WallClock): Promise<void> {
  const open = connectionsOf.get(server) ?? [];
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
