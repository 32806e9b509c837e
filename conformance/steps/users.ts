/** The users behind the actors of a rule. */

import type { Actor } from '../actor.ts';
import type { RuleContext } from '../rule-context.ts';

/** The user, after acquiring the lock. */
export async function userWithLock(context: RuleContext): Promise<Actor> {
  const user = await context.as('user');
  await user.does('takeLock');
  return user;
}

/** The id of the user of a non-admin actor: the only user whose tokens it can list. */
export async function userIdOf(actor: Actor): Promise<number> {
  for (const { id: user_id } of (await actor.does('listUsers')).users) {
    const own = await actor.does('listTokens', { user_id }).then(
      () => true,
      () => false,
    );
    if (own) return user_id;
  }
  throw new TypeError('an actor owns no user');
}
