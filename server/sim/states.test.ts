/** Reset, kept states, seeds and the journal, over the wire. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ArmClient, connect } from '../../contract/client.ts';
import { ROBOT_STATES } from '../../contract/robot-states.ts';
import { sampleToolpath, storedSample } from '../../contract/rules/samples.ts';
import type { SeedBody } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import type { TwinOptions } from '../index.ts';
import { decodePlain, encodePlain } from '../recording/plain-data.ts';
import { onStage, type Stage } from './sim.cases.ts';
import type { TwinImage } from './twin-image.ts';

const KNOWN: TwinOptions = {
  token: 'a token of many characters',
  admin_email: 'admin@example.org',
  admin_password: 'a password',
};

/** Everything of a twin but its secrets, as one text. */
async function fingerprint(arm: ArmClient): Promise<string> {
  await arm.keepState({ name: 'for the fingerprint' });
  const { data } = await arm.exportState({ name: 'for the fingerprint' });
  const image = decodePlain(data) as TwinImage;
  // The engine writes the order of a table of its own, which changes with every restore and bears
  // on nothing that it computes: the digest of what follows stands for its bytes.
  const world = image.driver === 'rapier' ? null : image.world;
  return JSON.stringify([
    encodePlain({ ...image, world }),
    await arm.listUsers(),
    (await arm.getSnapshot()).snapshot,
  ]);
}

/** Leaves traces everywhere. */
async function useUp({ twin, arm }: Stage): Promise<void> {
  await arm.createUser({ email: 'bob@example.org', password: 'a long one' });
  await arm.createToolpath({ name: 'one', toolpath: storedSample() });
  await arm.setLoopback({ wires: [{ output: 'd0', input: 'd1' }] });
  await arm.setInputs({ values: { a1: 3 } });
  const half = { x: 0.05, y: 0.05, z: 0.05 };
  await arm.addObstacle({ name: 'box', position: { x: 0, y: 0, z: 0.91 }, half });
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [1, 0, 0, 0, 0, 0] });
  await arm.setCollisionDetection({ enabled: true, sensitivity: 'high' });
  await twin.advance(0.5);
  await arm.addFault({ kind: 'driver', joint: 3, fault: 'lost' });
  await twin.advance(0.5);
  await arm.setEmergencyStop({ engaged: true });
}

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
  it('takes no more than 50 ms', async () => {
    await onStage({}, async (stage) => {
      await useUp(stage);
      await stage.arm.resetTwin({});
      const times = [];
      for (let round = 0; round < 5; round++) {
        await stage.arm.createToolpath({ name: 'one', toolpath: storedSample() });
        const began = performance.now();
        await stage.arm.resetTwin({});
        times.push(performance.now() - began);
      }
      expect(Math.min(...times)).toBeLessThan(50);
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

const POSE: NonNullable<SeedBody['pose']> = [0, 0.5, -1.7, 0, -1.2, 0];

describe('seeds', () => {
  it.each(ROBOT_STATES)('boot straight into %s', async (state) => {
    const poses = [POSE, [0.4, 0.5, -1.7, 0, -1.2, 0] as NonNullable<SeedBody['pose']>];
    const seed: SeedBody = {
      toolpaths: [{ name: 'one', toolpath: sampleToolpath(poses) }],
      selected: 'one',
      pose: POSE,
      state,
    };
    await onStage({ seed }, async ({ twin, arm }) => {
      expect(twin.snapshot()['control']).toMatchObject({ state });
      await twin.advance(0.1);
      expect(twin.snapshot()['control']).toMatchObject({ state });
      if (state !== 'shutting_down') {
        expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
      }
    });
  });

  it('give the same twice as once, and the seeded twin after a reset', async () => {
    const seed: SeedBody = {
      name: 'left arm',
      clock: { date: '2026-03-01T08:00:00Z' },
      users: [
        {
          email: 'ada@example.org',
          password: 'a long one',
          role: 'admin',
          tokens: [{ name: 'tests', token: 'sixteen characters at least' }],
        },
      ],
      toolpaths: [{ owner: 'ada@example.org', name: 'one', toolpath: storedSample() }],
      pose: POSE,
      inputs: { d0: true, a0_mode: 'current', a0: 12 },
      outputs: { d1: true },
      loopback: [{ output: 'd2', input: 'd3' }],
      obstacles: [
        {
          name: 'box',
          position: { x: 0.4, y: 0, z: 0.1 },
          half: { x: 0.05, y: 0.05, z: 0.05 },
        },
      ],
    };
    await onStage({ ...KNOWN, seed }, async ({ twin }) => {
      const arm = connect({ baseUrl: twin.url, token: 'sixteen characters at least' });
      const once = await fingerprint(arm);
      expect((await arm.getClock()).date).toBe('2026-03-01T08:00:00.000Z');
      expect(await arm.getName()).toEqual({ name: 'left arm' });
      expect((await arm.listToolpaths()).toolpaths).toHaveLength(1);
      await arm.seedTwin(seed);
      expect(await fingerprint(arm)).toBe(once);
      await useUp({ twin, arm });
      await arm.resetTwin({});
      expect(await fingerprint(arm)).toBe(once);
    });
  });

  it('are refused with the places of what is wrong', async () => {
    const wrong: readonly (readonly [SeedBody, string])[] = [
      [{ pose: [9, 0, 0, 0, 0, 0] }, '/pose/0'],
      [{ selected: 'nothing' }, '/selected'],
      [{ inputs: { a0: 40 } }, '/inputs/a0'],
      [
        { toolpaths: [{ owner: 'x@y', name: 'a', toolpath: storedSample() }] },
        '/toolpaths/0/owner',
      ],
    ];
    await onStage({}, async ({ arm }) => {
      for (const [seed, path] of wrong) {
        await expect(arm.seedTwin(seed)).rejects.toMatchObject({
          status: 400,
          details: [{ path }],
        });
      }
    });
  });
});

describe('the journal', () => {
  it('finds what was asked, with the fingerprint of the body', async () => {
    await onStage({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const { entries } = await arm.searchJournal({ path: '/api/v1/controls/*' });
      expect(entries.map(({ method, path, status }) => [method, path, status])).toEqual([
        ['POST', '/api/v1/controls/lock', 200],
        ['POST', '/api/v1/controls/go_to', 204],
      ]);
      expect(entries[1]).toMatchObject({ user_id: 1, tick: 0 });
    });
  });

  it('verifies expectations whatever the order of keys, and says what came close', async () => {
    await onStage({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const call = { method: 'POST', path: '/api/v1/controls/go_to' } as const;
      const body = { joints: [0.1, 0, 0, 0, 0, 0], mode: 'teach' };
      expect(await arm.verifyJournal({ ...call, body, times: 1 })).toEqual({
        holds: true,
        matched: 1,
        near_misses: [],
      });
      const other = await arm.verifyJournal({ ...call, body: { ...body, mode: 'automatic' } });
      expect(other).toMatchObject({ holds: false, matched: 0 });
      expect(other.near_misses[0]).toMatchObject({
        differs: ['body'],
        entry: { path: '/api/v1/controls/go_to' },
      });
    });
  });
});

describe('the example seeds', () => {
  const folder = new URL('../../fixtures/seeds/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

  it.each(files)('%s fits the schema and is planted', async (file) => {
    const seed = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as SeedBody;
    const judged = validate('SeedBody', seed, { dialect: 'documented' });
    expect(judged.ok ? [] : judged.error).toEqual([]);
    await onStage({ seed }, async ({ twin }) => {
      await twin.advance(0.5);
      expect(twin.snapshot()['control']).toMatchObject({ state: seed.state });
    });
  });
});
