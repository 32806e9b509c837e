/**
 * How `verify` and `record` connect to a service that may be no arm, or one that fails: calls and
 * handshakes with an end, replies of a bounded size, and messages that are safe to print.
 */
import { WebSocket } from 'ws';
import { systemClock } from '../../clock/clock.ts';
import { printable } from '../output.ts';

/** The longest text of a service that is printed. */
const SHOWN_MAX = 200;
/** Shorter tokens also occur in other words; generated ones are longer. */
const SECRET_MIN = 8;

/** A text of a service as one line for a terminal: cut, without secrets and control characters. */
export function shownText(
  text: string,
  secrets: readonly (string | undefined)[] = [],
  longest = SHOWN_MAX,
): string {
  const hidden = secrets.reduce<string>(
    (seen, secret = '') => (secret.length < SECRET_MIN ? seen : seen.replaceAll(secret, '***')),
    text,
  );
  const cut = hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden;
  return printable(cut);
}

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

/** Longest time of a handshake: a service that has accepted a connection need not answer (ms). */
const HANDSHAKE_MAX_MS = 3000;
/** How long the arm has to end its side of a stream (ms). */
const CLOSE_MAX_MS = 1000;

/** Options of a handshake. */
interface HandshakeOptions {
  readonly origin?: string;
  readonly handshakeTimeout?: number;
}

/** A stream whose handshake and end take no longer than an arm that answers needs. */
export class BoundedSocket extends WebSocket {
  constructor(url: string, protocols: string[], options: HandshakeOptions = {}) {
    super(url, protocols, { handshakeTimeout: HANDSHAKE_MAX_MS, ...options });
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    // Without an answer the connection would keep the command from its end for half a minute.
    const cancel = systemClock.afterUnreferenced(CLOSE_MAX_MS, () => this.terminate());
    this.once('close', cancel);
  }
}
