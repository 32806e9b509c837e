/**
 * What became known of a request while it was checked: who asks, and the body. It travels beside
 * the response, for those who watch calls from outside (the journal).
 */
import type { Response } from 'express';

export interface Asked {
  user_id: number | null;
  body: unknown;
}

/** What is known so far of the request behind a response; to be filled in. */
export function askedOf(response: Response): Asked {
  const { locals } = response;
  locals['asked'] ??= { user_id: null, body: undefined } satisfies Asked;
  return locals['asked'] as Asked;
}
