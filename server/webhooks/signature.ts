/**
 * Signatures as in Standard Webhooks: HMAC-SHA256 over id, timestamp and body, one signature per
 * valid secret.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new random secret. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedPart {
  readonly message_id: string;
  /** Unix seconds, wall time. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the value of the `webhook-signature` header. */
export function signatureOf(part: SignedPart, secrets: readonly string[]): string {
  const text = `${part.message_id}.${part.timestamp}.${part.body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    })
    .join(' ');
}
