/**
 * Rules of single moments of a simulated arm, which only its clock can hold still: how a stop
 * begins, what is refused until the arm rests, what comes back with a kept state (spec §2.10, §3).
 */
import { limits } from '../limits.ts';
import type { Actor, Rule, RuleContext } from './rule.ts';
import { storedSample } from './samples.ts';
import { statusOf, whilePaused } from './stillness.ts';
import { sampleWorkflow } from './workflow-samples.ts';

const needs = { sim: true, admin: true } as const;
/** What happens while time stands still. */
const paused = { ...needs, pace: true, motion: true } as const;
const TURN_RAD = 0.6;
/** Calls that take less than a second together, of the eighteen that the run would take. */
const LOOKS = 400;

/** Sets the arm going, fast, and lets half of the motion pass; the lock is the admin's. */
async function getGoing(context: RuleContext, admin: Actor): Promise<void> {
  const { there } = await context.poseNearby(TURN_RAD);
  await admin.does('goTo', { mode: 'automatic', joints: there, time: 2 });
  await admin.does('advanceClock', { seconds: 1 });
}

const BUTTONS = 'PUT /sim/v1/buttons';

export const SIM_MOMENT_RULES: readonly Rule[] = [
  {
    id: 'sim/stop-brakes',
    requirements: ['A87'],
    routes: ['setEmergencyStop'],
    statement: 'An emergency stop brakes the arm from the speed it has, and then it stands.',
    needs: paused,
    async check(context) {
      const { expect } = context;
      await whilePaused(context, async (admin) => {
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
    id: 'sim/hand-waits-for-rest',
    requirements: [],
    routes: ['setButtons', 'cyclePower'],
    statement: 'Nobody can take the arm by hand before it has come to rest.',
    needs: paused,
    async check(context) {
      await whilePaused(context, async (admin) => {
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
    id: 'sim/power-cycle-told',
    requirements: ['A102'],
    routes: ['cyclePower', 'openStream'],
    statement:
      'A power cycle frees the lock and says so where it was taken; nothing is counted on.',
    needs,
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const listener = await context.listen(user);
      await user.does('takeLock');
      await listener.heard('lock_status', (event) => event.lock.owner === 'you');
      await admin.does('cyclePower');
      await listener.heard('lock_status', (event) => event.lock.owner === 'none');
      await context.until('the stream has ended', async () => !listener.isOpen());
      const { control } = await context.snapshot();
      const { loop_count, loop_target, run_mode, state } = control;
      const seen = [state, run_mode, loop_count, loop_target];
      context.expect.equal(seen, ['ready', 'not_running', 0, 0], 'control after power-up');
    },
  },
  {
    id: 'sim/waypoint-for-nobody',
    requirements: ['A85'],
    routes: ['pressWaypoint', 'setButtons'],
    statement: 'The waypoint button works without a lock: then nobody is told.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      const listener = await context.listen(admin);
      await admin.does('setButtons', { backdriving: true });
      await admin.does('pressWaypoint');
      await admin.does('takeLock');
      await admin.does('pressWaypoint');
      await listener.heard('backdriving');
      await admin.does('setButtons', { backdriving: false });
      const told = listener.events.filter(({ type }) => type === 'backdriving');
      context.expect.equal(told.length, 1, 'waypoints that were told');
    },
  },
  {
    id: 'sim/kept-moment',
    requirements: ['A92', 'A98'],
    routes: ['keepState', 'restoreState', 'getLock'],
    statement: 'With a kept state come its pose, its date, and the time that locks have left.',
    needs: { ...paused, world: true, armTime_s: 2 * limits.lock_expiry_automatic_s },
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const { there } = await context.poseNearby(0.1);
      await whilePaused(context, async () => {
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
    id: 'sim/kept-toolpaths',
    requirements: [],
    routes: ['keepState', 'restoreState', 'getToolpath'],
    statement: 'With a kept state come its toolpaths, whole, and no others.',
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
      expect.equal(got.toolpath, body.toolpath, 'content of what was deleted meanwhile');
      const listed = (await user.does('listToolpaths')).toolpaths.map(({ id }) => id);
      expect.equal([listed.includes(first.id), listed.includes(second.id)], [true, false], 'ids');
      await admin.does('forgetStates');
    },
  },
  {
    id: 'sim/no-waiting-at-full-pace',
    requirements: [],
    routes: ['setClock', 'startRun', 'getRun'],
    statement: 'At full pace a run ends by itself at once, though the arm has nothing to do.',
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
