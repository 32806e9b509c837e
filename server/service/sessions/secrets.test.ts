/** Secrets: length, uniqueness and hashing. */
import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';
import { createSecret, createSessionToken, sha256 } from './secrets.ts';

it('creates unique secrets of 256 bits', () => {
  const secrets = Array.from({ length: 1000 }, createSecret);
  expect(new Set(secrets).size).toBe(1000);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  }
});

it('creates session tokens that are random UUIDs', () => {
  const tokens = Array.from({ length: 1000 }, createSessionToken);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it('recognizes a secret by its SHA-256', () => {
  // FIPS 180-4, of the message "abc".
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('salts passwords: the same one has two hashes, and both verify', async () => {
  const [one, other] = await Promise.all([hashPassword('pass'), hashPassword('pass')]);
  expect(one).not.toBe(other);
  expect(one + other).not.toContain('pass');
  expect(await verifyPassword('pass', one!)).toBe(true);
  expect(await verifyPassword('pass', other!)).toBe(true);
  expect(await verifyPassword('Pass', one!)).toBe(false);
  expect(await verifyPassword('pass', null)).toBe(false);
});
