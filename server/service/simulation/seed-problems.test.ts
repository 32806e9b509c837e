/** Why seeds are refused, with places and reasons, and which parts of a twin a seed leaves. */

import { describe, expect, it } from 'vitest';
import { storedSample } from '../../../conformance/samples/sample-toolpath.ts';
import { connect } from '../../../contract/client.ts';
import { limits } from '../../../contract/limits.ts';
import type { Cell, Joints, SeedBody } from '../../../contract/types.generated.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { type TwinAndClient, withTwinClient } from './twin-client.cases.ts';

const POSE: Joints = [0, 0.5, -1.7, 0, -1.2, 0];
const size_m = { x: 0.2, y: 0.2, z: 0.2 };

/** A cell with a part in the middle, where an upright arm stands. */
const BLOCKED: Cell = {
  name: 'blocked',
  objects: [
    { name: 'part', position: { x: 0, y: 0, z: 0 }, mass_kg: 1, shape: { kind: 'box', size_m } },
  ],
};
const SENSING: Cell = {
  name: 'sensing',
  sensors: [
    { kind: 'presence', name: 'gate', input: 'd1', position: { x: 0.5, y: 0.3, z: 0 }, size_m },
  ],
};

/** A toolpath that would go through the floor. */
function buriedToolpath() {
  const toolpath = smallToolpath();
  toolpath.waypoints[1]!.joints = [0, -2.3, 0, 0, 0, 0];
  return toolpath;
}

const PROBLEMS: readonly { seed: SeedBody; path: string; problem: RegExp }[] = [
  { seed: { state: 'running' }, path: '/state', problem: /Need a valid uploaded timeline/ },
  { seed: { cell: BLOCKED }, path: '/cell/objects/0', problem: /./ },
  {
    seed: { cell: SENSING, loopback: [{ output: 'd0', input: 'd1' }] },
    path: '/cell/sensors/0/input',
    problem: /d1/,
  },
  {
    seed: { toolpaths: [{ name: 'one', toolpath: buriedToolpath() }], selected: 'one' },
    path: '/selected',
    problem: /^cannot be built: ./,
  },
  { seed: { selected: 'none' }, path: '/selected', problem: /“none”/ },
  {
    seed: { toolpaths: [{ owner: 'x@example.org', name: 'a', toolpath: storedSample() }] },
    path: '/toolpaths/0/owner',
    problem: /x@example\.org/,
  },
  ...['1969-12-31T23:59:59Z', '9001-01-01T00:00:00Z'].map((date) => ({
    seed: { clock: { date } },
    path: '/clock/date',
    problem: /1970 to 9000/,
  })),
];

describe('a seed that is refused', () => {
  it.each(PROBLEMS)('names the place $path and the reason: $problem', async (given) => {
    await withTwinClient({}, async ({ arm }) => {
      const path = expect.stringContaining(given.path);
      const problem = expect.stringMatching(given.problem);
      await expect(arm.seedTwin(given.seed)).rejects.toMatchObject({
        status: 400,
        details: [{ path, problem }],
      });
    });
  });

  it('names the pose that meets the present cell', async () => {
    const part = BLOCKED.objects![0]!;
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.6 } } as const;
    const beside = { ...part, position: { x: 0.2, y: 0.15, z: 0 }, shape };
    await withTwinClient(
      { seed: { cell: { name: 'post', objects: [beside] } } },
      async ({ arm }) => {
        await arm.seedTwin({ pose: POSE });
        const pose = [0.64, ...POSE.slice(1)] as Joints;
        await expect(arm.seedTwin({ pose })).rejects.toMatchObject({
          details: [{ path: expect.stringMatching(/^\/pose/) }],
        });
        const { snapshot } = await arm.getSnapshot();
        expect(snapshot['servos.telemetry.position'][0]).toBeCloseTo(0, 3);
      },
    );
  });

  it('names the toolpath that is none', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const toolpath = { ...smallToolpath(), timeline: [{ type: 'fly' }] };
      const seed = { toolpaths: [{ name: 'one', toolpath }] } as object as SeedBody;
      await expect(arm.seedTwin(seed)).rejects.toMatchObject({
        status: 400,
        details: [{ path: expect.stringMatching(/^\/toolpaths\/0\/./) }],
      });
    });
  });

  it('leaves a moving arm and the time as they are', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] });
      await twin.advance(0.2);
      const before = (await arm.getSnapshot()).snapshot.control;
      const clock = { date: '2027-01-01T00:00:00Z', pace: 5 };
      await expect(arm.seedTwin({ clock, pose: POSE, state: 'running' })).rejects.toThrow();
      expect((await arm.getSnapshot()).snapshot.control).toEqual(before);
      expect(await arm.getClock()).toMatchObject({ tick: 50, pace: 'stepped' });
      await arm.runUntil({ state: 'ready', limit_s: 60 });
      const { snapshot } = await arm.getSnapshot();
      expect(snapshot['servos.telemetry.position'][0]).toBeCloseTo(0.5, 3);
    });
  });
});

describe('a seed of the clock', () => {
  it('sets the date at the present tick', async () => {
    await withTwinClient({}, async ({ twin, arm }) => {
      await twin.advance(2);
      for (const year of ['1970', '2027', '9000']) {
        const date = `${year}-06-01T00:00:00.000Z`;
        await arm.seedTwin({ clock: { date } });
        expect(await arm.getClock()).toMatchObject({ date, tick: 500, pace: 'stepped' });
      }
      await arm.seedTwin({ inputs: { d0: true } });
      await twin.advance(1);
      expect((await arm.getClock()).date).toBe('9000-06-01T00:00:01.000Z');
    });
  });

  it('sets pace and pause, each alone', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.seedTwin({ clock: { paused: true } });
      expect(await arm.getClock()).toMatchObject({ pace: 'stepped', paused: true });
      await arm.seedTwin({ clock: { pace: 5 } });
      expect(await arm.getClock()).toMatchObject({ pace: 5, paused: true });
      await arm.seedTwin({ inputs: { d0: true } });
      expect(await arm.getClock()).toMatchObject({ pace: 5, paused: true });
    });
  });
});

describe('a seed of parts of the twin', () => {
  it('leaves the others', async () => {
    await withTwinClient({ seed: { cell: SENSING, realism: 'worn' } }, async ({ twin, arm }) => {
      const half = { x: 0.05, y: 0.05, z: 0.05 };
      await arm.addObstacle({ name: 'box', position: { x: 1, y: 0, z: 0 }, half });
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] });
      await twin.advance(0.2);
      await arm.seedTwin({ inputs: { d0: true } });
      expect((await arm.getStatus()).activity).toMatchObject({ kind: 'go_to' });
      expect((await arm.getCell()).cell).toEqual(SENSING);
      expect((await arm.listObstacles()).obstacles).toHaveLength(1);
      expect(await arm.getFidelity()).toMatchObject({ realism: 'worn' });
      await arm.seedTwin({ obstacles: [], state: 'ready' });
      expect(await arm.getStatus()).toMatchObject({ state: 'ready', activity: null });
      expect((await arm.listObstacles()).obstacles).toEqual([]);
    });
  });

  it('starts a collision with detection enabled', async () => {
    await withTwinClient({ seed: { state: 'collision' } }, async ({ arm }) => {
      const { control, collision_detection } = (await arm.getSnapshot()).snapshot;
      expect(control.state).toBe('collision');
      expect(collision_detection).toMatchObject({ enabled: true });
    });
  });

  it('keeps password and role of a known user where it names none', async () => {
    const ada = { email: 'ada@example.org', password: 'a long one' };
    const token = 'sixteen characters at least';
    const seed = { users: [{ ...ada, role: 'admin' as const, tokens: [{ name: 'a', token }] }] };
    const logsIn = ({ twin }: TwinAndClient, password: string) =>
      connect({ baseUrl: twin.url, logIn: { ...ada, password } }).getLock();
    await withTwinClient({ seed }, async (client) => {
      const { arm } = client;
      const known = async () =>
        (await arm.listUsers()).users.find((one) => one.email === ada.email);
      expect(await known()).toMatchObject({ role: 'admin' });
      await arm.seedTwin({ users: [{ email: ada.email, tokens: [{ name: 'b', token }] }] });
      expect(await known()).toMatchObject({ role: 'admin' });
      await logsIn(client, ada.password);
      const { tokens } = await arm.listTokens({ user_id: (await known())!.id });
      expect(tokens.map(({ name }) => name)).toEqual(['a']);
      await arm.seedTwin({ users: [{ email: ada.email, password: 'another one', role: 'user' }] });
      expect(await known()).toMatchObject({ role: 'user' });
      await logsIn(client, 'another one');
      await expect(logsIn(client, ada.password)).rejects.toMatchObject({ status: 401 });
    });
  });

  it('creates all of its users and toolpaths', async () => {
    const users = ['ada@example.org', 'ben@example.org'].map((email) => ({ email }));
    const toolpaths = ['one', 'two'].map((name) => ({ name, toolpath: smallToolpath() }));
    await withTwinClient({ seed: { users, toolpaths } }, async ({ arm }) => {
      const saved = (await arm.listToolpaths()).toolpaths.map(({ name }) => name);
      expect(saved.sort()).toEqual(['one', 'two']);
      const made = (await arm.listUsers()).users.slice(1);
      expect(made.map(({ email, role }) => [email, role])).toEqual(
        users.map(({ email }) => [email, 'user']),
      );
    });
  });

  it('is refused with the place of a user with too many tokens', async () => {
    const tokens = Array.from({ length: limits.tokens_per_user + 1 }, (_, i) => ({
      name: `token ${i}`,
      token: `a token of the seed, number ${i}`,
    }));
    await withTwinClient({}, async ({ arm }) => {
      const users = [{ email: 'ada@example.org' }, { email: 'ben@example.org', tokens }];
      await expect(arm.seedTwin({ users })).rejects.toMatchObject({
        status: 400,
        details: [{ path: expect.stringMatching(/^\/users\/1/) }],
      });
      expect((await arm.listUsers()).users).toHaveLength(1);
    });
  });

  it('is refused with the place of the user who would be the last admin no more', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const [{ email } = { email: '' }] = (await arm.listUsers()).users;
      await expect(arm.seedTwin({ users: [{ email, role: 'user' }] })).rejects.toMatchObject({
        status: 400,
        details: [{ path: expect.stringMatching(/^\/users\/0/) }],
      });
      expect((await arm.listUsers()).users).toMatchObject([{ email, role: 'admin' }]);
    });
  });

  it('replaces a saved toolpath of the same name and owner, with its id', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const { toolpath } = await arm.createToolpath({ name: 'one', toolpath: storedSample() });
      await arm.seedTwin({ toolpaths: [{ name: 'one', toolpath: smallToolpath() }] });
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths).toMatchObject([{ id: toolpath.id, name: 'one' }]);
      expect(toolpaths[0]!.hash).not.toBe(toolpath.hash);
    });
  });

  it('starts an update where there is one', async () => {
    await withTwinClient({ seed: { state: 'updating' } }, async ({ arm }) => {
      const ready = () => arm.runUntil({ state: 'ready', limit_s: 600 });
      expect(await ready()).toMatchObject({ reached: true });
      while ((await arm.checkUpdates()).updates.length > 0) {
        await arm.seedTwin({ state: 'updating' });
        await ready();
      }
      await expect(arm.seedTwin({ name: 'x', state: 'updating' })).rejects.toMatchObject({
        details: [{ path: '/state', problem: 'no update is available' }],
      });
    });
  });
});
