/** How long the arm may take for the reply of a call, and for each part of it. */

import type { IncomingMessage } from 'node:http';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { ROUTES } from '../../../contract/routes.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import { pathOf } from '../http/request-target.ts';
import type { UpstreamRequest } from './upstream-request.ts';

/** Paths of the routes with their time limits (s). */
const CALL_LIMITS = ROUTES.map(({ method, path, timeout_s }) => {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  return { method, pattern: new RegExp(`^${pattern}/?$`), timeout_s };
});

/**
 * The time that the arm has for the reply of a call (ms): that of the route, and a margin in which
 * the refusal of the arm arrives, which says that nothing has happened.
 */
export function limitOf_ms(method: string, url: string): number {
  const path = pathOf(url);
  const fits = (row: (typeof CALL_LIMITS)[number]) =>
    row.method === method && row.pattern.test(path);
  const { timeout_s } = CALL_LIMITS.find(fits) ?? { timeout_s: limits.call_default_s };
  return (timeout_s + limits.upstream_margin_s) * 1000;
}

/** Calls back with the refusal when the time for the reply is over. */
export function limitTime(
  request: UpstreamRequest,
  wall: WallClock,
  { limit_ms, onOver }: { limit_ms: number; onOver: (refusal: Refusal) => void },
): void {
  const over = () => {
    const text = request.failureText(`no reply within ${limit_ms / 1000} s`);
    onOver(refuse('upstream_timed_out', text));
  };
  const cancel = wall.afterUnreferenced(limit_ms, over);
  for (const end of ['response', 'upgrade', 'close']) request.outgoing.once(end, cancel);
}

/** Ends a reply that stands still; its end says that it is not complete. */
export function limitSilence(reply: IncomingMessage): void {
  const limit_s = limits.call_default_s;
  reply.setTimeout(limit_s * 1000, () => reply.destroy(new Error(`no data for ${limit_s} s`)));
}
