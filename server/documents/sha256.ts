/** SHA-256 of values as canonical JSON, and of texts. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../physics/toolpath/hash.ts';

/** The SHA-256 of a value as canonical JSON; null for a value that is no object. */
export function canonicalSha256(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  return createHash('sha256').update(canonicalJson(value)!).digest('hex');
}

/** The SHA-256 of a text. */
export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
