/** Handlers of sessions (§4.1), users and API tokens (§5, D9). */
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Caller } from '../../robot/commands.ts';
import type { LogInRefusal } from '../../sessions/password-checks.ts';
import type { Session } from '../../sessions/sessions.ts';
import type { PublicUser, Users } from '../../sessions/users.ts';
import { EVERYONE } from '../../stream/hub.ts';
import { answer, EMPTY, type Handlers, type Reply } from '../handler.ts';
import type { Services } from '../services.ts';

export const sessionHandlers: Handlers = {
  // Not limited: 256 bits cannot be guessed, and others' failures must not stop a right token.
  createSession({ body }, { users, sessions }) {
    const token = users.tokenOf(body.token);
    if (!token) {
      return refuse('wrong_credentials', 'The API token is unknown; it may have been revoked');
    }
    users.recordTokenUse(token);
    return answer({ token: sessions.create(token.user_id, token.id) });
  },

  async logIn({ body, address, deadline }, { users, sessions }) {
    const user = await users.logIn({ ...body, address });
    if (!user) return refuse('wrong_credentials', 'The e-mail or the password is wrong');
    if ('refused' in user) return user;
    if (deadline.passed) return refuse('timed_out');
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
function otherUserRefusal(caller: Caller, user_id: number): Refusal<'role_too_low'> | null {
  if (caller.user_id === user_id || caller.role === 'admin') return null;
  return refuse('role_too_low', 'Only admins may do this to other users');
}

/** Refuses a change of one's own e-mail or password without the current password. */
async function confirmationRefusal(
  users: Users,
  given: {
    readonly id: number;
    readonly current_password: string | undefined;
    readonly address: string;
  },
): Promise<Refusal<'invalid_arguments'> | LogInRefusal | null> {
  const { id, current_password, address } = given;
  const problem = (text: string) =>
    refuse('invalid_arguments', [{ path: '/current_password', problem: text }]);
  if (current_password === undefined) {
    return problem('is required to change your own e-mail or password');
  }
  const { email } = users.find(id)!;
  const confirmed = await users.logIn({ email, password: current_password, address });
  if (confirmed && 'refused' in confirmed) return confirmed;
  return confirmed ? null : problem('is not your current password');
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

function publishUserEvent(services: Services, type: UserEventType, user: PublicUser): Reply {
  services.hub.publish({ type, user }, EVERYONE);
  return answer({ user });
}

export const userHandlers: Handlers = {
  listUsers: (_call, { users }) => answer({ users: users.list() }),

  async createUser({ body, recheck }, services) {
    const user = await services.users.create(body.email, body.password, recheck);
    return 'refused' in user ? user : publishUserEvent(services, 'user_created', user);
  },

  async updateUser({ caller, body, parameters, address, recheck }, services) {
    const id = parameters['user_id']!;
    const refusal = otherUserRefusal(caller, id);
    if (refusal) return refusal;
    if (body.role !== undefined && caller.role !== 'admin') return refuse('role_too_low');
    const { current_password, ...edit } = body;
    if (caller.user_id === id && (edit.email !== undefined || edit.password !== undefined)) {
      const unconfirmed = await confirmationRefusal(services.users, {
        id,
        current_password,
        address,
      });
      if (unconfirmed) return unconfirmed;
    }
    const role = services.users.find(id)?.role;
    const user = await services.users.update(id, edit, recheck);
    if ('refused' in user) return user;
    // Every session rests on the old password or the old role.
    if (edit.password !== undefined || user.role !== role) {
      services.sessions.endWhere((session) => session.user_id === id);
    }
    return publishUserEvent(services, 'user_updated', user);
  },

  async deleteUser({ parameters, recheck }, services) {
    const id = parameters['user_id']!;
    const tokens = services.users.tokensOf(id).map((token) => token.id);
    const user = await services.users.remove(id, recheck);
    if ('refused' in user) return user;
    services.library.forgetShared(id);
    endSessions(services, (session) => session.user_id === id, tokens);
    return publishUserEvent(services, 'user_deleted', user);
  },

  listTokens({ caller, parameters }, { users }) {
    const id = parameters['user_id']!;
    return otherUserRefusal(caller, id) ?? answer({ tokens: users.tokensOf(id) });
  },

  async createToken({ caller, body, parameters, recheck }, { users }) {
    const id = parameters['user_id']!;
    const refusal = otherUserRefusal(caller, id);
    if (refusal) return refusal;
    const token = await users.createToken(id, body.name, { guard: recheck });
    return 'refused' in token ? token : answer(token);
  },

  async deleteToken({ caller, parameters, recheck }, services) {
    const user_id = parameters['user_id']!;
    const token_id = parameters['token_id']!;
    const refusal = otherUserRefusal(caller, user_id);
    if (refusal) return refusal;
    const found = await services.users.removeToken(user_id, token_id, recheck);
    if (typeof found !== 'boolean') return found;
    if (!found) return refuse('not_found', `There is no token ${token_id}`);
    endSessions(services, (session) => session.token_id === token_id, [token_id]);
    return EMPTY;
  },
};
