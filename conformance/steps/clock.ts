/** Steps of rules on the clock of the arm: while it is paused, and in real time. */

import type { Actor } from '../actor.ts';
import type { RuleContext } from '../rule-context.ts';
import { newAdminSession } from './admin-session.ts';

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

/** Whether a twin says that its clock is by itself faster than real time; arms say nothing. */
export function outrunsWall(headers: Headers): boolean {
  const pace = /clock=([^;]+)/.exec(headers.get('X-Armtwin') ?? '')?.[1];
  return pace === 'max' || Number(pace) > 1;
}

/**
 * Runs `work` on a clock that is no faster than real time by itself: on a faster one the twin keeps
 * the lock for its clients (D13). For rules with the need `realTime`.
 */
export async function inRealTime(context: RuleContext, work: () => Promise<void>): Promise<void> {
  const { headers } = await context.raw({ method: 'GET', path: '/api/v1/name' });
  if (!outrunsWall(headers)) return work();
  const admin = await context.as('admin');
  const { pace } = await admin.does('getClock');
  await admin.does('setClock', { pace: 1 });
  try {
    await work();
  } finally {
    await admin.does('setClock', { pace });
  }
}
