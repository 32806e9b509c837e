/** Rules for reset, seeds, snapshots, recording and journal of a simulated arm. */

import type { JournalSearchBody } from '../../contract/types.generated.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { backAndForth, sampleToolpath } from '../samples/sample-toolpath.ts';
import { stateOf, waitForState } from '../steps/robot-state.ts';
import { userIdOf, userWithLock } from '../steps/users.ts';

const needs = { sim: true, admin: true } as const;
/** What the encoders of a worn arm may differ by from its pose: sag and play (rad). */
const MEASURED_RAD = 5e-3;

/** Needs of rules that place the arm, which is impossible with servos. */
const placing = { ...needs, world: true } as const;

export const SIM_SNAPSHOT_RULES: readonly Rule[] = [
  {
    id: 'sim/journal',
    requirements: [],
    routes: ['searchJournal', 'verifyJournal', 'clearJournal'],
    statement: 'The journal lists the calls and the near misses of an expectation.',
    needs,
    async check({ as, expect, snapshot }) {
      const [user, admin] = [await as('user'), await as('admin')];
      await admin.does('clearJournal');
      await user.does('takeLock');
      const path = '/api/v1/controls/lock';
      const found = await admin.does('searchJournal', { method: 'POST', path });
      expect.equal(
        found.entries.map(({ status }) => status),
        [200],
        'calls for the lock',
      );
      const held = await admin.does('verifyJournal', { method: 'POST', path, times: 1 });
      expect.equal([held.holds, held.matched], [true, 1], 'the expected call');
      const user_id = await userIdOf(user);
      expect.equal(found.entries[0]?.user_id, user_id, 'user of the call');
      const count = async (wanted: JournalSearchBody) =>
        (await admin.does('searchJournal', wanted)).entries.length;
      const prefix = { path: '/api/v1/controls/*' };
      const counts = [
        await count(prefix),
        await count({ ...prefix, status: 200, user_id }),
        await count({ ...prefix, status: 403 }),
        await count({ ...prefix, user_id: user_id + 1 }),
      ];
      expect.equal(counts, [1, 1, 0, 0], 'calls by path, status and user');
      expect.equal(await count({ limit: 2 }), 2, 'calls up to a limit');
      const { d0 } = (await snapshot())['global.outputs'];
      const body = { changes: [{ key: 'outputs.d0', value: d0 }] };
      await user.does('changeGlobals', body);
      const edited = { method: 'POST', path: '/api/v1/data/globals' } as const;
      expect.ok(
        (await admin.does('verifyJournal', { ...edited, body })).holds,
        'call with this body',
      );
      const other = await admin.does('verifyJournal', { ...edited, body: { changes: [] } });
      expect.equal(other.near_misses[0]?.differs, ['body'], 'another body');
      const missed = await admin.does('verifyJournal', { method: 'PUT', path });
      expect.equal(missed.near_misses[0]?.differs, ['method'], 'near miss');
    },
  },
  {
    id: 'sim/seeded',
    requirements: [],
    routes: ['seedTwin'],
    statement: 'A seed sets pose and state of the arm; an invalid seed names the invalid place.',
    needs: { ...placing, motion: true },
    async check({ as, expect, settle, snapshot }) {
      const admin = await as('admin');
      const pose = [0.1, 0.5, -1.7, 0, -1.2, 0] as const;
      await admin.does('seedTwin', { pose: [...pose], state: 'disabled' });
      const { control, 'servos.telemetry.position': position } = await snapshot();
      expect.equal(control.state, 'disabled', 'seeded state');
      expect.close(position, pose, MEASURED_RAD);
      await admin.does('seedTwin', { state: 'ready' });
      await settle(0.5);
      expect.close((await snapshot())['servos.telemetry.position'], pose, MEASURED_RAD);
      const beyond = { body: { pose: [9, 0, 0, 0, 0, 0] } };
      await admin.refused('seedTwin', beyond, INVALID);
    },
  },
  {
    id: 'sim/snapshots',
    requirements: [],
    routes: [
      'getLock',
      'listStates',
      'keepState',
      'restoreState',
      'exportState',
      'importState',
      'forgetStates',
    ],
    statement: 'A snapshot is restored exactly, also from a file.',
    needs: placing,
    async check({ as, expect, listen, snapshot }) {
      const admin = await as('admin');
      const name = 'saved by a rule';
      await admin.does('takeLock');
      const listener = await listen(admin);
      await admin.does('keepState', { name });
      const before = await snapshot();
      const file = await admin.does('exportState', { name });
      await admin.does('setEmergencyStop', { engaged: true });
      await admin.does('restoreState', { name });
      expect.equal((await snapshot()).control, before.control, 'restored state');
      await admin.does('releaseLock');
      await admin.does('restoreState', { name });
      await listener.received('lock_status', ({ lock }) => lock.owner === 'you');
      expect.equal((await admin.does('getLock')).owner, 'you', 'restored owner of the lock');
      const owners = listener.events.flatMap((event) =>
        event.type === 'lock_status' ? [event.lock.owner] : [],
      );
      expect.equal(owners, ['none', 'you'], 'published owners of the lock');
      await admin.does('forgetStates');
      expect.equal(await admin.does('listStates'), { states: [] }, 'snapshots after deletion');
      const altered = { ...file, data: `${file.data.slice(0, -4)}AAAA` };
      for (const body of [altered, { ...file, format: 2 }, { ...file, sha256: '0'.repeat(64) }]) {
        await admin.refused('importState', { body }, INVALID);
      }
      const { state } = await admin.does('importState', file);
      expect.equal(state.name, name, 'the state of the file');
      await admin.does('forgetStates');
    },
  },
  {
    id: 'sim/recording',
    requirements: [],
    routes: ['getRecording', 'startRecording', 'stopRecording', 'getTape'],
    statement: 'A recording contains all calls and stays available after it stops.',
    needs: placing,
    async check({ as, expect, settle }) {
      const admin = await as('admin');
      expect.ok((await admin.does('startRecording')).recording, 'the twin is recorded');
      await admin.does('setEmergencyStop', { engaged: true });
      await settle(0.1);
      await admin.does('setEmergencyStop', { engaged: false });
      expect.ok(!(await admin.does('stopRecording')).recording, 'the recording has ended');
      const { tape } = await admin.does('getTape');
      expect.ok(tape.includes('estop'), 'the recording contains the call');
      expect.equal((await admin.does('getRecording')).bytes, tape.length, 'bytes of the recording');
    },
  },
  {
    id: 'sim/saved-toolpaths',
    requirements: [],
    routes: ['listSavedToolpaths', 'createToolpath', 'updateToolpath'],
    statement: 'The list of saved toolpaths has the time of the last save and the size of each.',
    async check(context) {
      const { expect } = context;
      const admin = await context.as('admin');
      const { here, there } = await context.poseNearby(0.1);
      const toolpath = sampleToolpath([here, there]);
      const name = 'rules saved';
      const { toolpath: head } = await admin.does('createToolpath', { name, toolpath });
      const read = async () => {
        const { toolpaths } = await admin.does('listSavedToolpaths');
        return toolpaths.find(({ id }) => id === head.id)!;
      };
      const before = await read();
      expect.equal([before.name, before.hash], [head.name, head.hash], 'the saved toolpath');
      expect.ok(before.bytes! > 0, 'it has a size');
      await context.settle(0.05);
      const parameters = { toolpath_id: head.id };
      await admin.does('updateToolpath', parameters, { name: 'rules renamed', toolpath });
      const after = await read();
      expect.equal([after.name, after.bytes], ['rules renamed', before.bytes], 'the renamed one');
      expect.ok(before.modified_at < after.modified_at, 'the time of the last save is later');
      await admin.does('deleteToolpath', parameters);
      expect.equal(await read(), undefined, 'the entry of a deleted toolpath');
    },
  },
  {
    id: 'sim/robot-runs',
    requirements: [],
    routes: ['listRobotRuns', 'replayRobotRun'],
    statement: 'A run is kept and can be replayed, as it was, with a fault or another toolpath.',
    needs: { ...placing, motion: true },
    async check(context) {
      const { as, expect } = context;
      const admin = await as('admin');
      const user = await userWithLock(context);
      const { here, there } = await context.poseNearby(0.15);
      const toolpath = sampleToolpath([here, there], { timeline: backAndForth(1) });
      await user.does('useUnsavedToolpath', { name: 'rules kept run', toolpath });
      await user.does('run', { mode: 'automatic', loop: 1 });
      await waitForState(context, 'ready');
      const [run] = (await admin.does('listRobotRuns')).runs;
      expect.equal([run?.name, run?.outcome], ['rules kept run', 'finished'], 'the latest run');
      const kept = { robot_run_id: run!.id };
      const was = await admin.does('replayRobotRun', kept, {});
      expect.equal([was.outcome, was.duration_s], ['finished', run!.duration_s], 'the replay');
      const fault = { kind: 'driver', joint: 0, fault: 'overheated' } as const;
      expect.equal((await user.does('listRobotRuns')).runs[0], run, 'the list of a plain user');
      const theirs = await user.does('replayRobotRun', kept, {});
      expect.equal(theirs.recording, was.recording, 'the replay of a plain user');
      const changed = { parameters: kept, body: { at_s: 0.5, fault } };
      await user.refused('replayRobotRun', changed, { status: 403, error_code: 4 });
      const failed = await admin.does('replayRobotRun', kept, { at_s: 0.5, fault });
      expect.equal(failed.outcome, 'error', 'the outcome with a fault');
      const other = await admin.does('replayRobotRun', kept, { at_s: 0.5, toolpath });
      expect.equal(other.outcome, 'finished', 'the outcome with another toolpath');
      expect.equal(await stateOf(context), 'ready', 'state of the twin');
      const unknown = { parameters: { robot_run_id: 1e9 }, body: {} };
      await admin.refused('replayRobotRun', unknown, { status: 404, error_code: 8 });
    },
  },
  {
    id: 'sim/reset',
    requirements: [],
    routes: ['resetTwin', 'getRecording'],
    statement: 'A reset clears everything within its scopes.',
    needs: placing,
    async check({ as, expect, snapshot }) {
      const admin = await as('admin');
      await admin.does('setEmergencyStop', { engaged: true });
      const half = { x: 0.05, y: 0.05, z: 0.05 };
      await admin.does('addObstacle', { name: 'box', position: { x: 5, y: 0, z: 0 }, half });
      await admin.does('startRecording');
      const scopes = ['state', 'obstacles', 'faults', 'recording'] as const;
      await admin.does('resetTwin', { scopes: [...scopes] });
      const recording = await admin.does('getRecording');
      expect.equal([recording.recording, recording.bytes], [false, 0], 'the recording');
      const { a0, a1, ee_a0, ee_a1 } = (await snapshot())['global.inputs'];
      expect.close([a0, a1, ee_a0, ee_a1], [0, 0, 0, 0], 0.1);
      expect.equal((await snapshot()).global.estop, false, 'emergency stop after the reset');
      const { obstacles } = await admin.does('listObstacles');
      expect.equal(
        obstacles.filter(({ name }) => name === 'box'),
        [],
        'obstacles of this rule',
      );
    },
  },
];
