/** How the robot stands, and the first steps that many rules share. */
import type { Actor, RuleContext } from './rule.ts';

/** The robot's state (spec §3.1). */
export async function stateOf(context: RuleContext): Promise<string> {
  return (await context.snapshot()).control.state;
}

/** Lets arm time pass until the robot is in a state. */
export async function reaches(context: RuleContext, state: string): Promise<void> {
  await context.until(`the robot is ${state}`, async () => (await stateOf(context)) === state);
}

/** The user, with the lock. */
export async function locked(context: RuleContext): Promise<Actor> {
  const user = await context.as('user');
  await user.does('takeLock');
  return user;
}

/** The id of the user behind an actor: the one whose tokens it may list as no admin. */
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
