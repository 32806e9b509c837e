/**
 * What follows a rule: the robot returns to ready, the lock is released, and the toolpaths of the
 * rule are deleted.
 */

import { type ArmClient, connect } from '../contract/client.ts';
import type { RouteId } from '../contract/routes.ts';
import { type ActorTokens, sendCall } from './actor.ts';
import type { RuleContext } from './rule-context.ts';
import type { RuleRunOptions } from './run-options.ts';
import type { StreamListener } from './stream-listener.ts';

/** The call that leads from each state toward ready, a rule that failed half-way included. */
const RECOVERY_CALLS = {
  running: ['pause', {}],
  stopping: ['pause', {}],
  paused: ['cancel', {}],
  error: ['resetErrors', {}],
  collision: ['acknowledgeCollision', {}],
  backdriving: ['setButtons', { body: { backdriving: false } }],
  disabled: ['setEmergencyStop', { body: { engaged: false } }],
} as const satisfies Record<string, [RouteId, { body?: object }]>;

function recoveryCall(state: string) {
  return Object.entries(RECOVERY_CALLS).find(([from]) => from === state)?.[1] ?? null;
}

/** Ends motions and errors until the robot is ready. */
async function returnToReady(context: RuleContext, session: string): Promise<void> {
  await context.until('the robot is ready again', async () => {
    const { state } = (await context.snapshot()).control;
    const call = recoveryCall(state);
    // A refused call is retried: the state may have changed meanwhile.
    if (call) {
      const [id, parts] = call;
      await sendCall({ send: context.raw, dialect: 'documented', session }, id, parts);
    }
    return state === 'ready';
  });
}

/** Returns the robot to ready and releases the lock, if this user holds it or no user does. */
async function freeRobot(context: RuleContext, arm: ArmClient, isFirst: boolean): Promise<void> {
  const { owner } = await arm.getLock();
  if (owner === 'none') {
    const { state } = (await context.snapshot()).control;
    if (!isFirst || state === 'ready') return;
    await arm.takeLock();
  } else if (owner !== 'you') return;
  await returnToReady(context, await arm.session());
  await arm.releaseLock();
}

async function removeToolpaths(arm: ArmClient): Promise<void> {
  const { toolpaths } = await arm.listToolpaths();
  const own = toolpaths.filter((toolpath) => toolpath.name.startsWith('rules '));
  for (const { id } of own) await arm.deleteToolpath({ toolpath_id: id });
}

export interface CleanUpParts {
  readonly options: RuleRunOptions;
  readonly tokens: ActorTokens;
  readonly context: RuleContext;
  readonly listeners: readonly Pick<StreamListener, 'close'>[];
}

/** Cleans up after a rule; rejects when the robot does not become ready. */
export async function cleanUp({
  options,
  tokens,
  context,
  listeners,
}: CleanUpParts): Promise<void> {
  for (const listener of listeners) listener.close();
  const { baseUrl } = options;
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  // Only an admin can release buttons and stops.
  const names = (['admin', 'user', 'other'] as const).filter((name) => tokens[name] !== null);
  for (const name of names) {
    const token = tokens[name];
    if (token === null) continue;
    const arm = connect({ baseUrl, token, ...fetching });
    await freeRobot(context, arm, name === names[0]);
    if (name === 'user') await removeToolpaths(arm);
    await arm.endSession();
  }
}
