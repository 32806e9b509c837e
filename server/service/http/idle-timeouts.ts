/**
 * Idle timeouts close connections whose reply is not read, or whose body still arrives after the
 * reply: Node's own timeouts cover only headers and whole requests, the latter in minutes.
 */
import type { Server } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import { exchanges, isAnswered, type RequestObserver, unlessArrived } from './exchange.ts';

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
