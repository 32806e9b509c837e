/**
 * The socket's side of HTTP: time-outs and caps of limits.ts, and a gate that answers from the
 * first moment on, before the joints are ready (facts of reliability; decision D6).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { refuse } from '../robot/refusal.ts';
import { refuseOnSocket, sendJson, sendRefusal } from './error-reply.ts';
import { endSilentConnections, isAnsweredEarly } from './patience.ts';

/** Answers requests by whatever handler stands behind it at that moment. */
export class Gate {
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

  open(handler: RequestListener): void {
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

/** A server with every bound of limits.ts in place. */
export function createHttpServer(gate: Gate): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers_s * 1000,
      requestTimeout: limits.request_s * 1000,
      connectionsCheckingInterval: limits.connections_check_s * 1000,
      // Told to clients, which would else send into a connection that is just being cut.
      keepAliveTimeout: (limits.silence_s - 1) * 1000,
      // The gate asks for it itself, to answer in the error format.
      requireHostHeader: false,
    },
    gate.listener,
  );
  server.maxConnections = limits.connections;
  server.on('clientError', refuseUnreadable);
  watchConnections(server);
  endSilentConnections(server);
  return server;
}

/** Answers what is no request at all in the error format, and ends the connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A second answer to one request would pass for the answer to the next.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredEarly(socket)) {
    socket.destroy();
    return;
  }
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  if (large) refuseOnSocket(socket, 'body_too_large', 'The headers are too large');
  else refuseOnSocket(socket, 'malformed_body', 'This is not a complete HTTP request');
}

/** Listens and answers the port that was given. */
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

/** Open connections of each server, streams included: node's own list leaves those out. */
const connectionsOf = new WeakMap<Server, Set<Socket>>();

function watchConnections(server: Server): void {
  const open = new Set<Socket>();
  connectionsOf.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** How many connections are open, streams included. */
export function connectionCount(server: Server): number {
  return connectionsOf.get(server)?.size ?? 0;
}

/** Takes no new connection and resolves when the last one is gone, by force after a while. */
export function shut(server: Server, wall: WallClock): Promise<void> {
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
