import type { Role } from '../../contract/types.generated.ts';

/** The caller of a command. An API token owns the lock (decision D11). */
export interface Caller {
  readonly user_id: number;
  readonly token_id: number;
  readonly role: Role;
}
