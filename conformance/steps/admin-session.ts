/** New sessions of the admin during a rule. */
import type { RuleContext } from '../rule-context.ts';

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
