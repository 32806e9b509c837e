/**
 * Rules for partial operations of /sim/v1: reset of one scope, partial seeds, faults with a
 * probability, single wires. sim-snapshot-rules.ts and seed-rules.ts cover whole resets and seeds.
 */

import { limits } from '../../contract/limits.ts';
import type { Actor } from '../actor.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { storedSample } from '../samples/sample-toolpath.ts';
import { moveIntoObstacle } from '../steps/obstacle-in-the-way.ts';
import { stateOf, waitForState } from '../steps/robot-state.ts';

const needs = { sim: true, admin: true } as const;
const reaching = { ...needs, world: true } as const;
const LOCK_PATH = '/api/v1/controls/lock';
const CALLS = 24;

/** Runs `work`, which may change the state of the robot, and restores the state. */
async function thenReset(admin: Actor, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await admin.does('resetTwin', { scopes: ['state', 'faults', 'obstacles'] });
  }
}

/** How often a fault with a probability has acted on a number of calls. */
async function actsOf(context: RuleContext, chance: number, seed: number): Promise<number> {
  const [admin, user] = [await context.as('admin'), await context.as('user')];
  const effect = { effect: 'delay', delay_s: 0 } as const;
  await admin.does('addFault', { kind: 'reply', path: LOCK_PATH, chance, seed, ...effect });
  for (let i = 0; i < CALLS; i++) await user.does('getLock');
  const { faults } = await admin.does('listFaults');
  await admin.does('clearFaults');
  return faults[0]?.acted ?? context.expect.fail('the fault is missing');
}

const collision: Rule = {
  id: 'fault/collision',
  requirements: ['A84', 'A129'],
  routes: ['addFault', 'acknowledgeCollision', 'setCollisionDetection'],
  statement: 'A collision stops the motion when detection is enabled, until it is acknowledged.',
  needs: { ...reaching, motion: true },
  async check(context) {
    const admin = await context.as('admin');
    const { expect } = context;
    await admin.does('takeLock');
    const { enabled, sensitivity } = (await context.snapshot()).collision_detection;
    const touch = { kind: 'collision', joint: 1 } as const;
    const { there } = await context.poseNearby(0.3);
    const goes = async () => {
      await admin.does('goTo', { mode: 'automatic', joints: there, time: 2 });
      await context.settle(0.5);
    };
    await admin.does('setCollisionDetection', { enabled: true, sensitivity: 'low' });
    await goes();
    await admin.does('addFault', touch);
    await context.settle(0.1);
    const { control } = await context.snapshot();
    expect.equal([control.state, control.run_mode], ['collision', 'not_running'], 'after a touch');
    const body = { mode: 'automatic', joints: there };
    await admin.refused('goTo', { body }, { status: 400, error_code: 1 });
    await admin.does('acknowledgeCollision');
    await waitForState(context, 'ready');
    expect.equal((await admin.does('getLock')).owner, 'you', 'owner of the lock');
    await admin.does('setCollisionDetection', { enabled: false });
    await goes();
    await admin.refused('addFault', { body: touch }, { status: 409, error_code: 1 });
    expect.equal(await stateOf(context), 'running', 'state without detection');
    await waitForState(context, 'ready');
    expect.close((await context.snapshot())['servos.telemetry.position'], there, 5e-3);
    if (enabled) await admin.does('setCollisionDetection', { enabled, sensitivity });
  },
};

const byChance: Rule = {
  id: 'fault/probability',
  requirements: [],
  routes: ['addFault', 'listFaults'],
  statement: 'A fault with a probability acts in that share of cases, reproducibly by its seed.',
  needs,
  async check(context) {
    const { expect } = context;
    expect.equal(await actsOf(context, 1, 1), CALLS, 'acts that always happen');
    const half = await actsOf(context, 0.5, 1);
    expect.ok(half > CALLS / 6 && half < (5 * CALLS) / 6, `${half} of ${CALLS} are about a half`);
    expect.equal(await actsOf(context, 0.5, 1), half, 'acts by the same seed');
  },
};

const wires: Rule = {
  id: 'sim/wires',
  requirements: [],
  routes: ['setLoopback', 'getLoopback'],
  statement:
    'A wire connects a free output and a free input of one kind; invalid wiring changes nothing.',
  needs,
  async check({ as, expect }) {
    const admin = await as('admin');
    const before = await admin.does('getLoopback');
    const wrong = [
      [{ output: 'd0', input: 'a0' }],
      [
        { output: 'd0', input: 'd1' },
        { output: 'd0', input: 'd2' },
      ],
      [
        { output: 'd0', input: 'd1' },
        { output: 'd2', input: 'd1' },
      ],
    ];
    for (const pairs of wrong) {
      await admin.refused('setLoopback', { body: { wires: pairs } }, INVALID);
    }
    expect.equal(await admin.does('getLoopback'), before, 'wires after the refusals');
    const right = [
      { output: 'a0', input: 'a1' },
      { output: 'ee_d0', input: 'd1' },
    ] as const;
    const wired = await admin.does('setLoopback', { wires: [...right] });
    expect.equal(wired.wires, right, 'wires');
    await admin.does('setLoopback', before);
  },
};

const touching: Rule = {
  id: 'sim/contact-events',
  requirements: [],
  routes: ['openSimStream', 'addObstacle', 'removeObstacle'],
  statement: 'The simulation publishes the start and the end of contacts between bodies.',
  needs: { ...reaching, motion: true },
  async check(context) {
    const admin = await context.as('admin');
    const listener = await context.listenToSim(admin);
    await thenReset(admin, async () => {
      const body = { name: 'in the way' };
      const obstacle_id = await moveIntoObstacle(context, admin, body.name);
      const hits = (event: { touches: readonly { obstacle?: unknown }[] }) =>
        event.touches.some((touch) => touch.obstacle === body.name);
      await listener.received('touching', hits);
      await admin.does('removeObstacle', { obstacle_id });
      await context.settle(0.2);
      await listener.received('touching', ({ touches }) => touches.length === 0);
    });
  },
};

const resetParts: Rule = {
  id: 'sim/reset-scopes',
  requirements: [],
  routes: ['resetTwin', 'listFaults', 'listObstacles'],
  statement: 'A reset of one scope leaves the other scopes unchanged.',
  needs: reaching,
  async check(context) {
    const admin = await context.as('admin');
    const { expect } = context;
    const half = { x: 0.05, y: 0.05, z: 0.05 };
    await thenReset(admin, async () => {
      await admin.does('addObstacle', { name: 'box', position: { x: 5, y: 0, z: 0 }, half });
      await admin.does('addFault', { kind: 'stuck_input', input: 'd2' });
      const faults = async () => {
        const all = (await admin.does('listFaults')).faults;
        return all.map(({ id, fault }) => [id, fault]);
      };
      const obstacles = () => admin.does('listObstacles');
      const [faultsBefore, obstaclesBefore] = [await faults(), await obstacles()];
      await admin.does('setEmergencyStop', { engaged: true });
      await admin.does('resetTwin', { scopes: ['state'] });
      expect.equal(await stateOf(context), 'ready', 'state that was put back');
      expect.equal(await faults(), faultsBefore, 'faults beside the state');
      expect.equal(await obstacles(), obstaclesBefore, 'obstacles beside the state');
      const { inputs } = await admin.does('setInputs', { values: { d2: true } });
      expect.equal(inputs.d2, false, 'an input that is stuck all the same');
      await admin.does('resetTwin', { scopes: ['faults'] });
      expect.equal(await faults(), [], 'faults that were put back');
      expect.equal(await obstacles(), obstaclesBefore, 'obstacles beside the faults');
      await admin.does('resetTwin', { scopes: ['obstacles'] });
      const left = (await obstacles()).obstacles.map(({ name }) => name);
      expect.ok(!left.includes('box'), 'obstacles that were put back');
    });
  },
};

const resetClock: Rule = {
  id: 'sim/reset-with-its-clock',
  requirements: [],
  routes: ['resetTwin', 'getClock', 'setClock'],
  statement: 'A reset of state and clock restores time and pace and keeps persistent data.',
  needs: { ...reaching, pace: true },
  async check(context) {
    const admin = await context.as('admin');
    const { expect } = context;
    const scopes = ['state', 'clock'] as const;
    await admin.does('resetTwin', { scopes: [...scopes] });
    const first = await admin.does('getClock');
    await admin.does('setClock', { paused: true });
    await admin.does('advanceClock', { seconds: limits.session_idle_s - 60 });
    await admin.does('setClock', { pace: 7 });
    await admin.does('resetTwin', { scopes: [...scopes] });
    const again = await admin.does('getClock');
    expect.equal([again.pace, again.paused], [first.pace, first.paused], 'pace');
    const later_s = (again.tick - first.tick) * 0.004;
    expect.ok(later_s < 600, `${later_s} s after the first reset`);
    await admin.does('advanceClock', { seconds: 50 });
    await admin.does('getLock');
  },
};

const resetUpdate: Rule = {
  id: 'sim/reset-ends-updates',
  requirements: ['A86'],
  routes: ['seedTwin', 'resetTwin', 'getVersions', 'keepState', 'restoreState'],
  statement: 'A running update is part of the state: a reset ends it, a snapshot restores it.',
  needs: { ...reaching, update: true, armTime_s: 2 * limits.update_duration_s },
  async check(context) {
    const admin = await context.as('admin');
    const { expect } = context;
    const { robot } = await admin.does('getVersions');
    const available = (await admin.does('checkUpdates')).updates;
    if (available.length === 0) return;
    const name = 'an update of a rule';
    await thenReset(admin, async () => {
      await admin.does('seedTwin', { state: 'updating' });
      expect.equal(await stateOf(context), 'updating', 'seeded state');
      await admin.does('keepState', { name });
      await admin.does('resetTwin', { scopes: ['state'] });
      await context.settle(limits.update_duration_s + 1);
      expect.equal(await stateOf(context), 'ready', 'state after the reset');
      expect.equal((await admin.does('getVersions')).robot, robot, 'version after the reset');
      await admin.does('restoreState', { name });
      expect.equal(await stateOf(context), 'updating', 'state that was kept');
      await admin.does('resetTwin', { scopes: ['state'] });
      await admin.does('forgetStates');
    });
  },
};

const seedParts: Rule = {
  id: 'seed/name-owner-and-pace',
  requirements: [],
  routes: ['seedTwin', 'getName', 'getClock', 'listToolpaths'],
  statement: 'A seed sets name and clock of the arm; toolpaths without owner go to an admin.',
  needs: { ...reaching, pace: true },
  async check(context) {
    const admin = await context.as('admin');
    const { expect } = context;
    const { name } = await admin.does('getName');
    const { pace, paused } = await admin.does('getClock');
    await admin.does('seedTwin', { name: 'named by a rule', clock: { paused: true, pace: 3 } });
    const seeded = await admin.does('getClock');
    expect.equal((await admin.does('getName')).name, 'named by a rule', 'the seeded name');
    expect.equal([seeded.paused, seeded.pace], [true, 3], 'the seeded clock');
    await admin.does('setClock', { pace, paused });
    const toolpath = { name: 'rules without owner', toolpath: storedSample() };
    await admin.does('seedTwin', { name, toolpaths: [toolpath] });
    const { toolpaths } = await admin.does('listToolpaths');
    const owned = toolpaths.filter((row) => row.name === toolpath.name);
    expect.equal(owned.length, 1, 'toolpaths of the first admin');
    for (const { id } of owned) await admin.does('deleteToolpath', { toolpath_id: id });
    expect.equal((await admin.does('getName')).name, name, 'the name as before');
  },
};

const seedUnsaved: Rule = {
  id: 'seed/unsaved',
  requirements: [],
  routes: ['seedTwin', 'addFault'],
  statement: 'A seed that cannot be saved changes nothing, including the injected fault.',
  needs: reaching,
  async check({ as, expect }) {
    const admin = await as('admin');
    await admin.does('addFault', { kind: 'disk_full' });
    const users = await admin.does('listUsers');
    const body = { users: [{ email: 'rules-unsaved@armtwin.test' }], inputs: { d3: true } };
    await admin.refused('seedTwin', { body }, { status: 503, error_code: 1 });
    expect.equal(await admin.does('listUsers'), users, 'users');
    const kinds = (await admin.does('listFaults')).faults.map(({ fault }) => fault.kind);
    expect.equal(kinds, ['disk_full'], 'faults');
    await admin.does('clearFaults');
  },
};

export const SIM_SCOPE_RULES: readonly Rule[] = [
  collision,
  byChance,
  wires,
  touching,
  resetParts,
  resetClock,
  resetUpdate,
  seedParts,
  seedUnsaved,
];
