/** What replaces the whole twin, at the same time as other such calls and as ordinary ones. */

import { describe, expect, it, vi } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { type ArmClient, connect } from '../../../contract/client.ts';
import type { SeedBody } from '../../../contract/types.generated.ts';
import { Database } from '../../store/database.ts';
import { smallToolpath } from '../http/api-fixture.cases.ts';
import { withTwinClient } from './twin-client.cases.ts';

const EVE = { email: 'eve@example.org', password: 'a long one' };
const failed = (error: unknown) => error;

/** A seed that is refused after it has changed users and toolpaths. */
const REFUSED: SeedBody = {
  name: 'another arm',
  users: [
    {
      ...EVE,
      password: 'another one',
      role: 'admin',
      tokens: [{ name: 'a', token: 'x'.repeat(43) }],
    },
    { email: 'zoe@example.org', password: 'a third one' },
  ],
  toolpaths: [
    { name: 'known', toolpath: smallToolpath() },
    { name: 'new', toolpath: smallToolpath() },
  ],
  selected: 'nothing of this name',
};

describe('a seed that is refused', () => {
  it('takes back its own changes, and no others', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser(EVE);
      const former = smallToolpath();
      former.metadata.default_max_speed = 0.1;
      const { toolpath } = await arm.createToolpath({ name: 'known', toolpath: former });
      const { id, token } = await arm.createToken({ user_id: user.id }, { name: 'eve' });
      const users = (await arm.listUsers()).users;
      const [refusal, saved] = await Promise.all([
        arm.seedTwin(REFUSED).catch(failed),
        arm.createToolpath({ name: 'mine', toolpath: smallToolpath() }),
        arm.deleteToken({ user_id: user.id, token_id: id }),
      ]);
      expect(refusal).toMatchObject({ status: 400, details: [{ path: '/selected' }] });
      expect((await arm.listUsers()).users).toEqual(users);
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths.map(({ name }) => name).sort()).toEqual(['known', 'mine']);
      const toolpath_id = saved.toolpath.id;
      expect((await arm.getToolpath({ toolpath_id })).toolpath.name).toBe('mine');
      const known = toolpaths.find(({ name }) => name === 'known');
      expect(known).toMatchObject({ id: toolpath.id, hash: toolpath.hash });
      expect((await arm.getName()).name).not.toBe(REFUSED.name);
      for (const gone of [token, 'x'.repeat(43)]) {
        const error = await connect({ baseUrl: twin.url, token: gone }).getLock().catch(failed);
        expect(error).toMatchObject({ status: 401 });
      }
      const eve = connect({ baseUrl: twin.url, logIn: EVE });
      expect(await eve.getLock()).toMatchObject({ status: 'unlocked' });
    });
  });

  it('leaves what another call has changed of a user of the seed', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser(EVE);
      const user_id = user.id;
      await arm.updateUser({ user_id }, { role: 'admin' });
      const seeding = arm.seedTwin(REFUSED).catch(failed);
      const tokens = async () => (await arm.listTokens({ user_id })).tokens.length;
      while ((await tokens()) === 0) await new Promise(setImmediate);
      // The seed goes on with the password of the next user.
      await arm.updateUser({ user_id }, { role: 'user' });
      expect(await seeding).toMatchObject({ status: 400 });
      const { users } = await arm.listUsers();
      expect(users.find(({ id }) => id === user_id)).toMatchObject({ role: 'user' });
      const eve = connect({ baseUrl: twin.url, logIn: EVE });
      expect(await eve.getLock()).toMatchObject({ status: 'unlocked' });
    });
  });

  it('ends no workflow run and moves no time while nothing else was changed', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { workflow } = await arm.createWorkflow(sampleWorkflow());
      const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
      await twin.advance(1);
      const before = await arm.getSnapshot();
      expect(await arm.seedTwin(REFUSED).catch(failed)).toMatchObject({ status: 400 });
      expect((await arm.getRun({ run_id: run.id })).run.state).toBe('started');
      expect(await arm.getSnapshot()).toEqual(before);
    });
  });
});

/** All that calls of the whole twin change here. */
async function stateOf(arm: ArmClient) {
  const { users } = await arm.listUsers();
  const { toolpaths } = await arm.listToolpaths();
  const { snapshot } = await arm.getSnapshot();
  const { d0 } = snapshot['global.outputs'];
  return { users: users.length, toolpaths: toolpaths.length, d0 };
}

describe('what is read of the saved toolpaths', () => {
  it('is what a seed names, and for a snapshot what is not yet in memory', async () => {
    await withTwinClient({}, async ({ arm }) => {
      for (const name of ['known', 'other', 'third']) {
        await arm.createToolpath({ name, toolpath: smallToolpath() });
      }
      const readBody = vi.spyOn(Database.prototype, 'readBody');
      const read = () => readBody.mock.calls.splice(0).map(([row]) => row.id);
      expect(await arm.seedTwin(REFUSED).catch(failed)).toBeInstanceOf(Error);
      expect(read()).toEqual([1]);
      await arm.keepState({ name: 'before' });
      expect(read()).toEqual([1, 2, 3]);
      await arm.keepState({ name: 'the same' });
      expect(read()).toEqual([]);
      await arm.createToolpath({ name: 'fourth', toolpath: smallToolpath() });
      await arm.keepState({ name: 'after' });
      expect(read()).toHaveLength(1);
      readBody.mockRestore();
      await arm.restoreState({ name: 'before' });
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths.map(({ name }) => name)).toEqual(['known', 'other', 'third']);
    });
  });
});

describe('calls that replace the whole twin', () => {
  it('act one after the other', { tags: ['ci'] }, async () => {
    const seed: SeedBody = {
      users: [EVE],
      toolpaths: [{ name: 'one', toolpath: smallToolpath() }],
      outputs: { d0: true },
    };
    const nothing = { users: 1, toolpaths: 0, d0: false };
    const seeded = { users: 2, toolpaths: 1, d0: true };
    await withTwinClient({}, async ({ arm }) => {
      for (let i = 0; i < 3; i++) {
        await Promise.all([arm.seedTwin(seed), arm.resetTwin({})]);
        expect([nothing, seeded]).toContainEqual(await stateOf(arm));
        await Promise.all([arm.seedTwin(REFUSED).catch(failed), arm.seedTwin(seed)]);
        expect(await stateOf(arm)).toEqual(seeded);
        await arm.resetTwin({});
      }
    });
  });

  it('leave toolpaths that are saved meanwhile, where these are no part of them', async () => {
    await withTwinClient({}, async ({ arm }) => {
      for (let i = 1; i <= 5; i++) {
        const saving = arm.createToolpath({ name: `${i}`, toolpath: smallToolpath() });
        await Promise.all([saving, arm.resetTwin({ scopes: ['state', 'clock'] })]);
        expect((await arm.listToolpaths()).toolpaths).toHaveLength(i);
      }
    });
  });
});
