/** Rules for moving, pausing and running (spec §3.1, §4.5). */

import type { Joints } from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { backAndForth, sampleToolpath } from '../samples/sample-toolpath.ts';
import { waitForState } from '../steps/robot-state.ts';
import { userWithLock } from '../steps/users.ts';

const wrongState = { status: 400, error_code: 1, title: 'ERROR_WRONG_STATE' } as const;
const STANDING: Joints = [0, 0, 0, 0, 0, 0];

async function position(context: RuleContext): Promise<Joints> {
  return (await context.snapshot())['servos.telemetry.position'];
}

/** Selects a toolpath that turns joint 1 back and forth. */
async function select(context: RuleContext, user: Actor, leg_s: number): Promise<void> {
  const { here, there } = await context.poseNearby(0.15);
  const toolpath = sampleToolpath([here, there], { timeline: backAndForth(leg_s) });
  await user.does('useUnsavedToolpath', { name: 'rules run', toolpath });
}

/** Acquires the lock and selects a toolpath. */
async function loaded(context: RuleContext, leg_s: number): Promise<Actor> {
  const user = await userWithLock(context);
  await select(context, user, leg_s);
  return user;
}

export const MOTION_RULES: readonly Rule[] = [
  {
    id: 'go-to/moves',
    requirements: ['A78', 'A126', 'A158', 'A45'],
    routes: ['goTo', 'getSnapshot'],
    statement: 'go_to returns at once with the robot running, and the robot stops at the target.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { there } = await context.poseNearby(0.1);
      await user.does('goTo', { mode: 'teach', joints: there });
      const { control } = await context.snapshot();
      context.expect.equal([control.state, control.run_mode], ['running', 'teach'], 'control');
      await waitForState(context, 'ready');
      context.expect.close(await position(context), there, 0.01);
      const { run_mode } = (await context.snapshot()).control;
      context.expect.equal(run_mode, 'not_running', 'run_mode afterwards');
    },
  },
  {
    id: 'go-to/takes-the-requested-time',
    requirements: ['A126'],
    routes: ['goTo'],
    statement: 'A motion with a time takes exactly that time, also to where the arm is.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { there } = await context.poseNearby(0.1);
      for (const where of ['away', 'here']) {
        await user.does('goTo', { mode: 'automatic', joints: there, time: 3 });
        await context.settle(2.5);
        const { state } = (await context.snapshot()).control;
        context.expect.equal(state, 'running', `state at 2.5 s, ${where}`);
        await context.settle(1);
        const { state: end } = (await context.snapshot()).control;
        context.expect.equal(end, 'ready', `state at 3.5 s, ${where}`);
      }
    },
  },
  {
    id: 'go-to/slowed-in-teach',
    requirements: ['A126', 'A166'],
    routes: ['goTo'],
    statement: 'In teach mode a time that only the speed cap makes too short takes longer instead.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { here, there } = await context.poseNearby(0.2);
      const body = { mode: 'automatic', joints: there, time: 0.001 } as const;
      const { details } = await user.refused('goTo', { body }, INVALID);
      const { minimum_time_s } = details as { minimum_time_s?: unknown };
      context.expect.equal(typeof minimum_time_s, 'number', 'minimum_time_s in the details');
      const time = Number(minimum_time_s) * 1.01;
      await user.does('goTo', { mode: 'teach', joints: there, time });
      await waitForState(context, 'ready');
      context.expect.close(await position(context), there, 0.01);
      await user.refused('goTo', { body: { ...body, mode: 'teach', joints: here } }, INVALID);
    },
  },
  {
    id: 'go-to/body',
    requirements: ['A126', 'A169', 'A170'],
    routes: ['goTo'],
    statement: 'go_to requires a mode, six joints, and at most one of time and max_speed.',
    async check(context) {
      const user = await userWithLock(context);
      const joints = await position(context);
      const bodies = [
        { joints },
        { mode: 'teach' },
        { mode: 'fast', joints },
        { mode: 'teach', joints: joints.slice(1) },
        { mode: 'teach', joints, time: 1, max_speed: 0.1 },
        { mode: 'teach', joints, time: 0 },
        { mode: 'teach', joints: [1000, 0, 0, 0, 0, 0] },
        { mode: 'teach', joints, tcp_config: { radius: -1 } },
      ];
      for (const body of bodies) await user.refused('goTo', { body }, INVALID);
      context.expect.equal((await context.snapshot()).control.state, 'ready', 'state');
    },
  },
  {
    id: 'go-to/tool-and-zones',
    requirements: ['A126'],
    routes: ['goTo'],
    statement: 'go_to keeps the tool of the call out of its avoidance zones.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { there: joints } = await context.poseNearby(0.1);
      const turns = { x: 0, y: 0, z: 0 };
      const tcp_config = { offsets: { x: 0, y: 0, z: 0.1 }, rotations: turns, radius: 0.02 };
      const { fk } = await user.does('forwardKinematics', { joints, tcp_config });
      if (fk.result !== 'success') return context.expect.fail(`forward: ${fk.error}`);
      const { position: tip } = fk;
      const zone = (raised_m: number) => ({
        name: 'box',
        position: { x: tip.x - 0.01, y: tip.y - 0.01, z: tip.z - 0.01 + raised_m },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
        dimensions: { x: 0.02, y: 0.02, z: 0.02 },
        avoid: 'inside' as const,
      });
      const body = { mode: 'teach', joints, tcp_config } as const;
      const blocked = { ...body, avoidance_zones: [zone(0)] };
      await user.refused('goTo', { body: blocked }, { ...INVALID, title: 'Motion error' });
      await user.does('goTo', { ...body, avoidance_zones: [zone(1)] });
      await waitForState(context, 'ready');
      context.expect.close(await position(context), joints, 0.01);
    },
  },
  {
    id: 'pause/holds-and-resumes',
    requirements: ['A79', 'A80', 'A124'],
    routes: ['pause', 'resume', 'goTo'],
    statement: 'pause is answered when the arm stands; the motion reaches its target when resumed.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { there } = await context.poseNearby(0.1);
      await user.does('goTo', { mode: 'automatic', joints: there, time: 3 });
      await context.settle(1);
      await user.does('pause');
      const snapshot = await context.snapshot();
      context.expect.equal(snapshot.control.state, 'paused', 'state right after the answer');
      context.expect.close(snapshot['servos.telemetry.velocity'], STANDING, 0.1);
      const still = await position(context);
      await context.settle(1);
      context.expect.close(await position(context), still, context.precision.drift_rad);
      await user.does('resume');
      await waitForState(context, 'ready');
      context.expect.close(await position(context), there, 0.01);
    },
  },
  {
    id: 'cancel/drops-the-motion',
    requirements: ['A81', 'A124'],
    routes: ['cancel', 'pause'],
    statement: 'cancel works only from paused, right behind a pause, and aborts in place.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { there } = await context.poseNearby(0.2);
      await user.does('goTo', { mode: 'automatic', joints: there, time: 6 });
      await user.refused('cancel', {}, wrongState);
      await context.settle(1);
      await user.does('pause');
      await user.does('cancel');
      const snapshot = await context.snapshot();
      context.expect.equal(snapshot.control.state, 'ready', 'state right after the answer');
      context.expect.close(snapshot['servos.telemetry.velocity'], STANDING, 0.1);
      const [reached] = await position(context);
      context.expect.ok(Math.abs(reached - there[0]) > 0.05, 'the arm stopped on its way');
    },
  },
  {
    id: 'run/loops',
    requirements: ['A76', 'A117', 'A125', 'A71', 'A12'],
    routes: ['run', 'useUnsavedToolpath'],
    statement: 'run counts the loops of the current toolpath up to its target and ends in ready.',
    needs: { motion: true },
    async check(context) {
      const user = await loaded(context, 1);
      await user.does('run', { mode: 'automatic', loop: 2 });
      const { control } = await context.snapshot();
      const seen = [control.state, control.run_mode, control.loop_target, control.toolpath_name];
      context.expect.equal(seen, ['running', 'automatic', 2, 'rules run'], 'control');
      await waitForState(context, 'ready');
      context.expect.equal((await context.snapshot()).control.loop_count, 2, 'loop_count');
      await select(context, user, 1);
      const { loop_count, loop_target } = (await context.snapshot()).control;
      context.expect.equal([loop_count, loop_target], [0, 0], 'loops of the next toolpath');
    },
  },
  {
    id: 'run/body',
    requirements: ['A125'],
    routes: ['run'],
    statement: 'run requires a mode and a number of loops, an integer of at least 0.',
    async check(context) {
      const user = await userWithLock(context);
      const bodies = [{ mode: 'teach' }, { loop: 1 }, { mode: 'teach', loop: -1 }];
      for (const body of [...bodies, { mode: 'teach', loop: 0.5 }]) {
        await user.refused('run', { body }, INVALID);
      }
    },
  },
  {
    id: 'stop-loop/ends-after-the-loop',
    requirements: ['A82', 'A76', 'A88', 'A124'],
    routes: ['stopLoop', 'pause', 'resume', 'run'],
    statement: 'stop_loop finishes the loop; a stopping robot can still be paused.',
    needs: { motion: true },
    async check(context) {
      const user = await loaded(context, 1.5);
      await user.does('run', { mode: 'automatic', loop: 0 });
      await context.settle(0.5);
      await user.does('stopLoop');
      context.expect.equal((await context.snapshot()).control.state, 'stopping', 'state');
      await user.does('pause');
      await waitForState(context, 'paused');
      await context.settle(0.5);
      await user.does('resume');
      await waitForState(context, 'ready');
      context.expect.equal((await context.snapshot()).control.loop_count, 1, 'loop_count');
    },
  },
  {
    id: 'home/goes-to-the-first-waypoint',
    requirements: ['A77', 'A124', 'A24'],
    routes: ['home', 'useUnsavedToolpath', 'goTo'],
    statement: 'home moves to the home waypoint of the selected toolpath in teach mode.',
    needs: { motion: true },
    async check(context) {
      const start = await position(context);
      const user = await loaded(context, 1);
      const { there } = await context.poseNearby(0.5);
      await user.does('goTo', { mode: 'automatic', joints: there });
      await waitForState(context, 'ready');
      await user.does('home');
      const { state, run_mode } = (await context.snapshot()).control;
      context.expect.equal([state, run_mode], ['running', 'teach'], 'control');
      await waitForState(context, 'ready');
      context.expect.close(await position(context), start, 0.01);
      await user.does('home', { mode: 'teach' });
      await waitForState(context, 'ready');
    },
  },
  {
    id: 'state/wrong-state',
    requirements: ['A90', 'A83', 'A84', 'A124'],
    routes: ['pause', 'resume', 'cancel', 'stopLoop', 'resetErrors', 'acknowledgeCollision'],
    statement: 'A call that the state does not allow returns ERROR_WRONG_STATE with text details.',
    async check(context) {
      const user = await userWithLock(context);
      const calls = ['pause', 'resume', 'cancel', 'stopLoop', 'resetErrors'] as const;
      for (const call of [...calls, 'acknowledgeCollision'] as const) {
        const { details } = await user.refused(call, {}, wrongState);
        context.expect.equal(typeof details, 'string', `details of ${call}`);
      }
    },
  },
  {
    id: 'state/changes-announced',
    requirements: ['A156', 'A157', 'A158'],
    routes: ['goTo', 'openStream'],
    statement:
      'Start and end of a motion are published as state_change with the changed properties.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const listener = await context.listen(user);
      const { there } = await context.poseNearby(0.05);
      await user.does('goTo', { mode: 'automatic', joints: there });
      await listener.received('state_change', (e) => e.changes.control?.state === 'running');
      const moved = (e: { changes: { 'servos.telemetry.position'?: unknown } }) =>
        e.changes['servos.telemetry.position'] !== undefined;
      await listener.received('state_change', moved);
      await listener.received('state_change', (e) => e.changes.control?.state === 'ready');
    },
  },
];
