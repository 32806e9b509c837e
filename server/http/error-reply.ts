/** Writes refusals and replies; the only place where an error body meets a response. */
import type { Response } from 'express';
import { ERROR_ROWS, errorReply } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../robot/refusal.ts';

export function sendRefusal(response: Response, refusal: Refusal): void {
  const { status } = ERROR_ROWS[refusal.refused];
  if (status === 503) response.setHeader('Retry-After', String(limits.retry_after_s));
  const unread = ['body_too_large', 'timed_out'].includes(refusal.refused);
  if (unread) response.setHeader('Connection', 'close');
  response.status(status).json(errorReply(refusal.refused, refusal.details, refusal.count));
}
