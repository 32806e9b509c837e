/** Secrets: API tokens and session tokens, known to the twin only by their SHA-256. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { limits } from '../../../contract/limits.ts';

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
