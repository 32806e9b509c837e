/** Handlers of sessions (§4.1), users and API tokens (§5, D9). */
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../../contract/refusal.ts';
import type { Caller } from '../../robot/commands.ts';
import type { Session } from '../../sessions/sessions.ts';
import type { PublicUser } from '../../sessions/users.ts';
import { EVERYONE } from '../../stream/hub.ts';
import { type Answer, answer, EMPTY, type Handlers } from '../handler.ts';
import type { Services } from '../services.ts';

export const sessionHandlers: Handlers = {
  createSession({ body, address }, { users, sessions, failedLogins: failedLogIns }) {
    if (failedLogIns.isBlocked(address)) return refuse('too_many_log_ins');
    const token = users.tokenOf(body.token);
    if (!token) {
      failedLogIns.record(address);
      return refuse('wrong_credentials', 'The API token is unknown; it may have been revoked');
    }
    users.recordTokenUse(token);
    return answer({ token: sessions.create(token.user_id, token.id) });
  },

  async logIn({ body, address }, { users, sessions, failedLogins: failedLogIns }) {
    if (failedLogIns.isBlocked(address)) return refuse('too_many_log_ins');
    const user = await users.logIn(body.email, body.password);
    if (!user) {
      failedLogIns.record(address);
      return refuse('wrong_credentials', 'The e-mail or the password is wrong');
    }
    return answer({ token: sessions.create(user.id, null) });
  },

  endSession({ session }, { sessions }) {
    sessions.endWhere((entry) => entry === session);
    return EMPTY;
  },

  renewSession({ session }, { sessions }) {
    sessions.renew(session);
    return EMPTY;
  },
};

/** Refuses access to other users' accounts, except for admins. */
function otherUserRefusal(caller: Caller, user_id: number): Refusal | null {
  if (caller.user_id === user_id || caller.role === 'admin') return null;
  return refuse('role_too_low', 'Only admins may do this to other users');
}

/** Ends sessions and releases the robot lock that their tokens hold. */
function endSessions(
  services: Services,
  matches: (session: Session) => boolean,
  tokens: number[],
): void {
  services.sessions.endWhere(matches);
  for (const token_id of tokens) services.loop.apply({ kind: 'forget_token', token_id });
}

type UserEventType = 'user_created' | 'user_updated' | 'user_deleted';

function publishUserEvent(services: Services, type: UserEventType, user: PublicUser): Answer {
  services.hub.publish({ type, user }, EVERYONE);
  return answer({ user });
}

export const userHandlers: Handlers = {
  listUsers: (_call, { users }) => answer({ users: users.list() }),

  async createUser({ body }, services) {
    if (services.users.list().length >= limits.users)
      return refuseLimitReached('users', limits.users);
    const user = await services.users.create(body.email, body.password);
    return 'refused' in user ? user : publishUserEvent(services, 'user_created', user);
  },

  async updateUser({ caller, body, parameters }, services) {
    const id = parameters['user_id']!;
    const refusal = otherUserRefusal(caller, id);
    if (refusal) return refusal;
    if (body.role !== undefined && caller.role !== 'admin') return refuse('role_too_low');
    const user = await services.users.update(id, body);
    return 'refused' in user ? user : publishUserEvent(services, 'user_updated', user);
  },

  async deleteUser({ parameters }, services) {
    const id = parameters['user_id']!;
    const tokens = services.users.tokensOf(id).map((token) => token.id);
    const owned = services.library.rowsOf(id);
    const user = await services.users.remove(id);
    if ('refused' in user) return user;
    await services.library.sweep(...owned);
    endSessions(services, (session) => session.user_id === id, tokens);
    return publishUserEvent(services, 'user_deleted', user);
  },

  listTokens({ caller, parameters }, { users }) {
    const id = parameters['user_id']!;
    return otherUserRefusal(caller, id) ?? answer({ tokens: users.tokensOf(id) });
  },

  async createToken({ caller, body, parameters }, { users }) {
    const id = parameters['user_id']!;
    const refusal = otherUserRefusal(caller, id);
    if (refusal) return refusal;
    if (users.tokensOf(id).length >= limits.tokens_per_user) {
      return refuseLimitReached('tokens of this user', limits.tokens_per_user);
    }
    return answer(await users.createToken(id, body.name));
  },

  async deleteToken({ caller, parameters }, services) {
    const user_id = parameters['user_id']!;
    const token_id = parameters['token_id']!;
    const refusal = otherUserRefusal(caller, user_id);
    if (refusal) return refusal;
    const found = await services.users.removeToken(user_id, token_id);
    if (!found) return refuse('not_found', `There is no token ${token_id}`);
    endSessions(services, (session) => session.token_id === token_id, [token_id]);
    return EMPTY;
  },
};
