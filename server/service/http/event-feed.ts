/** Server-sent events (WHATWG HTML): a source of them, and how a reply sends them. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where server-sent events go (WHATWG HTML, server-sent events). */
export interface EventSink {
  /** Writes text; false while the client does not read: `onDrain` follows. */
  write(text: string): boolean;
  /** Ends the reply once it is read; `abort`: now. */
  end(): void;
  abort(): void;
}

/** A source of server-sent events. */
export interface EventFeed {
  /** True if nothing will ever come: the client must not connect again. */
  readonly isOver: boolean;
  /** Begins to send; called once. */
  open(sink: EventSink): void;
  onDrain(): void;
  /** The connection is closed. */
  close(): void;
}

/**
 * Sends server-sent events until the feed ends or the client leaves. A feed that is over gets 204:
 * an EventSource then does not connect again.
 */
export function sendFeed(response: ServerResponse, feed: EventFeed): void {
  if (feed.isOver) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no'); // A proxy must not buffer it (nginx).
  response.flushHeaders();
  response.on('drain', () => feed.onDrain());
  response.on('close', () => feed.close());
  const [end, abort] = [() => response.end(), () => response.destroy()];
  feed.open({ write: (text) => response.write(text), end, abort });
}

/** The number in the header Last-Event-ID; null for none. */
export function lastEventIdOf({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  const text = headers['last-event-id'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
