/**
 * Idle timeouts: closes connections whose reply is not read, or whose body still arrives after the
 * reply. Node's own timeouts cover only headers and whole requests, the latter in minutes.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

/** Observes a request before it is handled. */
export type RequestObserver = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The latest exchange on each connection. */
const exchanges = new WeakMap<Duplex, Exchange>();

/** Whether a request on this connection was answered before its body was complete. */
export function isAnsweredEarly(socket: Duplex): boolean {
  const exchange = exchanges.get(socket);
  return exchange !== undefined && !exchange.request.complete && exchange.response.headersSent;
}

/**
 * Closes connections without traffic for `limits.silence_s`, except while a call is read or
 * handled: that has its own limits. Event streams use pings instead.
 */
export function closeIdleConnections(server: Server): void {
  server.on('request', (request, response) => exchanges.set(request.socket, { request, response }));
  server.setTimeout(limits.connection_idle_s * 1000, (socket) => {
    const exchange = exchanges.get(socket);
    const isBusy = exchange !== undefined && !exchange.response.writableEnded;
    if (!isBusy) socket.destroy();
  });
}

/** Closes a connection that still sends its body `limits.leftover_body_s` after the reply. */
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
