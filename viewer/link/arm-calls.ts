/**
 * Access to the arm's API: the contract's client with failures as values, the server's identity
 * from its response headers, and the session of the signed-in user.
 */
import { type ArmClient, connect } from '../../contract/client.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import { type CallFailure, toFailure } from './call-failure.ts';
import { withIdempotencyKeys } from './idempotency-keys.ts';

/** The server's X-Armtwin response headers; null where a header is missing. */
export interface ServerIdentity {
  readonly driver: string | null;
  readonly clock: string | null;
  /** Whether what is saved ends with the server. */
  readonly isInMemory: boolean;
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

/** Reads `1.2.3; data=memory; driver=rapier; clock=1; dialect=documented`. */
function readIdentity(header: string): Omit<ServerIdentity, 'user_id'> {
  const field = (name: string) => header.match(new RegExp(`${name}=([^;]+)`))?.[1]?.trim() ?? null;
  return {
    driver: field('driver'),
    clock: field('clock'),
    isInMemory: field('data') === 'memory',
  };
}

/** Creates the access to the server at `origin`; calls `onSignedOut` when the session is lost. */
export function createArmCalls(origin: string, onSignedOut: () => void): ArmCalls {
  let client: ArmClient | null = null;
  let renewal: ReturnType<typeof setInterval> | undefined;
  let identity: ServerIdentity = { driver: null, clock: null, isInMemory: false, user_id: null };

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
