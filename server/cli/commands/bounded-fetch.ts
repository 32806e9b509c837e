/**
 * Calls to a service that may be no arm, or one that fails: with an end, and with a reply of
 * bounded size.
 */
import { systemClock } from '../../clock/wall-clock.ts';

/** The longest reply that is read: no arm answers a call with more. */
const REPLY_MAX_BYTES = 64 * 2 ** 20;

/** Limits of one call. */
export interface CallLimits {
  /** How long a whole reply may take (ms). */
  readonly answer_ms: number;
  readonly reply_bytes?: number;
}

/** The whole body of a reply; rejects beyond the limit. */
async function bodyOf(reply: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = reply.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) return Buffer.concat(chunks);
    size += next.value.length;
    if (size > most) throw failedCall(`a reply of more than ${most} bytes`);
    chunks.push(next.value);
  }
}

/** The client shows the reason of the cause, as with the errors of fetch itself. */
function failedCall(reason: string): Error {
  return new Error(reason, { cause: new Error(reason) });
}

/**
 * A fetch that reads the whole reply, and ends the connection when that takes too long or the reply
 * is too large: either would keep the command from its end. It follows no redirects.
 */
export function boundedFetch(limitsOf: (url: string) => CallLimits): typeof fetch {
  return async (input, init) => {
    const { answer_ms, reply_bytes = REPLY_MAX_BYTES } = limitsOf(String(input));
    const end = new AbortController();
    const signals = [end.signal, ...(init?.signal ? [init.signal] : [])];
    const cancel = systemClock.afterUnreferenced(answer_ms, () =>
      end.abort(failedCall(`no whole reply within ${answer_ms / 1000} s`)),
    );
    try {
      const signal = AbortSignal.any(signals);
      const reply = await fetch(input, { ...init, redirect: 'manual', signal });
      const body = await bodyOf(reply, reply_bytes);
      const { status, headers } = reply;
      return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
    } catch (error) {
      // Also ends the connection of a reply that is too large.
      end.abort();
      throw error;
    } finally {
      cancel();
    }
  };
}
