/** The HTTP server: timeouts and limits of limits.ts, and its start and end. */
import { createServer, type Server } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { ApiRequest } from './api-request.ts';
import { identifyReplies, identifyReply, noteHandshake } from './banner.ts';
import { admitConnections, openConnections } from './connections.ts';
import { refuseOnSocket, sendRefusal } from './error-response.ts';
import { afterEarlierReplies, unlessArrived } from './exchange.ts';
import { closeIdleConnections } from './idle-timeouts.ts';
import { refuseMalformedRequest } from './malformed-requests.ts';
import type { RequestGate } from './request-gate.ts';

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
