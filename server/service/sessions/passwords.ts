/** Passwords, of which only a salted scrypt hash is kept. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

function derive(password: string, salt: Buffer, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const KEY_BYTES = 32;

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
