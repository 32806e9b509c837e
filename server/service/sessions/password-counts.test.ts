/** What is counted of password checks, with a hash that costs nothing. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { checksOfAda, RIGHT } from './password-checks.cases.ts';

type QuickHash = [string, Buffer, number, (error: null, key: Buffer) => void];

const { scrypt } = crypto;

function quickHash(...given: readonly unknown[]): void {
  const [password, , length, done] = given as QuickHash;
  const key = crypto.createHash('sha256').update(password).digest();
  setImmediate(() => done(null, key.subarray(0, length)));
}

beforeEach(() => {
  Object.assign(crypto, { scrypt: quickHash });
  syncBuiltinESMExports();
});

afterEach(() => {
  Object.assign(crypto, { scrypt });
  syncBuiltinESMExports();
});

it('counts a check that cannot be made as a failure', async () => {
  const { checks } = await checksOfAda();
  const given = { email: 'ada@example.org', address: '::1', password: RIGHT, stored: '00:00' };
  const attempt = { ...given, isAdmin: false };
  await expect(checks.verify(attempt)).rejects.toThrow();
  expect(checks.counts).toEqual({ running: 0, waiting: 0, failed: 1, refused: 0 });
});

it('counts a refusal once, at once, and without a check', async () => {
  const { checks, attempt } = await checksOfAda();
  for (let i = 0; i < limits.failed_log_ins_per_min; i++) await attempt(`guess ${i}`);
  const refused = attempt(RIGHT);
  expect(checks.counts).toMatchObject({ running: 0, refused: 1 });
  expect(await refused).toMatchObject({ refused: 'too_many_log_ins' });
  expect(checks.counts).toMatchObject({ failed: limits.failed_log_ins_per_min, refused: 1 });
});

it('remembers a number of accounts: the one that failed longest ago is forgotten', async () => {
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
