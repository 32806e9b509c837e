/** Reset and named snapshots over HTTP. */
import { describe, expect, it, vi } from 'vitest';
import { sampleWorkflow, WORK_S } from '../../../conformance/samples/sample-workflow.ts';
import { type ArmClient, connect } from '../../../contract/client.ts';
import { Robot } from '../../robot/robot.ts';
import { smallToolpath } from '../http/api-fixture.cases.ts';
import { FaultList } from './faults/fault-list.ts';
import { edited, hostileSnapshotCases, put } from './hostile-snapshots.cases.ts';
import { type TwinAndClient, withTwinClient } from './twin-client.cases.ts';
import { changeEverything, FIXED_CREDENTIALS, fingerprint } from './twin-fingerprint.cases.ts';

describe.each(['fast', 'rapier'] as const)('reset on %s', (driver) => {
  it('makes the twin equal to a new one, idempotently', async () => {
    const fresh = await withTwinClient({ ...FIXED_CREDENTIALS, driver }, ({ arm }) =>
      fingerprint(arm),
    );
    await withTwinClient({ ...FIXED_CREDENTIALS, driver }, async (client) => {
      await changeEverything(client);
      await client.arm.resetTwin({});
      expect(await fingerprint(client.arm)).toBe(fresh);
      await client.arm.resetTwin({});
      expect(await fingerprint(client.arm)).toBe(fresh);
      expect((await client.arm.getClock()).tick).toBe(0);
    });
  });

  it('leads to the same digest as a start', async () => {
    const run = async ({ twin, arm }: TwinAndClient) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0.1, 0, 0, 0, 0] });
      await twin.advance(10);
      return twin.digest();
    };
    const fresh = await withTwinClient({ ...FIXED_CREDENTIALS, driver }, run);
    await withTwinClient({ ...FIXED_CREDENTIALS, driver }, async (client) => {
      await changeEverything(client);
      await client.arm.resetTwin({});
      expect(await run(client)).toBe(fresh);
    });
  });
});

describe('the robot lock after a restore', () => {
  const logIn = { email: 'eve@example.org', password: 'a long one' };

  it.each([
    ['a deleted token', async (eve: ArmClient) => eve],
    [
      'a log-in that has ended',
      async (_eve: ArmClient, baseUrl: string) => connect({ baseUrl, logIn }),
    ],
  ])('is free when it was held by %s', async (_name, holderOf) => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser(logIn);
      const { id, token } = await arm.createToken({ user_id: user.id }, { name: 'eve' });
      const holder = await holderOf(connect({ baseUrl: twin.url, token }), twin.url);
      await holder.takeLock();
      await arm.keepState({ name: 'locked' });
      await arm.restoreState({ name: 'locked' });
      expect(await holder.getLock()).toEqual({ owner: 'you', status: 'locked' });
      await holder.endSession();
      await arm.deleteToken({ user_id: user.id, token_id: id });
      await arm.restoreState({ name: 'locked' });
      expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
    });
  });

  it('is free when a reset removes the token that holds it', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      const { user } = await arm.createUser(logIn);
      const { token } = await arm.createToken({ user_id: user.id }, { name: 'eve' });
      await connect({ baseUrl: twin.url, token }).takeLock();
      await arm.resetTwin({ scopes: ['users'] });
      expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
    });
  });
});

describe('reset', () => {
  it('leaves a clock that ran at tick 0 of a stepped one', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.5, 0.5, -1.8, 0, -1.3, 0], time: 30 });
      for (let i = 0; i < 5; i++) {
        await arm.setClock({ pace: 'max' });
        await arm.resetTwin({});
        expect(await arm.getClock()).toMatchObject({ tick: 0, pace: 'stepped' });
      }
    });
  });

  it('keeps everything outside its scopes', async () => {
    await withTwinClient({}, async (client) => {
      await changeEverything(client);
      const { arm } = client;
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

  it('ends all other sessions, and keeps the calling admin created since the start', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
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

  it('ends runs, removes definitions, and restarts their numbering', async () => {
    const work = async ({ twin, arm }: TwinAndClient) => {
      const { workflow } = await arm.createWorkflow(sampleWorkflow());
      const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
      await twin.advance(WORK_S + 5);
      const { events } = await arm.listRunEvents({ run_id: run.id });
      return JSON.stringify([(await arm.getRun({ run_id: run.id })).run, events]);
    };
    const fresh = await withTwinClient(FIXED_CREDENTIALS, work);
    expect(fresh).toContain('completed');
    await withTwinClient(FIXED_CREDENTIALS, async (client) => {
      await changeEverything(client);
      await client.arm.resetTwin({ scopes: ['state', 'clock', 'faults'] });
      expect((await client.arm.listWorkflows()).workflows).toHaveLength(1);
      await client.arm.resetTwin({});
      expect(await work(client)).toBe(fresh);
    });
  });

  it('cancels a running update', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.takeLock();
      const { updates } = await arm.checkUpdates();
      await arm.applyUpdate({ version: updates[0]!.version });
      await arm.resetTwin({});
      await twin.advance(60);
      expect((await arm.checkUpdates()).updates).toEqual(updates);
    });
  });
});

describe.each(['fast', 'rapier'] as const)('named snapshots on %s', (driver) => {
  it('continue bit-identically, in this and in another twin', { tags: ['ci'] }, async () => {
    await withTwinClient({ driver }, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0.3, -0.4, 0, -0.2, 0] });
      await twin.advance(0.7);
      await arm.keepState({ name: 'midway' });
      const goOn = async (client: TwinAndClient) => {
        await client.twin.advance(3);
        return fingerprint(client.arm);
      };
      const first = await goOn({ twin, arm });
      await arm.restoreState({ name: 'midway' });
      expect(await goOn({ twin, arm })).toBe(first);
      const file = await arm.exportState({ name: 'midway' });
      await withTwinClient({ driver }, async (other) => {
        await other.arm.importState(file);
        await other.arm.restoreState({ name: 'midway' });
        expect(await goOn(other)).toBe(first);
      });
    });
  });
});

describe('named snapshots', () => {
  it('are refused when damaged, of another driver, or unknown', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      const damaged = { ...file, data: file.data.replace('0', '1') };
      await expect(arm.importState(damaged)).rejects.toMatchObject({ status: 400 });
      await expect(arm.restoreState({ name: 'b' })).rejects.toMatchObject({ status: 404 });
      await withTwinClient({ driver: 'rapier' }, async (other) => {
        await expect(other.arm.importState(file)).rejects.toMatchObject({ status: 400 });
      });
      await arm.forgetStates();
      expect((await arm.listStates()).states).toEqual([]);
    });
  });
});

describe('state files made by hand', () => {
  it('are refused with the place when their content is no state', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      const cases: readonly [string, unknown, string][] = [
        ['robot', undefined, '/data/robot'],
        ['world', undefined, '/data/world'],
        ['tick', 'x', '/data/tick'],
        ['tick', -1, '/data/tick'],
        ['robot.memory.state', 'flying', '/data/robot/memory/state'],
        ['robot.memory.io', 7, '/data/robot/memory/io'],
        ['library', null, '/data/library'],
        ['obstacles', [1], '/data/obstacles/0'],
        ['faults', null, '/data/faults'],
        ['robot.memory.awaited', 'x', '/data/robot/memory/awaited'],
        ['robot.epoch_ms', 1e308, '/data/robot/epoch_ms'],
        ['robot.memory.io.inputs.ee_a0', -1, '/data/robot/memory/io/inputs/ee_a0'],
        ['library.last_id', -1, '/data/library/last_id'],
        ['library.rows', [{ id: 1 }], '/data/library/rows/0'],
      ];
      for (const [place, value, path] of cases) {
        const hostile = edited(file, (content) => put(content, place.split('.'), value));
        await expect(arm.importState(hostile), place).rejects.toMatchObject({
          status: 400,
          details: [expect.objectContaining({ path })],
        });
      }
      expect((await arm.listStates()).states).toHaveLength(1);
    });
  });

  it('that cannot be restored leave robot, world and toolpaths as they were', async () => {
    await withTwinClient({}, async (client) => {
      const { arm, twin } = client;
      await changeEverything(client);
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      const noWorld = edited(file, (content) => {
        put(content, ['world', 'data'], 'AAAA');
        put(content, ['name'], 'another arm');
      });
      await arm.importState({ ...noWorld, name: 'b' });
      await twin.advance(1);
      const state = async () => {
        await arm.keepState({ name: 'now' });
        return (await arm.exportState({ name: 'now' })).sha256;
      };
      const before = await state();
      await expect(arm.restoreState({ name: 'b' })).rejects.toMatchObject({ status: 400 });
      expect(await state()).toBe(before);
    });
  });

  it('that fail on the twin alone keep what others save meanwhile', { tags: ['ci'] }, async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      const { toolpath } = await arm.createToolpath({ name: 'old', toolpath: smallToolpath() });
      await arm.addFault({ kind: 'sensor_noise', position_rad: 1e-4 });
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      await arm.deleteToolpath({ toolpath_id: toolpath.id });
      await arm.importState({ ...file, name: 'b' });
      const failure = () => {
        throw new Error('no trial sees it');
      };
      const names: string[] = [];
      for (let round = 1; round <= 20; round++) {
        vi.spyOn(FaultList.prototype, 'replaceAll').mockImplementationOnce(failure);
        const restored = arm.restoreState({ name: 'b' });
        const during = Array.from({ length: round }, (_, i) => `${round}.${i}`);
        const saved = during.map((name) => arm.createToolpath({ name, toolpath: smallToolpath() }));
        await expect(restored).rejects.toThrow('no trial sees it');
        await Promise.all(saved);
        names.push(...during);
      }
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths.map(({ name }) => name).sort()).toEqual(names.sort());
      const { faults } = await arm.listFaults();
      expect(faults.map(({ fault }) => fault.kind)).toEqual(['sensor_noise']);
      await twin.advance(0.1);
    });
  });

  it('whose parts fail in a tick or in a command are refused, and the twin goes on', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      for (const part of ['motion', 'emergency', 'halted']) {
        const place = ['robot', 'mover', part];
        const hostile = edited(file, (content) => put(content, place, {}));
        await arm.importState({ ...hostile, name: 'b' });
        await expect(arm.restoreState({ name: 'b' }), part).rejects.toMatchObject({ status: 400 });
        await twin.advance(0.1);
      }
      expect((await arm.getSnapshot()).snapshot.control.state).toBe('ready');
    });
  });

  hostileSnapshotCases(2);
});

describe('a tick that fails', () => {
  it('after a restored file restores the state before it, and not a saved toolpath', async () => {
    await withTwinClient({}, async ({ arm, twin }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] });
      await arm.keepState({ name: 'a' });
      const file = await arm.exportState({ name: 'a' });
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      await arm.importState({ ...file, name: 'b' });
      await arm.restoreState({ name: 'b' });
      await arm.createToolpath({ name: 'later', toolpath: smallToolpath() });
      const failing = vi.spyOn(Robot.prototype, 'tick').mockImplementationOnce(() => {
        throw new Error('a damaged step');
      });
      await twin.advance(0.1);
      failing.mockRestore();
      const { control } = (await arm.getSnapshot()).snapshot;
      expect(control.state).toBe('ready');
      expect((await arm.listToolpaths()).toolpaths).toHaveLength(1);
    });
  });
});

it('readings of open inputs stay in a command, a restore and a jump to the same tick', async () => {
  const readings = async (ticks: readonly number[]) =>
    withTwinClient({}, async ({ arm, twin }) => {
      for (const count of ticks) await twin.advance(count * 0.004);
      const read = async () => (await arm.getSnapshot()).snapshot['global.inputs'];
      const before = await read();
      await arm.takeLock();
      expect(await read()).toEqual(before);
      await arm.keepState({ name: 'here' });
      await arm.restoreState({ name: 'here' });
      expect(await read()).toEqual(before);
      return before;
    });
  expect(await readings(Array(250).fill(1))).toEqual(await readings([250]));
  expect(await readings([251])).not.toEqual(await readings([250]));
});
