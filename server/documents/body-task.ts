/** The task of reading one body, and its result. */

import type { Dialect } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type { StaticAddressRules } from '../webhooks/denied-hooks.ts';

/** A body to read. */
export interface BodyTask {
  readonly route: string;
  readonly schema: SchemaId;
  readonly dialect: Dialect;
  /** The bytes of the body, in pieces that are joined on the thread; at least one. */
  readonly pieces: readonly Uint8Array[];
  /** Whether the SHA-256 of the canonical body is needed. */
  readonly needsHash: boolean;
  /** Whether users may make the call; calls of admins may carry whole twins. */
  readonly isUsers: boolean;
  /** Which addresses hooks of workflows may name; absent: any. */
  readonly addresses?: StaticAddressRules;
}

/** A body that fits its schema. */
export interface ReadBody {
  readonly body: unknown;
  /** JSON pointers of fields that were dropped (D3). */
  readonly ignored: readonly string[];
  /** SHA-256 of the canonical JSON; null if it is not needed, or the body is no object. */
  readonly sha256: string | null;
}
