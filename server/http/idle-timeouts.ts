/**
 * The exchanges of connections. Idle timeouts close connections whose reply is not read, or whose
 * body still arrives after the reply: Node's own timeouts cover only headers and whole requests,
 * the latter in minutes. Replies below HTTP wait for those to earlier requests.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { limits } from '../../contract/limits.ts';
import type { WallClock } from '../clock/clock.ts';

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
