/** Handlers of users and API tokens (§5, D9). */

import { type Refusal, refuse } from '../../../../contract/refusal.ts';
import type { LogInRefusal } from '../../sessions/password-checks.ts';
import type { PublicUser, Users } from '../../sessions/users.ts';
import { EVERYONE } from '../../stream/audience.ts';
import type { Handlers } from '../handler.ts';
import { answer, EMPTY, type Reply } from '../reply.ts';
import type { Services } from '../services.ts';
import type { CallOrigin } from '../trusted-proxies.ts';
import { endSessions } from './sessions.ts';

/**
 * Refuses a change of one's own e-mail or password without the current password, and every call
 * with a wrong one: what a client sends to confirm a change is never ignored.
 */
async function confirmationRefusal(
  users: Users,
  given: {
    readonly id: number;
    readonly current_password: string | undefined;
    readonly isRequired: boolean;
    readonly origin: CallOrigin;
  },
): Promise<Refusal<'invalid_arguments'> | LogInRefusal | null> {
  const { id, current_password, isRequired, origin } = given;
  const problem = (text: string) =>
    refuse('invalid_arguments', [{ path: '/current_password', problem: text }]);
  if (current_password === undefined) {
    return isRequired ? problem('is required to change your own e-mail or password') : null;
  }
  const { email } = users.find(id)!;
  const confirmed = await users.logIn({
    email,
    password: current_password,
    address: origin.address,
  });
  if (confirmed && 'refused' in confirmed) return confirmed;
  return confirmed ? null : problem('is not your current password');
}

type UserEventType = 'user_created' | 'user_updated' | 'user_deleted';

function publishUserEvent(services: Services, type: UserEventType, user: PublicUser): Reply {
  services.hub.publish({ type, user }, EVERYONE);
  return answer({ user });
}

export const userHandlers: Handlers = {
  listUsers: (_call, { users }) => answer({ users: users.list() }),

  async createUser({ caller, body, origin, recheck, record }, services) {
    const { email, password } = body;
    const user = await services.users.create(email, password, {
      guard: recheck,
      onCreated: (draft, made) => record(draft, { reply: { user: made } }),
    });
    if ('refused' in user) return user;
    const { id: user_id, role } = user;
    services.audit.record('user_created', { by: caller.user_id, user_id, role, ...origin });
    return publishUserEvent(services, 'user_created', user);
  },

  async updateUser({ caller, body, parameters, origin, recheck }, services) {
    const id = parameters['user_id']!;
    if (body.role !== undefined && caller.role !== 'admin') return refuse('role_too_low');
    const { current_password, ...edit } = body;
    const isSecured = edit.email !== undefined || edit.password !== undefined;
    const unconfirmed = await confirmationRefusal(services.users, {
      id: caller.user_id,
      current_password,
      isRequired: caller.user_id === id && isSecured,
      origin,
    });
    if (unconfirmed) return unconfirmed;
    const isNew = { role: false, email: false };
    const user = await services.users.update(id, edit, {
      guard: recheck,
      onChanged: (before, after) => {
        isNew.role = after.role !== before.role;
        isNew.email = after.email !== before.email;
      },
    });
    if ('refused' in user) return user;
    const details = { by: caller.user_id, user_id: id, role: user.role, ...origin };
    if (edit.password !== undefined) services.audit.record('password_changed', details);
    if (isNew.role) services.audit.record('role_changed', details);
    if (isNew.email) services.audit.record('user_changed', details);
    // Every session rests on the old password or the old role.
    if (edit.password !== undefined || isNew.role) {
      await endSessions(services, (session) => session.user_id === id, null);
    }
    const isPublished = isNew.role || isNew.email;
    return isPublished ? publishUserEvent(services, 'user_updated', user) : answer({ user });
  },

  async deleteUser({ caller, parameters, origin, recheck }, services) {
    const id = parameters['user_id']!;
    const tokens = services.users.tokensOf(id).map((token) => token.id);
    const user = await services.users.remove(id, recheck);
    if ('refused' in user) return user;
    services.library.forgetShared(id);
    await endSessions(services, (session) => session.user_id === id, tokens);
    services.audit.record('user_deleted', { by: caller.user_id, user_id: id, ...origin });
    return publishUserEvent(services, 'user_deleted', user);
  },

  listTokens: ({ parameters }, { users }) =>
    answer({ tokens: users.tokensOf(parameters['user_id']!) }),

  async createToken({ caller, body, parameters, origin, recheck, record }, { users, audit }) {
    const id = parameters['user_id']!;
    const token = await users.createToken(id, body.name, {
      guard: recheck,
      onCreated(draft, token_id) {
        const text = `The key created token ${token_id}, whose secret is shown once`;
        record(draft, { notRepeatable: `${text}; delete it and create another with a new key` });
      },
    });
    if ('refused' in token) return token;
    const details = { by: caller.user_id, user_id: id, token_id: token.id, ...origin };
    audit.record('token_created', details);
    return answer(token);
  },

  async deleteToken({ caller, parameters, origin, recheck }, services) {
    const user_id = parameters['user_id']!;
    const token_id = parameters['token_id']!;
    const found = await services.users.removeToken(user_id, token_id, recheck);
    if (typeof found !== 'boolean') return found;
    if (!found) return refuse('not_found', `There is no token ${token_id}`);
    await endSessions(services, (session) => session.token_id === token_id, [token_id]);
    services.audit.record('token_deleted', { by: caller.user_id, user_id, token_id, ...origin });
    return EMPTY;
  },
};
