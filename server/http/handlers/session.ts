/** Session calls (spec §4.1, decision D9). */
import { refuse } from '../../robot/refusal.ts';
import { answer, EMPTY, type Handlers } from '../handler.ts';

export const sessionHandlers: Handlers = {
  createSession({ body, address }, { people, sessions, failedLogIns }) {
    if (failedLogIns.tooMany(address)) return refuse('too_many_log_ins');
    const token = people.tokenOf(body.token);
    if (!token) {
      failedLogIns.note(address);
      return refuse('wrong_credentials', 'The API token is unknown; it may have been revoked');
    }
    people.noteUse(token);
    return answer({ token: sessions.create(token.user_id, token.id) });
  },

  async logIn({ body, address }, { people, sessions, failedLogIns }) {
    if (failedLogIns.tooMany(address)) return refuse('too_many_log_ins');
    const user = await people.logIn(body.email, body.password);
    if (!user) {
      failedLogIns.note(address);
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
