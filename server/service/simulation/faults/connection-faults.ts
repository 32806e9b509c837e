/** Faults of the connections of clients, below HTTP. */

import type { IncomingMessage } from 'node:http';
import { type Refusal, refuseAt } from '../../../../contract/refusal.ts';
import type { ConnectionFaultBody } from '../../../../contract/types.generated.ts';
import { createPrng } from '../../../../physics/math/prng.ts';
import type { LinkFault } from '../../http/link.ts';
import { pathOf } from '../../http/request-target.ts';
import { createDraw } from './draw.ts';
import { type EffectFields, unusedField } from './effect-fields.ts';
import type { FaultProducer } from './fault-kind.ts';
import type { FaultPorts } from './fault-ports.ts';
import type { FaultRules } from './fault-rules.ts';

/** A request with its reply, or a message of a stream, as the rules see it. */
interface Passage {
  /** Null before a log-in. */
  readonly user_id: number | null;
}

/** The rules of the active faults of connections; the effect draws what one passage meets. */
export type ConnectionFaults = FaultRules<Passage, () => LinkFault>;

/** The header with which a tester keeps the faults of connections away from a call of his own. */
const CONTROL_HEADER = 'x-armtwin-control';

const FIELDS: EffectFields<ConnectionFaultBody['effect']> = {
  slow: ['delay_s', 'jitter_s', 'rate_bytes_s'],
  reset: [],
  half_open: [],
};

/** What the faults ask of the twin. */
interface KnownUsers {
  /** Whether there is this user. */
  readonly has: (user_id: number) => boolean;
}

/** Whether a request is a tester's own: no fault of a connection acts on it, so that he can end it. */
export function isControl({ url, headers }: IncomingMessage): boolean {
  return pathOf(url).startsWith('/sim/') || headers[CONTROL_HEADER] !== undefined;
}

/** The refusal of a fault whose fields cannot act; null: it can. */
function refusalOf(
  body: ConnectionFaultBody,
  users: KnownUsers,
): Refusal<'invalid_arguments'> | null {
  const { effect, delay_s, jitter_s, rate_bytes_s, user_id } = body;
  const unused = unusedField(body, effect, FIELDS);
  if (unused) return unused;
  if (effect === 'slow' && !delay_s && !jitter_s && rate_bytes_s === undefined) {
    return refuseAt('/delay_s', 'is required to slow, or jitter_s or rate_bytes_s');
  }
  if (user_id === undefined || users.has(user_id)) return null;
  return refuseAt('/user_id', `there is no user ${user_id}`);
}

/** What each passage meets, by the seed of the fault. `silenced` collects half-open connections. */
function effectOf(body: ConnectionFaultBody, silenced: Set<() => void>): () => LinkFault {
  const { effect, delay_s = 0, jitter_s = 0, rate_bytes_s = null, seed = 0 } = body;
  if (effect === 'reset') return () => ({ effect });
  if (effect === 'half_open') return () => ({ effect, silenced: (reset) => silenced.add(reset) });
  const random = createPrng(seed);
  return () => ({ effect, delay_s: delay_s + jitter_s * random(), rate_bytes_s });
}

/** The kind of the connections of clients. */
export function connectionFaults({
  connections,
  users,
}: Pick<FaultPorts, 'connections' | 'users'>) {
  const connection: FaultProducer<'connection'> = (body, reporter) => {
    const refusal = refusalOf(body, users);
    if (refusal) return refusal;
    const draw = createDraw(body.chance ?? 1, body.seed ?? 0);
    const isMeant = ({ user_id }: Passage) => (body.user_id ?? user_id) === user_id;
    const matches = (passage: Passage) => isMeant(passage) && draw();
    const silenced = new Set<() => void>();
    const rule = { matches, effect: effectOf(body, silenced), times: body.times };
    const end = connections.add(rule, reporter);
    return () => {
      end();
      for (const reset of silenced) reset();
    };
  };
  return { connection: { produce: connection } };
}
