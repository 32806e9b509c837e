/**
 * Runs rules against a service behind a base URL and reports what held. Brings its own users
 * where it may make some, and leaves the robot ready, unlocked and without their toolpaths.
 */
import { type ArmClient, ArmError, connect } from '../client.ts';
import { cleanUp } from './aftermath.ts';
import { createContext } from './context.ts';
import { RuleBroken } from './expectation.ts';
import type { Needs, Rule } from './rule.ts';
import type { RuleResult, RunOptions, Tokens } from './run-options.ts';

/** What this run may ask of the service. */
interface Grants {
  readonly options: RunOptions;
  readonly tokens: Tokens;
  /** What /sim/v1 lets this token reach. */
  readonly hand: Hand;
}

/** The parts of the hand on a simulated arm; an arm of servos has the first alone. */
interface Hand {
  readonly sim: boolean;
  readonly world: boolean;
  readonly pace: boolean;
}

interface Guests {
  readonly tokens: Tokens;
  leave(): Promise<void>;
}

const PATIENCE_S = 60;
const PASSWORD = 'only for the length of one run';

function skipReason(needs: Needs, { options, tokens, hand }: Grants): string | null {
  const patience_s = options.patience_s ?? PATIENCE_S;
  if (needs.motion && options.motion === false) return 'the arm may not move';
  if (needs.admin && tokens.admin === null) return 'there is no admin token';
  if (needs.secondUser && tokens.other === null) return 'there is no second user';
  if (needs.sim && !hand.sim) return 'the service has no /sim/v1 for this token';
  if (needs.world && !hand.world) return 'there is no simulated world around this arm';
  if (needs.pace && !hand.pace) return 'the clock of this arm cannot be set';
  if (needs.update && !options.update) return 'no update may be installed';
  if (needs.ground && !options.ground) return 'nothing below HTTP is within reach';
  for (const [duration_s = 0, kind] of [
    [needs.armTime_s, 'arm'],
    [needs.wallTime_s, 'wall'],
  ] as const) {
    if (duration_s <= patience_s) continue;
    return `it takes ${duration_s} s of ${kind} time, more than the ${patience_s} s granted`;
  }
  return null;
}

async function createGuest(admin: ArmClient, options: RunOptions, email: string) {
  const logIn = { email, password: PASSWORD };
  const { user } = await admin.createUser(logIn);
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const self = connect({ baseUrl: options.baseUrl, logIn, ...fetching });
  const { token } = await self.createToken({ user_id: user.id }, { name: 'rules' });
  return { id: user.id, token };
}

/** The tokens given, where no user can be made. */
function givenTokens(options: RunOptions): Guests {
  const admin = options.admin === false ? null : options.token;
  const tokens = { user: options.token, other: options.secondToken ?? null, admin };
  return { tokens, leave: async () => {} };
}

/** Two ordinary users of this run alone where an admin can make them. */
async function inviteGuests(client: ArmClient, options: RunOptions): Promise<Guests> {
  if (options.admin === false) return givenTokens(options);
  try {
    return await makeGuests(client, options);
  } catch (error) {
    // The spec names users and tokens without showing their calls: an arm may have others.
    const unknown = error instanceof ArmError && [404, 405, 501].includes(error.status);
    if (unknown) return givenTokens(options);
    throw error;
  }
}

async function makeGuests(client: ArmClient, options: RunOptions): Promise<Guests> {
  const { users } = await client.listUsers();
  const round = users.reduce((highest, user) => Math.max(highest, user.id), 0);
  const user = await createGuest(client, options, `rules-${round}-a@armtwin.test`);
  const other = await createGuest(client, options, `rules-${round}-b@armtwin.test`);
  return {
    tokens: { user: user.token, other: other.token, admin: options.token },
    async leave() {
      await client.deleteUser({ user_id: user.id });
      await client.deleteUser({ user_id: other.id });
    },
  };
}

/** How far this token can lay hands on the arm: not at all, or on what a simulated one has. */
async function reachOf(client: ArmClient, options: RunOptions): Promise<Hand> {
  const headers = {
    Authorization: `Bearer ${await client.session()}`,
    'Content-Type': 'application/json',
  };
  const send = options.fetch ?? fetch;
  const reaches = async (method: string, path: string, body?: string) => {
    const content = body === undefined ? {} : { body };
    const reply = await send(`${options.baseUrl}${path}`, { method, headers, ...content });
    await reply.text();
    return reply.status === 200;
  };
  if (!(await reaches('GET', '/sim/v1/clock'))) return { sim: false, world: false, pace: false };
  return {
    sim: true,
    world: await reaches('GET', '/sim/v1/obstacles'),
    pace: await reaches('POST', '/sim/v1/clock/advance', '{"seconds":0}'),
  };
}

async function runRule(rule: Rule, grants: Grants): Promise<RuleResult> {
  const skip = skipReason(rule.needs ?? {}, grants);
  if (skip !== null) return { rule, outcome: 'skipped', reason: skip };
  const { options, tokens } = grants;
  const { context, listeners } = createContext(options, tokens);
  const reasons: string[] = [];
  const note = (error: unknown) => reasons.push(reasonOf(error));
  await rule.check(context).catch(note);
  const aftermath = { options, tokens, context, listeners };
  await cleanUp(aftermath).catch((error: unknown) => note(`afterwards: ${reasonOf(error)}`));
  const outcome = reasons.length === 0 ? 'held' : 'broken';
  return { rule, outcome, reason: reasons.join('; ') };
}

function reasonOf(error: unknown): string {
  if (error instanceof RuleBroken) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Runs the rules one after another. Rejects only when the users of the run cannot be made. */
export async function runRules(
  rules: readonly Rule[],
  options: RunOptions,
): Promise<readonly RuleResult[]> {
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const client = connect({ baseUrl: options.baseUrl, token: options.token, ...fetching });
  const guests = await inviteGuests(client, options);
  const { tokens } = guests;
  const grants = { options, tokens, hand: await reachOf(client, options) };
  const results: RuleResult[] = [];
  for (const rule of rules) {
    const result = await runRule(rule, grants);
    results.push(result);
    options.onResult?.(result);
  }
  await guests.leave();
  return results;
}
