/**
 * Rules for single instants of a simulated arm, observed with a paused clock: start of a stop,
 * refusals until the arm rests, restored snapshots (spec §2.10, §3).
 */

import { limits } from '../../contract/limits.ts';
import type { Actor } from '../actor.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { storedSample } from '../samples/sample-toolpath.ts';
import { sampleWorkflow } from '../samples/sample-workflow.ts';
import { statusOf } from '../steps/admin-session.ts';
import { whileClockPaused } from '../steps/clock.ts';

const needs = { sim: true, admin: true } as const;
/** Needs of rules that pause the clock. */
const paused = { ...needs, pace: true, motion: true } as const;
const TURN_RAD = 0.6;
/** Calls that take less than 1 s in total; the run would take 18 s. */
const LOOKS = 400;

/** Starts a fast motion with the lock of the admin and advances to its middle. */
async function getGoing(context: RuleContext, admin: Actor): Promise<void> {
  const { there } = await context.poseNearby(TURN_RAD);
  await admin.does('goTo', { mode: 'automatic', joints: there, time: 2 });
  await admin.does('advanceClock', { seconds: 1 });
}

const BUTTONS = 'PUT /sim/v1/buttons';

export const SIM_TIMING_RULES: readonly Rule[] = [
  {
    id: 'sim/stop-brakes',
    requirements: ['A87'],
    routes: ['setEmergencyStop'],
    statement: 'An emergency stop brakes the arm from its current speed to rest.',
    needs: paused,
    async check(context) {
      const { expect } = context;
      await whileClockPaused(context, async (admin) => {
        await admin.does('takeLock');
        await getGoing(context, admin);
        const before = await context.snapshot();
        await admin.does('setEmergencyStop', { engaged: true });
        await admin.does('stepClock', { ticks: 2 });
        const speed = (at: typeof before) => at['servos.telemetry.velocity'][0];
        const during = await context.snapshot();
        const kept = speed(during) / speed(before);
        expect.ok(kept > 0.6 && kept < 1.1, `${kept} of the speed is left after two ticks`);
        await admin.does('advanceClock', { seconds: 1 });
        const [from, stands] = [before, await context.snapshot()].map(
          (at) => at['servos.telemetry.position'][0],
        );
        expect.ok(Math.abs(stands! - from!) > 5e-3, 'the arm needs some way to stop');
        expect.ok(Math.abs(stands! - from!) < 0.3, 'and not much');
        await admin.does('advanceClock', { seconds: 1 });
        const { 'servos.telemetry.position': later } = await context.snapshot();
        expect.close([later[0]], [stands!], 1e-3);
        await admin.does('setEmergencyStop', { engaged: false });
        await admin.does('resetErrors');
        const { there } = await context.poseNearby(0.05);
        await admin.does('goTo', { mode: 'automatic', joints: there, time: 1 });
        await admin.does('advanceClock', { seconds: 2 });
        const { 'servos.telemetry.position': reached } = await context.snapshot();
        expect.close(reached, there, 5e-3);
      });
    },
  },
  {
    id: 'sim/backdriving-needs-rest',
    requirements: [],
    routes: ['setButtons', 'cyclePower'],
    statement: 'Backdriving is refused until the arm is at rest.',
    needs: paused,
    async check(context) {
      await whileClockPaused(context, async (admin) => {
        await admin.does('takeLock');
        await getGoing(context, admin);
        await admin.does('cyclePower');
        const pressed = { backdriving: true };
        const moving = await statusOf(context, BUTTONS, pressed);
        context.expect.equal(moving, 400, 'status while the arm still moves');
        await statusOf(context, 'POST /sim/v1/clock/advance', { seconds: 2 });
        const resting = await statusOf(context, BUTTONS, pressed);
        context.expect.equal(resting, 204, 'status when it rests');
        await statusOf(context, BUTTONS, { backdriving: false });
      });
    },
  },
  {
    id: 'sim/power-cycle-lock-event',
    requirements: ['A102'],
    routes: ['cyclePower', 'openStream'],
    statement: 'A power cycle releases the lock, publishes that, and stops counting loops.',
    needs,
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const listener = await context.listen(user);
      await user.does('takeLock');
      await listener.received('lock_status', (event) => event.lock.owner === 'you');
      await admin.does('cyclePower');
      await listener.received('lock_status', (event) => event.lock.owner === 'none');
      await context.until('the stream has ended', async () => !listener.isOpen());
      const { control } = await context.snapshot();
      const { loop_count, loop_target, run_mode, state } = control;
      const seen = [state, run_mode, loop_count, loop_target];
      context.expect.equal(seen, ['ready', 'not_running', 0, 0], 'control after power-up');
    },
  },
  {
    id: 'sim/waypoint-without-owner',
    requirements: ['A85'],
    routes: ['pressWaypoint', 'setButtons'],
    statement: 'Without a lock owner the waypoint button publishes no event.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const listener = await context.listen(admin);
      await admin.does('setButtons', { backdriving: true });
      await admin.does('pressWaypoint');
      await admin.does('takeLock');
      await admin.does('pressWaypoint');
      await listener.received('backdriving');
      await admin.does('setButtons', { backdriving: false });
      const waypoints = listener.events.filter(({ type }) => type === 'backdriving');
      context.expect.equal(waypoints.length, 1, 'published waypoints');
    },
  },
  {
    id: 'sim/snapshot-pose-and-time',
    requirements: ['A92', 'A98'],
    routes: ['keepState', 'restoreState', 'getLock'],
    statement: 'A snapshot restores pose, date and the remaining time of the lock.',
    needs: { ...paused, world: true, armTime_s: 2 * limits.lock_expiry_automatic_s },
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const { there } = await context.poseNearby(0.1);
      await whileClockPaused(context, async () => {
        await admin.does('takeLock');
        const name = 'a moment of a rule';
        await admin.does('advanceClock', { seconds: 100 });
        await admin.does('keepState', { name });
        const kept = [await context.snapshot(), (await admin.does('getClock')).tick] as const;
        await admin.does('goTo', { mode: 'automatic', joints: there, time: 1 });
        await admin.does('advanceClock', { seconds: 150 });
        await admin.does('restoreState', { name });
        const back = await context.snapshot();
        const position = 'servos.telemetry.position';
        expect.close(back[position], kept[0][position], 1e-3);
        expect.equal((await admin.does('getClock')).tick, kept[1], 'the tick');
        const left_s = limits.lock_expiry_automatic_s - 100;
        await admin.does('advanceClock', { seconds: left_s - 5 });
        expect.equal((await admin.does('getLock')).owner, 'you', 'within its time');
        await admin.does('advanceClock', { seconds: 10 });
        expect.equal((await admin.does('getLock')).owner, 'none', 'after its time');
        await admin.does('forgetStates');
      });
    },
  },
  {
    id: 'sim/snapshot-toolpaths',
    requirements: [],
    routes: ['keepState', 'restoreState', 'getToolpath'],
    statement: 'A snapshot restores exactly its toolpaths.',
    needs: { ...needs, world: true },
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const { expect } = context;
      const body = { name: 'rules kept', toolpath: storedSample() };
      const name = 'toolpaths of a rule';
      const first = (await user.does('createToolpath', body)).toolpath;
      await admin.does('keepState', { name });
      await user.does('deleteToolpath', { toolpath_id: first.id });
      const second = (await user.does('createToolpath', body)).toolpath;
      await admin.does('restoreState', { name });
      const got = (await user.does('getToolpath', { toolpath_id: first.id })).toolpath;
      expect.equal(got.toolpath, body.toolpath, 'restored toolpath');
      const listed = (await user.does('listToolpaths')).toolpaths.map(({ id }) => id);
      expect.equal([listed.includes(first.id), listed.includes(second.id)], [true, false], 'ids');
      await admin.does('forgetStates');
    },
  },
  {
    id: 'sim/max-pace',
    requirements: [],
    routes: ['setClock', 'startRun', 'getRun'],
    statement: 'At maximum pace a workflow run without arm moves completes at once.',
    needs: { ...needs, pace: true },
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const { workflow } = await user.does('createWorkflow', sampleWorkflow());
      const { pace } = await admin.does('getClock');
      await admin.does('setClock', { pace: 'max' });
      try {
        const parameters = { workflow_id: workflow.id };
        const { run } = await user.does('startRun', parameters, { simulate_drivers: true });
        let looks = 0;
        const isOn = async () => {
          const shown = await user.does('getRun', { run_id: run.id });
          return shown.run.state !== 'stopped' && ++looks < LOOKS;
        };
        while (await isOn());
        context.expect.ok(looks < LOOKS, `the run has ended after ${looks} looks at it`);
      } finally {
        await admin.does('setClock', { pace });
        await user.does('deleteWorkflow', { workflow_id: workflow.id });
      }
    },
  },
];
