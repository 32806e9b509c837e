/** The users of a run of rules: created for it if they can be, else given. */

import { type ArmClient, ArmError, connect } from '../contract/client.ts';
import type { ActorTokens } from './actor.ts';
import { reasonOf } from './rule-broken.ts';
import type { RuleRunOptions } from './run-options.ts';

interface TestUsers {
  readonly tokens: ActorTokens;
  remove(): Promise<void>;
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
export async function createTestUsers(
  client: ArmClient,
  options: RuleRunOptions,
): Promise<TestUsers> {
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
