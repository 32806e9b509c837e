import { SERVER_ERROR } from './call-failure.ts';

const KEY_BYTES = 16;
const KEY = 'Idempotency-Key';
/** Most calls without a known outcome; the oldest is forgotten. */
const OPEN_CALLS = 64;
/** Later than this an equal call is a new wish, such as a second run of a workflow. */
const RETRIED_MS = 60_000;

/**
 * Has a call with the same body that follows one whose outcome is not known count as that call: an
 * object is not created twice because a reply was lost. Returns a fetch function that gives each
 * POST an Idempotency-Key, which calls that create nothing ignore.
 */
export function withIdempotencyKeys(inner: typeof fetch): typeof fetch {
  /** Keys of calls without a known outcome, by address and body. */
  const open = new Map<string, { readonly key: string; readonly until_ms: number }>();
  const newKey = (): string => {
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  return async (input, init) => {
    if (init?.method !== 'POST' || typeof init.body !== 'string') return inner(input, init);
    const call = `${String(input)} ${init.body}`;
    const now_ms = performance.now();
    const known = open.get(call);
    const isRetry = known !== undefined && now_ms < known.until_ms;
    const key = isRetry ? known.key : newKey();
    open.set(call, { key, until_ms: now_ms + RETRIED_MS });
    if (open.size > OPEN_CALLS) open.delete(open.keys().next().value!);
    const headers = new Headers(init.headers);
    headers.set(KEY, key);
    const response = await inner(input, { ...init, headers });
    if (response.status < SERVER_ERROR) open.delete(call);
    return response;
  };
}
