/** Twins with a profile of an arm: timing, friction, load, noise, snapshots, replays, refusals. */
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../bridge/simulated/simulated-arm.ts';
import type { ArmProfile, Joints, SeedBody } from '../contract/types.generated.ts';
import { doubleSDuration } from '../physics/motion/double-s.ts';
import { createProfilePoint, sampleProfile } from '../physics/motion/time-profile.ts';
import { profileOfLaw } from '../physics/motion/timing-laws.ts';
import { createTwin } from './index.ts';
import { parseRecording } from './recording/recording-format.ts';
import { replayRecording } from './recording/replay.ts';
import { type TwinAndClient, withTwinClient } from './service/simulation/twin-client.cases.ts';

const POSE: Joints = [0, 0.5, -1.7, 0, -1.2, 0];
const TARGET: Joints = [0.9, 0.5, -1.7, 0, -1.2, 0];
const SIX = [1, 1, 1, 1, 1, 1] as const;
const NONE: [null, null, null, null, null, null] = [null, null, null, null, null, null];

function profileWith(parts: Partial<ArmProfile>): ArmProfile {
  return { armtwin_profile: 1, arm: 'automata-eva', ...parts };
}

const SLOW = profileWith({
  motion: {
    law: 'double_s',
    velocity_rad_s: [0.8, ...([1, 1, 1, 1, 1] as const)],
    acceleration_rad_s2: [4, ...([4, 4, 4, 4, 4] as const)],
    jerk_rad_s3: [40, null, null, null, null, null],
  },
  friction: { viscous_n_m_s: [3, null, null, null, null, null], coulomb_n_m: [...SIX] },
  load: { mass_kg: 0.6, centre_of_mass_m: { x: 0, y: 0.02, z: 0.05 } },
  noise: { position_rad: 1e-4, velocity_rad_s: 0.01 },
  latency_s: 0.012,
});

/** Seconds of twin time until a go_to ends, as a client sees it. */
async function secondsOf({ twin, arm }: TwinAndClient, joints = TARGET): Promise<number> {
  const from_s = twin.now_s();
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints, max_speed: 1.5 });
  expect(await twin.until('ready', 60)).toBe(true);
  return twin.now_s() - from_s;
}

describe('a twin with a profile', () => {
  it.each([
    ['double_s', doubleSDuration(1, { v: 0.8 / 0.9, a: 4 / 0.9, j: 40 / 0.9 })],
    ['filtered', 0.9 / 0.8 + 0.8 / 4 + 0.2],
    ['cycloidal', 0.9 / 0.8 + 1.6 / 4],
    ['half_sine', 0.9 / 0.8 + ((Math.PI / 2) * 0.8) / 4],
    ['quintic', (1.875 * 0.9) / 0.8],
    ['septic', (2.1875 * 0.9) / 0.8],
  ] as const)('moves by the law %s', async (law, expected_s) => {
    const profile = { ...SLOW, motion: { ...SLOW.motion!, law, ramp_s: 0.2 } };
    const seed: SeedBody = { pose: POSE };
    const taken_s = await withTwinClient({ seed, profile }, (client) => secondsOf(client));
    expect(taken_s).toBeGreaterThan(expected_s - 0.004);
    expect(taken_s).toBeLessThan(expected_s + 0.06);
  });

  it('builds toolpaths, pauses and resumes with that timing', async () => {
    await withTwinClient({ seed: { pose: POSE }, profile: SLOW }, async ({ twin, arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: TARGET, max_speed: 1.5 });
      await twin.advance(0.5);
      let isPaused = false;
      const paused = arm.pause().then(() => {
        isPaused = true;
      });
      for (let i = 0; i < 50 && !isPaused; i++) {
        await Promise.race([paused, new Promise((resolve) => setTimeout(resolve, 20))]);
        await twin.advance(0.02);
      }
      await paused;
      expect(twin.snapshot()['control']).toMatchObject({ state: 'paused' });
      await arm.resume();
      expect(await twin.until('ready', 10)).toBe(true);
      expect((twin.snapshot()['servos.telemetry.position'] as number[])[0]).toBeCloseTo(0.9, 2);
    });
  });

  it('keeps the profile in snapshots, and loses it with a reset of a seeded one', async () => {
    await withTwinClient({ seed: { pose: POSE } }, async (client) => {
      const { arm } = client;
      const model_s = await secondsOf(client);
      await arm.seedTwin({ pose: POSE, profile: SLOW });
      expect(await arm.getFidelity()).toMatchObject({ realism: 'ideal', profile: SLOW });
      await arm.keepState({ name: 'slow' });
      const slow_s = await secondsOf(client);
      expect(slow_s).toBeGreaterThan(1.3 * model_s);
      expect((await arm.getLoad()).load).toMatchObject({ mass_kg: 0.6 });
      await arm.restoreState({ name: 'slow' });
      expect(await secondsOf(client)).toBe(slow_s);
      await arm.resetTwin({});
      expect(await secondsOf(client)).toBe(model_s);
      expect((await arm.getLoad()).load).toBeNull();
      expect(await arm.getFidelity()).toMatchObject({ profile: null });
    });
  });

  it.each(['fast', 'rapier'] as const)('replays bit-identically on %s', async (driver) => {
    await withTwinClient({ driver, profile: SLOW }, async (client) => {
      const { arm, twin } = client;
      await arm.startRecording();
      await secondsOf(client, POSE);
      await twin.advance(0.5);
      await arm.stopRecording();
      const recording = parseRecording((await arm.getTape()).tape);
      const plain = createSimulatedArm({ plant: driver });
      const target = { driver: new FaultInjectingDriver(plain), world: plain.world };
      expect((await replayRecording(recording, target)).divergence).toBeNull();
    });
  });
});

describe('a profile', () => {
  const inMotion = (motion: Partial<NonNullable<ArmProfile['motion']>>) =>
    profileWith({ motion: { ...SLOW.motion!, ...motion } });

  it.each([
    [profileWith({ arm: 'ur5' }), /\/arm is "ur5": the profile is of another arm/],
    [inMotion({ velocity_rad_s: [9, 1, 1, 1, 1, 1] }), /velocity_rad_s\/0 must be at most 2.0944/],
    [inMotion({ acceleration_rad_s2: [-1, 1, 1, 1, 1, 1] }), /acceleration_rad_s2\/0 must be at/],
    [inMotion({ jerk_rad_s3: [2, 40, 40, 40, 40, 40] }), /jerk_rad_s3\/0 must be above the accel/],
    [
      profileWith({
        friction: { viscous_n_m_s: NONE, coulomb_n_m: [...SIX.slice(1), 5] as Joints },
      }),
      /coulomb_n_m\/5 brings the friction to 5.0 N m .* torque limit of J6, 4 N m/,
    ],
    [
      profileWith({
        friction: { viscous_n_m_s: [...SIX.slice(1), 9] as Joints, coulomb_n_m: NONE },
      }),
      /viscous_n_m_s\/5 brings the friction to 18.8 N m/,
    ],
    [
      profileWith({ load: { mass_kg: 1.2, centre_of_mass_m: { x: 0.5, y: 0.5, z: 0.5 } } }),
      /centre_of_mass_m is too far away: its weight takes 8.3 N m of J6, whose torque limit is 4/,
    ],
    [profileWith({ latency_s: 3 }), /latency_s must be at most 0.031/],
    [
      profileWith({ load: { mass_kg: 7, centre_of_mass_m: { x: 0, y: 0, z: 0 } } }),
      /mass_kg must be at most/,
    ],
    [profileWith({ friction: SLOW.load } as object), /viscous_n_m_s is missing/],
    [{ motion: null } as object, /armtwin_profile is missing/],
  ])('is refused with place and reason: %#', async (profile, reason) => {
    await expect(createTwin({ profile: profile as ArmProfile })).rejects.toThrow(reason);
  });

  it('is refused in a seed with place and reason', async () => {
    await withTwinClient({}, async ({ arm }) => {
      const profile = profileWith({ arm: 'ur5' });
      const problem = expect.objectContaining({ path: '/profile/arm' });
      await expect(arm.seedTwin({ profile })).rejects.toMatchObject({ details: [problem] });
    });
  });

  it('needs a simulated arm', async () => {
    const options = { driver: 'servo', clock: 1, profile: SLOW } as const;
    await expect(createTwin(options)).rejects.toThrow(/profile needs the option driver rapier/);
  });
});

describe('the laws of straight motions', () => {
  const limits = [
    { v: 1, a: 5, j: 50 },
    { v: 20, a: 5, j: 50 },
    { v: 0.5, a: 20, j: 1e4 },
    { v: 3, a: 1, j: 8 },
  ];

  it.each(['double_s', 'filtered', 'cycloidal', 'half_sine', 'quintic', 'septic'] as const)(
    '%s starts and ends at rest, continuous, within its limits',
    (law) => {
      const point = createProfilePoint();
      for (const { v, a, j } of limits) {
        const profile = profileOfLaw({ law, ramp_s: 0.15, braking_share: 0.7 }, 0, { v, a, j });
        const steps = 2000;
        let before = 0;
        let worst = 0;
        for (let i = 1; i <= steps; i++) {
          sampleProfile(profile, (profile.duration_s * i) / steps, point);
          const speed = ((point.s - before) * steps) / profile.duration_s;
          worst = Math.max(worst, speed / v, -speed, Math.abs(point.a) / a);
          before = point.s;
        }
        expect(worst).toBeLessThan(1.001);
        expect(before).toBe(1);
      }
    },
  );
});
