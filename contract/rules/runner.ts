/**
 * Runs conformance rules against a service and reports the results. Creates its own users if it
 * can. After each rule it returns the robot to ready, releases the lock and deletes the rule's
 * toolpaths.
 */
import { type ArmClient, ArmError, connect } from '../client.ts';
import type { RouteId } from '../routes.ts';
import { sendCall } from './actor.ts';
import { outrunsWall } from './common-steps.ts';
import { createContext } from './context.ts';
import {
  type ActorTokens,
  type Needs,
  type Rule,
  RuleBroken,
  type RuleContext,
  type RuleResult,
  type RuleRunOptions,
  type StreamListener,
} from './rule.ts';

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

/** The options, tokens and capabilities of this run. */
interface RunCapabilities {
  readonly options: RuleRunOptions;
  readonly tokens: ActorTokens;
  /** The parts of /sim/v1 that this token can use. */
  readonly sim: SimCapabilities;
}

/** The parts of the simulation control API; an arm with servos has only `sim`. */
interface SimCapabilities {
  readonly sim: boolean;
  readonly world: boolean;
  readonly pace: boolean;
  /** Whether the clock is by itself faster than real time. */
  readonly fast: boolean;
}

interface TestUsers {
  readonly tokens: ActorTokens;
  remove(): Promise<void>;
}

const RULE_LIMIT_S = 60;

function skipReason(needs: Needs, { options, tokens, sim }: RunCapabilities): string | null {
  const limit_s = options.ruleLimit_s ?? RULE_LIMIT_S;
  if (needs.motion && options.motion === false) return 'the arm may not move';
  if (needs.admin && tokens.admin === null) return 'there is no admin token';
  if (needs.secondUser && tokens.other === null) return 'there is no second user';
  if (needs.sim && !sim.sim) return 'the service has no /sim/v1 for this token';
  if (needs.world && !sim.world) return 'there is no simulated world around this arm';
  if (needs.pace && !sim.pace) return 'the clock of this arm cannot be set';
  if (needs.realTime && sim.fast && (!sim.pace || tokens.admin === null)) {
    return 'the clock of this twin is faster than real time, and this token cannot set it';
  }
  if (needs.update && !options.update) return 'no update may be installed';
  if (needs.rawTcp && !options.rawTcp) return 'raw TCP is not available';
  for (const [duration_s = 0, kind] of [
    [needs.armTime_s, 'arm'],
    [needs.wallTime_s, 'wall'],
  ] as const) {
    if (duration_s <= limit_s) continue;
    return `it takes ${duration_s} s of ${kind} time, more than the limit of ${limit_s} s`;
  }
  return null;
}

/** Creates users with a password of their own: a run that is killed leaves them behind. */
class TestUserMaker {
  private readonly ids: number[] = [];
  private readonly admin: ArmClient;
  private readonly options: RuleRunOptions;

  constructor(admin: ArmClient, options: RuleRunOptions) {
    this.admin = admin;
    this.options = options;
  }

  /** Creates a user; resolves to its API token. */
  async tokenOf(email: string): Promise<string> {
    const logIn = { email, password: globalThis.crypto.randomUUID() };
    const { user } = await this.admin.createUser(logIn);
    this.ids.push(user.id);
    const { baseUrl, fetch: given } = this.options;
    const self = connect({ baseUrl, logIn, ...(given ? { fetch: given } : {}) });
    const { token } = await self.createToken({ user_id: user.id }, { name: 'rules' });
    return token;
  }

  /** Deletes the users. */
  async remove(): Promise<void> {
    for (const user_id of this.ids.splice(0)) await this.admin.deleteUser({ user_id });
  }
}

/** The given tokens, used when users cannot be created. */
function givenTokens(options: RuleRunOptions): TestUsers {
  const admin = options.admin === false ? null : options.token;
  const tokens = { user: options.token, other: options.secondToken ?? null, admin };
  return { tokens, remove: async () => {} };
}

/** Creates two ordinary users for this run if an admin token is given. */
async function createTestUsers(client: ArmClient, options: RuleRunOptions): Promise<TestUsers> {
  if (options.admin === false) return givenTokens(options);
  try {
    return await createTwoUsers(client, options);
  } catch (error) {
    // The spec does not define the calls for users and tokens; an arm may have others.
    const status = error instanceof ArmError ? error.status : null;
    if (status !== null && [404, 405, 501].includes(status)) return givenTokens(options);
    // The caller could not find out by another call that this token is no admin's.
    if (status === 403) return givenTokens({ ...options, admin: false });
    throw error;
  }
}

async function createTwoUsers(client: ArmClient, options: RuleRunOptions): Promise<TestUsers> {
  const { users } = await client.listUsers();
  const round = users.reduce((highest, user) => Math.max(highest, user.id), 0);
  const maker = new TestUserMaker(client, options);
  try {
    const user = await maker.tokenOf(`rules-${round}-a@armtwin.test`);
    const other = await maker.tokenOf(`rules-${round}-b@armtwin.test`);
    const tokens = { user, other, admin: options.token };
    return { tokens, remove: () => maker.remove() };
  } catch (error) {
    await maker.remove().catch((why: unknown) => options.onLeftover?.(reasonOf(why)));
    throw error;
  }
}

/** Detects which parts of the simulation control API this token can use. */
async function detectSimCapabilities(
  client: ArmClient,
  options: RuleRunOptions,
): Promise<SimCapabilities> {
  const headers = {
    Authorization: `Bearer ${await client.session()}`,
    'Content-Type': 'application/json',
  };
  const send = options.fetch ?? fetch;
  let fast = false;
  const isAvailable = async (method: string, path: string, body?: string) => {
    const content = body === undefined ? {} : { body };
    const request = { method, headers, ...content, redirect: 'manual' } as const;
    const reply = await send(`${options.baseUrl}${path}`, request);
    await reply.text();
    fast = outrunsWall(reply.headers);
    return reply.status === 200;
  };
  const sim = await isAvailable('GET', '/sim/v1/clock');
  if (!sim) return { sim, world: false, pace: false, fast };
  return {
    sim,
    fast,
    world: await isAvailable('GET', '/sim/v1/obstacles'),
    pace: await isAvailable('POST', '/sim/v1/clock/advance', '{"seconds":0}'),
  };
}

async function runRule(rule: Rule, grants: RunCapabilities): Promise<RuleResult> {
  const skip = skipReason(rule.needs ?? {}, grants);
  if (skip !== null) return { rule, outcome: 'skipped', reason: skip };
  const { options, tokens, sim } = grants;
  const { context, afterwards, listeners } = createContext(options, tokens, sim);
  const reasons: string[] = [];
  const note = (error: unknown) => reasons.push(reasonOf(error));
  await rule.check(context).catch(note);
  const aftermath = { options, tokens, context: afterwards, listeners };
  await cleanUp(aftermath).catch((error: unknown) => note(`clean-up: ${reasonOf(error)}`));
  const outcome = reasons.length === 0 ? 'held' : 'broken';
  return { rule, outcome, reason: reasons.join('; ') };
}

function reasonOf(error: unknown): string {
  if (error instanceof RuleBroken) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A run of rules with its own users, one rule at a time. */
export interface RuleRun {
  check(rule: Rule): Promise<RuleResult>;
  /** Deletes the users of the run. */
  close(): Promise<void>;
}

/** Prepares a run of rules. Rejects when its users cannot be created. */
export async function startRuleRun(options: RuleRunOptions): Promise<RuleRun> {
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const client = connect({ baseUrl: options.baseUrl, token: options.token, ...fetching });
  const users = await createTestUsers(client, options);
  const { tokens } = users;
  const grants = { options, tokens, sim: await detectSimCapabilities(client, options) };
  return { check: (rule) => runRule(rule, grants), close: () => users.remove() };
}

/**
 * Runs the rules in sequence, until the signal of the options. Rejects only when the users of the
 * run cannot be created.
 */
export async function runRules(
  rules: readonly Rule[],
  options: RuleRunOptions,
): Promise<readonly RuleResult[]> {
  const run = await startRuleRun(options);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    if (options.signal?.aborted) break;
    const result = await run.check(rule);
    results.push(result);
    options.onResult?.(result);
  }
  // The results stay true without the service, which may have ended.
  await run.close().catch((error: unknown) => options.onLeftover?.(reasonOf(error)));
  return results;
}
