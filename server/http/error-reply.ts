/** Writes replies: JSON, files, server-sent events, and refusals with the only error bodies. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_ROWS, type ErrorName, errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { endCompressed } from './compression.ts';
import type { EventFeed, Reply } from './handler.ts';

/** Sends a JSON reply; cheaper than Express's own. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Sends JSON text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  endCompressed(response, text);
}

/** Sends a file of a media type other than JSON. */
export function sendFile(
  response: ServerResponse,
  media: string,
  { name, text }: NonNullable<Reply['file']>,
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${media}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  endCompressed(response, text);
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
  // A proxy must not wait for a full buffer (nginx).
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  response.on('drain', () => feed.onDrain());
  response.on('close', () => feed.close());
  feed.open({ write: (text) => response.write(text), end: () => response.end() });
}

/** Headers that HTTP requires beside some statuses (RFC 9110 §15.5.22, RFC 6455 §4.2.2). */
const STATUS_HEADERS: { readonly [status: number]: Readonly<Record<string, string>> } = {
  426: { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
  503: { 'Retry-After': String(limits.retry_after_s) },
};

/** Writes a refusal to a raw socket and ends the connection. */
export function refuseOnSocket(
  socket: Duplex,
  name: ErrorName,
  details: string | null = null,
): void {
  const body = JSON.stringify(errorReply(name, details));
  const { status } = ERROR_ROWS[name];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(STATUS_HEADERS[status] ?? {}).map(([header, value]) => `${header}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status } = ERROR_ROWS[refusal.refused];
  for (const [header, value] of Object.entries(STATUS_HEADERS[status] ?? {})) {
    response.setHeader(header, value);
  }
  // A hop-by-hop header takes effect only if Connection names it.
  if (status === 426) {
    response.setHeader('Connection', response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close');
  }
  const { retry_after_s } = refusal;
  if (retry_after_s !== undefined) response.setHeader('Retry-After', String(retry_after_s));
  const unread = ['body_too_large', 'timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  sendJson(response, status, errorReply(refusal.refused, refusal.details, refusal.count));
}
