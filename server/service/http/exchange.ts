/**
 * The exchanges of a connection: its requests, each with its response. Replies below HTTP wait for
 * those to earlier requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WallClock } from '../../clock/wall-clock.ts';

/** Observes a request before it is handled. */
export type RequestObserver = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The exchanges of each connection: those without a whole reply, in order, and the latest. */
export const exchanges = new WeakMap<Duplex, readonly Exchange[]>();

export function isAnswered({ response }: Exchange): boolean {
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
