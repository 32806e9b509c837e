/** Rules for the scheduler and collision detection (spec §4.5). */

import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { sampleToolpath } from '../samples/sample-toolpath.ts';
import { newAdminSession, statusOf } from '../steps/admin-session.ts';
import { whileClockPaused } from '../steps/clock.ts';

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
      for (const body of bodies) await user.refused('setScheduler', { body }, INVALID);
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
      await admin.refused('setCollisionDetection', { body: { enabled: true } }, INVALID);
      const { sensitivity } = before;
      await admin.does('setCollisionDetection', { enabled: true, sensitivity });
      if (!before.enabled) await admin.does('setCollisionDetection', { enabled: false });
    },
  },
];
