/** Steps that many rules share. */
import type { Actor, RuleContext } from './rule.ts';

/** Runs `work` while the clock is paused; only `advanceClock` advances time. */
export async function whileClockPaused(
  context: RuleContext,
  work: (admin: Actor) => Promise<void>,
): Promise<void> {
  await (await context.as('admin')).does('setClock', { paused: true });
  try {
    await work(await context.as('admin'));
  } finally {
    const { session } = await newAdminSession(context);
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const request = { method: 'PUT', path: '/sim/v1/clock', headers };
    await context.raw({ ...request, body: '{"paused":false}' });
  }
}

/** A new session of the admin, for use after a power cycle or a long time. */
export async function newAdminSession(context: RuleContext): Promise<{ readonly session: string }> {
  const anonymous = await context.as('anonymous');
  const { token } = await anonymous.does('createSession', { token: context.tokenOf('admin') });
  return { session: token };
}

/** Sends a call in a new session of the admin and returns the status. */
export async function statusOf(context: RuleContext, call: string, body: object): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const { session } = await newAdminSession(context);
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  return (await context.raw({ method, path, headers, body: JSON.stringify(body) })).status;
}

/** The robot's state (spec §3.1). */
export async function stateOf(context: RuleContext): Promise<string> {
  return (await context.snapshot()).control.state;
}

/** Advances arm time until the robot reaches a state. */
export async function waitForState(context: RuleContext, state: string): Promise<void> {
  await context.until(`the robot is ${state}`, async () => (await stateOf(context)) === state);
}

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
