/**
 * What happens after a rule, held or broken: the robot is brought back to where the next rule can
 * start: ready, unlocked, nobody listening, without the toolpaths of the rule.
 */
import { type ArmClient, connect } from '../client.ts';
import { sendCall } from './actor.ts';
import type { Listener, RuleContext } from './rule.ts';
import type { RunOptions, Tokens } from './run-options.ts';

/** The way toward ready that each state leaves open. */
const WAYS = {
  running: 'pause',
  stopping: 'pause',
  paused: 'cancel',
  error: 'resetErrors',
  collision: 'acknowledgeCollision',
} as const;

const NAMES = ['user', 'other', 'admin'] as const;

function wayOut(state: string) {
  return Object.entries(WAYS).find(([from]) => from === state)?.[1] ?? null;
}

/** Ends motions and errors step by step until the robot is ready. */
async function bringToRest(context: RuleContext, session: string): Promise<void> {
  await context.until('the robot is ready again', async () => {
    const { state } = (await context.snapshot()).control;
    const way = wayOut(state);
    // A refused step is tried again: the state may have changed meanwhile.
    if (way) await sendCall({ send: context.raw, dialect: 'documented', session }, way, {});
    return state === 'ready';
  });
}

/** Gives the lock back if this client has it, or takes it when nobody else can help the robot. */
async function freeRobot(context: RuleContext, arm: ArmClient, isFirst: boolean): Promise<void> {
  const { owner } = await arm.getLock();
  if (owner === 'none') {
    const { state } = (await context.snapshot()).control;
    if (!isFirst || state === 'ready') return;
    await arm.takeLock();
  } else if (owner !== 'you') return;
  await bringToRest(context, await arm.session());
  await arm.releaseLock();
}

async function removeToolpaths(arm: ArmClient): Promise<void> {
  const { toolpaths } = await arm.listToolpaths();
  const own = toolpaths.filter((toolpath) => toolpath.name.startsWith('rules '));
  for (const { id } of own) await arm.deleteToolpath({ toolpath_id: id });
}

export interface Aftermath {
  readonly options: RunOptions;
  readonly tokens: Tokens;
  readonly context: RuleContext;
  readonly listeners: readonly Pick<Listener, 'close'>[];
}

/** Cleans up after a rule; rejects when the robot does not become ready. */
export async function cleanUp({ options, tokens, context, listeners }: Aftermath): Promise<void> {
  for (const listener of listeners) listener.close();
  const { baseUrl } = options;
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  for (const name of NAMES) {
    const token = tokens[name];
    if (token === null) continue;
    const arm = connect({ baseUrl, token, ...fetching });
    await freeRobot(context, arm, name === 'user');
    if (name === 'user') await removeToolpaths(arm);
    await arm.endSession();
  }
}
