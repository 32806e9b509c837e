/**
 * The page's access to the arm's API: the client of the contract with failures as values, plus
 * what the server says about itself in a header. Holds the session of the signed-in user.
 */
import { type ArmClient, ArmError, connect } from '../../contract/client.ts';
import { failure, type Result, success } from '../../contract/result.ts';

/** Why a call gave nothing. */
export type CallFailure =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed-out' }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly title: string;
      readonly details: unknown;
    };

/** What the server says in its X-Armtwin headers; null where it is silent. */
export interface ServerIdentity {
  readonly driver: string | null;
  readonly clock: string | null;
  /** The signed-in user. */
  readonly user_id: number | null;
}

/** How a user proves who he is: by token, by e-mail and password, by a session kept before. */
export type Credentials =
  | { readonly token: string }
  | { readonly email: string; readonly password: string }
  | { readonly session: string };

export interface ArmCalls {
  /** Runs a call of the signed-in client. */
  call<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, CallFailure>>;
  /**
   * Makes a session, or takes one over and renews it from then on; resolves to what a reload of
   * the page can sign in with. Later calls replace an ended session from token or password, which
   * stay in memory: a fast clock ends sessions within seconds.
   */
  signIn(credentials: Credentials): Promise<Result<Credentials, CallFailure>>;
  signOut(): Promise<void>;
  client(): ArmClient | null;
  identity(): ServerIdentity;
}

const TIMEOUT_MS = 30_000;
const RENEW_MS = 300_000;
const UNAUTHORIZED = 401;

/** Reads `1.2.3; driver=rapier; clock=1; dialect=documented`. */
export function readIdentity(header: string): Pick<ServerIdentity, 'driver' | 'clock'> {
  const field = (name: string) => header.match(new RegExp(`${name}=([^;]+)`))?.[1]?.trim() ?? null;
  return { driver: field('driver'), clock: field('clock') };
}

function explain(reason: unknown): CallFailure {
  if (!(reason instanceof ArmError)) return { kind: 'unreachable' };
  if (reason.status === UNAUTHORIZED) return { kind: 'signed-out' };
  const { error_code, title, details } = reason;
  return { kind: 'refused', code: error_code ?? 0, title, details };
}

/** Access to the server at `base` (an origin); `ended` is told when no session can be had. */
export function createArmCalls(base: string, ended: () => void): ArmCalls {
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

  async function call<Reply>(
    act: (client: ArmClient) => Promise<Reply>,
  ): Promise<Result<Reply, CallFailure>> {
    if (!client) return failure({ kind: 'signed-out' });
    try {
      return success(await act(client));
    } catch (reason) {
      const why = explain(reason);
      if (why.kind === 'signed-out' && client) {
        client = null;
        ended();
      }
      return failure(why);
    }
  }

  return {
    call,
    async signIn(credentials) {
      const proof = 'email' in credentials ? { logIn: credentials } : credentials;
      const next = connect({ baseUrl: base, ...proof, fetch: observedFetch });
      try {
        if ('session' in credentials) await next.renewSession();
        const session = await next.session();
        client = next;
        clearInterval(renewal);
        renewal = setInterval(() => void call((one) => one.renewSession()), RENEW_MS);
        return success('email' in credentials ? { session } : credentials);
      } catch (reason) {
        return failure(explain(reason));
      }
    },
    async signOut() {
      const old = client;
      client = null;
      identity = { ...identity, user_id: null };
      clearInterval(renewal);
      await old?.endSession().catch(() => undefined);
    },
    client: () => client,
    identity: () => identity,
  };
}
