/** Handlers of sessions (§4.1): log-in, renewal and log-out. */

import { refuse } from '../../../../contract/refusal.ts';
import type { Session } from '../../sessions/sessions.ts';
import type { Handlers } from '../handler.ts';
import { answer, EMPTY } from '../reply.ts';
import type { Services } from '../services.ts';

export const sessionHandlers: Handlers = {
  // Not limited: 256 bits cannot be guessed, and others' failures must not stop a right token.
  createSession({ body, origin }, { users, sessions, audit }) {
    const token = users.tokenOf(body.token);
    if (!token) {
      audit.record('log_in_failed', { ...origin });
      return refuse(
        'wrong_credentials',
        'The API token is unknown: revoked, or of another twin, or of an earlier start without --data',
      );
    }
    users.recordTokenUse(token);
    const { user_id, id: token_id } = token;
    audit.record('log_in', { user_id, token_id, ...origin });
    return answer({ token: sessions.create(user_id, token_id) });
  },

  async logIn({ body, origin, deadline }, { users, sessions, audit }) {
    const user = await users.logIn({ ...body, address: origin.address });
    const user_id = users.named(body.email)?.id;
    const details = { ...origin, ...(user_id !== undefined && { user_id }) };
    if (!user) {
      audit.record('log_in_failed', details);
      return refuse('wrong_credentials', 'The e-mail or the password is wrong');
    }
    if ('refused' in user) {
      audit.record('log_in_refused', details);
      return user;
    }
    if (deadline.passed) return refuse('timed_out');
    audit.record('log_in', details);
    return answer({ token: sessions.create(user.id, null) });
  },

  async endSession({ session, origin }, services) {
    await endSessions(services, (entry) => entry === session, null);
    services.audit.record('log_out', { user_id: session.user_id, ...origin });
    return EMPTY;
  },

  renewSession({ session }, { sessions }) {
    sessions.renew(session);
    return EMPTY;
  },
};

/**
 * Ends sessions and releases the robot lock that their tokens hold; null: the tokens stay valid.
 * Resolves when every change that their calls have begun is made: what comes later is refused, so
 * nothing happens after the reply.
 */
export async function endSessions(
  services: Services,
  matches: (session: Session) => boolean,
  tokens: readonly number[] | null,
): Promise<void> {
  const held = new Set(tokens ?? []);
  services.sessions.endWhere((session) => {
    const isEnded = matches(session);
    if (isEnded && tokens) held.add(session.token_id);
    return isEnded;
  });
  for (const token_id of held) services.loop.apply({ kind: 'forget_token', token_id });
  await services.database.store.settled();
}
