/** Secrets, known to the twin only by their SHA-256; passwords by scrypt. */
import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { limits } from '../../contract/limits.ts';

function derive(password: string, salt: Buffer, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const KEY_BYTES = 32;

/** A new session token: a random UUID of 36 characters, as the public SDK's test expects (D10). */
export function createSessionToken(): string {
  return randomUUID();
}

/** A new API token or password: 43 characters of base64url (D10). */
export function createSecret(): string {
  return randomBytes(limits.token_bytes).toString('base64url');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Salted scrypt of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_BYTES);
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}

/** Verifies a password in constant time; hashes even if there is no stored hash to compare with. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt, key] = (stored ?? `${'00'.repeat(16)}:${'00'.repeat(KEY_BYTES)}`).split(':');
  const derived = await derive(password, Buffer.from(salt!, 'hex'), KEY_BYTES);
  return timingSafeEqual(derived, Buffer.from(key!, 'hex')) && stored !== null;
}
