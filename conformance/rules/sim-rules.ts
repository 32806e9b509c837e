/**
 * Rules for the simulation control API (/sim/v1). The spec only covers the effects on the robot:
 * emergency stop, backdriving button, faults.
 */
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import type { SimClock } from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { stateOf } from '../steps/robot-state.ts';

const SIM_ROWS: readonly RouteRow[] = ROUTES.filter((row) => row.path.startsWith('/sim/'));
const needs = { sim: true, admin: true } as const;
/** Needs of rules on the simulated world. */
const reaching = { ...needs, world: true } as const;

/** Steps one tick, so that a change of the world has reached the robot. */
async function tick(context: RuleContext): Promise<void> {
  await context.settle(0.1);
}

/** Runs `work` while the clock is paused, then resumes the clock. */
async function whilePaused(admin: Actor, work: (before: SimClock) => Promise<void>) {
  const before = await admin.does('setClock', { paused: true });
  try {
    await work(before);
  } finally {
    await admin.does('setClock', { paused: false });
  }
}

export const SIM_RULES: readonly Rule[] = [
  {
    id: 'sim/admins-only',
    requirements: [],
    routes: ['getFidelity'],
    statement:
      'The simulation control API refuses callers without a session, and others than admins all but the cause of the state.',
    needs,
    async check(context) {
      const { session } = await context.as('user');
      for (const row of SIM_ROWS) {
        if (row.carries) continue;
        const path = row.path.replaceAll(/\{\w+\}/g, '1');
        const content = row.body
          ? { headers: { 'Content-Type': 'application/json' }, body: '{}' }
          : { headers: {} };
        const reply = await context.raw({ method: row.method, path, ...content });
        checkRefusal(reply, { status: 401, error_code: 5 });
        const headers = { ...content.headers, Authorization: `Bearer ${session}` };
        const user = await context.raw({ method: row.method, path, ...content, headers });
        if (row.role === 'admin') checkRefusal(user, { status: 403, error_code: 4 });
        else context.expect.ok(user.status !== 403, `${row.id} is for every user`);
      }
      const admin = await context.as('admin');
      const { not_there } = await admin.does('getFidelity');
      context.expect.ok(not_there.length > 0, 'limits of the simulation are listed');
    },
  },
  {
    id: 'sim/status',
    requirements: [],
    routes: ['getStatus', 'openSimStream'],
    statement: 'State, its cause and the progress of the activity can be read and are published.',
    needs: { ...reaching, motion: true },
    async check(context) {
      const { expect } = context;
      const admin = await context.as('admin');
      const listener = await context.listenToSim(admin);
      const { there } = await context.poseNearby(0.2);
      await admin.does('takeLock');
      expect.equal((await admin.does('getStatus')).activity, null, 'no activity at rest');
      await admin.does('goTo', { mode: 'automatic', joints: there });
      await listener.received('status', ({ status }) => status.activity?.kind === 'go_to');
      await context.until('ready', async () => (await admin.does('getStatus')).state === 'ready');
      const moves = listener.events.flatMap((event) =>
        event.type === 'status' && event.status.activity ? [event.status.activity] : [],
      );
      const times = moves.map(({ loop_time_s }) => loop_time_s);
      expect.equal(
        times,
        [...times].sort((a, b) => a - b),
        'the time of the motion grows',
      );
      const rests = moves.map(({ loop_remaining_s }) => loop_remaining_s);
      expect.equal(
        rests,
        [...rests].sort((a, b) => b - a),
        'the remaining time falls',
      );
      await admin.does('setEmergencyStop', { engaged: true });
      await tick(context);
      const stopped = await admin.does('getStatus');
      await admin.does('setEmergencyStop', { engaged: false });
      expect.equal(stopped.emergency_stop, 'simulated', 'the source of the stop');
      expect.equal(stopped.state, 'disabled', 'the state while stopped');
    },
  },
  {
    id: 'sim/clock-steps',
    requirements: [],
    routes: ['getClock', 'setClock', 'stepClock', 'advanceClock', 'runUntil'],
    statement: 'Paused time advances only by the requested steps and durations.',
    needs: { ...needs, pace: true },
    async check({ as, expect }) {
      const admin = await as('admin');
      await whilePaused(admin, async (before) => {
        expect.equal((await admin.does('getClock')).tick, before.tick, 'tick while paused');
        const stepped = await admin.does('stepClock', { ticks: 7 });
        expect.equal(stepped.tick, before.tick + 7, 'tick after seven steps');
        const later = await admin.does('advanceClock', { seconds: 1.5 });
        expect.equal(later.tick, stepped.tick + 375, 'tick after 1.5 s');
        const { reached, clock } = await admin.does('runUntil', { state: 'error', limit_s: 1 });
        expect.equal(
          [reached, clock.tick],
          [false, later.tick + 250],
          'time limit without an error',
        );
      });
    },
  },
  {
    id: 'sim/inputs-driven',
    requirements: [],
    routes: ['setInputs', 'getLoopback', 'setLoopback'],
    statement: 'Inputs follow their source: a set value or a wired output.',
    needs,
    async check({ as, expect }) {
      const admin = await as('admin');
      await admin.does('setInputs', { values: { a0_mode: 'voltage' } });
      const { inputs } = await admin.does('setInputs', { values: { d0: true, a0: 2.5 } });
      expect.equal([inputs.d0, inputs.a0], [true, 2.5], 'driven inputs');
      const tool = { ee_d0: true, ee_d1: true, ee_a0: 1.5, ee_a1: 3 };
      const all = await admin.does('setInputs', { values: { ...tool, a1_mode: 'current', a1: 8 } });
      const { ee_d0, ee_d1, ee_a0, ee_a1, a1_mode, a1 } = all.inputs;
      expect.equal({ ee_d0, ee_d1, ee_a0, ee_a1 }, tool, 'inputs of the tool');
      expect.equal([a1_mode, a1], ['current', 8], 'an input in mA');
      for (const values of [{ a0: 11 }, { a1: 21 }]) {
        await admin.refused('setInputs', { body: { values } }, INVALID);
      }
      const released = { ee_d0: false, ee_d1: false, ee_a0: 0, ee_a1: 0, a1: 4 } as const;
      await admin.does('setInputs', { values: released });
      await admin.does('setInputs', { values: { a1_mode: 'voltage' } });
      await admin.does('setInputs', { values: { a1: 0 } });
      const before = await admin.does('getLoopback');
      await admin.does('setLoopback', { wires: [{ output: 'd3', input: 'd3' }] });
      await admin.does('takeLock');
      const changes = [{ key: 'outputs.d3', value: true }];
      const reply = await admin.does('changeGlobals', { changes });
      expect.equal(reply.changes['global.inputs'], { d3: true }, 'the wired input');
      await admin.does('changeGlobals', { changes: [{ key: 'outputs.d3', value: false }] });
      await admin.does('setLoopback', before);
      await admin.does('setInputs', { values: { d0: false, a0: 0 } });
    },
  },
  {
    id: 'sim/emergency-stop',
    requirements: ['A87'],
    routes: ['setEmergencyStop'],
    statement: 'The emergency stop disables the robot until it is released.',
    needs,
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('setEmergencyStop', { engaged: true });
      await tick(context);
      context.expect.equal(await stateOf(context), 'disabled', 'state while stopped');
      context.expect.equal((await context.snapshot()).global.estop, true, 'the stop as shown');
      await admin.does('setEmergencyStop', { engaged: false });
      await tick(context);
      context.expect.equal(await stateOf(context), 'ready', 'state when released');
    },
  },
  {
    id: 'sim/backdriving-push',
    requirements: ['A85'],
    routes: ['setButtons', 'pressWaypoint', 'pushArm'],
    statement:
      'While the backdriving button is held, a push moves the arm; the lock owner gets waypoints.',
    needs: { ...reaching, motion: true },
    async check(context) {
      const admin = await context.as('admin');
      const listener = await context.listen(admin);
      const { 'servos.telemetry.position': before } = await context.snapshot();
      await admin.does('takeLock');
      await admin.refused('pressWaypoint', {}, { status: 400, error_code: 1 });
      await admin.does('setButtons', { backdriving: true });
      context.expect.equal(await stateOf(context), 'backdriving', 'state with the button held');
      await admin.does('pushArm', { force: { x: 0, y: 25, z: 0 }, duration_s: 0.3 });
      // From some poses the arm swings on for more than a second.
      await context.settle(3);
      await admin.does('pressWaypoint');
      await listener.received('backdriving');
      const { 'servos.telemetry.position': pushed } = await context.snapshot();
      await context.settle(1);
      const { 'servos.telemetry.position': rests } = await context.snapshot();
      context.expect.close(rests, pushed, 0.01);
      const way = Math.max(...pushed.map((angle, joint) => Math.abs(angle - before[joint]!)));
      context.expect.ok(way > 0.02, `${way} rad are a way that was pushed`);
      await admin.does('setButtons', { backdriving: false });
      context.expect.equal(await stateOf(context), 'ready', 'state with the button released');
      await context.settle(1);
      const { 'servos.telemetry.position': left } = await context.snapshot();
      context.expect.close(left, pushed, 0.01);
      await admin.does('seedTwin', { pose: before });
    },
  },
  {
    id: 'sim/obstacles',
    requirements: [],
    routes: ['listObstacles', 'addObstacle', 'removeObstacle'],
    statement: 'Obstacles can be added, listed and removed.',
    needs: reaching,
    async check({ as, expect }) {
      const admin = await as('admin');
      const before = await admin.does('listObstacles');
      const half = { x: 0.05, y: 0.05, z: 0.05 };
      const body = { name: 'far away', position: { x: 5, y: 0, z: 0.5 }, half };
      const orientation = { w: 0, x: 0, y: 0, z: 1 };
      const turned = { ...body, orientation, stiffness_n_per_m: 5000 };
      const { obstacle } = await admin.does('addObstacle', turned);
      const { id: _, ...stored } = obstacle;
      expect.equal(stored, turned, 'the obstacle in the reply');
      const listed = await admin.does('listObstacles');
      expect.equal(listed.obstacles.at(-1), obstacle, 'the listed obstacle');
      await admin.does('removeObstacle', { obstacle_id: obstacle.id });
      const gone = { parameters: { obstacle_id: obstacle.id } };
      await admin.refused('removeObstacle', gone, { status: 404, error_code: 8 });
      expect.equal(await admin.does('listObstacles'), before, 'obstacles in the end');
      if (before.obstacles.length > 0) return;
      await admin.does('seedTwin', { obstacles: [body, { ...body, name: 'farther away' }] });
      const seeded = (await admin.does('listObstacles')).obstacles;
      const numbered = seeded.map(({ id, name }) => [id, name]);
      expect.equal(
        numbered,
        [
          [1, body.name],
          [2, 'farther away'],
        ],
        'seeded obstacles',
      );
      for (const { id } of seeded) await admin.does('removeObstacle', { obstacle_id: id });
    },
  },
  {
    id: 'sim/joint-faults',
    requirements: [],
    routes: ['listFaults', 'addFault', 'clearFault', 'clearFaults'],
    statement: 'A joint fault leads to error, which can be reset after the cause is removed.',
    needs: reaching,
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('takeLock');
      const { fault } = await admin.does('addFault', {
        kind: 'driver',
        joint: 2,
        fault: 'overheated',
      });
      const { faults } = await admin.does('listFaults');
      context.expect.equal(faults.at(-1)?.id, fault.id, 'the listed fault');
      await tick(context);
      context.expect.equal(await stateOf(context), 'error', 'state with the fault');
      await admin.refused('resetErrors', {}, { status: 400, error_code: 1 });
      await admin.does('clearFault', { fault_id: fault.id });
      await admin.does('clearFaults');
      await admin.does('resetErrors');
      await tick(context);
      context.expect.equal(await stateOf(context), 'ready', 'state after the reset');
    },
  },
  {
    id: 'sim/config-change-announced',
    requirements: [],
    routes: ['changeConfig'],
    statement: 'A change of the configuration is published to all clients.',
    needs,
    async check({ as, listen }) {
      const [user, admin] = [await as('user'), await as('admin')];
      const listener = await listen(user);
      await admin.does('changeConfig', { kind: 'time', message: 'The time zone has changed' });
      await listener.received('config_change', ({ kind }) => kind === 'time');
    },
  },
  {
    id: 'sim/power-cycle',
    requirements: [],
    routes: ['cyclePower', 'openSimStream'],
    statement: 'A power cycle ends sessions and the lock.',
    needs,
    async check({ as, raw, expect }) {
      const admin = await as('admin');
      await admin.does('takeLock');
      await admin.does('cyclePower');
      const headers = { Authorization: `Bearer ${admin.session}` };
      const reply = await raw({ method: 'GET', path: '/api/v1/controls/lock', headers });
      checkRefusal(reply, { status: 401, error_code: 5 });
      const upgrade = await raw({ method: 'GET', path: '/sim/v1/stream', headers });
      expect.ok(upgrade.status >= 400, 'the stream is no plain call');
    },
  },
];
