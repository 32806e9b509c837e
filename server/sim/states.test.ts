/** Reset and kept states, over the wire. */
import { describe, expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import { sampleWorkflow, WORK_S } from '../../contract/rules/workflow-samples.ts';
import { onStage, type Stage } from './sim.cases.ts';
import { fingerprint, KNOWN, useUp } from './states.cases.ts';

describe.each(['fast', 'rapier'] as const)('reset on %s', (driver) => {
  it('leaves a twin equal to a fresh one, twice as once', async () => {
    const fresh = await onStage({ ...KNOWN, driver }, ({ arm }) => fingerprint(arm));
    await onStage({ ...KNOWN, driver }, async (stage) => {
      await useUp(stage);
      await stage.arm.resetTwin({});
      expect(await fingerprint(stage.arm)).toBe(fresh);
      await stage.arm.resetTwin({});
      expect(await fingerprint(stage.arm)).toBe(fresh);
      expect((await stage.arm.getClock()).tick).toBe(0);
    });
  });

  it('is followed by the same digest as a start', async () => {
    const run = async ({ twin, arm }: Stage) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0.1, 0, 0, 0, 0] });
      await twin.advance(10);
      return twin.digest();
    };
    const fresh = await onStage({ ...KNOWN, driver }, run);
    await onStage({ ...KNOWN, driver }, async (stage) => {
      await useUp(stage);
      await stage.arm.resetTwin({});
      expect(await run(stage)).toBe(fresh);
    });
  });
});

describe('reset', () => {
  it.each(['fast', 'rapier'] as const)('takes no more than 50 ms on %s', async (driver) => {
    await onStage({ driver }, async (stage) => {
      const times_ms = [];
      for (let round = 0; round < 5; round++) {
        await useUp(stage);
        // Of the processor: what else the machine does is not the reset's.
        const before = process.cpuUsage();
        await stage.arm.resetTwin({});
        const { user, system } = process.cpuUsage(before);
        times_ms.push((user + system) / 1000);
      }
      expect(times_ms[0]).toBeLessThan(50);
      expect(Math.max(...times_ms.slice(1))).toBeLessThan(50);
    });
  });

  it('keeps what is outside its scopes', async () => {
    await onStage({}, async (stage) => {
      await useUp(stage);
      const { arm } = stage;
      await arm.resetTwin({ scopes: ['state'] });
      expect((await arm.listObstacles()).obstacles).toHaveLength(1);
      expect((await arm.listFaults()).faults).toHaveLength(1);
      expect((await arm.listUsers()).users).toHaveLength(2);
      expect((await arm.listToolpaths()).toolpaths).toHaveLength(1);
      expect((await arm.getClock()).tick).toBe(250);
      await arm.resetTwin({ scopes: ['faults', 'obstacles'] });
      expect((await arm.listFaults()).faults).toEqual([]);
      expect((await arm.listObstacles()).obstacles).toEqual([]);
      await arm.resetTwin({ scopes: ['users', 'toolpaths'] });
      expect((await arm.listUsers()).users).toHaveLength(1);
      expect((await arm.listToolpaths()).toolpaths).toEqual([]);
    });
  });

  it('ends all sessions but the one that asks, and keeps an admin made meanwhile', async () => {
    await onStage({}, async ({ twin, arm }) => {
      const logIn = { email: 'eve@example.org', password: 'a long one' };
      const { user } = await arm.createUser(logIn);
      await arm.updateUser({ user_id: user.id }, { role: 'admin' });
      const eve = connect({ baseUrl: twin.url, logIn });
      const session = connect({ baseUrl: twin.url, session: await arm.session() });
      await eve.resetTwin({});
      await expect(session.getLock()).rejects.toMatchObject({ status: 401 });
      expect((await eve.listUsers()).users.map(({ email }) => email)).toContain(logIn.email);
    });
  });

  it('ends runs, forgets definitions, and begins their numbers anew', async () => {
    const work = async ({ twin, arm }: Stage) => {
      const { workflow } = await arm.createWorkflow(sampleWorkflow());
      const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
      await twin.advance(WORK_S + 5);
      const { events } = await arm.listRunEvents({ run_id: run.id });
      return JSON.stringify([(await arm.getRun({ run_id: run.id })).run, events]);
    };
    const fresh = await onStage(KNOWN, work);
    expect(fresh).toContain('completed');
    await onStage(KNOWN, async (stage) => {
      await useUp(stage);
      await stage.arm.resetTwin({ scopes: ['state', 'clock', 'faults'] });
      expect((await stage.arm.listWorkflows()).workflows).toHaveLength(1);
      await stage.arm.resetTwin({});
      expect(await work(stage)).toBe(fresh);
    });
  });

  it('gives a running update up', async () => {
    await onStage({}, async ({ twin, arm }) => {
      await arm.takeLock();
      const { updates } = await arm.checkUpdates();
      await arm.applyUpdate({ version: updates[0]!.version });
      await arm.resetTwin({});
      await twin.advance(60);
      expect((await arm.checkUpdates()).updates).toEqual(updates);
    });
  });
});

describe.each(['fast', 'rapier'] as const)('kept states on %s', (driver) => {
  it('go on with the same bits, here and in another twin', async () => {
    await onStage({ driver }, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0.3, -0.4, 0, -0.2, 0] });
      await twin.advance(0.7);
      await arm.keepState({ name: 'midway' });
      const goOn = async (stage: Stage) => {
        await stage.twin.advance(3);
        return fingerprint(stage.arm);
      };
      const first = await goOn({ twin, arm });
      await arm.restoreState({ name: 'midway' });
      expect(await goOn({ twin, arm })).toBe(first);
      const file = await arm.exportState({ name: 'midway' });
      await onStage({ driver }, async (other) => {
        await other.arm.importState(file);
        await other.arm.restoreState({ name: 'midway' });
        expect(await goOn(other)).toBe(first);
      });
    });
  });
});

describe('kept states', () => {
  it('are refused when damaged, of another driver, or unknown', async () => {
    await onStage({}, async ({ arm }) => {
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      const damaged = { ...file, data: file.data.replace('0', '1') };
      await expect(arm.importState(damaged)).rejects.toMatchObject({ status: 400 });
      await expect(arm.restoreState({ name: 'b' })).rejects.toMatchObject({ status: 404 });
      await onStage({ driver: 'rapier' }, async (other) => {
        await expect(other.arm.importState(file)).rejects.toMatchObject({ status: 400 });
      });
      await arm.forgetStates();
      expect((await arm.listStates()).states).toEqual([]);
    });
  });
});
