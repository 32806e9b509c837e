/** Admission of password checks: counted before they are made, few at a time, in a short queue. */
import { expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { systemClock, type WallClock } from '../clock/clock.ts';
import { PasswordChecks } from './password-checks.ts';

const RIGHT = 'the right password';
const MINUTE_MS = 60_000;

/** Checks with a clock that a test sets, and an account of theirs. */
async function checksOfAda() {
  const time = { now_ms: 0 };
  const wall: WallClock = { ...systemClock, now_ms: () => time.now_ms };
  const checks = new PasswordChecks(wall);
  const stored = await checks.hash(RIGHT);
  const attempt = (password: string, more: { email?: string; address?: string } = {}) =>
    checks.verify({ email: 'ada@example.org', address: '::1', password, stored, ...more });
  return { checks, time, attempt };
}

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
  expect(most).toBeLessThanOrEqual(limits.password_checks);
});

it('lets more than ten parallel log-ins of one account pass with the right password', async () => {
  const { attempt } = await checksOfAda();
  const results = await Promise.all(Array.from({ length: 12 }, () => attempt(RIGHT)));
  expect(results).toEqual(Array.from({ length: 12 }, () => true));
});

it('counts per account and address, and for a minute', async () => {
  const { attempt, time } = await checksOfAda();
  for (let i = 0; i < limits.failed_log_ins_per_min; i++) {
    time.now_ms = i * 1000;
    expect(await attempt('a guess')).toBe(false);
  }
  expect(await attempt(RIGHT)).toMatchObject({ refused: 'too_many_log_ins', retry_after_s: 51 });
  expect(await attempt(RIGHT, { email: 'ADA@Example.org' })).not.toBe(true);
  expect(await attempt(RIGHT, { address: '::2' })).toBe(true);
  expect(await attempt(RIGHT, { email: 'bob@example.org' })).toBe(true);
  time.now_ms = MINUTE_MS;
  expect(await attempt(RIGHT)).toBe(true);
});

it('refuses at once when the queue is full', async () => {
  const { checks, attempt } = await checksOfAda();
  const places = limits.password_checks + limits.password_queue;
  const attempts = Array.from({ length: places + 5 }, (_, i) =>
    attempt('a guess', { email: `user-${i}@example.org` }),
  );
  expect(checks.counts).toMatchObject({
    running: limits.password_checks,
    waiting: limits.password_queue,
  });
  const refused = refusals(await Promise.all(attempts));
  expect(refused.map((entry) => [entry.refused, entry.retry_after_s])).toEqual(
    Array.from({ length: 5 }, () => ['log_ins_busy', limits.retry_after_s]),
  );
});
