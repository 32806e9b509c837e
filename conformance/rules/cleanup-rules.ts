/**
 * Rules for the state after something has ended: a teach motion, a paused wait, a password change,
 * a mode change, a disconnected client (spec §2.5, §3, §6).
 */

import { limits } from '../../contract/limits.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { sampleToolpath } from '../samples/sample-toolpath.ts';
import { waitForState } from '../steps/robot-state.ts';
import { userWithLock } from '../steps/users.ts';

const LEG_S = 1;
const WAIT_S = 12;

export const CLEANUP_RULES: readonly Rule[] = [
  {
    id: 'lock/expiry-after-teach',
    requirements: ['A92', 'A164', 'A165'],
    routes: ['goTo', 'getLock'],
    statement: 'After a teach motion the lock has its normal expiry again.',
    needs: { motion: true, armTime_s: limits.lock_expiry_teach_s * 4 },
    async check(context) {
      const user = await userWithLock(context);
      const { there } = await context.poseNearby(0.05);
      await user.does('goTo', { mode: 'teach', joints: there, time: 1 });
      await waitForState(context, 'ready');
      await context.settle(limits.lock_expiry_teach_s * 3);
      context.expect.equal((await user.does('getLock')).owner, 'you', 'owner, some seconds later');
    },
  },
  {
    id: 'run/returns-home',
    requirements: ['A76'],
    routes: ['run'],
    statement: 'A loop that ends away from home returns home before the next loop starts.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { here, there } = await context.poseNearby(0.3);
      const timeline = [
        { type: 'home', waypoint_id: 0 },
        // Long enough for the snapshot below to be in time.
        { type: 'wait', condition: { type: 'time', duration: WAIT_S } },
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1, time: LEG_S },
      ] as const;
      const toolpath = sampleToolpath([here, there], { timeline: [...timeline] });
      await user.does('useUnsavedToolpath', { toolpath });
      await user.does('run', { mode: 'automatic', loop: 2 });
      await context.until('the second loop is under way', async () => {
        const { control, ...data } = await context.snapshot();
        const turned = data['servos.telemetry.position'][0] - here[0];
        return control.loop_count === 1 && Math.abs(turned) < 0.1;
      });
      await waitForState(context, 'ready');
      const data = await context.snapshot();
      context.expect.equal(data.control.loop_count, 2, 'loops in the end');
      const { end_rad } = context.precision;
      context.expect.close(data['servos.telemetry.position'], there, end_rad);
    },
  },
  {
    id: 'pause/stops-waiting',
    requirements: ['A30', 'A79', 'A80'],
    routes: ['pause', 'resume'],
    statement: 'A wait resumes after a pause with its remaining time.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const { here, there } = await context.poseNearby(0.1);
      const move = { type: 'trajectory', trajectory: 'joint_space', time: LEG_S } as const;
      const timeline = [
        { type: 'home', waypoint_id: 0 },
        { type: 'wait', condition: { type: 'time', duration: WAIT_S } },
        { ...move, waypoint_id: 1 },
        { ...move, waypoint_id: 0 },
      ] as const;
      const toolpath = sampleToolpath([here, there], { timeline: [...timeline] });
      await user.does('useUnsavedToolpath', { toolpath });
      await user.does('run', { mode: 'automatic', loop: 1 });
      await context.settle(WAIT_S / 3);
      await user.does('pause');
      await waitForState(context, 'paused');
      await context.settle(2 * WAIT_S);
      await user.does('resume');
      await context.settle(WAIT_S / 6);
      const data = await context.snapshot();
      context.expect.equal(data.control.state, 'running', 'state after the pause');
      context.expect.close(data['servos.telemetry.position'], here, 0.01);
      await waitForState(context, 'ready');
    },
  },
  {
    id: 'snapshot/velocity-in-degrees',
    requirements: ['A6', 'A74', 'A126'],
    routes: ['goTo', 'getSnapshot'],
    statement: 'Halfway through a motion the velocity is near its mean, in degrees per second.',
    needs: { motion: true },
    async check(context) {
      const user = await userWithLock(context);
      const [turn_rad, time] = [0.2, 4];
      const { there } = await context.poseNearby(turn_rad);
      await user.does('goTo', { mode: 'automatic', joints: there, time });
      await context.settle(time / 2);
      const { 'servos.telemetry.velocity': velocity } = await context.snapshot();
      const mean = ((turn_rad / time) * 180) / Math.PI;
      const seen = Math.abs(velocity[0]);
      const near = seen > mean * 0.8 && seen < mean * 3;
      context.expect.ok(near, `${seen} degrees per second are about ${mean}`);
      await waitForState(context, 'ready');
    },
  },
  {
    id: 'users/password-changed',
    requirements: ['A153'],
    routes: ['updateUser', 'logIn'],
    statement: 'A new password replaces the old one, and so does an unused e-mail address.',
    needs: { admin: true },
    async check(context) {
      const [admin, anonymous] = [await context.as('admin'), await context.as('anonymous')];
      const email = 'rules-password@armtwin.test';
      const { user } = await admin.does('createUser', { email, password: 'the old password' });
      const user_id = user.id;
      try {
        await admin.does('updateUser', { user_id }, { password: 'the new password' });
        await anonymous.does('logIn', { email, password: 'the new password' });
        const old = { body: { email, password: 'the old password' } };
        await anonymous.refused('logIn', old, { status: 401, error_code: 5 });
        const { token } = await anonymous.does('logIn', { email, password: 'the new password' });
        await admin.does('updateUser', { user_id }, { role: 'admin' });
        const headers = { Authorization: `Bearer ${token}` };
        const ended = await context.raw({ method: 'GET', path: '/api/v1/users', headers });
        context.expect.equal(ended.status, 401, 'an open session after the change of role');
        const moved = 'rules-moved@armtwin.test';
        const change = await admin.does('updateUser', { user_id }, { email: moved });
        context.expect.equal(change.user.email, moved, 'the new e-mail');
        await anonymous.does('logIn', { email: moved, password: 'the new password' });
        const [first] = (await admin.does('listUsers')).users;
        const taken = { parameters: { user_id }, body: { email: first?.email.toUpperCase() } };
        await admin.refused('updateUser', taken, INVALID);
      } finally {
        await admin.does('deleteUser', { user_id });
      }
    },
  },
  {
    id: 'globals/mode-resets-value',
    requirements: ['A58', 'A131', 'A132'],
    routes: ['changeGlobals'],
    statement: 'An output whose mode changes starts at the minimum of its new range.',
    async check(context) {
      const user = await userWithLock(context);
      const change = (key: string, value: string | number) =>
        user.does('changeGlobals', { changes: [{ key, value }] });
      const outputs = async () => (await context.snapshot())['global.outputs'];
      await change('outputs.a1_mode', 'voltage');
      await change('outputs.a1', 7.5);
      await change('outputs.a1_mode', 'current');
      context.expect.equal((await outputs()).a1, limits.current_min_ma, 'milliamperes at first');
      await change('outputs.a1', 12);
      await change('outputs.a1_mode', 'current');
      context.expect.equal((await outputs()).a1, 12, 'the value, when the mode stays');
      await change('outputs.a1_mode', 'voltage');
      context.expect.equal((await outputs()).a1, limits.voltage_min_v, 'volts at first');
    },
  },
  {
    id: 'stream/others-stay',
    requirements: ['A156', 'A158'],
    routes: ['openStream', 'changeGlobals'],
    statement: 'A client that leaves the stream does not affect the others.',
    async check(context) {
      const user = await userWithLock(context);
      const [leaving, staying] = [await context.listen(user), await context.listen(user)];
      leaving.close();
      await context.settle(0.2);
      const { d2 } = (await context.snapshot())['global.outputs'];
      const set = (value: boolean) =>
        user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value }] });
      await set(!d2);
      await staying.received('state_change', (event) => {
        return event.changes['global.outputs']?.d2 === !d2;
      });
      await set(d2);
    },
  },
  {
    id: 'unsaved/invalid-toolpath',
    requirements: ['A16', 'A115', 'A118', 'A159'],
    routes: ['shareToolpath', 'migrateToolpath'],
    statement: 'Sharing and migrating refuse an invalid toolpath and name the invalid place.',
    async check(context) {
      const user = await context.as('user');
      const { users } = await user.does('listUsers');
      const { here, there } = await context.poseNearby(0.1);
      const timeline = [{ type: 'home', waypoint_id: 7 }] as const;
      const toolpath = sampleToolpath([here, there], { timeline: [...timeline] });
      const body = { name: 'rules shared', user_id: users[0]?.id ?? 1, toolpath };
      const { details } = await user.refused('shareToolpath', { body }, INVALID);
      context.expect.ok(JSON.stringify(details).includes('/toolpath/'), 'details name the place');
      const old = { toolpath: { ...toolpath, metadata: { ...toolpath.metadata, version: 7 } } };
      await user.refused('migrateToolpath', { body: old }, INVALID);
      const { timeline: _, ...lost } = toolpath;
      const broken = { toolpath: { ...lost, metadata: { default_velocity: 1 }, timeline: 'home' } };
      const refusal = await user.refused('migrateToolpath', { body: broken }, INVALID);
      const said = JSON.stringify(refusal.details);
      context.expect.ok(said.includes('/toolpath/timeline'), 'details name the timeline');
    },
  },
];
