import type { Database } from '../../store/database.ts';
import type { Users } from './users.ts';

/** What a start changes, for the audit log. */
type StartEvent = 'user_created' | 'token_created' | 'token_deleted';

interface StartDetails {
  readonly user_id: number;
  readonly role?: string;
  readonly token_id?: number;
}

/** The parts that the first admin concerns. */
export interface AdminParts {
  readonly users: Users;
  readonly database: Database;
  readonly audit: { record(event: StartEvent, details: StartDetails): void };
  readonly log: { info(text: string): void; warn(text: string): void };
}
