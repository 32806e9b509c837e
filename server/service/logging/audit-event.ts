/** The events of the audit log, and what is recorded of each. */

/** What the audit log records; none of it holds a secret. */
export type AuditEvent =
  | 'log_in'
  | 'log_in_failed'
  | 'log_in_refused'
  | 'log_out'
  | 'user_created'
  | 'user_changed'
  | 'password_changed'
  | 'role_changed'
  | 'user_deleted'
  | 'token_created'
  | 'token_deleted'
  | 'update_started'
  | 'collision_detection_changed'
  | 'schedule_changed';

/** Who did it, to what, and from where. */
export interface AuditDetails {
  /** The user who called; absent before a log-in has succeeded, and at a start. */
  readonly by?: number;
  /** The user that was logged in or changed. */
  readonly user_id?: number;
  readonly token_id?: number;
  readonly role?: string;
  /** The version of an update. */
  readonly version?: string;
  /** What collision detection or the daily schedule was set to. */
  readonly enabled?: boolean;
  readonly sensitivity?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  /** Where the call came from; absent where the options of a start did it. */
  readonly address?: string;
  /** The trusted proxy that brought the call, where there is one. */
  readonly proxy?: string;
}
