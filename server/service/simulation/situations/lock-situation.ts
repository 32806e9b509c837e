/** The situation that another log-in has taken the robot lock. */
import { refuse, refuseAt } from '../../../../contract/refusal.ts';
import type { Caller } from '../../../robot/caller.ts';
import { stateRefusal } from '../../../robot/state-refusal.ts';
import { identify } from '../../http/authentication.ts';
import type { Services } from '../../http/services.ts';
import type { SituationRefusal, SituationRow } from './situation.ts';

type LockServices = Pick<Services, 'loop' | 'robot' | 'sessions' | 'users'>;

/** A new log-in of the user that is named, else of another one than the holder if there is one. */
function logIn(services: LockServices, user_id: number | undefined): Caller | SituationRefusal {
  const { robot, sessions, users } = services;
  const all = users.list();
  const other = all.find(({ id }) => id !== robot.lockHolder?.user_id) ?? all[0];
  const user = user_id === undefined ? other : users.find(user_id);
  if (!user) return refuseAt('/user_id', `there is no user ${user_id}`);
  return identify(sessions.create(user.id, null), services)!.caller;
}

/** The row: the lock is free again when the situation ends. */
export function lockSituation(services: LockServices): SituationRow {
  const { loop, robot, sessions } = services;
  return {
    does:
      'Another log-in takes the robot lock from whoever holds it, and keeps it until it expires or ' +
      'the situation ends',
    parameters: ['user_id'],
    hindrance() {
      const refusal = stateRefusal(robot.memory, 'lock');
      return refusal && `In ${robot.memory.state} nobody can take the lock; leave it first`;
    },
    begin({ user_id }) {
      const thief = logIn(services, user_id);
      if ('refused' in thief) return thief;
      const { token_id } = thief;
      const { lockHolder } = robot;
      if (lockHolder) loop.apply({ kind: 'forget_token', token_id: lockHolder.token_id });
      const refusal = loop.apply({ kind: 'lock', caller: thief });
      if (refusal) return refuse('fault_cannot_act', String(refusal.details));
      return {
        isActive: () => robot.lockHolder?.token_id === token_id,
        end() {
          loop.apply({ kind: 'forget_token', token_id });
          sessions.endWhere((session) => session.token_id === token_id);
        },
      };
    },
  };
}
