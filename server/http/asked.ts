/**
 * What became known of a request while it was checked: who asks, and the body. It travels beside
 * the response, for those who watch calls from outside (the journal, the log).
 */
import type { ServerResponse } from 'node:http';

export interface Asked {
  user_id: number | null;
  body: unknown;
  /** Id of the row that answers; null where none does. */
  route: string | null;
}

const known = new WeakMap<ServerResponse, Asked>();

/** What is known so far of the request behind a response; to be filled in. */
export function askedOf(response: ServerResponse): Asked {
  const there = known.get(response);
  if (there) return there;
  const asked: Asked = { user_id: null, body: undefined, route: null };
  known.set(response, asked);
  return asked;
}
