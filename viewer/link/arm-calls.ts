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

/** What the server says about itself in its X-Armtwin header; null where it is silent. */
export interface ServerIdentity {
  readonly driver: string | null;
  readonly clock: string | null;
}

export interface ArmCalls {
  /** Runs a call of the signed-in client. */
  call<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, CallFailure>>;
  /** Makes a session from an API token; later calls renew it from the same token. */
  signIn(token: string): Promise<Result<null, CallFailure>>;
  signOut(): Promise<void>;
  client(): ArmClient | null;
  identity(): ServerIdentity;
}

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;

/** Reads `1.2.3; driver=rapier; clock=1; dialect=documented`. */
export function readIdentity(header: string): ServerIdentity {
  const field = (name: string) => header.match(new RegExp(`${name}=([^;]+)`))?.[1]?.trim() ?? null;
  return { driver: field('driver'), clock: field('clock') };
}

/** Access to the server at `base` (an origin); `ended` is told when no session can be had. */
export function createArmCalls(base: string, ended: () => void): ArmCalls {
  let client: ArmClient | null = null;
  let identity: ServerIdentity = { driver: null, clock: null };

  const observedFetch: typeof fetch = async (input, init) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(input, { ...init, signal, cache: 'no-store' });
    const header = response.headers.get('X-Armtwin');
    if (header) identity = readIdentity(header);
    return response;
  };

  function explain(reason: unknown): CallFailure {
    if (!(reason instanceof ArmError)) return { kind: 'unreachable' };
    if (reason.status === UNAUTHORIZED) return { kind: 'signed-out' };
    const { error_code, title, details } = reason;
    return { kind: 'refused', code: error_code ?? 0, title, details };
  }

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
    async signIn(token) {
      const next = connect({ baseUrl: base, token, fetch: observedFetch });
      try {
        await next.session();
      } catch (reason) {
        return failure(explain(reason));
      }
      client = next;
      return success(null);
    },
    async signOut() {
      const old = client;
      client = null;
      await old?.endSession().catch(() => undefined);
    },
    client: () => client,
    identity: () => identity,
  };
}
