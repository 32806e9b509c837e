/**
 * Time that stands still while a rule looks closely, and calls of an admin whose session may have
 * ended meanwhile: days pass in some rules, and a power cycle ends all sessions.
 */
import type { Actor, RuleContext } from './rule.ts';

/** Does something while time passes by `advanceClock` alone. */
export async function whilePaused(
  context: RuleContext,
  work: (admin: Actor) => Promise<void>,
): Promise<void> {
  await (await context.as('admin')).does('setClock', { paused: true });
  try {
    await work(await context.as('admin'));
  } finally {
    const { session } = await reborn(context);
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const request = { method: 'PUT', path: '/sim/v1/clock', headers };
    await context.raw({ ...request, body: '{"paused":false}' });
  }
}

/** A new session of the admin: a power cycle ends those before. */
export async function reborn(context: RuleContext): Promise<{ readonly session: string }> {
  const nobody = await context.as('nobody');
  const { token } = await nobody.does('createSession', { token: context.tokenOf('admin') });
  return { session: token };
}

/** A call of a new session of the admin; answers the status. */
export async function statusOf(context: RuleContext, call: string, body: object): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const { session } = await reborn(context);
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  return (await context.raw({ method, path, headers, body: JSON.stringify(body) })).status;
}
