/** Seeds: every robot state, idempotence, refusals with their places, and the examples. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleToolpath, storedSample } from '../../../conformance/samples/sample-toolpath.ts';
import { connect } from '../../../contract/client.ts';
import { ROBOT_STATES } from '../../../contract/robot-states.ts';
import type { SeedBody } from '../../../contract/types.generated.ts';
import { validate } from '../../../contract/validator.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../../physics/arm/arm-model.ts';
import { takeViolations } from '../../robot/invariant-violations.ts';
import { withTwinClient } from './twin-client.cases.ts';
import { changeEverything, FIXED_CREDENTIALS, fingerprint } from './twin-fingerprint.cases.ts';

const POSE: NonNullable<SeedBody['pose']> = [0, 0.5, -1.7, 0, -1.2, 0];

describe('seeds', () => {
  it.each(ROBOT_STATES)('start in %s', async (state) => {
    const poses = [POSE, [0.4, 0.5, -1.7, 0, -1.2, 0] as NonNullable<SeedBody['pose']>];
    const seed: SeedBody = {
      toolpaths: [{ name: 'one', toolpath: sampleToolpath(poses) }],
      selected: 'one',
      pose: POSE,
      state,
    };
    await withTwinClient({ seed }, async ({ twin, arm }) => {
      expect(twin.snapshot()['control']).toMatchObject({ state });
      await twin.advance(0.1);
      expect(twin.snapshot()['control']).toMatchObject({ state });
      if (state !== 'shutting_down') {
        expect(await arm.getLock()).toEqual({ owner: 'none', status: 'unlocked' });
      }
    });
  });

  it('start a run in the midst of a motion, without a report of a jump', async () => {
    const toolpath = sampleToolpath([POSE, [0.4, 0.5, -1.7, 0, -1.2, 0]]);
    await withTwinClient({}, async ({ twin, arm }) => {
      await arm.createToolpath({ name: 'one', toolpath });
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.6, 0.5, -1.8, 0, -1.3, 0] });
      // The monitor measures the flange at this tick and at the next one.
      await twin.advance(0.6);
      await arm.seedTwin({ selected: 'one', state: 'running' });
      await twin.advance(0.1);
      expect(takeViolations()).toEqual([]);
    });
  });

  it('publish a joint at its limit within the limit', async () => {
    for (const limits of [JOINT_MAX_RAD, JOINT_MIN_RAD]) {
      const pose = POSE.map((angle, j) =>
        j % 3 === 0 || j === 5 ? limits[j]! : angle,
      ) as typeof POSE;
      await withTwinClient({ seed: { pose } }, async ({ twin }) => {
        const published = twin.snapshot()['servos.telemetry.position'] as number[];
        for (const [joint, angle] of published.entries()) {
          expect(angle).toBeLessThanOrEqual(JOINT_MAX_RAD[joint]!);
          expect(angle).toBeGreaterThanOrEqual(JOINT_MIN_RAD[joint]!);
        }
      });
    }
  });

  it('set how far the arm deviates from an ideal one', async () => {
    const joints: NonNullable<SeedBody['pose']> = [0.4, 0.5, -1.7, 0, -1.2, 0];
    const missed = async (seed: SeedBody) =>
      withTwinClient({ seed }, async ({ twin, arm }) => {
        await arm.takeLock();
        await arm.goTo({ mode: 'automatic', joints });
        await twin.until('ready', 20);
        await twin.advance(2);
        const { snapshot } = await arm.getSnapshot();
        const at = snapshot['servos.telemetry.position'];
        return Math.max(...at.map((angle, joint) => Math.abs(angle - joints[joint]!)));
      });
    const [ideal, worn] = [
      await missed({ pose: POSE }),
      await missed({ pose: POSE, realism: 'worn' }),
    ];
    expect(ideal).toBeLessThan(1e-4);
    expect(worn).toBeGreaterThan(3e-4);
    expect(worn).toBeLessThan(1e-2);
  });

  it('are idempotent, and a reset restores the seeded twin', async () => {
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
    await withTwinClient({ ...FIXED_CREDENTIALS, seed }, async ({ twin }) => {
      const arm = connect({ baseUrl: twin.url, token: 'sixteen characters at least' });
      const once = await fingerprint(arm);
      expect((await arm.getClock()).date).toBe('2026-03-01T08:00:00.000Z');
      expect(await arm.getName()).toEqual({ name: 'left arm' });
      expect((await arm.listToolpaths()).toolpaths).toHaveLength(1);
      await arm.seedTwin(seed);
      expect(await fingerprint(arm)).toBe(once);
      await changeEverything({ twin, arm });
      await arm.resetTwin({});
      expect(await fingerprint(arm)).toBe(once);
    });
  });

  it('that are refused leave the twin unchanged', async () => {
    const users = [{ email: 'ada@example.org', tokens: [{ name: 'a', token: 'x'.repeat(20) }] }];
    const toolpaths = [{ owner: 'ada@example.org', name: 'one', toolpath: storedSample() }];
    await withTwinClient(FIXED_CREDENTIALS, async ({ arm }) => {
      const before = await fingerprint(arm);
      const lost: readonly SeedBody[] = [
        { name: 'other', users, toolpaths, selected: 'two' },
        { name: 'other', users, toolpaths, pose: POSE, state: 'running' },
        { users, inputs: { d0: true, a0: 99 } },
      ];
      for (const seed of lost) await expect(arm.seedTwin(seed)).rejects.toThrow();
      expect(await fingerprint(arm)).toBe(before);
    });
  });

  it('are refused with the place of each problem', async () => {
    const wrong: readonly (readonly [SeedBody, string])[] = [
      [{ pose: [9, 0, 0, 0, 0, 0] }, '/pose/0'],
      [{ selected: 'nothing' }, '/selected'],
      [{ inputs: { a0: 40 } }, '/inputs/a0'],
      [{ clock: { date: '2026-13-01T00:00:00Z' } }, '/clock/date'],
      [{ clock: { date: '2026-02-30T00:00:00Z' } }, '/clock/date'],
      [{ clock: { date: '2026-03-01T24:00:00Z' } }, '/clock/date'],
      [{ clock: { date: '0000-03-01T00:00:00.5Z' } }, '/clock/date'],
      [
        { toolpaths: [{ owner: 'x@y', name: 'a', toolpath: storedSample() }] },
        '/toolpaths/0/owner',
      ],
    ];
    await withTwinClient({}, async ({ arm }) => {
      for (const [seed, path] of wrong) {
        await expect(arm.seedTwin(seed)).rejects.toMatchObject({
          status: 400,
          details: [{ path }],
        });
      }
    });
  });
});

describe('the example seeds', () => {
  const folder = new URL('../../../fixtures/seeds/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

  it.each(files)('%s matches the schema and is applied', async (file) => {
    const seed = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as SeedBody;
    const judged = validate('SeedBody', seed, { dialect: 'documented' });
    expect(judged.ok ? [] : judged.error).toEqual([]);
    await withTwinClient({ seed }, async ({ twin }) => {
      await twin.advance(0.5);
      expect(twin.snapshot()['control']).toMatchObject({ state: seed.state });
    });
  });
});
