/** Receives the body of a request from Node, with limits on its size and on the time. */
import type { IncomingMessage } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { BodyBytes } from './body-bytes.ts';
import type { BodyBounds } from './body-source.ts';
import { announcedSize, sizeRefusal } from './request-body.ts';

/**
 * Reads the body and returns its kept bytes in pieces, at least one; beyond a limit the rest stays
 * unread and the connection closes.
 */
export function readBody(
  request: IncomingMessage,
  { limit_bytes, kept_bytes, limit_s, wall, pause_ms }: BodyBounds,
): Promise<readonly Buffer[] | Refusal> {
  const tooLarge = refuse('body_too_large', `The body is larger than ${limit_bytes} bytes`);
  const early = sizeRefusal(request, limit_bytes);
  if (early) return Promise.resolve(early);
  return new Promise<readonly Buffer[] | Refusal>((resolve) => {
    const body = new BodyBytes(Math.min(announcedSize(request) || limit_bytes, kept_bytes));
    let size = 0;
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      resolve(refuse('timed_out', `The body was not complete within ${limit_s} s`));
    });
    request.on('close', cancel);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit_bytes) {
        request.pause();
        resolve(tooLarge);
      } else if (body.size < kept_bytes) {
        body.add(chunk.subarray(0, kept_bytes - body.size));
        const delay_ms = size > limits.large_document_bytes ? pause_ms(chunk.length) : 0;
        if (delay_ms === 0) return;
        request.pause();
        wall.afterUnreferenced(delay_ms, () => request.resume());
      }
    });
    request.on('end', () => {
      cancel();
      resolve(body.pieces());
    });
    request.on('error', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
    request.on('aborted', () =>
      resolve(refuse('malformed_body', 'The body is incomplete: the connection closed')),
    );
  });
}
