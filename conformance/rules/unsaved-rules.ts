/** Rules for unsaved toolpaths: calc, use, share, migrate (spec §4.3, §9). */

import type { Action, Joints } from '../../contract/types.generated.ts';
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import {
  backAndForth,
  RESTING_POSE,
  sampleToolpath,
  storedSample,
} from '../samples/sample-toolpath.ts';
import { userIdOf } from '../steps/users.ts';

/** A toolpath of format 1, as it was stored before format 2. */
const oldToolpath = {
  metadata: {
    default_velocity: 0.1,
    next_label_id: 3,
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
  },
  waypoints: storedSample().waypoints,
  timeline: [
    { type: 'home', waypoint_id: 0 },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1, velocity: 0.2 },
    { type: 'wait', condition: { type: 'time', duration: 500 } },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 },
  ],
};

function withTimeline(timeline: readonly Action[]) {
  const { waypoints } = storedSample();
  return sampleToolpath(
    waypoints.map((waypoint) => waypoint.joints),
    { timeline },
  );
}

export const UNSAVED_RULES: readonly Rule[] = [
  {
    id: 'unsaved/calculated',
    requirements: ['A12', 'A47', 'A116', 'A17'],
    routes: ['calcToolpath', 'createToolpath'],
    statement: 'calc returns the trajectory and the hash that saving would give.',
    async check({ as, expect }) {
      const user = await as('user');
      const toolpath = storedSample();
      const reply = await user.does('calcToolpath', { toolpath });
      expect.ok((reply.trajectory.duration ?? 0) > 0, 'the trajectory has a duration');
      const saved = await user.does('createToolpath', { name: 'rules same', toolpath });
      expect.equal(reply.toolpath.hash, saved.toolpath.hash, 'hash');
    },
  },
  {
    id: 'unsaved/motion-errors-in-trajectory',
    requirements: ['A47', 'A48', 'A54', 'A56', 'A110', 'A162'],
    routes: ['calcToolpath', 'useUnsavedToolpath'],
    statement: 'A waypoint beyond the joint limits gives a soft trajectory error; use refuses it.',
    async check({ as, expect }) {
      const user = await as('user');
      const beyond: Joints = [...RESTING_POSE];
      beyond[5] = 6;
      const toolpath = sampleToolpath([RESTING_POSE, beyond], { timeline: backAndForth(5) });
      const { trajectory } = await user.does('calcToolpath', { toolpath });
      expect.ok(trajectory.error !== undefined, 'the trajectory has an error');
      expect.ok(trajectory.duration === undefined, 'no duration with an error');
      expect.ok(trajectory.timeline !== undefined, 'the error is a soft one');
      await user.does('takeLock');
      await user.refused('useUnsavedToolpath', { body: { toolpath } }, INVALID);
    },
  },
  {
    id: 'unsaved/semantic-faults',
    requirements: ['A23', 'A24', 'A27', 'A28', 'A31', 'A37', 'A46', 'A170'],
    routes: ['calcToolpath', 'createToolpath'],
    statement: 'A toolpath with errors is refused with the place of each error.',
    async check({ as, expect }) {
      const user = await as('user');
      const move = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 } as const;
      const home = { type: 'home', waypoint_id: 0 } as const;
      const faulty: readonly (readonly Action[])[] = [
        [move],
        [move, home],
        [home, home, move],
        [home, { ...move, waypoint_id: 7 }],
        [home, { ...move, time: 0 }],
        [home, { ...move, time: 1, max_speed: 0.1 }],
        [home, move, { type: 'restart' }],
        [home, { type: 'call-routine', routine: 'nowhere' }],
        [home, { type: 'grid-waypoint', z_offset: 0 }],
      ];
      for (const timeline of faulty) {
        const body = { toolpath: withTimeline(timeline) };
        const { details } = await user.refused('calcToolpath', { body }, INVALID);
        expect.ok(Array.isArray(details) && details.length > 0, 'details list the problems');
      }
    },
  },
  {
    id: 'unsaved/used',
    requirements: ['A117', 'A113', 'A70'],
    routes: ['useUnsavedToolpath'],
    statement: 'use of an unsaved toolpath shows the given name.',
    async check({ as, expect, snapshot, poseNearby }) {
      const user = await as('user');
      const { here, there } = await poseNearby(0.1);
      const toolpath = sampleToolpath([here, there]);
      await user.does('takeLock');
      const reply = await user.does('useUnsavedToolpath', { name: 'rules named', toolpath });
      expect.ok(reply.event.name.length > 0, 'the event has a name');
      expect.equal((await snapshot()).control.toolpath_name, 'rules named', 'toolpath_name');
    },
  },
  {
    id: 'unsaved/shared',
    requirements: ['A10', 'A14', 'A115', 'A157'],
    routes: ['shareToolpath', 'listUsers', 'openStream'],
    statement: 'Sharing sends the toolpath, with id -1 and its sharer, to the target alone.',
    needs: { admin: true, secondUser: true },
    async check({ as, listen, expect }) {
      const [user, other] = [await as('user'), await as('other')];
      const heard = await listen(other);
      const [mine, theirs] = [await userIdOf(user), await userIdOf(other)];
      const body = { name: 'rules shared', user_id: theirs, toolpath: storedSample() };
      const { toolpath } = await user.does('shareToolpath', body);
      expect.equal([toolpath.id, toolpath.sharer], [-1, mine], 'id and sharer');
      const event = await heard.received('toolpath_shared');
      expect.equal(event.toolpath, toolpath, 'toolpath of the event');
      await user.refused('shareToolpath', { body: { ...body, user_id: 1e9 } }, { status: 404 });
    },
  },
  {
    id: 'unsaved/shared-received',
    requirements: [],
    routes: ['shareToolpath', 'getSharedToolpath', 'createToolpath', 'deleteToolpath'],
    statement: 'The target alone retrieves a shared toolpath, by id -1, and can save it.',
    needs: { sim: true, admin: true, secondUser: true },
    async check({ as, expect }) {
      const [user, other] = [await as('user'), await as('other')];
      const [mine, theirs] = [await userIdOf(user), await userIdOf(other)];
      const shared = storedSample();
      for (const name of ['rules before', 'rules received']) {
        await user.does('shareToolpath', { name, user_id: theirs, toolpath: shared });
      }
      const { toolpath: received } = await other.does('getSharedToolpath');
      const { id, name, sharer, toolpath } = received;
      expect.equal({ id, name, sharer }, { id: -1, name: 'rules received', sharer: mine }, 'heads');
      expect.equal(toolpath, shared, 'the toolpath');
      const saved = await other.does('createToolpath', { name, toolpath });
      expect.equal(saved.toolpath.hash, received.hash, 'the hash once saved');
      await other.does('deleteToolpath', { toolpath_id: saved.toolpath.id });
      await user.refused('getSharedToolpath', {}, { status: 404, error_code: 8 });
    },
  },
  {
    id: 'unsaved/old-format-refused',
    requirements: ['A16', 'A173'],
    routes: ['createToolpath', 'calcToolpath'],
    statement: 'Only migrate accepts a toolpath of format 1.',
    async check({ as, expect }) {
      const user = await as('user');
      const body = { name: 'rules old', toolpath: oldToolpath };
      await user.refused('createToolpath', { body }, INVALID);
      const { details } = await user.refused(
        'calcToolpath',
        { body: { toolpath: oldToolpath } },
        INVALID,
      );
      expect.ok(JSON.stringify(details).includes('migrate'), 'the refusal points to migrate');
    },
  },
  {
    id: 'unsaved/migrated',
    requirements: ['A118', 'A173'],
    routes: ['migrateToolpath', 'calcToolpath'],
    statement:
      'Migration converts format 1 to 2: speeds × 1.5, waits in seconds, with notes on both.',
    async check({ as, expect }) {
      const user = await as('user');
      const reply = await user.does('migrateToolpath', { toolpath: oldToolpath });
      const { metadata, timeline } = reply.toolpath.toolpath;
      expect.close([metadata.default_max_speed], [0.15], 1e-9);
      const wait = timeline.find((action) => action.type === 'wait');
      expect.equal(wait?.condition, { type: 'time', duration: 0.5 }, 'the wait');
      expect.ok(reply.breaking_changes.length > 0, 'there are notes');
      const lost = { ...oldToolpath, timeline: [{ type: 'home', waypoint_id: 5 }] };
      await user.refused('migrateToolpath', { body: { toolpath: lost } }, INVALID);
      const calculated = await user.does('calcToolpath', { toolpath: reply.toolpath.toolpath });
      expect.equal(calculated.toolpath.hash, reply.toolpath.hash, 'hash of the migrated toolpath');
    },
  },
];
