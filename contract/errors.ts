/**
 * The table of API errors (spec §7): HTTP status, error_code and title of each. Handlers refer to
 * a row by name; no other code writes an error status or title.
 */
import type { SchemaTypes } from './types.generated.ts';

/** error_code values of spec §7. */
export type ErrorCode = 0 | 1 | 3 | 4 | 5 | 6 | 8;

/** One row of the table. `{count}` in a title is the number of failed changes. */
export interface ErrorRow {
  readonly status: number;
  readonly error_code: ErrorCode;
  readonly title: string;
  /** Schema name of the details; absent: `TextDetails`, a text or null. */
  readonly details?: keyof SchemaTypes & `${string}Details`;
}

/** All API errors by name. */
export const ERROR_ROWS = {
  not_ready: {
    status: 503,
    error_code: 1,
    title: 'The arm is not ready yet',
    details: 'NotReadyDetails',
  },
  unknown_path: { status: 404, error_code: 8, title: 'No such path' },
  method_not_allowed: { status: 405, error_code: 8, title: 'Method not allowed on this path' },
  upgrade_required: { status: 426, error_code: 8, title: 'This path is a WebSocket' },
  wrong_content_type: { status: 415, error_code: 8, title: 'Invalid Content-Type' },
  not_authenticated: { status: 401, error_code: 5, title: 'Authentication required' },
  wrong_credentials: { status: 401, error_code: 5, title: 'Wrong credentials' },
  malformed_authorization: { status: 401, error_code: 6, title: 'Invalid Authorization header' },
  role_too_low: { status: 403, error_code: 4, title: 'Admin role required' },
  body_too_large: { status: 413, error_code: 8, title: 'Request body too large' },
  unknown_expectation: { status: 417, error_code: 8, title: 'Unknown expectation' },
  unknown_host: { status: 421, error_code: 8, title: 'Unknown host name' },
  malformed_body: { status: 400, error_code: 8, title: 'Malformed request body' },
  invalid_arguments: {
    status: 400,
    error_code: 8,
    title: 'Invalid arguments',
    details: 'ProblemDetails',
  },
  invalid_changes: {
    status: 400,
    error_code: 8,
    title: '{count} invalid changes',
    details: 'InvalidChangesDetails',
  },
  too_many_log_ins: { status: 429, error_code: 5, title: 'Too many failed log-ins' },
  too_many_streams: { status: 503, error_code: 1, title: 'Too many open streams' },
  log_ins_busy: { status: 429, error_code: 5, title: 'Too many log-ins at once' },
  storage_used_up: { status: 507, error_code: 1, title: 'Your storage is used up' },
  share_used_up: { status: 429, error_code: 1, title: 'Your share is used up' },
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
  fault_cannot_act: { status: 409, error_code: 1, title: 'The fault cannot act as things stand' },
  toolpath_error: {
    status: 400,
    error_code: 8,
    title: 'Toolpath error',
    details: 'ToolpathErrorDetails',
  },
  toolpath_missing: { status: 400, error_code: 0, title: 'Toolpath error' },
  motion_refused: {
    status: 400,
    error_code: 8,
    title: 'Motion error',
    details: 'MotionRefusalDetails',
  },
  changes_not_applied: {
    status: 400,
    error_code: 0,
    title: '{count} errors while applying the changes',
    details: 'FailedChangesDetails',
  },
  change_failed: { status: 400, error_code: 1, title: 'The change could not be applied' },
  idempotency_key_used: {
    status: 400,
    error_code: 8,
    title: 'The Idempotency-Key was used before',
  },
  last_admin: { status: 400, error_code: 8, title: 'The last admin cannot be deleted or demoted' },
  timed_out: { status: 503, error_code: 1, title: 'The call took too long' },
  storage_failed: { status: 503, error_code: 1, title: 'The data folder failed' },
  upstream_gone: { status: 502, error_code: 1, title: 'The upstream arm does not respond' },
  upstream_timed_out: {
    status: 504,
    error_code: 1,
    title: 'The upstream arm took too long',
  },
  internal: { status: 500, error_code: 1, title: 'Internal error' },
} as const satisfies Record<string, ErrorRow>;

/** The name of a row. */
export type ErrorName = keyof typeof ERROR_ROWS;

type Immutable<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
  : Value;

/** The type of the details of an error. */
export type DetailsOf<Name extends ErrorName> = (typeof ERROR_ROWS)[Name] extends {
  details: infer Schema extends keyof SchemaTypes;
}
  ? Immutable<SchemaTypes[Schema]>
  : SchemaTypes['TextDetails'];

/**
 * The precedence of refusals when several apply: the first in this list is returned. Later checks
 * cost more or reveal more about the robot, so a caller must pass the earlier ones first.
 */
export const REFUSAL_PRECEDENCE = [
  'not_ready',
  'unknown_path',
  'method_not_allowed',
  'upgrade_required',
  'wrong_content_type',
  'malformed_authorization',
  'not_authenticated',
  'role_too_low',
  'body_too_large',
  'malformed_body',
  'invalid_arguments',
  'too_many_log_ins',
  'log_ins_busy',
  'too_many_streams',
  'not_found',
  'lock_not_held',
  'not_supported',
  'wrong_state',
] as const satisfies readonly ErrorName[];

/** The row that an error reply comes from; null for replies of other services. */
export function errorNamed(
  status: number,
  error: { readonly error_code: number; readonly title: string },
): ErrorName | null {
  const title = error.title.replace(/^\d+ /, '{count} ');
  const rows = Object.entries<ErrorRow>(ERROR_ROWS) as [ErrorName, ErrorRow][];
  const fits = ([, row]: readonly [ErrorName, ErrorRow]) =>
    row.status === status && row.error_code === error.error_code && row.title === title;
  return rows.find(fits)?.[0] ?? null;
}

/** The schema name of the details of an error. */
export function detailsSchemaOf(name: ErrorName): NonNullable<ErrorRow['details']> {
  const row: ErrorRow = ERROR_ROWS[name];
  return row.details ?? 'TextDetails';
}

/** The `details` of an error; null when there are none. */
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
 * The reply body of a failure. `count` replaces `{count}` in the title of the row, if it has one.
 */
export function errorReply(name: ErrorName, details: ErrorDetails = null, count = 0): ErrorReply {
  const row: ErrorRow = ERROR_ROWS[name];
  const title = row.title.replace('{count}', String(count));
  return { error: { error_code: row.error_code, title, details } };
}
