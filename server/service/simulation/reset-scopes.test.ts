/** What a reset of one scope, and the start of a twin from a seed, change and leave. */
import { describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { withTwinClient } from './twin-client.cases.ts';

const HALF = { x: 0.05, y: 0.05, z: 0.05 };
const BOX = { position: { x: 1, y: 0, z: 0 }, half: HALF };

describe('a reset of the recording', () => {
  it('forgets journal, snapshots, runs and recording, and nothing else', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'Small', toolpath: smallToolpath() });
      await arm.home();
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.run({ mode: 'automatic', loop: 1 });
      await twin.advance(0.1);
      await arm.keepState({ name: 'a' });
      await arm.startRecording();
      const { tick } = await arm.getClock();
      await arm.resetTwin({ scopes: ['recording'] });
      expect(await arm.searchJournal({})).toEqual({ entries: [], lost: 0 });
      expect((await arm.listStates()).states).toEqual([]);
      expect((await arm.listRobotRuns()).runs).toEqual([]);
      expect(await arm.getRecording()).toMatchObject({ recording: false, bytes: 0 });
      expect((await arm.getClock()).tick).toBe(tick);
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('running');
    });
  });
});

describe('a reset of the users', () => {
  const eve = { email: 'eve@example.org', password: 'a long one' };

  it('keeps the token of the caller, and gives its id to no other', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser(eve);
      await arm.updateUser({ user_id: user.id }, { role: 'admin' });
      const other = await arm.createToken({ user_id: user.id }, { name: 'lost' });
      const { id, token } = await arm.createToken({ user_id: user.id }, { name: 'kept' });
      const caller = connect({ baseUrl: twin.url, token });
      await caller.resetTwin({ scopes: ['users'] });
      const { users } = await caller.listUsers();
      expect(users.map((one) => one.id)).toEqual([1, user.id]);
      const { tokens } = await caller.listTokens({ user_id: user.id });
      expect(tokens.map((one) => one.id)).toEqual([id]);
      const next = await caller.createToken({ user_id: user.id }, { name: 'next' });
      expect(next.id).toBeGreaterThan(id);
      const lost = connect({ baseUrl: twin.url, token: other.token });
      await expect(lost.getLock()).rejects.toMatchObject({ status: 401 });
    });
  });

  it('restores a caller who was an admin at the start, and keeps one who became one', async () => {
    for (const role of ['admin', 'user'] as const) {
      const token = 'a token of the seed, of many characters';
      const seed = { users: [{ ...eve, role, tokens: [{ name: 'seeded', token }] }] };
      await withTwinClient({ seed }, async ({ twin, arm }) => {
        const before = (await arm.listUsers()).users;
        const { id: user_id } = before.find(({ email }) => email === eve.email)!;
        await arm.updateUser({ user_id }, { email: 'changed@example.org', role: 'admin' });
        const changed = (await arm.listUsers()).users;
        await connect({ baseUrl: twin.url, token }).resetTwin({ scopes: ['users'] });
        expect((await arm.listUsers()).users).toEqual(role === 'admin' ? before : changed);
      });
    }
  });

  it('gives no id again that another user had', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const { user } = await arm.createUser(eve);
      await arm.resetTwin({ scopes: ['users'] });
      expect((await arm.listUsers()).users).toHaveLength(1);
      expect((await arm.createUser(eve)).user.id).toBeGreaterThan(user.id);
    });
  });

  it('keeps a lock whose token is still there', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.resetTwin({ scopes: ['users'] });
      expect(await arm.getLock()).toEqual({ owner: 'you', status: 'locked' });
    });
  });
});

describe('a reset of the state', () => {
  it('leaves the obstacles that are there, whether there were some before or not', async () => {
    const obstacles = [{ name: 'at start', ...BOX }];
    await withTwinClient({ seed: { obstacles } }, async ({ arm }) => {
      const names = async () => (await arm.listObstacles()).obstacles.map(({ name }) => name);
      await arm.addObstacle({ name: 'later', ...BOX });
      await arm.resetTwin({ scopes: ['state'] });
      expect(await names()).toEqual(['at start', 'later']);
      for (const { id } of (await arm.listObstacles()).obstacles) {
        await arm.removeObstacle({ obstacle_id: id });
      }
      await arm.resetTwin({ scopes: ['state'] });
      expect(await names()).toEqual([]);
      await arm.resetTwin({ scopes: ['obstacles'] });
      expect(await names()).toEqual(['at start']);
    });
  });
});

describe('obstacles', () => {
  it('are at most as many as the limit', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const obstacles = Array.from({ length: limits.obstacles }, (_, i) => ({
        name: `box ${i}`,
        ...BOX,
      }));
      await arm.seedTwin({ obstacles });
      await expect(arm.addObstacle({ name: 'one more', ...BOX })).rejects.toMatchObject({
        status: 400,
        details: [{ problem: expect.stringContaining(`${limits.obstacles} obstacles`) }],
      });
      await arm.removeObstacle({ obstacle_id: 7 });
      const { obstacle } = await arm.addObstacle({ name: 'instead', ...BOX });
      expect(obstacle).toMatchObject({ id: limits.obstacles + 1, stiffness_n_per_m: 25_000 });
    });
  });
});

describe('the start from a seed', () => {
  it('fails with the place of what cannot be applied', async () => {
    const start = withTwinClient({ seed: { selected: 'none' } }, async () => null);
    await expect(start).rejects.toThrow(/The seed cannot be applied: .*\/selected/);
  });
});
