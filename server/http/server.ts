/**
 * The socket's side of HTTP: time-outs and caps of limits.ts, and a gate that answers from the
 * first moment on, before the joints are ready (facts of reliability; decision D6).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

/** Answers requests by whatever handler stands behind it at that moment. */
export class Gate {
  private handler: RequestListener = (request, response) => {
    const live = request.url === '/livez';
    response.statusCode = live ? 200 : 503;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (!live) response.setHeader('Retry-After', String(limits.retry_after_s));
    const body = live ? { alive: true } : errorReply('not_ready', 'The joints are starting');
    response.end(JSON.stringify(body));
  };

  readonly listener: RequestListener = (request, response) => {
    if (duplicateHost(request.rawHeaders)) {
      response.statusCode = 400;
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(JSON.stringify(errorReply('malformed_body', 'More than one Host header')));
    } else this.handler(request, response);
  };

  open(handler: RequestListener): void {
    this.handler = handler;
  }
}

function duplicateHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** A server with every bound of limits.ts in place. */
export function createHttpServer(gate: Gate): Server {
  const server = createServer(
    {
      headersTimeout: limits.headers_s * 1000,
      requestTimeout: limits.request_s * 1000,
      connectionsCheckingInterval: limits.connections_check_s * 1000,
      keepAliveTimeout: limits.headers_s * 1000,
    },
    gate.listener,
  );
  server.maxConnections = limits.connections;
  return server;
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

/** How long requests under way may still take when the server goes down. */
const DRAIN_MS = 1000;

/** Takes no new connection and resolves when the last one is gone, by force after a while. */
export function shut(server: Server, wall: WallClock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = wall.afterUnreferenced(DRAIN_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
