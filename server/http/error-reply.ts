/** Writes refusals and replies; the only place where an error body meets a response. */
import type { ServerResponse } from 'node:http';
import { ERROR_ROWS, errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../robot/refusal.ts';

/** Writes JSON without what Express would look up for it on the way. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

/** Writes what is JSON already. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status } = ERROR_ROWS[refusal.refused];
  if (status === 503) response.setHeader('Retry-After', String(limits.retry_after_s));
  const unread = ['body_too_large', 'timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  sendJson(response, status, errorReply(refusal.refused, refusal.details, refusal.count));
}
