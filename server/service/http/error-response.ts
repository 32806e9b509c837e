/**
 * Writes refusals: the only error bodies of the service, as a response or to a connection that has
 * none.
 */

import { channel } from 'node:diagnostics_channel';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ERROR_ROWS,
  type ErrorName,
  type ErrorReply,
  errorReply,
} from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { Connection } from './connection.ts';
import { pathOf } from './request-target.ts';
import { sendJson } from './response.ts';

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
    ...Connection.of(socket).bannerLines,
    ...Object.entries(STATUS_HEADERS[status] ?? {}).map(([header, value]) => `${header}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** A call that was refused by a response. */
export interface RefusedCall {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly status: number;
  readonly error: ErrorReply['error'];
}

/** Carries a `RefusedCall` for each refusal, to who counts them in this process. */
export const REFUSALS = channel('armtwin.refusal');

function publish({ req }: ServerResponse, status: number, { error }: ErrorReply): void {
  if (!REFUSALS.hasSubscribers) return;
  const call: RefusedCall = { method: req.method ?? '', path: pathOf(req.url), status, error };
  REFUSALS.publish(call);
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
  const unread = ['body_too_large', 'timed_out', 'upstream_timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  const reply = errorReply(refusal.refused, refusal.details, refusal.count);
  publish(response, status, reply);
  sendJson(response, status, reply);
}
