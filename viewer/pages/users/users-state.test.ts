import { expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { failure, success } from '../../../contract/result.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { UsersState } from './users-state.ts';

const ADA = { id: 1, email: 'ada@example.org', role: 'admin' } as const;
const BOB = { id: 2, email: 'bob@example.org', role: 'user' } as const;

/** A state over an arm that has these users, and the names of the calls that reached it. */
function stateOf({ refuses = '' } = {}) {
  const made: string[] = [];
  const share = { share: 'live_runs', owners: [{ user_id: 2, used: 1 }] };
  const runs = [
    { id: 5, name: 'assay', state: 'running' },
    { id: 4, name: 'assay', state: 'stopped' },
  ];
  const replies: Readonly<Record<string, object>> = {
    listUsers: { users: [ADA, BOB] },
    listTokens: { tokens: [{ id: 7, name: 'laptop' }] },
    getUsage: { usage: [share] },
    listRunsOfUser: { runs },
    deleteUser: {},
  };
  const client = new Proxy({} as ArmClient, {
    get: (_, name) => () => {
      made.push(String(name));
      return Promise.resolve(replies[String(name)]);
    },
  });
  const call = async (action: (of: ArmClient) => Promise<unknown>) => {
    const reply = await action(client);
    const refused = { kind: 'unreachable' } as const;
    return made.at(-1) === refuses ? failure(refused) : success(reply);
  };
  return { state: new UsersState({ call } as object as ArmCalls), made };
}

it('reads what users use for an admin alone, and of the runs those that are on', async () => {
  const { state, made } = stateOf();
  state.userId.value = BOB.id;
  await state.refresh();
  expect([state.me.value?.email, state.usage.value]).toEqual([BOB.email, null]);
  expect(made).toEqual(['listUsers', 'listTokens']);
  state.userId.value = ADA.id;
  await state.refresh();
  expect(state.isAdmin.value).toBe(true);
  expect(state.runs.value.map(({ run, email }) => [run.id, email])).toEqual([[5, BOB.email]]);
});

it('knows nobody before the users are read, and after the user has left', async () => {
  const { state } = stateOf();
  state.userId.value = ADA.id;
  expect([state.me.value, state.users.value]).toEqual([null, null]);
  await state.refresh();
  expect(state.tokens.value).toHaveLength(1);
  state.clear();
  expect([state.me.value, state.tokens.value, state.usage.value]).toEqual([null, [], null]);
});

it('says what a change has done, or why it was refused, and reads all again', async () => {
  const kept = stateOf();
  const remove = (client: ArmClient) => client.deleteUser({ user_id: BOB.id });
  expect(await kept.state.change(remove, 'Gone.')).toEqual(success('Gone.'));
  expect(kept.made).toContain('listUsers');
  const { state } = stateOf({ refuses: 'deleteUser' });
  expect(await state.change(remove, 'Gone.')).toMatchObject({
    ok: false,
    error: expect.any(String),
  });
});
