/** What is secret: long enough, never the same, and kept in no form that gives it away. */
import { expect, it } from 'vitest';
import { createSecret, hashPassword, passwordFits, sha256 } from './secrets.ts';

it('makes secrets of 256 bits, each another one', () => {
  const secrets = Array.from({ length: 1000 }, createSecret);
  expect(new Set(secrets).size).toBe(1000);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  }
});

it('knows a secret again by its SHA-256', () => {
  // FIPS 180-4, of the message "abc".
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('salts passwords: the same one is kept in two ways, and fits both', async () => {
  const [one, other] = await Promise.all([hashPassword('pass'), hashPassword('pass')]);
  expect(one).not.toBe(other);
  expect(one + other).not.toContain('pass');
  expect(await passwordFits('pass', one!)).toBe(true);
  expect(await passwordFits('pass', other!)).toBe(true);
  expect(await passwordFits('Pass', one!)).toBe(false);
  expect(await passwordFits('pass', null)).toBe(false);
});
