/**
 * Signatures by Standard Webhooks: HMAC-SHA256 over id, time and body, one for each secret that is
 * still valid (facts: delivery).
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** A new message id. */
export function createMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

export interface SignedPart {
  readonly message_id: string;
  /** Unix seconds, wall time. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of the signature header. */
export function signatureOf(part: SignedPart, secrets: readonly string[]): string {
  const text = `${part.message_id}.${part.timestamp}.${part.body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    })
    .join(' ');
}
