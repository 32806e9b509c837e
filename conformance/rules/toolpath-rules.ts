/** Rules for saved toolpaths (spec §2.1, §4.2). */

import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { sampleToolpath, storedSample } from '../samples/sample-toolpath.ts';

const missing = { status: 404, error_code: 8 } as const;

async function saved(context: RuleContext, name: string) {
  const user = await context.as('user');
  const plain = storedSample();
  const turns = { x: 0, y: 0, z: 0 };
  const tcp_config = { offsets: { x: 0, y: 0, z: 0.1 }, rotations: turns, radius: 0.02 };
  const waypoints = plain.waypoints.map((waypoint) => {
    return { ...waypoint, label_text: String(waypoint.label_id) };
  });
  const metadata = { ...plain.metadata, next_label_id: 7, tcp_config };
  const toolpath = { ...plain, metadata, waypoints };
  const reply = await user.does('createToolpath', { name, toolpath });
  return { user, toolpath, head: reply.toolpath, status: reply.status };
}

export const TOOLPATH_RULES: readonly Rule[] = [
  {
    id: 'toolpath/created-once',
    requirements: [],
    routes: ['createToolpath', 'listToolpaths'],
    statement: 'Of calls with one Idempotency-Key one creates a toolpath; another body is refused.',
    async check(context) {
      const { user, head } = await saved(context, 'rules before');
      const headers = {
        Authorization: `Bearer ${user.session}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `rules ${head.id}`,
      };
      const create = (name: string) => {
        const body = JSON.stringify({ name, toolpath: storedSample() });
        return context.raw({ method: 'POST', path: '/api/v1/toolpaths', headers, body });
      };
      const replies = await Promise.all([1, 2, 3].map(() => create('rules once')));
      const texts = new Set(replies.map(({ status, text }) => `${status} ${text}`));
      context.expect.equal(texts.size, 1, 'different replies');
      const other = await create('rules other');
      context.expect.equal(other.status, 400, 'status with another body');
      const { toolpaths } = await user.does('listToolpaths');
      const after = toolpaths.filter(({ id }) => id > head.id);
      context.expect.equal(after.length, 1, 'created toolpaths');
    },
  },
  {
    id: 'toolpath/created',
    requirements: ['A9', 'A11', 'A13', 'A107', 'A108'],
    routes: ['createToolpath', 'listToolpaths'],
    statement: 'A saved toolpath gets an id; the list contains id, name and hash only.',
    async check(context) {
      const { user, head, status } = await saved(context, 'rules created');
      context.expect.equal(status, 'toolpath created', 'status');
      context.expect.equal(head.name, 'rules created', 'name');
      const { toolpaths } = await user.does('listToolpaths');
      const listed = toolpaths.filter((toolpath) => toolpath.id === head.id);
      context.expect.equal(listed, [head], 'the entry in the list');
    },
  },
  {
    id: 'toolpath/retrieved',
    requirements: ['A13', 'A109', 'A15'],
    routes: ['getToolpath'],
    statement: 'A saved toolpath is returned as it was sent.',
    async check(context) {
      const { user, toolpath, head } = await saved(context, 'rules retrieved');
      const reply = await user.does('getToolpath', { toolpath_id: head.id });
      context.expect.equal(reply.toolpath, { ...head, toolpath }, 'the record');
    },
  },
  {
    id: 'toolpath/updated',
    requirements: ['A12', 'A111'],
    routes: ['updateToolpath', 'getToolpath'],
    statement: 'An update keeps the id; the hash follows the content, not the name.',
    async check(context) {
      const { user, toolpath, head } = await saved(context, 'rules updated');
      const { id } = head;
      const path = { toolpath_id: id };
      const renamed = await user.does('updateToolpath', path, { name: 'rules renamed', toolpath });
      context.expect.equal(renamed.status, 'toolpath updated', 'status');
      context.expect.equal(renamed.toolpath, { ...head, name: 'rules renamed' }, 'record');
      toolpath.metadata.payload = 0.2;
      const changed = await user.does('updateToolpath', path, { name: 'rules renamed', toolpath });
      context.expect.ok(changed.toolpath.hash !== head.hash, 'new content has a new hash');
    },
  },
  {
    id: 'toolpath/deleted',
    requirements: ['A112', 'A160'],
    routes: ['deleteToolpath', 'getToolpath', 'buildToolpath', 'useToolpath', 'updateToolpath'],
    statement: 'A deleted toolpath is not found by any call.',
    async check(context) {
      const { user, head, toolpath } = await saved(context, 'rules deleted');
      const parameters = { toolpath_id: head.id };
      const reply = await user.does('deleteToolpath', parameters);
      context.expect.equal(reply, { status: 'toolpath deleted', toolpath: head }, 'reply');
      for (const id of ['getToolpath', 'buildToolpath', 'useToolpath', 'deleteToolpath'] as const) {
        await user.refused(id, { parameters }, missing);
      }
      const body = { name: 'rules deleted', toolpath };
      await user.refused('updateToolpath', { parameters, body }, missing);
    },
  },
  {
    id: 'toolpath/owned',
    requirements: ['A8'],
    routes: ['listToolpaths', 'getToolpath', 'deleteToolpath'],
    statement: 'Only the owner can read or change a toolpath.',
    needs: { secondUser: true },
    async check(context) {
      const { head } = await saved(context, 'rules owned');
      const other = await context.as('other');
      const { toolpaths } = await other.does('listToolpaths');
      context.expect.ok(!toolpaths.some((toolpath) => toolpath.id === head.id), 'it is not listed');
      const parameters = { toolpath_id: head.id };
      await other.refused('getToolpath', { parameters }, missing);
      await other.refused('deleteToolpath', { parameters }, missing);
    },
  },
  {
    id: 'toolpath/built',
    requirements: ['A13', 'A48', 'A49', 'A50', 'A51', 'A54', 'A110'],
    routes: ['buildToolpath'],
    statement: 'A build returns the trajectory: segments of valid setpoints, waits, a duration.',
    async check(context) {
      const { user, head, toolpath } = await saved(context, 'rules built');
      const { trajectory, ...record } = (await user.does('buildToolpath', { toolpath_id: head.id }))
        .toolpath;
      context.expect.equal(record, { ...head, toolpath }, 'the record');
      const timeline = trajectory.timeline ?? [];
      const kinds = timeline.map((item) => item.type);
      context.expect.equal(kinds, ['segment', 'wait', 'segment'], 'kinds of the actions');
      context.expect.ok((trajectory.duration ?? 0) > 3, 'the duration holds two legs of 1.5 s');
      context.expect.ok(!('routines' in trajectory), 'no routines without routines');
      for (const item of timeline) {
        if (item.type !== 'segment') continue;
        const good = item.setpoints.every((point) => point.result === 'success');
        context.expect.ok(item.result && good, 'every setpoint is valid');
      }
    },
  },
  {
    id: 'toolpath/events',
    requirements: ['A156', 'A157'],
    routes: ['createToolpath', 'updateToolpath', 'deleteToolpath', 'openStream'],
    statement: 'Creating, updating and deleting is published to the requesting user.',
    async check(context) {
      const listener = await context.listen(await context.as('user'));
      const { user, head, toolpath } = await saved(context, 'rules heard');
      const isIt = (event: { toolpath: { id: number } }) => event.toolpath.id === head.id;
      const created = await listener.received('toolpath_created', isIt);
      context.expect.equal(created.toolpath, head, 'toolpath of the event');
      await user.does('updateToolpath', { toolpath_id: head.id }, { name: 'rules b', toolpath });
      await listener.received('toolpath_updated', isIt);
      await user.does('deleteToolpath', { toolpath_id: head.id });
      await listener.received('toolpath_deleted', isIt);
    },
  },
  {
    id: 'toolpath/used',
    requirements: ['A113', 'A114', 'A12'],
    routes: ['useToolpath', 'getSnapshot'],
    statement: 'use needs the lock, and the robot then shows name and hash of the toolpath.',
    async check(context) {
      const user = await context.as('user');
      const { here, there } = await context.poseNearby(0.1);
      const toolpath = sampleToolpath([here, there]);
      const { toolpath: head } = await user.does('createToolpath', {
        name: 'rules used',
        toolpath,
      });
      const parameters = { toolpath_id: head.id };
      await user.refused('useToolpath', { parameters }, { status: 403, error_code: 3 });
      await user.does('takeLock');
      await user.does('useToolpath', parameters);
      const { control } = await context.snapshot();
      const shown = [control.toolpath_name, control.toolpath_hash];
      context.expect.equal(shown, [head.name, head.hash], 'toolpath of the snapshot');
      await user.does('deleteToolpath', parameters);
      const { toolpath_name } = (await context.snapshot()).control;
      context.expect.equal(toolpath_name, 'rules used', 'the name, stale after the deletion');
    },
  },
];
