/** Rules of the scheduler and of collision detection (spec §4.5). */
import type { Rule } from './rule.ts';

const invalid = { status: 400, error_code: 8 } as const;

export const CONTROL_RULES: readonly Rule[] = [
  {
    id: 'scheduler/set-and-cleared',
    requirements: ['A73', 'A127', 'A128'],
    routes: ['setScheduler', 'getSnapshot'],
    statement: 'The scheduler takes a range when enabling and shows it until disabled.',
    async check({ as, expect, snapshot }) {
      const user = await as('user');
      await user.does('takeLock');
      const range = { start_time: '03:00:00', end_time: '03:00:10' };
      const on = await user.does('setScheduler', { enabled: true, ...range });
      expect.equal(on.event.name, 'EVENT_SCHEDULER_UPDATE', 'name of the event');
      expect.ok(on.event.details.includes('03:00:10'), 'details tell the range');
      const wanted = { enabled: true, start_time: '03:00:00', stop_time: '03:00:10' };
      expect.equal((await snapshot()).scheduler, wanted, 'scheduler');
      await user.does('setScheduler', { enabled: false });
      expect.equal((await snapshot()).scheduler.enabled, false, 'scheduler when disabled');
    },
  },
  {
    id: 'scheduler/body',
    requirements: ['A128'],
    routes: ['setScheduler'],
    statement: 'Enabling wants both times as HH:MM:SS; disabling takes none.',
    async check({ as }) {
      const user = await as('user');
      await user.does('takeLock');
      const bodies = [
        { enabled: true },
        { enabled: true, start_time: '8:00', end_time: '09:00:00' },
        { enabled: true, start_time: '08:00:00', end_time: '24:00:00' },
        { enabled: false, start_time: '08:00:00', end_time: '09:00:00' },
      ];
      for (const body of bodies) await user.refused('setScheduler', { body }, invalid);
    },
  },
  {
    id: 'collision-detection/set',
    requirements: ['A69', 'A129'],
    routes: ['setCollisionDetection', 'getSnapshot'],
    statement: 'An admin with the lock switches collision detection and sets its sensitivity.',
    needs: { admin: true },
    async check({ as, expect, snapshot }) {
      const admin = await as('admin');
      const body = { enabled: true, sensitivity: 'high' } as const;
      await admin.refused('setCollisionDetection', { body }, { status: 403, error_code: 3 });
      await admin.does('takeLock');
      const before = (await snapshot()).collision_detection;
      await admin.does('setCollisionDetection', body);
      expect.equal((await snapshot()).collision_detection, body, 'collision_detection');
      await admin.refused('setCollisionDetection', { body: { enabled: true } }, invalid);
      const { sensitivity } = before;
      await admin.does('setCollisionDetection', { enabled: true, sensitivity });
      if (!before.enabled) await admin.does('setCollisionDetection', { enabled: false });
    },
  },
];
