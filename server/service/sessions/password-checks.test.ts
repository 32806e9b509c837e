/**
 * Admission of password checks: counted before they are made, few at a time, in a short queue.
 * @module-tag ci
 */

import { expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { shareAlone, shares } from '../../../contract/shares.ts';
import { checksOfAda, RIGHT } from './password-checks.cases.ts';

const MINUTE_MS = 60_000;

const refusals = (results: readonly (boolean | Refusal)[]) =>
  results.flatMap((result) => (typeof result === 'boolean' ? [] : [result]));

it('checks at most ten of 45 parallel guesses, and refuses the right one among them', async () => {
  const { checks, attempt } = await checksOfAda();
  const guesses = Array.from({ length: 45 }, (_, i) => attempt(i === 44 ? RIGHT : `guess ${i}`));
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, checks.counts.running);
  }, 1);
  const results = await Promise.all(guesses);
  clearInterval(watch);
  expect(results.filter((result) => result === false)).toHaveLength(limits.failed_log_ins_per_min);
  expect(results).not.toContain(true);
  expect(checks.counts.failed).toBe(limits.failed_log_ins_per_min);
  expect(most).toBeLessThanOrEqual(shares.password_checks.total);
});

it('lets more than ten parallel log-ins of one account pass with the right password', async () => {
  const { attempt } = await checksOfAda();
  const results = await Promise.all(Array.from({ length: 12 }, () => attempt(RIGHT)));
  expect(results).toEqual(Array.from({ length: 12 }, () => true));
});

it('counts per account and address, and for a minute', async () => {
  const { attempt, time } = await checksOfAda();
  for (let i = 0; i < limits.failed_log_ins_per_min; i++) {
    time.now_ms = 500 + i * 1000;
    expect(await attempt('a guess')).toBe(false);
  }
  expect(await attempt(RIGHT)).toMatchObject({ refused: 'too_many_log_ins', retry_after_s: 51 });
  expect(await attempt(RIGHT, { email: 'ADA@Example.org' })).not.toBe(true);
  expect(await attempt(RIGHT, { address: '::2' })).toBe(true);
  expect(await attempt(RIGHT, { email: 'bob@example.org' })).toBe(true);
  time.now_ms = MINUTE_MS + 500;
  expect(await attempt(RIGHT)).toBe(true);
});

it('refuses at once when the queue is full', { tags: ['slow'] }, async () => {
  const { checks, attempt } = await checksOfAda();
  const places = shares.password_checks.total + shareAlone(shares.password_queue);
  const attempts = Array.from({ length: places + 5 }, (_, i) =>
    attempt('a guess', { email: `user-${i}@example.org`, stored: null }),
  );
  expect(checks.counts).toMatchObject({
    running: shares.password_checks.total,
    waiting: shareAlone(shares.password_queue),
  });
  const refused = refusals(await Promise.all(attempts));
  expect(refused.map((entry) => [entry.refused, entry.retry_after_s])).toEqual(
    Array.from({ length: 5 }, () => ['log_ins_busy', limits.retry_after_s]),
  );
  expect(checks.counts).toEqual({ running: 0, waiting: 0, failed: places, refused: 5 });
});

it('takes the turns of accounts that exist, however many log-ins of others wait', async () => {
  const { checks, attempt } = await checksOfAda();
  const flood = Array.from({ length: 100 }, (_, i) =>
    attempt('a guess', { email: `user-${i}@example.org`, stored: null }),
  );
  let waiting = -1;
  const right = attempt(RIGHT).then((found) => {
    waiting = checks.counts.waiting;
    return found;
  });
  expect(await right).toBe(true);
  // It was one of the next to be checked, from the same address too. How many end beside it is up to
  // the threads.
  expect(waiting).toBeGreaterThan(shareAlone(shares.password_queue) / 2);
  expect(refusals(await Promise.all(flood)).length).toBeGreaterThan(50);
});

it('lets an admin in, whatever waits of other accounts and of the same address', async () => {
  const { attempt } = await checksOfAda();
  // Each account is an owner of its own: no share holds back all of them together.
  const flood = Array.from({ length: 200 }, (_, i) =>
    attempt('a guess', { email: `user-${i}@x.org`, address: i < 100 ? '::1' : `10.0.0.${i}` }),
  );
  expect(await attempt(RIGHT)).toMatchObject({ refused: 'log_ins_busy' });
  const admin = { email: 'root@x.org', isAdmin: true };
  expect(await attempt(RIGHT, admin)).toBe(true);
  expect(refusals(await Promise.all(flood)).length).toBeGreaterThan(100);
});

it('forgets all failures, of running checks too', { tags: ['slow'] }, async () => {
  const { checks, attempt } = await checksOfAda();
  const guess = () =>
    Promise.all(
      Array.from({ length: limits.failed_log_ins_per_min }, (_, i) => attempt(`guess ${i}`)),
    );
  await guess();
  expect(await attempt(RIGHT)).toMatchObject({ refused: 'too_many_log_ins' });
  expect(checks.counts.refused).toBe(1);
  checks.clear();
  expect(await attempt(RIGHT)).toBe(true);
  // A check that runs while the failures are cleared counts as one of its account.
  const last = attempt('a guess');
  checks.clear();
  expect(await last).toBe(false);
  expect((await guess()).filter((result) => result !== false)).toHaveLength(1);
});
