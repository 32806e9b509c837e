/**
 * Admission of password checks: counted before they are made, few at a time, in a short queue.
 * @module-tag ci
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  expect(checks.counts).toEqual({ running: 0, waiting: 0, failed: places, refused: 5 });
});

it('counts a check that cannot be made as a failure', async () => {
  const { checks } = await checksOfAda();
  const attempt = { email: 'ada@example.org', address: '::1', password: RIGHT, stored: '00:00' };
  await expect(checks.verify(attempt)).rejects.toThrow();
  expect(checks.counts).toEqual({ running: 0, waiting: 0, failed: 1, refused: 0 });
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

type QuickHash = [string, Buffer, number, (error: null, key: Buffer) => void];

describe('the accounts that are remembered', () => {
  const { scrypt } = crypto;
  const quick = (...given: readonly unknown[]) => {
    const [password, , length, done] = given as QuickHash;
    const key = crypto.createHash('sha256').update(password).digest();
    setImmediate(() => done(null, key.subarray(0, length)));
  };
  beforeAll(() => {
    Object.assign(crypto, { scrypt: quick });
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(crypto, { scrypt });
    syncBuiltinESMExports();
  });

  it('are limited: the one that failed longest ago is forgotten', async () => {
    const { attempt } = await checksOfAda();
    const failed = async (email: string, count: number = limits.failed_log_ins_per_min) => {
      for (let i = 0; i < count; i++) await attempt('a guess', { email });
    };
    const isRefused = async (email: string) => (await attempt(RIGHT, { email })) !== true;
    await failed('first', limits.failed_log_ins_per_min - 1);
    await failed('second');
    for (let i = 2; i < limits.log_in_accounts; i++) await failed(`user ${i}`, 1);
    await failed('first', 1);
    expect([await isRefused('first'), await isRefused('second')]).toEqual([true, true]);
    await failed('one more', 1);
    expect([await isRefused('first'), await isRefused('second')]).toEqual([true, false]);
  });
});
