/**
 * Rules for the state of a simulated arm after a /sim/v1 operation has ended: emergency stop,
 * update, power cycle, fault, clock changes.
 */

import { limits } from '../../contract/limits.ts';
import { checkRefusal } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { statusOf } from '../steps/admin-session.ts';
import { stateOf, waitForState } from '../steps/robot-state.ts';
import { userWithLock } from '../steps/users.ts';

const needs = { sim: true, admin: true } as const;
const gone = { status: 404, error_code: 8 } as const;

/** Time in which a gripper has come to its end, or to what it grips (s). */
const GRIPPER_S = 3;
/** Openings of a gripper that is shut, and of one that is open (shares of its way). */
const [SHUT, OPEN] = [0.05, 0.9] as const;

/** A rule for an emergency stop pressed, and optionally released, during an update. */
function stoppedWhileUpdating(
  rule: Pick<Rule, 'id' | 'statement'>,
  releasedMeanwhile: boolean,
): Rule {
  return {
    ...rule,
    requirements: ['A86', 'A87'],
    routes: ['uploadUpdate', 'setEmergencyStop'],
    needs: { ...needs, update: true, armTime_s: limits.update_duration_s * 2 },
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('takeLock');
      // The installed version: a newer one would be missing in other rules.
      const { robot } = await admin.does('getVersions');
      await admin.does('uploadUpdate', new TextEncoder().encode(`armtwin-update ${robot}\n`));
      await admin.does('setEmergencyStop', { engaged: true });
      if (releasedMeanwhile) await admin.does('setEmergencyStop', { engaged: false });
      context.expect.equal(await stateOf(context), 'updating', 'state in the meantime');
      await context.settle(limits.update_duration_s + 1);
      if (!releasedMeanwhile) {
        await waitForState(context, 'disabled');
        // The update has ended the previous session.
        await statusOf(context, 'PUT /sim/v1/emergency_stop', { engaged: false });
      }
      await waitForState(context, 'ready');
    },
  };
}

export const SIM_CLEANUP_RULES: readonly Rule[] = [
  {
    id: 'sim/health',
    requirements: [],
    routes: ['getVersions'],
    statement: 'Health endpoints need no session: alive, and ready for commands.',
    needs,
    async check({ raw, expect }) {
      for (const path of ['/livez', '/readyz']) {
        const reply = await raw({ method: 'GET', path });
        expect.equal(reply.status, 200, `status of ${path}`);
      }
      const { body } = await raw({ method: 'GET', path: '/readyz' });
      expect.equal(body, { ready: true }, 'body of /readyz');
    },
  },
  {
    id: 'sim/stopped-while-moving',
    requirements: ['A83', 'A87'],
    routes: ['setEmergencyStop', 'resetErrors'],
    statement: 'A motion that an emergency stop interrupts leaves one error.',
    needs: { ...needs, motion: true },
    async check(context) {
      const admin = await context.as('admin');
      await admin.does('takeLock');
      const { there } = await context.poseNearby(0.2);
      await admin.does('goTo', { mode: 'teach', joints: there, time: 3 });
      await context.settle(0.5);
      await admin.does('setEmergencyStop', { engaged: true });
      await waitForState(context, 'disabled');
      const { control } = await context.snapshot();
      context.expect.equal(control.run_mode, 'not_running', 'run_mode of a dropped motion');
      await admin.does('setEmergencyStop', { engaged: true });
      await context.settle(limits.lock_expiry_teach_s * 2);
      context.expect.equal((await admin.does('getLock')).owner, 'you', 'owner of the lock');
      await admin.does('setEmergencyStop', { engaged: false });
      await waitForState(context, 'error');
      await admin.does('resetErrors');
      await waitForState(context, 'ready');
      await admin.does('setEmergencyStop', { engaged: true });
      await waitForState(context, 'disabled');
      await admin.does('setEmergencyStop', { engaged: false });
      await waitForState(context, 'ready');
    },
  },
  stoppedWhileUpdating(
    {
      id: 'sim/stopped-while-updating',
      statement: 'An emergency stop pressed during an update takes effect after the update.',
    },
    false,
  ),
  stoppedWhileUpdating(
    {
      id: 'sim/stopped-and-released-while-updating',
      statement: 'An emergency stop released during an update has no effect.',
    },
    true,
  ),
  {
    id: 'sim/outputs-after-power',
    requirements: ['A102'],
    routes: ['cyclePower', 'changeGlobals'],
    statement: 'A power cycle clears outputs, modes and the selected toolpath.',
    needs,
    async check(context) {
      const [admin, user] = [await context.as('admin'), await userWithLock(context)];
      const changes = [
        { key: 'outputs.d1', value: true },
        { key: 'outputs.a0_mode', value: 'current' },
        { key: 'outputs.a0', value: 9 },
      ];
      await user.does('changeGlobals', { changes });
      await admin.does('cyclePower');
      const { 'global.outputs': outputs, control } = await context.snapshot();
      const { d0, d1, d2, d3, a0, a1, a0_mode, a1_mode } = outputs;
      context.expect.equal([d0, d1, d2, d3], [false, false, false, false], 'digital outputs');
      context.expect.equal([a0, a1], [0, 0], 'analog outputs');
      context.expect.equal([a0_mode, a1_mode], ['voltage', 'voltage'], 'modes');
      context.expect.equal(control.toolpath_hash, '', 'the selected toolpath');
    },
  },
  {
    id: 'sim/servos',
    requirements: [],
    routes: ['getServos'],
    statement: 'An arm with servos reports their status; any other arm reports that it has none.',
    needs,
    async check({ as, raw, expect }) {
      const { session } = await as('admin');
      const headers = { Authorization: `Bearer ${session}` };
      const reply = await raw({ method: 'GET', path: '/sim/v1/servos', headers });
      if (reply.status === 501) {
        checkRefusal(reply, { status: 501, error_code: 8 });
        return;
      }
      const { servos, fault } = expect.fits('ServosReply', reply.body);
      // A joint may have two servos: each is listed, with an id of its own.
      const joints = [...new Set(servos.map(({ joint }) => joint))];
      expect.equal([joints, fault], [[0, 1, 2, 3, 4, 5], null], 'arm');
      expect.equal(new Set(servos.map(({ id }) => id)).size, servos.length, 'different ids');
      expect.ok(
        servos.every(({ voltage_v }) => voltage_v > 3),
        'all servos have a supply',
      );
    },
  },
  {
    id: 'sim/servo-gripper',
    requirements: [],
    routes: ['getServos', 'changeGlobals'],
    statement:
      'A gripper that a servo moves follows its output, and its input says whether it grips; an arm without one lists none.',
    needs: { ...needs, motion: true, armTime_s: 4 * GRIPPER_S },
    async check(context) {
      const { as, raw, expect, settle } = context;
      const admin = await as('admin');
      const headers = { Authorization: `Bearer ${admin.session}` };
      const reply = await raw({ method: 'GET', path: '/sim/v1/servos', headers });
      if (reply.status === 501) {
        checkRefusal(reply, { status: 501, error_code: 8 });
        return;
      }
      const { gripper } = expect.fits('ServosReply', reply.body);
      if (gripper === undefined) return;
      const user = await userWithLock(context);
      const command = async (value: boolean) => {
        await user.does('changeGlobals', {
          changes: [{ key: `outputs.${gripper.output}`, value }],
        });
        await settle(GRIPPER_S);
        const { gripper: now } = await admin.does('getServos');
        const snapshot = await context.snapshot();
        const inputs = new Map<string, unknown>(Object.entries(snapshot['global.inputs']));
        expect.equal(now?.closes, value, 'whether the gripper closes');
        expect.equal(inputs.get(gripper.part_present_input), now?.part_present, 'the input');
        return now!;
      };
      const shut = await command(true);
      expect.ok(shut.part_present || shut.opening < SHUT, 'it grips, or is shut');
      const open = await command(false);
      expect.ok(open.opening > OPEN && !open.part_present, 'it is open, and grips nothing');
    },
  },
  {
    id: 'sim/fault-cleared',
    requirements: [],
    routes: ['addFault', 'clearFault', 'listFaults'],
    statement: 'A cleared fault is not listed and cannot be cleared again.',
    needs,
    async check({ as, expect }) {
      const admin = await as('admin');
      const stuck = { kind: 'stuck_input', input: 'd2' } as const;
      const { fault } = await admin.does('addFault', stuck);
      const other = (await admin.does('addFault', { ...stuck, input: 'a1' })).fault;
      await admin.does('clearFault', { fault_id: fault.id });
      const ids = (await admin.does('listFaults')).faults.map(({ id }) => id);
      expect.equal([ids.includes(fault.id), ids.includes(other.id)], [false, true], 'listed');
      await admin.refused('clearFault', { parameters: { fault_id: fault.id } }, gone);
      await admin.does('clearFaults');
      expect.equal((await admin.does('listFaults')).faults, [], 'faults when all are cleared');
    },
  },
  {
    id: 'sim/clock-settings',
    requirements: [],
    routes: ['setClock', 'getClock'],
    statement: 'Pause and pace are reported as set, independently of each other.',
    needs: { ...needs, pace: true },
    async check({ as, expect }) {
      const admin = await as('admin');
      const { pace } = await admin.does('getClock');
      try {
        const paused = await admin.does('setClock', { paused: true });
        expect.equal([paused.paused, paused.pace], [true, pace], 'paused');
        const paced = await admin.does('setClock', { pace: 3 });
        expect.equal([paced.paused, paced.pace], [true, 3], 'paced, and paused still');
      } finally {
        const back = await admin.does('setClock', { pace, paused: false });
        expect.equal([back.paused, back.pace], [false, pace], 'as before');
      }
    },
  },
];
