/**
 * Rules for running a toolpath: outputs, waits, branches, restarts, speeds; and for the scheduler
 * and collision detection (spec §4.5).
 */

import { limits } from '../limits.ts';
import type { Action } from '../types.ts';
import { newAdminSession, statusOf, whileClockPaused } from './common-steps.ts';
import type { Rule, RuleContext } from './rule.ts';
import { sampleToolpath } from './samples.ts';

const invalid = { status: 400, error_code: 8 } as const;
const DAY_S = 86_400;
/** The offset of every time zone is a multiple of 15 minutes. */
const QUARTER_MS = 900_000;

/** Advances arm time until the robot reaches a state, in a new session; returns the date. */
async function dateWhen(context: RuleContext, state: string, limit_s: number): Promise<number> {
  const { session } = await newAdminSession(context);
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ state, limit_s });
  const request = { method: 'POST', path: '/sim/v1/clock/until', headers, body };
  const reply = context.expect.fits('RunUntilReply', (await context.raw(request)).body);
  context.expect.ok(reply.reached, `the robot is ${state} within ${limit_s} s`);
  return Date.parse(reply.clock.date);
}

/** Checks two days of a schedule from 12:30:00 to 12:30:07. */
async function checkTwoDays(context: RuleContext): Promise<void> {
  const { expect } = context;
  const first = await dateWhen(context, 'running', DAY_S + 1);
  expect.ok(first % QUARTER_MS < 100, `it begins at ${new Date(first).toISOString()}`);
  const stopped = await dateWhen(context, 'stopping', 10);
  expect.ok(Math.abs(stopped - first - 7000) < 100, 'it stops looping at the other time');
  await dateWhen(context, 'ready', 30);
  const second = await dateWhen(context, 'running', DAY_S + 1);
  expect.ok(Math.abs(second - first - DAY_S * 1000) < 100, 'a day lies between two starts');
  await dateWhen(context, 'ready', 60);
}

export const CONTROL_RULES: readonly Rule[] = [
  {
    id: 'scheduler/set-and-cleared',
    requirements: ['A73', 'A127', 'A128'],
    routes: ['setScheduler', 'getSnapshot'],
    statement: 'The scheduler accepts a time range when enabled and shows it until disabled.',
    async check({ as, expect, snapshot }) {
      const user = await as('user');
      await user.does('takeLock');
      const range = { start_time: '03:00:00', end_time: '03:00:10' };
      const on = await user.does('setScheduler', { enabled: true, ...range });
      expect.equal(on.event.name, 'EVENT_SCHEDULER_UPDATE', 'name of the event');
      expect.ok(on.event.details.includes('03:00:10'), 'the details contain the range');
      const wanted = { enabled: true, start_time: '03:00:00', stop_time: '03:00:10' };
      expect.equal((await snapshot()).scheduler, wanted, 'scheduler');
      await user.does('setScheduler', { enabled: false });
      expect.equal((await snapshot()).scheduler.enabled, false, 'scheduler when disabled');
    },
  },
  {
    id: 'scheduler/body',
    requirements: ['A128'],
    routes: ['setScheduler'],
    statement: 'Enabling requires both times as HH:MM:SS; disabling accepts none.',
    async check({ as }) {
      const user = await as('user');
      await user.does('takeLock');
      const bodies = [
        { enabled: true },
        { enabled: true, start_time: '8:00', end_time: '09:00:00' },
        { enabled: true, start_time: '08:00:00', end_time: '24:00:00' },
        { enabled: false, start_time: '08:00:00', end_time: '09:00:00' },
      ];
      for (const body of bodies) await user.refused('setScheduler', { body }, invalid);
    },
  },
  {
    id: 'scheduler/starts-every-day',
    requirements: ['A73', 'A127'],
    routes: ['setScheduler', 'useUnsavedToolpath'],
    statement: 'A scheduled run starts at its start time each day and ends after its end time.',
    needs: { sim: true, admin: true, pace: true, motion: true, armTime_s: 3 * DAY_S },
    async check(context) {
      const { expect } = context;
      const user = await context.as('user');
      await user.does('takeLock');
      const { here, there } = await context.poseNearby(0.05);
      await user.does('useUnsavedToolpath', { toolpath: sampleToolpath([here, there]) });
      const range = { start_time: '12:30:00', end_time: '12:30:07' };
      await user.does('setScheduler', { enabled: true, ...range });
      await whileClockPaused(context, () => checkTwoDays(context));
      await statusOf(context, 'POST /api/v1/controls/lock', {});
      await statusOf(context, 'POST /api/v1/controls/scheduler', { enabled: false });
      await statusOf(context, 'DELETE /api/v1/controls/lock', {});
      expect.equal((await context.snapshot()).scheduler.enabled, false, 'scheduler in the end');
    },
  },
  {
    id: 'collision-detection/set',
    requirements: ['A69', 'A129'],
    routes: ['setCollisionDetection', 'getSnapshot'],
    statement: 'An admin with the lock can switch collision detection and set its sensitivity.',
    needs: { admin: true },
    async check({ as, expect, snapshot }) {
      const admin = await as('admin');
      const body = { enabled: true, sensitivity: 'high' } as const;
      await admin.refused('setCollisionDetection', { body }, { status: 403, error_code: 3 });
      await admin.does('takeLock');
      const before = (await snapshot()).collision_detection;
      await admin.does('setCollisionDetection', body);
      expect.equal((await snapshot()).collision_detection, body, 'collision_detection');
      await admin.refused('setCollisionDetection', { body: { enabled: true } }, invalid);
      const { sensitivity } = before;
      await admin.does('setCollisionDetection', { enabled: true, sensitivity });
      if (!before.enabled) await admin.does('setCollisionDetection', { enabled: false });
    },
  },
];

function output(index: number, value: boolean): Action {
  return { type: 'output-set', io: { location: 'base', type: 'digital', index }, value };
}

function isOutput(index: number, value: boolean) {
  const io = { location: 'base', type: 'digital', index } as const;
  return { type: 'output-test', io, value } as const;
}

async function endsReady(context: RuleContext): Promise<void> {
  const isReady = async () => (await context.snapshot()).control.state === 'ready';
  await context.until('the run ends', isReady, 30);
}

/** Arc of the tool that lasts long enough to be judged in real time (m), and turns for it (rad). */
const ARC_M = 0.3;
const TURN_RAD = { least: 0.6, most: 2.5 };
/** Share of the time of the arc after which the arm is still on its way. */
const JUDGED_SHARE = 0.95;

/** Requests a turn of joint 1 and checks that the tool does not exceed 0.25 m/s. */
async function isSlow(
  context: RuleContext,
  wish: { mode: 'teach' | 'automatic'; max_speed?: number },
) {
  const user = await context.as('user');
  const { 'servos.telemetry.position': joints } = await context.snapshot();
  const { fk } = await user.does('forwardKinematics', { joints });
  if (fk.result !== 'success') return context.expect.fail(`no pose: ${fk.error}`);
  const radius_m = Math.hypot(fk.position.x, fk.position.y);
  const turn_rad = Math.min(TURN_RAD.most, Math.max(TURN_RAD.least, ARC_M / radius_m));
  const { there } = await context.poseNearby(turn_rad);
  const arc_m = turn_rad * radius_m;
  await user.does('takeLock');
  await user.does('goTo', { ...wish, joints: there });
  await context.settle(JUDGED_SHARE * (arc_m / limits.speed_go_to_default_m_per_s));
  const { state } = (await context.snapshot()).control;
  context.expect.equal(state, 'running', `state after ${JUDGED_SHARE} of ${arc_m} m at 0.25 m/s`);
  await endsReady(context);
}

export const TIMELINE_RULES: readonly Rule[] = [
  {
    id: 'timeline/outputs-waits-branches',
    requirements: ['A29', 'A30', 'A36', 'A39', 'A31'],
    routes: ['run', 'useUnsavedToolpath', 'getSnapshot'],
    statement: 'A run sets outputs, takes the first valid branch, and restart starts again.',
    needs: { motion: true },
    async check(context) {
      const user = await context.as('user');
      const { here, there } = await context.poseNearby(0.05);
      const again: Action[] = [output(1, true), { type: 'restart' }];
      const timeline: Action[] = [
        { type: 'home', waypoint_id: 0 },
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1, time: 1 },
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0, time: 1 },
        { type: 'if', branches: [{ condition: isOutput(1, false), timeline: again }] },
        output(2, true),
        { type: 'wait', condition: isOutput(2, true) },
        output(3, false),
        {
          type: 'if',
          branches: [
            { condition: isOutput(2, false), timeline: [output(3, true)] },
            { condition: isOutput(1, true), timeline: [output(0, true)] },
            { condition: isOutput(2, true), timeline: [output(3, true)] },
          ],
        },
      ];
      await user.does('takeLock');
      const low = [0, 1, 2, 3].map((index) => ({ key: `outputs.d${index}`, value: false }));
      await user.does('changeGlobals', { changes: low });
      await user.does('useUnsavedToolpath', {
        toolpath: sampleToolpath([here, there], { timeline }),
      });
      await user.does('run', { mode: 'automatic', loop: 1 });
      await endsReady(context);
      const { d0, d1, d2, d3 } = (await context.snapshot())['global.outputs'];
      context.expect.equal([d0, d1, d2, d3], [true, true, true, false], 'outputs');
      context.expect.equal((await context.snapshot()).control.loop_count, 1, 'loops');
      await user.does('changeGlobals', { changes: low });
    },
  },
  {
    id: 'timeline/modes-applied',
    requirements: ['A18', 'A22', 'A58'],
    routes: ['useUnsavedToolpath', 'calcToolpath'],
    statement: 'use applies the analog modes and the avoidance zones of the toolpath.',
    async check(context) {
      const user = await context.as('user');
      const { here, there } = await context.poseNearby(0.1);
      const modes = { i0: 'current', i1: 'voltage', o0: 'voltage', o1: 'current' } as const;
      const toolpath = sampleToolpath([here, there], { metadata: { analog_modes: modes } });
      await user.does('takeLock');
      await user.does('useUnsavedToolpath', { toolpath });
      const data = await context.snapshot();
      const seen = [data['global.inputs'].a0_mode, data['global.outputs'].a1_mode];
      context.expect.equal(seen, ['current', 'current'], 'modes');
      const everywhere = {
        name: 'everywhere',
        position: { x: -2, y: -2, z: 0.2 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
        dimensions: { x: 4, y: 4, z: 2 },
        avoid: 'inside',
      } as const;
      const metadata = { avoidance_zones: [everywhere] };
      const blocked = sampleToolpath([here, there], { metadata });
      const { trajectory } = await user.does('calcToolpath', { toolpath: blocked });
      context.expect.ok(trajectory.error !== undefined, 'a path through a zone is an error');
    },
  },
  {
    id: 'speed/teach-cap',
    requirements: ['A166'],
    routes: ['goTo'],
    statement: 'In teach mode a faster request is limited to 0.25 m/s.',
    needs: { motion: true },
    check: (context) => isSlow(context, { mode: 'teach', max_speed: 1 }),
  },
  {
    id: 'speed/go-to-default',
    requirements: ['A168', 'A126'],
    routes: ['goTo'],
    statement: 'Without time and max_speed, go_to moves at 0.25 m/s in automatic mode too.',
    needs: { motion: true },
    check: (context) => isSlow(context, { mode: 'automatic' }),
  },
];
