/** Rules for versions, name and updates (spec §4.8, §9). */

import { limits } from '../../contract/limits.ts';
import type { Rule } from '../rule.ts';

export const INFORMATION_RULES: readonly Rule[] = [
  {
    id: 'information/versions',
    requirements: ['A1', 'A142', 'A172'],
    routes: ['getVersions'],
    statement: 'The versions need no session and name the API version and the software version.',
    async check({ as, expect }) {
      const { APIs, robot } = await (await as('anonymous')).does('getVersions');
      expect.ok(APIs.includes('v1'), 'v1 is supported');
      expect.ok(/^[0-9]+\.[0-9]+\.[0-9]+/.test(robot), `${robot} is a version`);
    },
  },
  {
    id: 'information/name',
    requirements: ['A143'],
    routes: ['getName'],
    statement: 'The service returns the name of the robot.',
    async check({ as, expect }) {
      const { name } = await (await as('anonymous')).does('getName');
      expect.ok(name.length > 0, 'the name is not empty');
    },
  },
  {
    id: 'update/checked',
    requirements: ['A144'],
    routes: ['checkUpdates'],
    statement: 'An admin gets the updates in the order in which they must be applied.',
    needs: { admin: true },
    async check({ as, expect }) {
      const { updates } = await (await as('admin')).does('checkUpdates');
      const documented = updates.every((update) => update.changelogs.length > 0);
      expect.ok(documented, 'every update has a changelog');
    },
  },
  {
    id: 'update/applied',
    requirements: ['A86', 'A102', 'A145', 'A156'],
    routes: ['applyUpdate', 'checkUpdates', 'getVersions'],
    statement:
      'An update is announced, lets no action start while it installs, and ends all sessions.',
    needs: { admin: true, update: true, armTime_s: limits.update_duration_s + 10 },
    async check({ as, expect, listen, settle, snapshot, until }) {
      const admin = await as('admin');
      const { updates } = await admin.does('checkUpdates');
      const [next] = updates;
      if (!next) return expect.fail('no update is listed');
      const body = { version: next.version };
      await admin.refused('applyUpdate', { body }, { status: 403, error_code: 3 });
      const listener = await listen(admin);
      await admin.does('takeLock');
      await admin.does('applyUpdate', body);
      await listener.received('update_in_progress');
      expect.equal((await snapshot()).control.state, 'updating', 'state');
      await settle(limits.update_duration_s);
      const anonymous = await as('anonymous');
      const isNew = async () => (await anonymous.does('getVersions')).robot === next.version;
      await until('the new version runs', isNew);
      await admin.refused('getLock', {}, { status: 401, error_code: 5 });
    },
  },
  {
    id: 'update/uploaded',
    requirements: ['A3', 'A86', 'A146'],
    routes: ['uploadUpdate'],
    statement: 'A package can be uploaded by an admin with the lock.',
    needs: { admin: true, update: true, armTime_s: limits.update_duration_s + 10 },
    async check({ as, expect, settle, until, snapshot }) {
      const admin = await as('admin');
      await admin.does('takeLock');
      await admin.does('uploadUpdate', new TextEncoder().encode('package'));
      expect.equal((await snapshot()).control.state, 'updating', 'state');
      await settle(limits.update_duration_s);
      const isReady = async () => (await snapshot()).control.state === 'ready';
      await until('the robot is ready again', isReady);
    },
  },
];
