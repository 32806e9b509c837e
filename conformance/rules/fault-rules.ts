/** Rules for fault injection on a simulated arm: each fault acts as often as requested. */

import { limits } from '../../contract/limits.ts';
import type { Actor } from '../actor.ts';
import { checkRefusal, INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { SAMPLE_CELL } from '../samples/sample-cell.ts';
import { sampleToolpath } from '../samples/sample-toolpath.ts';
import { waitForState } from '../steps/robot-state.ts';

const needs = { sim: true, admin: true } as const;
const DELAY_S = 0.15;
const LOCK_PATH = '/api/v1/controls/lock';

/** Durations of the calls to a path (ms), newest first. */
async function durationsOf(admin: Actor, method: 'GET' | 'POST' | 'PUT', path: string) {
  const { entries } = await admin.does('searchJournal', { method, path });
  return entries.map(({ duration_ms }) => duration_ms);
}

async function actedOf(admin: Actor, id: number): Promise<number | null> {
  const { faults } = await admin.does('listFaults');
  return faults.find((fault) => fault.id === id)?.acted ?? null;
}

/** Whether a call gets a reply. */
async function isAnswered(context: RuleContext, session: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${session}` };
  const sent = context.raw({ method: 'GET', path: LOCK_PATH, headers });
  return sent.then(
    () => true,
    () => false,
  );
}

export const FAULT_RULES: readonly Rule[] = [
  {
    id: 'fault/numbers',
    requirements: [],
    routes: ['addFault', 'listFaults'],
    statement: 'Faults have ascending ids; a new fault of a joint replaces the previous one.',
    needs: { ...needs, world: true },
    async check({ as, expect }) {
      const admin = await as('admin');
      const noise = { position_rad: 0, velocity_rad_s: 0, temperature_c: 0 };
      const body = { kind: 'sensor_noise', ...noise } as const;
      const ids: number[] = [];
      for (let i = 0; i < 3; i++) ids.push((await admin.does('addFault', body)).fault.id);
      const [first_id = 0] = ids;
      expect.equal(ids, [first_id, first_id + 1, first_id + 2], 'numbers');
      await admin.does('clearFaults');
      const stuck = { kind: 'stuck_input', input: 'd2' } as const;
      const later = (await admin.does('addFault', stuck)).fault.id;
      expect.ok(!ids.includes(later), 'no number is given twice');
      await admin.does('clearFaults');
      const lost = { kind: 'driver', joint: 4, fault: 'lost' } as const;
      const first = (await admin.does('addFault', lost)).fault.id;
      const second = (await admin.does('addFault', { ...lost, fault: 'overload' })).fault.id;
      expect.equal([await actedOf(admin, first), await actedOf(admin, second)], [null, 1], 'acts');
      await admin.does('clearFaults');
    },
  },
  {
    id: 'fault/logged-once',
    requirements: [],
    routes: ['addFault', 'openSimStream'],
    statement: 'A fault that stops the robot is logged once, and so is a fault found later.',
    needs: { ...needs, world: true },
    async check(context) {
      const admin = await context.as('admin');
      const listener = await context.listenToSim(admin);
      await admin.does('takeLock');
      const overload = { kind: 'driver', joint: 3, fault: 'overload' } as const;
      const { fault } = await admin.does('addFault', overload);
      await waitForState(context, 'error');
      await context.settle(0.2);
      await listener.received('log', ({ level }) => level === 'error');
      const errors = () =>
        listener.events.filter((event) => event.type === 'log' && event.level === 'error');
      context.expect.equal(errors().length, 1, 'published errors');
      await admin.does('addFault', { kind: 'driver', joint: 4, fault: 'lost' });
      await admin.does('clearFault', { fault_id: fault.id });
      await listener.received('log', ({ level, text }) => level === 'error' && text.includes('J5'));
      await context.settle(0.2);
      context.expect.equal(errors().length, 2, 'published errors, with the later one');
      await admin.does('clearFaults');
      await admin.does('resetErrors');
    },
  },
  {
    id: 'fault/reply-late-or-lost',
    requirements: [],
    routes: ['addFault', 'searchJournal'],
    statement: 'Replies are delayed or dropped as often as requested, and only on the given path.',
    needs,
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const { expect } = context;
      const reply = { kind: 'reply', path: LOCK_PATH, method: 'GET', times: 1 } as const;
      await admin.refused('addFault', { body: { ...reply, effect: 'delay' } }, INVALID);
      await user.does('getLock');
      await admin.does('clearJournal');
      await admin.does('addFault', { ...reply, effect: 'delay', delay_s: DELAY_S });
      await user.does('getName');
      await user.does('getLock');
      await user.does('getLock');
      const taken = await durationsOf(admin, 'GET', LOCK_PATH);
      const late = taken.filter((ms) => ms > DELAY_S * 900);
      expect.ok(late.length >= 1, `one of ${taken.join(', ')} ms is late`);
      const [name = 0] = await durationsOf(admin, 'GET', '/api/v1/name');
      expect.ok(Math.min(name, ...taken) < DELAY_S * 900, 'others are not');
      expect.equal((await admin.does('listFaults')).faults, [], 'a fault that is used up');
      const twice = { ...reply, effect: 'drop', times: 2 } as const;
      const { fault } = await admin.does('addFault', twice);
      const acted = [await actedOf(admin, fault.id)];
      const answered = [];
      for (let i = 0; i < 3; i++) {
        answered.push(await isAnswered(context, user.session));
        acted.push(await actedOf(admin, fault.id));
      }
      expect.equal(answered, [false, false, true], 'which calls were answered');
      expect.equal(acted, [0, 1, null, null], 'how often it had acted');
    },
  },
  {
    id: 'fault/connections-reset',
    requirements: [],
    routes: ['addFault', 'listFaults', 'listUsers'],
    statement: 'Connections are reset as often as requested, those of /sim/v1 never.',
    needs,
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const { expect } = context;
      const reset = { kind: 'connection', effect: 'reset', times: 2 } as const;
      const { fault } = await admin.does('addFault', reset);
      const acted: (number | null)[] = [];
      const answered: boolean[] = [];
      for (let i = 0; i < 3; i++) {
        acted.push(await actedOf(admin, fault.id));
        answered.push(await isAnswered(context, user.session));
      }
      expect.equal(answered, [false, false, true], 'which calls were answered');
      expect.equal(acted, [0, 1, null], 'how often it had acted');
      const delayed = { body: { ...reset, delay_s: 1 } };
      await admin.refused('addFault', delayed, INVALID);
      const slow = { kind: 'connection', effect: 'slow', jitter_s: 0.01 } as const;
      const { users } = await admin.does('listUsers');
      const user_id = users.at(-1)!.id;
      const draw = { chance: 1, seed: 3 } as const;
      const line = { ...slow, delay_s: 0.01, rate_bytes_s: 100_000 };
      await admin.does('addFault', { ...line, ...draw, user_id });
      expect.equal(await isAnswered(context, user.session), true, 'a call over a slow connection');
      await admin.does('clearFaults');
    },
  },
  {
    id: 'fault/messages-lost',
    requirements: [],
    routes: ['addFault', 'openStream'],
    statement: 'Stream messages are dropped or delayed by type and count, then delivered normally.',
    needs: { ...needs, world: true },
    async check(context) {
      const [admin, user] = [await context.as('admin'), await context.as('user')];
      const listener = await context.listen(user);
      const message = 'config_change';
      const say = (text: string) => admin.does('changeConfig', { kind: 'time', message: text });
      await admin.does('addFault', { kind: 'stream', message, effect: 'drop', times: 1 });
      await say('lost');
      await say('delivered');
      await listener.received(message, (event) => event.message === 'delivered');
      const lost = listener.events.filter((event) => JSON.stringify(event).includes('lost'));
      context.expect.equal(lost, [], 'a message that was to be lost');
      const delay = { effect: 'delay', delay_s: 10 * DELAY_S, times: 1 } as const;
      await admin.does('addFault', { kind: 'stream', message, ...delay });
      await say('late');
      await say('on time');
      await listener.received(message, (event) => event.message === 'on time');
      const placeOf = (text: string) =>
        listener.events.findIndex((event) => event.type === message && event.message === text);
      const late = placeOf('late');
      context.expect.ok(late < 0 || placeOf('on time') < late, 'the late one is overtaken');
    },
  },
  {
    id: 'fault/injected-contact',
    requirements: [],
    routes: ['addFault', 'listFaults', 'setCollisionDetection', 'acknowledgeCollision'],
    statement: 'An injected collision needs detection, and ends after it has been detected.',
    needs: { ...needs, world: true },
    async check({ as, expect, snapshot, settle }) {
      const admin = await as('admin');
      await admin.does('takeLock');
      await admin.does('setCollisionDetection', { enabled: false });
      const body = { kind: 'collision', joint: 1 } as const;
      await admin.refused('addFault', { body }, { status: 409, error_code: 1 });
      await admin.does('addFault', { ...body, with_detection: true });
      expect.equal((await admin.does('listFaults')).faults, [], 'faults that go on');
      const { enabled } = (await snapshot()).collision_detection;
      expect.equal(enabled, true, 'detection after a fault that asks for it');
      await settle(0.1);
      await admin.does('acknowledgeCollision');
      await admin.does('setCollisionDetection', { enabled: false });
    },
  },
  {
    id: 'fault/outputs-on-error',
    requirements: ['A21'],
    routes: ['addFault', 'run', 'useUnsavedToolpath'],
    statement: 'An error during a run sets the error output of the toolpath and no other output.',
    needs: { ...needs, world: true, motion: true },
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('takeLock');
      const { here, there } = await context.poseNearby(0.1);
      const onError = { io: { location: 'base', type: 'digital', index: 1 }, value: true } as const;
      const metadata = { output_on_error: onError };
      const toolpath = sampleToolpath([here, there], { metadata });
      await admin.does('useUnsavedToolpath', { toolpath });
      const d1 = async () => (await context.snapshot())['global.outputs'].d1;
      const fails = async () => {
        await admin.does('addFault', { kind: 'driver', joint: 2, fault: 'overload' });
        await waitForState(context, 'error');
        await admin.does('clearFaults');
        await admin.does('resetErrors');
      };
      await fails();
      context.expect.equal(await d1(), false, 'the output after an error at rest');
      await admin.does('run', { mode: 'automatic', loop: 1 });
      await context.settle(0.5);
      await fails();
      context.expect.equal(await d1(), true, 'the output after an error during a run');
      await admin.does('changeGlobals', { changes: [{ key: 'outputs.d1', value: false }] });
    },
  },
  {
    id: 'fault/update-fails',
    requirements: [],
    routes: ['addFault', 'uploadUpdate'],
    statement: 'A failed update leaves the version unchanged and the arm ready.',
    needs: { ...needs, world: true, update: true, armTime_s: 2 * limits.update_duration_s },
    async check(context) {
      const admin = await context.as('admin');
      const before = await admin.does('getVersions');
      await admin.does('addFault', { kind: 'update_failure', times: 1 });
      await admin.does('takeLock');
      await admin.does('uploadUpdate', new TextEncoder().encode('armtwin-update 99.9.9\n'));
      await context.settle(limits.update_duration_s + 1);
      await waitForState(context, 'ready');
      const after = await (await context.as('anonymous')).does('getVersions');
      context.expect.equal(after, before, 'versions after the failure');
    },
  },
  {
    id: 'fault/stuck-input',
    requirements: [],
    routes: ['addFault', 'clearFault', 'setInputs'],
    statement:
      'A stuck input keeps its value until the fault is cleared; other inputs are unaffected.',
    needs,
    async check({ as, expect }) {
      const admin = await as('admin');
      await admin.does('setInputs', { values: { d1: false, d2: false } });
      const { fault } = await admin.does('addFault', { kind: 'stuck_input', input: 'd2' });
      const other = (await admin.does('addFault', { kind: 'stuck_input', input: 'a1' })).fault;
      const both = { values: { d1: true, d2: true } };
      const { inputs } = await admin.does('setInputs', both);
      expect.equal([inputs.d1, inputs.d2], [true, false], 'inputs with one stuck');
      await admin.does('clearFault', { fault_id: fault.id });
      const freed = (await admin.does('setInputs', both)).inputs;
      expect.equal([freed.d1, freed.d2], [true, true], 'inputs when it is free');
      await admin.does('clearFault', { fault_id: other.id });
      await admin.does('setInputs', { values: { d1: false, d2: false } });
    },
  },
  {
    id: 'fault/planner',
    requirements: [],
    routes: ['addFault', 'goTo', 'searchJournal'],
    statement: 'Plans fail or take longer only while the fault is active.',
    needs: { ...needs, world: true, motion: true },
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const path = '/api/v1/controls/go_to';
      await admin.does('takeLock');
      await admin.does('addFault', { kind: 'failing_planner', times: 1 });
      const { here, there } = await context.poseNearby(0.02);
      const body = { mode: 'automatic', joints: there } as const;
      await admin.refused('goTo', { body }, { status: 400 });
      await admin.does('clearJournal');
      await admin.does('goTo', body);
      await waitForState(context, 'ready');
      await admin.does('goTo', { ...body, joints: here });
      await waitForState(context, 'ready');
      const quick_ms = await durationsOf(admin, 'POST', path);
      expect.ok(Math.min(...quick_ms) < 1000, `${quick_ms.join(', ')} ms, without a fault`);
      await admin.does('clearJournal');
      await admin.does('addFault', { kind: 'slow_planner', delay_s: DELAY_S, times: 1 });
      await admin.does('goTo', body);
      const [slow_ms = 0] = await durationsOf(admin, 'POST', path);
      expect.ok(slow_ms >= DELAY_S * 900, `${slow_ms} ms, with the planner slowed down`);
      await waitForState(context, 'ready');
    },
  },
  {
    id: 'fault/disk-full',
    requirements: [],
    routes: ['addFault', 'createUser'],
    statement:
      'A change that cannot be saved is refused and not applied; it succeeds after the fault.',
    needs: { ...needs, world: true },
    async check({ as, expect, raw, tokenOf, until }) {
      const admin = await as('admin');
      const body = { email: 'rules-unsaved@armtwin.test', password: 'never to be saved' };
      // By now the log-in has been saved.
      const spare = await admin.does('createUser', { ...body, email: `spare-${body.email}` });
      await admin.does('deleteUser', { user_id: spare.user.id });
      const { fault } = await admin.does('addFault', { kind: 'disk_full' });
      const before = await admin.does('listUsers');
      expect.equal(await actedOf(admin, fault.id), 0, 'uses of the fault before a save');
      const headers = {
        Authorization: `Bearer ${admin.session}`,
        'Content-Type': 'application/json',
      };
      const request = { method: 'POST', path: '/api/v1/users', headers };
      const reply = await raw({ ...request, body: JSON.stringify(body) });
      checkRefusal(reply, { status: 503, error_code: 1, title: 'The data folder failed' });
      expect.equal(reply.headers.get('retry-after'), '1', 'Retry-After (s)');
      expect.equal(await admin.does('listUsers'), before, 'users after the refusal');
      expect.equal(await actedOf(admin, fault.id), 1, 'uses of the fault');
      const anonymous = await as('anonymous');
      await anonymous.does('createSession', { token: tokenOf('user') });
      const isTried = async () => (await actedOf(admin, fault.id)) === 2;
      await until('saving the use of the token is attempted', isTried);
      await admin.does('clearFault', { fault_id: fault.id });
      const { user } = await admin.does('createUser', body);
      await admin.does('deleteUser', { user_id: user.id });
    },
  },
  {
    id: 'fault/situations',
    requirements: [],
    routes: ['listSituations', 'beginSituation', 'endSituation', 'endSituations', 'setCell'],
    statement:
      'A named situation acts until it ends; one that cannot begin says what to do, as the list does.',
    needs: { ...needs, world: true },
    async check(context) {
      const admin = await context.as('admin');
      const { expect } = context;
      const named = async (name: string) => {
        const { situations } = await admin.does('listSituations');
        return situations.find((each) => each.name === name);
      };
      await admin.does('removeCell');
      expect.equal((await named('gripper_jams'))?.possible, false, 'a gripper without a cell');
      await admin.refused('beginSituation', { body: { name: 'gripper_jams' } }, { status: 409 });
      const other = { body: { name: 'drive_fails', gripper: 'no such gripper' } } as const;
      await admin.refused('beginSituation', other, INVALID);
      const unused = { body: { name: 'disk_full', joint: 1 } } as const;
      await admin.refused('beginSituation', unused, INVALID);
      await admin.does('takeLock');
      await admin.does('beginSituation', { name: 'drive_overheats', joint: 1 });
      await waitForState(context, 'error');
      expect.equal((await named('drive_overheats'))?.active, true, 'active while it acts');
      await admin.does('endSituation', { situation_name: 'drive_overheats' });
      await admin.does('resetErrors');
      await waitForState(context, 'ready');
      const again = { parameters: { situation_name: 'drive_overheats' } };
      await admin.refused('endSituation', again, { status: 404 });
      const { situation } = await admin.does('beginSituation', { name: 'lock_stolen' });
      expect.equal(situation.active, true, 'a stolen lock');
      await admin.refused('pause', {}, { status: 403 });
      await admin.does('endSituations');
      await admin.does('takeLock');
      const person = { name: 'person_in_the_cell', position: { x: 5, y: 5, z: 1 } } as const;
      await admin.does('beginSituation', person);
      const { obstacles } = await admin.does('listObstacles');
      expect.ok(
        obstacles.some(({ position }) => position.x === 5),
        'a person stands there',
      );
      await admin.does('endSituations');
      expect.equal((await admin.does('listObstacles')).obstacles, [], 'obstacles at the end');
      const { users } = await admin.does('listUsers');
      const slow = { name: 'network_slow', user_id: users.at(-1)!.id, delay_s: 0.01 } as const;
      await admin.does('beginSituation', slow);
      await admin.does('setCell', SAMPLE_CELL);
      const gripper = SAMPLE_CELL.grippers![0]!.name;
      await admin.does('beginSituation', { name: 'gripper_jams', gripper });
      expect.equal((await named('gripper_jams'))?.active, true, 'a gripper that jams');
      await admin.does('endSituations');
      await admin.does('removeCell');
    },
  },
];
