/**
 * The context of a request: its user, the hash of its body and its route. The pipeline fills it
 * in; the access log and the journal read it.
 */
import type { ServerResponse } from 'node:http';

export interface RequestContext {
  user_id: number | null;
  /** SHA-256 of the canonical JSON body; null for no body, and for binary bodies. */
  body_sha256: string | null;
  /** Id of the matching route; null if there is none. */
  route: string | null;
}

const contexts = new WeakMap<ServerResponse, RequestContext>();

/** The mutable context of the request that a response belongs to. */
export function requestContextOf(response: ServerResponse): RequestContext {
  const existing = contexts.get(response);
  if (existing) return existing;
  const context: RequestContext = { user_id: null, body_sha256: null, route: null };
  contexts.set(response, context);
  return context;
}
