/**
 * Every way a call can fail, one row each: HTTP status, error_code and title (spec §7). Handlers
 * name a row; nothing else in the house writes a status or a title of a failure.
 */

/** error_code values of spec §7. */
export type ErrorCode = 0 | 1 | 3 | 4 | 5 | 6 | 8;

/** One row of the table. `{count}` in a title stands for the number of things that failed. */
export interface ErrorRow {
  readonly status: number;
  readonly error_code: ErrorCode;
  readonly title: string;
}

export const ERROR_ROWS = {
  not_ready: { status: 503, error_code: 1, title: 'The arm is not ready yet' },
  unknown_path: { status: 404, error_code: 8, title: 'No such path' },
  method_not_allowed: { status: 405, error_code: 8, title: 'Method not allowed on this path' },
  wrong_content_type: { status: 415, error_code: 8, title: 'Invalid Content-Type' },
  not_authenticated: { status: 401, error_code: 5, title: 'Authentication required' },
  wrong_credentials: { status: 401, error_code: 5, title: 'Wrong credentials' },
  malformed_authorization: { status: 401, error_code: 6, title: 'Invalid Authorization header' },
  role_too_low: { status: 403, error_code: 4, title: 'Admin role required' },
  body_too_large: { status: 413, error_code: 8, title: 'Request body too large' },
  malformed_body: { status: 400, error_code: 8, title: 'Malformed request body' },
  invalid_arguments: { status: 400, error_code: 8, title: 'Invalid arguments' },
  invalid_changes: { status: 400, error_code: 8, title: '{count} invalid changes' },
  too_many_log_ins: { status: 429, error_code: 5, title: 'Too many failed log-ins' },
  not_found: { status: 404, error_code: 8, title: 'Not found' },
  lock_held_by_other: {
    status: 403,
    error_code: 3,
    title: 'lock already owned by someone else',
  },
  lock_held_by_you: { status: 403, error_code: 3, title: 'lock already owned by you' },
  lock_not_held: { status: 403, error_code: 3, title: "you don't own the robot lock" },
  not_supported: { status: 501, error_code: 8, title: 'Not supported by this arm' },
  wrong_state: { status: 400, error_code: 1, title: 'ERROR_WRONG_STATE' },
  toolpath_error: { status: 400, error_code: 8, title: 'Toolpath error' },
  toolpath_missing: { status: 400, error_code: 0, title: 'Toolpath error' },
  motion_refused: { status: 400, error_code: 8, title: 'Motion error' },
  changes_not_applied: {
    status: 400,
    error_code: 0,
    title: '{count} errors while applying the changes',
  },
  last_admin: { status: 400, error_code: 8, title: 'The last admin cannot go' },
  timed_out: { status: 503, error_code: 1, title: 'The call took too long' },
  storage_failed: { status: 503, error_code: 1, title: 'The data folder failed' },
  upstream_gone: { status: 502, error_code: 1, title: 'The arm behind does not answer' },
  internal: { status: 500, error_code: 1, title: 'Internal error' },
} as const satisfies Record<string, ErrorRow>;

/** The name of a row: what handlers throw and tests expect. */
export type ErrorName = keyof typeof ERROR_ROWS;

/**
 * Which refusal wins when several apply: the first in this list. Checks later in the list cost
 * more or tell more about the robot, so nobody reaches them without passing the earlier ones.
 */
export const REFUSAL_ORDER = [
  'not_ready',
  'unknown_path',
  'method_not_allowed',
  'wrong_content_type',
  'malformed_authorization',
  'not_authenticated',
  'role_too_low',
  'body_too_large',
  'malformed_body',
  'invalid_arguments',
  'too_many_log_ins',
  'not_found',
  'lock_not_held',
  'not_supported',
  'wrong_state',
] as const satisfies readonly ErrorName[];

/** What stands in `details`: null when there is nothing to say. */
export type ErrorDetails = string | readonly unknown[] | { readonly [key: string]: unknown } | null;

/** The body of every failure reply (spec §7). */
export interface ErrorReply {
  readonly error: {
    readonly error_code: ErrorCode;
    readonly title: string;
    readonly details: ErrorDetails;
  };
}

/**
 * The reply body of a failure. `count` fills the title of the rows that state how many changes
 * failed; the other rows ignore it.
 */
export function errorReply(name: ErrorName, details: ErrorDetails = null, count = 0): ErrorReply {
  const row: ErrorRow = ERROR_ROWS[name];
  const title = row.title.replace('{count}', String(count));
  return { error: { error_code: row.error_code, title, details } };
}
