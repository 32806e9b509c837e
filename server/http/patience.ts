/**
 * The end of the service's patience with connections that neither go on nor go away: replies that
 * nobody reads, and bodies that still trickle in after they were answered. Time-outs of node cover
 * headers and whole requests only, and the latter by minutes (facts of reliability).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/wall-clock.ts';

/** Sees a request before anything answers it. */
export type Watch = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The latest exchange on each connection. */
const exchanges = new WeakMap<Duplex, Exchange>();

/** Whether a request on this connection was answered before its body was whole. */
export function isAnsweredEarly(socket: Duplex): boolean {
  const exchange = exchanges.get(socket);
  return exchange !== undefined && !exchange.request.complete && exchange.response.headersSent;
}

/**
 * Ends connections on which nothing has moved for a while, unless a call is still being
 * read or worked on, which have bounds of their own. Streams have their own signs of life.
 */
export function endSilentConnections(server: Server): void {
  server.on('request', (request, response) => exchanges.set(request.socket, { request, response }));
  server.setTimeout(limits.silence_s * 1000, (socket) => {
    const exchange = exchanges.get(socket);
    const isAtWork = exchange !== undefined && !exchange.response.writableEnded;
    if (!isAtWork) socket.destroy();
  });
}

/** Ends a connection whose request was answered early and still sends its body a while later. */
export function endLeftoverBodies(wall: WallClock): Watch {
  return (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cancel = wall.afterUnreferenced(limits.leftover_body_s * 1000, () => {
        if (!request.complete) request.socket.destroy();
      });
      request.once('close', cancel);
    });
  };
}
