/** Refusals by what the row of a route demands of its object, of the lock and of the state. */
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import { stateRefusal } from '../../robot/state-refusal.ts';
import type { Identity } from './authentication.ts';
import type { Services } from './services.ts';

/** Refuses objects in the path that are unknown or belong to another user (§2.1). */
export function objectRefusal(
  parameters: Readonly<Record<string, number>>,
  identity: Identity | null,
  services: Services,
): Refusal | null {
  const { toolpath_id, user_id } = parameters;
  if (toolpath_id !== undefined && identity) {
    const found = services.library.find(identity.caller.user_id, toolpath_id);
    if (!found) return refuse('not_found', `You have no toolpath ${toolpath_id}`);
  }
  if (user_id !== undefined && !services.users.find(user_id)) {
    return refuse('not_found', `There is no user ${user_id}`);
  }
  return null;
}

/** Refuses a call without the lock that it needs, or in a state in which it is not possible. */
export function robotRefusal(
  row: RouteRow,
  identity: Identity | null,
  services: Services,
): Refusal | null {
  if (row.lock && identity && !services.robot.holdsLock(identity.caller)) {
    return refuse('lock_not_held');
  }
  return row.command ? stateRefusal(services.robot.memory, row.command) : null;
}
