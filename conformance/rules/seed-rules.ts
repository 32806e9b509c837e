/**
 * Rules for seeds: a seed creates all that it names, is idempotent, and has no effect when refused.
 */

import type { SeedBody } from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import {
  backAndForth,
  RESTING_POSE,
  sampleToolpath,
  storedSample,
} from '../samples/sample-toolpath.ts';
import { stateOf } from '../steps/robot-state.ts';

const needs = { sim: true, admin: true, world: true, motion: true } as const;
const EMAIL = 'rules-seeded@armtwin.test';
const NAME = 'rules seeded';
const SECRET = 'a token that only the seed of one rule names';

/** States with a current or an interrupted motion; only the robot itself can enter them. */
const LED = ['running', 'stopping', 'paused'] as const;
const STILL = ['error', 'collision', 'disabled', 'backdriving', 'ready'] as const;

/** Runs `work` with a seeded user and deletes the user afterwards. */
async function withSeeded(admin: Actor, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    const { users } = await admin.does('listUsers');
    const made = users.find(({ email }) => email === EMAIL);
    if (made) await admin.does('deleteUser', { user_id: made.id });
  }
}

/** The saved toolpaths of the user of a token. */
async function toolpathsOf(context: RuleContext, secret: string) {
  const anonymous = await context.as('anonymous');
  const { token } = await anonymous.does('createSession', { token: secret });
  const headers = { Authorization: `Bearer ${token}` };
  const reply = await context.raw({ method: 'GET', path: '/api/v1/toolpaths', headers });
  return context.expect.fits('ToolpathsReply', reply.body).toolpaths;
}

/** A slow arm with a load. */
const PROFILE = {
  armtwin_profile: 1,
  arm: 'automata-eva',
  name: 'rules',
  captures: ['rules.capture'],
  motion: {
    law: 'double_s',
    velocity_rad_s: [0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
    acceleration_rad_s2: [2, 2, 2, 2, 2, 2],
    jerk_rad_s3: [20, 20, 20, 20, 20, null],
    ramp_s: null,
    braking_share: null,
    tool_speed: 'where_reached',
  },
  friction: { viscous_n_m_s: [1, 1, 1, 1, 1, 1], coulomb_n_m: [1, 1, 1, 1, 1, null] },
  load: { mass_kg: 0.2, centre_of_mass_m: { x: 0, y: 0, z: 0.04 } },
  noise: { position_rad: 0, velocity_rad_s: 0 },
  latency_s: 0.004,
  intervals: { latency_s: [0.003, 0.005] },
  not_identifiable: [{ value: 'jerk_rad_s3/5', reason: 'the joint did not move' }],
} satisfies NonNullable<SeedBody['profile']>;

export const SEED_RULES: readonly Rule[] = [
  {
    id: 'seed/users-and-toolpaths',
    requirements: [],
    routes: ['seedTwin', 'listToolpaths'],
    statement: 'A seed creates users, tokens and toolpaths once; the next seed updates them.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      await withSeeded(admin, async () => {
        const token = { name: 'seeded', token: SECRET };
        const role = 'user' as const;
        const user = { email: EMAIL, password: 'seeded and long', role, tokens: [token] };
        const toolpath = { owner: EMAIL, name: NAME, toolpath: storedSample() };
        const seed = { arm: 'default', users: [user], toolpaths: [toolpath] };
        await admin.does('seedTwin', seed);
        const first = await toolpathsOf(context, SECRET);
        expect.equal(
          first.map(({ name }) => name),
          [NAME],
          'names of the toolpaths',
        );
        await admin.does('seedTwin', seed);
        expect.equal(await toolpathsOf(context, SECRET), first, 'toolpaths of the same seed again');
        const other = sampleToolpath([RESTING_POSE, RESTING_POSE], { timeline: backAndForth(3) });
        await admin.does('seedTwin', { toolpaths: [{ ...toolpath, toolpath: other }] });
        const [changed, ...more] = await toolpathsOf(context, SECRET);
        expect.equal([changed?.id, more], [first[0]?.id, []], 'the same toolpath');
        expect.ok(changed?.hash !== first[0]?.hash, 'its content has changed');
        const { tokens } = await admin.does('listTokens', { user_id: await idOf(admin) });
        expect.equal(tokens.length, 1, 'tokens of a user that was seeded twice');
        const anonymous = await context.as('anonymous');
        await anonymous.does('logIn', { email: EMAIL, password: 'seeded and long' });
        const again = { users: [{ email: EMAIL, password: 'another and long' }] };
        await admin.does('seedTwin', again);
        await anonymous.does('logIn', { email: EMAIL, password: 'another and long' });
      });
    },
  },
  {
    id: 'seed/all-or-nothing',
    requirements: [],
    routes: ['seedTwin'],
    statement: 'A refused seed names the invalid place and changes nothing.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const before = [await admin.does('listUsers'), await admin.does('getLoopback')];
      const users = [{ email: EMAIL }];
      const refused: readonly (readonly [object, string])[] = [
        [{ selected: 'rules: no such toolpath' }, '/selected'],
        [{ inputs: { a0: 99 } }, '/inputs/a0'],
        [{ outputs: { a1: -1 } }, '/outputs/a1'],
        [
          { toolpaths: [{ owner: 'unknown@armtwin.test', name: NAME, toolpath: storedSample() }] },
          '',
        ],
        [{ pose: [0, 0, 99, 0, 0, 0] }, '/pose/2'],
        [{ realism: 'perfect' }, '/realism'],
        [{ arm: 'ur5' }, '/arm'],
        [{ profile: { ...PROFILE, arm: 'ur5' } }, '/profile/arm'],
        [{ profile: { ...PROFILE, latency_s: 9 } }, '/profile/latency_s'],
      ];
      await withSeeded(admin, async () => {
        for (const [more, place] of refused) {
          const { details } = await admin.refused(
            'seedTwin',
            { body: { users, ...more } },
            INVALID,
          );
          expect.ok(JSON.stringify(details).includes(place), `details name ${place}`);
          const now = [await admin.does('listUsers'), await admin.does('getLoopback')];
          expect.equal(now, before, `what there is after a seed refused at ${place}`);
        }
      });
    },
  },
  {
    id: 'seed/states',
    requirements: [],
    routes: ['seedTwin'],
    statement: 'A seed can set any robot state; the lock is free and the arm does not move.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const { here, there } = await context.poseNearby(0.1);
      const toolpath = sampleToolpath([here, there], { timeline: backAndForth(20) });
      await withSeeded(admin, async () => {
        const toolpaths = [{ owner: EMAIL, name: NAME, toolpath }];
        await admin.does('seedTwin', { users: [{ email: EMAIL }], toolpaths, selected: NAME });
        for (const state of [...STILL, ...LED]) {
          await admin.does('seedTwin', { state });
          expect.equal(await stateOf(context), state, 'seeded state');
          expect.equal((await admin.does('getLock')).owner, 'none', `the lock when ${state}`);
          if (state === 'paused') {
            const paused = (await context.snapshot())['servos.telemetry.position'];
            await context.settle(0.5);
            const later = (await context.snapshot())['servos.telemetry.position'];
            expect.close(later, paused, 2e-3);
          }
          await admin.does('seedTwin', { state: 'ready' });
        }
      });
      await admin.does('takeLock');
    },
  },
  {
    id: 'seed/profile',
    requirements: [],
    routes: ['seedTwin', 'getLoad', 'goTo'],
    statement: 'A seeded profile gives the arm the speed and the load of a real one.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const { here, there } = await context.poseNearby(0.2);
      await admin.does('seedTwin', { pose: here, profile: PROFILE });
      const { load } = await admin.does('getLoad');
      expect.equal(load?.mass_kg, PROFILE.load.mass_kg, 'the load of the profile');
      await admin.does('takeLock');
      const motion = { mode: 'automatic', joints: there, max_speed: 1.5 } as const;
      await admin.does('goTo', motion);
      await context.settle(0.5);
      expect.equal(await stateOf(context), 'running', 'state halfway through the slow motion');
      await context.until('the arm arrives', async () => (await stateOf(context)) === 'ready');
      await admin.does('seedTwin', { profile: { armtwin_profile: 1, arm: PROFILE.arm } });
      await admin.does('clearLoad');
    },
  },
  {
    id: 'seed/ends-motion',
    requirements: [],
    routes: ['seedTwin', 'goTo'],
    statement: 'A seeded motion state leaves the arm at rest and able to move again.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      await admin.does('takeLock');
      const { there } = await context.poseNearby(0.6);
      await admin.does('goTo', { mode: 'automatic', joints: there, time: 2 });
      await context.settle(1);
      await admin.does('seedTwin', { state: 'ready' });
      await context.settle(0.1);
      const at = (await context.snapshot())['servos.telemetry.position'];
      await context.settle(1);
      const { control, 'servos.telemetry.position': later } = await context.snapshot();
      expect.equal(control.state, 'ready', 'state in the end');
      expect.close(later, at, 1e-3);
      await admin.does('takeLock');
      await admin.does('goTo', { mode: 'automatic', joints: there });
      await context.until('the arm moves again', async () => (await stateOf(context)) === 'ready');
      expect.close((await context.snapshot())['servos.telemetry.position'], there, 5e-3);
    },
  },
  {
    id: 'seed/signals-and-time',
    requirements: [],
    routes: ['seedTwin', 'getClock', 'getLoopback'],
    statement:
      'A seed sets signals, wiring and date; seeded inputs take precedence over wired outputs.',
    needs: { ...needs, pace: true },
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const wires = await admin.does('getLoopback');
      const inputs = { a0_mode: 'current', a0: 12, d3: true, ee_d1: true } as const;
      const outputs = { a1_mode: 'current', a1: 10, d0: true } as const;
      await admin.does('seedTwin', {
        inputs,
        outputs,
        loopback: [{ output: 'd0', input: 'd1' }],
        clock: { date: '2031-05-06T07:08:09Z' },
      });
      const { date } = await admin.does('getClock');
      expect.ok(date.startsWith('2031-05-06T07:08'), `${date} is the date of the seed`);
      const seen = await context.snapshot();
      const { a0_mode, a0, d3, d1, ee_d1 } = seen['global.inputs'];
      expect.equal({ a0_mode, a0, d3, ee_d1 }, inputs, 'inputs');
      expect.equal(d1, true, 'the wired input');
      const { a1_mode, a1, d0 } = seen['global.outputs'];
      expect.equal({ a1_mode, a1, d0 }, outputs, 'outputs');
      await admin.does('setLoopback', wires);
      await admin.does('setInputs', { values: { a0_mode: 'voltage' } });
      await admin.does('setInputs', { values: { a0: 0, d3: false, d1: false, ee_d1: false } });
    },
  },
  {
    id: 'seed/needs-no-such-user',
    requirements: [],
    routes: ['seedTwin'],
    statement: 'A seed is validated by its schema; unknown fields are refused by name.',
    needs: { sim: true, admin: true },
    async check(context) {
      const { session } = await context.as('admin');
      const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
      const request = { method: 'POST', path: '/sim/v1/seed', headers };
      const body = '{"users":[{"email":"no address"}]}';
      const { details } = checkRefusal(await context.raw({ ...request, body }), INVALID);
      context.expect.ok(JSON.stringify(details).includes('/users/0/email'), 'the place is named');
    },
  },
];

/** The id of the seeded user. */
async function idOf(admin: Actor): Promise<number> {
  const { users } = await admin.does('listUsers');
  const made = users.find(({ email }) => email === EMAIL);
  if (!made) throw new TypeError('the seeded user is missing');
  return made.id;
}
