/** Named snapshots and recordings in memory over HTTP: what is kept, listed, found and refused. */
import { describe, expect, it } from 'vitest';
import { connect } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { edited, put } from './hostile-snapshots.cases.ts';
import { withTwinClient } from './twin-client.cases.ts';

const HALF = { x: 0.05, y: 0.05, z: 0.05 };
const BOX = { position: { x: 1, y: 0, z: 0 }, half: HALF };

describe('named snapshots', () => {
  it('are listed with their ticks and states, those of files too', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const first = { name: 'first', tick: 0, state: 'ready' };
      expect(await arm.keepState({ name: 'first' })).toEqual({ state: first });
      await twin.advance(1);
      await arm.setEmergencyStop({ engaged: true });
      await arm.keepState({ name: 'second' });
      const second = { name: 'second', tick: 250, state: 'disabled' };
      const file = await arm.exportState({ name: 'second' });
      const { state } = await arm.importState({ ...file, name: 'of a file' });
      expect(state).toEqual({ ...second, name: 'of a file' });
      expect((await arm.listStates()).states).toEqual([first, second, state]);
      await arm.restoreState({ name: 'of a file' });
      expect((await arm.listStates()).states).toEqual([first, second, state]);
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('disabled');
      expect(await arm.exportState({ name: 'of a file' })).toMatchObject({ sha256: file.sha256 });
    });
  });

  it('replace those of the same name; further ones are refused at the limit', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const names = Array.from({ length: limits.snapshots }, (_, i) => `number ${i}`);
      for (const name of names) await arm.keepState({ name });
      await expect(arm.keepState({ name: 'one more' })).rejects.toMatchObject({
        status: 400,
        details: [{ problem: expect.stringContaining(`${limits.snapshots} named snapshots`) }],
      });
      await twin.advance(1);
      await arm.keepState({ name: names[0]! });
      const { states } = await arm.listStates();
      expect(states.map(({ name }) => name)).toEqual(names);
      expect(states[0]!.tick).toBe(250);
      const file = await arm.exportState({ name: names[0]! });
      await expect(arm.importState({ ...file, name: 'x' })).rejects.toMatchObject({ status: 400 });
    });
  });

  it('that are unknown are refused, also by an export', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const unknown = { status: 404, details: expect.stringContaining('“none”') };
      await expect(arm.restoreState({ name: 'none' })).rejects.toMatchObject(unknown);
      await expect(arm.exportState({ name: 'none' })).rejects.toMatchObject(unknown);
    });
  });

  it('of another driver or version are refused with the place', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      for (const [place, problem] of [
        ['driver', /driver other/],
        ['physics', /other physics/],
      ] as const) {
        const other = edited(file, (content) => put(content, [place], 'other'));
        await expect(arm.importState(other)).rejects.toMatchObject({
          status: 400,
          details: [{ path: '/data', problem: expect.stringMatching(problem) }],
        });
      }
    });
  });

  it('have the toolpath that was loaded, and the obstacles and the faults of then', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.useUnsavedToolpath({ name: 'Small', toolpath: smallToolpath() });
      await arm.addObstacle({ name: 'then', ...BOX });
      await arm.addFault({ kind: 'stuck_input', input: 'd1' });
      await arm.keepState({ name: 'then' });
      const file = await arm.exportState({ name: 'then' });
      await arm.addObstacle({ name: 'later', ...BOX });
      await arm.clearFault({ fault_id: 1 });
      await arm.resetTwin({ scopes: ['state'] });
      await arm.importState({ ...file, name: 'of a file' });
      for (const name of ['then', 'of a file']) {
        await arm.restoreState({ name });
        const { obstacles } = await arm.listObstacles();
        expect(obstacles.map((one) => [one.id, one.name])).toEqual([[1, 'then']]);
        expect((await arm.listFaults()).faults).toMatchObject([{ id: 1 }]);
        await arm.home();
        await arm.runUntil({ state: 'ready', limit_s: 60 });
        const { obstacle } = await arm.addObstacle({ name: 'new', ...BOX });
        expect(obstacle.id).toBe(2);
      }
      expect(twin.now_s()).toBeGreaterThan(0);
    });
  });

  it('continue the time in the present state', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await twin.advance(0.4);
      await arm.setEmergencyStop({ engaged: true });
      await twin.advance(1);
      const { state_since_s } = await arm.getStatus();
      expect(state_since_s).toBeCloseTo(0.4, 2);
      await arm.keepState({ name: 'a' });
      await twin.advance(1);
      await arm.restoreState({ name: 'a' });
      expect(await arm.getStatus()).toMatchObject({ state_since_s, now_s: 1.4 });
    });
  });

  it('continue an update', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.takeLock();
      const { updates } = await arm.checkUpdates();
      await arm.applyUpdate({ version: updates[0]!.version });
      await twin.advance(0.1);
      await arm.keepState({ name: 'updating' });
      const { tick } = await arm.getClock();
      await arm.runUntil({ state: 'ready', limit_s: 600 });
      const due = (await arm.getClock()).tick;
      await arm.restoreState({ name: 'updating' });
      expect(await arm.getClock()).toMatchObject({ tick });
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('updating');
      await arm.runUntil({ state: 'ready', limit_s: 600 });
      expect((await arm.getClock()).tick).toBe(due);
    });
  });

  it('of a file free the lock of a token that is gone', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser({ email: 'eve@example.org', password: 'a long one' });
      const { id, token } = await arm.createToken({ user_id: user.id }, { name: 'eve' });
      await connect({ baseUrl: twin.url, token }).takeLock();
      await arm.keepState({ name: 'locked' });
      const file = await arm.exportState({ name: 'locked' });
      await arm.deleteToken({ user_id: user.id, token_id: id });
      await arm.importState({ ...file, name: 'of a file' });
      await arm.restoreState({ name: 'of a file' });
      expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
    });
  });
});

describe('a recording in memory', () => {
  it('stays when it is stopped, until the next starts', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const none = { recording: false, bytes: 0, truncated: false };
      expect(await arm.getRecording()).toEqual(none);
      expect(await arm.stopRecording()).toEqual(none);
      await expect(arm.getTape()).rejects.toMatchObject({ status: 404 });
      expect(await arm.startRecording()).toMatchObject({ recording: true, truncated: false });
      await twin.advance(2);
      const stopped = await arm.stopRecording();
      expect(stopped).toMatchObject({ recording: false, truncated: false });
      expect(stopped.bytes).toBeGreaterThan(100);
      const { tape } = await arm.getTape();
      await twin.advance(2);
      expect(await arm.getRecording()).toEqual(stopped);
      expect((await arm.getTape()).tape).toBe(tape);
      await arm.startRecording();
      expect((await arm.getTape()).tape).not.toBe(tape);
    });
  });
});
