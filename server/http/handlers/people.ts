/** Users and API tokens (spec §5; decision D9): whom a caller may see and change. */
import { limits } from '../../../contract/limits.ts';
import type { Caller } from '../../robot/commands.ts';
import { type Refusal, refuse, refuseMore } from '../../robot/refusal.ts';
import type { PublicUser } from '../../sessions/people.ts';
import type { Session } from '../../sessions/sessions.ts';
import { EVERYONE } from '../../stream/hub.ts';
import { type Answer, answer, EMPTY, type Handlers } from '../handler.ts';
import type { Rooms } from '../rooms.ts';

/** Others' accounts are for admins. */
function strangerRefusal(caller: Caller, user_id: number): Refusal | null {
  if (caller.user_id === user_id || caller.role === 'admin') return null;
  return refuse('role_too_low', 'Only admins may do this to other users');
}

/** Ends sessions and gives free the lock that their tokens hold. */
function endSessions(rooms: Rooms, fits: (session: Session) => boolean, tokens: number[]): void {
  rooms.sessions.endWhere(fits);
  for (const token_id of tokens) rooms.loop.apply({ kind: 'forget_token', token_id });
}

type UserNews = 'user_created' | 'user_updated' | 'user_deleted';

function announce(rooms: Rooms, type: UserNews, user: PublicUser): Answer {
  rooms.hub.tell({ type, user }, EVERYONE);
  return answer({ user });
}

export const peopleHandlers: Handlers = {
  listUsers: (_call, { people }) => answer({ users: people.list() }),

  async createUser({ body }, rooms) {
    if (rooms.people.list().length >= limits.users) return refuseMore('users', limits.users);
    const user = await rooms.people.create(body.email, body.password);
    return 'refused' in user ? user : announce(rooms, 'user_created', user);
  },

  async updateUser({ caller, body, parameters }, rooms) {
    const id = parameters['user_id']!;
    const refusal = strangerRefusal(caller, id);
    if (refusal) return refusal;
    if (body.role !== undefined && caller.role !== 'admin') return refuse('role_too_low');
    const user = await rooms.people.update(id, body);
    return 'refused' in user ? user : announce(rooms, 'user_updated', user);
  },

  async deleteUser({ parameters }, rooms) {
    const id = parameters['user_id']!;
    const tokens = rooms.people.tokensOf(id).map((token) => token.id);
    const owned = rooms.library.rowsOf(id);
    const user = await rooms.people.remove(id);
    if ('refused' in user) return user;
    await rooms.library.sweep(...owned);
    endSessions(rooms, (session) => session.user_id === id, tokens);
    return announce(rooms, 'user_deleted', user);
  },

  listTokens({ caller, parameters }, { people }) {
    const id = parameters['user_id']!;
    return strangerRefusal(caller, id) ?? answer({ tokens: people.tokensOf(id) });
  },

  async createToken({ caller, body, parameters }, { people }) {
    const id = parameters['user_id']!;
    const refusal = strangerRefusal(caller, id);
    if (refusal) return refusal;
    if (people.tokensOf(id).length >= limits.tokens_per_user) {
      return refuseMore('tokens of this user', limits.tokens_per_user);
    }
    return answer(await people.createToken(id, body.name));
  },

  async deleteToken({ caller, parameters }, rooms) {
    const user_id = parameters['user_id']!;
    const token_id = parameters['token_id']!;
    const refusal = strangerRefusal(caller, user_id);
    if (refusal) return refusal;
    const found = await rooms.people.removeToken(user_id, token_id);
    if (!found) return refuse('not_found', `There is no token ${token_id}`);
    endSessions(rooms, (session) => session.token_id === token_id, [token_id]);
    return EMPTY;
  },
};
