/** Rules for the robot lock (spec §2.9, §3.2, §4.4, §8). */

import { limits } from '../../contract/limits.ts';
import type { Rule } from '../rule.ts';
import type { RuleContext } from '../rule-context.ts';
import { inRealTime } from '../steps/clock.ts';

const notHeld = { status: 403, error_code: 3, title: "you don't own the robot lock" } as const;
const heldByOther = {
  status: 403,
  error_code: 3,
  title: 'lock already owned by someone else',
} as const;

const free = { owner: 'none', status: 'unlocked' } as const;
const yours = { owner: 'you', status: 'locked' } as const;

/** Lets the lock expire during a teach motion. */
async function loseLockInMotion(context: RuleContext): Promise<void> {
  const { as, expect, settle, snapshot, until, poseNearby } = context;
  const user = await as('user');
  const { there } = await poseNearby(0.3);
  await user.does('takeLock');
  await user.does('goTo', { mode: 'teach', joints: there, time: 15 });
  await settle(limits.lock_expiry_teach_s * 0.6);
  expect.equal((await snapshot()).control.state, 'running', 'state before the expiry');
  await until('the motion stops', async () => (await snapshot()).control.state === 'ready', 5);
  expect.equal(await user.does('getLock'), free, 'lock after the expiry');
  const [reached] = (await snapshot())['servos.telemetry.position'];
  expect.ok(Math.abs(reached - there[0]) > 0.05, 'the arm stopped on its way');
}

export const LOCK_RULES: readonly Rule[] = [
  {
    id: 'lock/taken-and-released',
    requirements: ['A119', 'A120', 'A122'],
    routes: ['getLock', 'takeLock', 'releaseLock'],
    statement: 'The lock can be acquired, read and released; every reply has owner and status.',
    async check({ as, expect }) {
      const user = await as('user');
      expect.equal(await user.does('getLock'), free, 'lock at first');
      expect.equal(await user.does('takeLock'), yours, 'lock when taken');
      expect.equal(await user.does('getLock'), yours, 'lock as its owner sees it');
      expect.equal(await user.does('releaseLock'), free, 'lock when released');
      expect.equal(await user.does('getLock'), free, 'lock in the end');
    },
  },
  {
    id: 'lock/one-owner',
    requirements: ['A66', 'A67', 'A91', 'A120'],
    routes: ['takeLock', 'getLock'],
    statement: 'Another user cannot acquire a held lock and sees the role of its owner.',
    needs: { secondUser: true },
    async check({ as, expect }) {
      const [user, other] = [await as('user'), await as('other')];
      await user.does('takeLock');
      await other.refused('takeLock', {}, heldByOther);
      expect.equal((await other.does('getLock')).owner, 'user', 'owner seen by another');
      expect.equal(await user.does('getLock'), yours, 'lock after the refusal');
    },
  },
  {
    id: 'lock/admin-owner-shown',
    requirements: ['A66'],
    routes: ['getLock'],
    statement: 'Others see that an admin holds the lock.',
    needs: { admin: true },
    async check({ as, expect }) {
      const [user, admin] = [await as('user'), await as('admin')];
      await admin.does('takeLock');
      expect.equal(await user.does('getLock'), { owner: 'admin', status: 'locked' }, 'lock');
    },
  },
  {
    id: 'lock/one-of-many-wins',
    requirements: ['A67'],
    routes: ['takeLock'],
    statement: 'Exactly one of many concurrent requests for the lock succeeds.',
    async check({ as, expect, raw }) {
      const { session } = await as('user');
      const headers = { Authorization: `Bearer ${session}` };
      const request = { method: 'POST', path: '/api/v1/controls/lock', headers };
      const replies = await Promise.all(Array.from({ length: 20 }, () => raw(request)));
      expect.equal(replies.filter((reply) => reply.status === 200).length, 1, 'successes');
    },
  },
  {
    id: 'lock/renewed-by-owner-only',
    requirements: ['A93', 'A121', 'A122'],
    routes: ['renewLock', 'releaseLock'],
    statement: 'Only the owner can renew and release the lock; others get error_code 3.',
    async check({ as, expect }) {
      const user = await as('user');
      await user.refused('renewLock', {}, notHeld);
      await user.refused('releaseLock', {}, notHeld);
      await user.does('takeLock');
      expect.equal(await user.does('renewLock'), yours, 'renewed lock');
    },
  },
  {
    id: 'lock/needed-for-control',
    requirements: ['A123'],
    routes: [
      'pause',
      'resume',
      'cancel',
      'home',
      'stopLoop',
      'resetErrors',
      'acknowledgeCollision',
    ],
    statement: 'Control calls without the lock are refused with error_code 3.',
    async check({ as }) {
      const user = await as('user');
      const refusal = { status: 403, error_code: 3 } as const;
      const calls = ['pause', 'resume', 'cancel', 'home', 'stopLoop', 'resetErrors'] as const;
      for (const call of [...calls, 'acknowledgeCollision'] as const) {
        await user.refused(call, {}, refusal);
      }
    },
  },
  {
    id: 'lock/announced',
    requirements: ['A96', 'A156', 'A157'],
    routes: ['takeLock', 'releaseLock', 'openStream'],
    statement:
      'Acquiring and releasing the lock is published to all users, each with their own view.',
    needs: { secondUser: true },
    async check({ as, listen, expect }) {
      const [user, other] = [await as('user'), await as('other')];
      const own = await listen(user);
      const others = await listen(other);
      await user.does('takeLock');
      expect.equal((await own.received('lock_status')).lock, yours, 'event of the owner');
      expect.equal((await others.received('lock_status')).lock.owner, 'user', 'owner for others');
      await user.does('releaseLock');
      await others.received('lock_status', (event) => event.lock.status === 'unlocked');
      await user.does('takeLock');
      await user.does('renewLock');
      await user.does('changeGlobals', { changes: [{ key: 'outputs.d2', value: false }] });
      await user.does('releaseLock');
      await other.does('takeLock');
      await own.received('lock_status', (event) => event.lock.owner === 'user');
      const seen = own.events.flatMap((event) =>
        event.type === 'lock_status' ? [event.lock] : [],
      );
      const wanted = ['you', 'none', 'you', 'none', 'user'];
      expect.equal(
        seen.map(({ owner }) => owner),
        wanted,
        'published owners, without renewals',
      );
    },
  },
  {
    id: 'lock/expires',
    requirements: ['A92', 'A95', 'A164'],
    routes: ['takeLock', 'renewLock', 'getLock'],
    statement: 'A renewal restarts the five minutes after which the lock is lost.',
    needs: { armTime_s: 2 * limits.lock_expiry_automatic_s },
    async check({ as, expect, settle }) {
      const user = await as('user');
      await user.does('takeLock');
      // Far from the limit: on a fast clock much time passes between two calls.
      await settle(limits.lock_expiry_automatic_s * 0.6);
      await user.does('renewLock');
      await settle(limits.lock_expiry_automatic_s * 0.6);
      expect.equal(await user.does('getLock'), yours, 'lock within the renewed time');
      await settle(limits.lock_expiry_automatic_s * 0.6);
      expect.equal(await user.does('getLock'), free, 'lock after its time');
    },
  },
  {
    id: 'lock/teach-motion-needs-it',
    requirements: ['A95', 'A165', 'A171'],
    routes: ['goTo', 'getLock'],
    statement: 'In teach mode the lock is lost after 5 s without renewal, and the motion stops.',
    needs: { motion: true, realTime: true },
    check: (context) => inRealTime(context, () => loseLockInMotion(context)),
  },
  {
    id: 'lock/kept-through-teach-motion',
    requirements: ['A94', 'A165'],
    routes: ['releaseLock', 'goTo', 'renewLock'],
    statement: 'The lock cannot be released before a teach motion is complete.',
    needs: { motion: true },
    async check({ as, snapshot, until, poseNearby }) {
      const user = await as('user');
      const { there } = await poseNearby(0.05);
      await user.does('takeLock');
      await user.does('goTo', { mode: 'teach', joints: there, time: 2 });
      await user.refused('releaseLock', {}, { status: 400, error_code: 1 });
      await until('the motion ends', async () => (await snapshot()).control.state === 'ready');
      await user.does('releaseLock');
    },
  },
];
