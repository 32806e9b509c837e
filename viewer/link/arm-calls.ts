/**
 * Access to the arm's API: the contract's client with failures as values, the server's identity
 * from its response headers, and the session of the signed-in user.
 */
import { type ArmClient, ArmError, connect } from '../../contract/client.ts';
import { failure, type Result, success } from '../../contract/refusal.ts';

/** Why a call failed. */
export type CallFailure =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed-out' }
  | {
      readonly kind: 'refused';
      /** Of HTTP. */
      readonly status: number;
      readonly code: number;
      /** Empty where the reply gives no reason, such as one of a proxy before the server. */
      readonly title: string;
      readonly details: unknown;
    };

/** The server's X-Armtwin response headers; null where a header is missing. */
export interface ServerIdentity {
  readonly driver: string | null;
  readonly clock: string | null;
  /** The signed-in user. */
  readonly user_id: number | null;
}

/** What a user signs in with: an API token, e-mail and password, or a stored session. */
export type Credentials =
  | { readonly token: string }
  | { readonly email: string; readonly password: string }
  | { readonly session: string };

export interface ArmCalls {
  /** Runs a call with the signed-in client. */
  call<Reply>(action: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, CallFailure>>;
  /**
   * Opens a session, or takes over a stored one, and keeps it renewed. Resolves to the credentials
   * for a reload of the page. Later calls replace an expired session with the token or password,
   * which stay in memory, because a fast clock ends sessions within seconds.
   */
  signIn(credentials: Credentials): Promise<Result<Credentials, CallFailure>>;
  signOut(): Promise<void>;
  client(): ArmClient | null;
  identity(): ServerIdentity;
}

const TIMEOUT_MS = 30_000;
const RENEW_MS = 300_000;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const NOT_SUPPORTED = 501;

/** Reads `1.2.3; driver=rapier; clock=1; dialect=documented`. */
function readIdentity(header: string): Pick<ServerIdentity, 'driver' | 'clock'> {
  const field = (name: string) => header.match(new RegExp(`${name}=([^;]+)`))?.[1]?.trim() ?? null;
  return { driver: field('driver'), clock: field('clock') };
}

/** Whether a call was refused because what it names does not exist. */
export function isMissing(error: CallFailure): boolean {
  return error.kind === 'refused' && error.status === NOT_FOUND;
}

/** Whether a call failed for a reason that passes: the same call may succeed later. */
export function isPassing(error: CallFailure): boolean {
  if (error.kind !== 'refused') return error.kind === 'unreachable';
  const { status } = error;
  return status === TOO_MANY_REQUESTS || (status >= SERVER_ERROR && status !== NOT_SUPPORTED);
}

function toFailure(error: unknown): CallFailure {
  if (!(error instanceof ArmError)) return { kind: 'unreachable' };
  if (error.status === UNAUTHORIZED) return { kind: 'signed-out' };
  const { status, error_code, details } = error;
  const title = error_code === null ? '' : error.title;
  return { kind: 'refused', status, code: error_code ?? 0, title, details };
}

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

/** Creates the access to the server at `origin`; calls `onSignedOut` when the session is lost. */
export function createArmCalls(origin: string, onSignedOut: () => void): ArmCalls {
  let client: ArmClient | null = null;
  let renewal: ReturnType<typeof setInterval> | undefined;
  let identity: ServerIdentity = { driver: null, clock: null, user_id: null };

  const observedFetch: typeof fetch = async (input, init) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(input, { ...init, signal, cache: 'no-store' });
    const header = response.headers.get('X-Armtwin');
    if (header) identity = { ...identity, ...readIdentity(header) };
    const user_id = Number(response.headers.get('X-Armtwin-User'));
    if (user_id > 0) identity = { ...identity, user_id };
    return response;
  };
  const keyedFetch = withIdempotencyKeys(observedFetch);

  async function call<Reply>(
    action: (client: ArmClient) => Promise<Reply>,
  ): Promise<Result<Reply, CallFailure>> {
    if (!client) return failure({ kind: 'signed-out' });
    try {
      return success(await action(client));
    } catch (error) {
      const reason = toFailure(error);
      if (reason.kind === 'signed-out' && client) {
        client = null;
        onSignedOut();
      }
      return failure(reason);
    }
  }

  return {
    call,
    async signIn(credentials) {
      const authentication = 'email' in credentials ? { logIn: credentials } : credentials;
      const next = connect({ baseUrl: origin, ...authentication, fetch: keyedFetch });
      try {
        if ('session' in credentials) await next.renewSession();
        const session = await next.session();
        client = next;
        clearInterval(renewal);
        renewal = setInterval(() => void call((each) => each.renewSession()), RENEW_MS);
        return success('email' in credentials ? { session } : credentials);
      } catch (error) {
        return failure(toFailure(error));
      }
    },
    async signOut() {
      const previous = client;
      client = null;
      identity = { ...identity, user_id: null };
      clearInterval(renewal);
      await previous?.endSession().catch(() => undefined);
    },
    client: () => client,
    identity: () => identity,
  };
}
