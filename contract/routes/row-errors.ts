/** The errors that calls of a row of the endpoint table can answer. */
import { ERROR_ROWS, type ErrorName } from '../errors.ts';
import type { RouteRow } from './row.ts';

/** The errors that the fields of a row imply: those of the checks that its calls pass. */
const IMPLIED = {
  always: ['not_ready', 'timed_out', 'storage_failed', 'internal'],
  session: ['not_authenticated', 'malformed_authorization', 'share_used_up'],
  admin: ['role_too_low'],
  ofUser: ['role_too_low'],
  lock: ['lock_not_held'],
  command: ['wrong_state'],
  body: ['wrong_content_type', 'body_too_large', 'malformed_body', 'invalid_arguments'],
  package: ['wrong_content_type', 'body_too_large', 'malformed_body'],
  query: ['invalid_arguments'],
  parameters: ['unknown_path', 'not_found'],
  creates: ['invalid_arguments', 'idempotency_key_used', 'storage_used_up'],
} as const satisfies { readonly [feature: string]: readonly ErrorName[] };

type Implied<Feature extends keyof typeof IMPLIED> = (typeof IMPLIED)[Feature][number];

/** The names of the errors that calls of a row can answer. */
export type ErrorsOfRow<Row> =
  | Implied<'always'>
  | (Row extends { auth: 'session' } ? Implied<'session'> : never)
  | (Row extends { role: 'admin' } ? Implied<'admin'> : never)
  | (Row extends { ofUser: true } ? Implied<'ofUser'> : never)
  | (Row extends { lock: true } ? Implied<'lock'> : never)
  | (Row extends { command: string } ? Implied<'command'> : never)
  | (Row extends { body: string } ? Implied<'body'> : never)
  | (Row extends { carries: 'package' } ? Implied<'package'> : never)
  | (Row extends { query: object } ? Implied<'query'> : never)
  | (Row extends { path: `${string}{${string}` } ? Implied<'parameters'> : never)
  | (Row extends { creates: true } ? Implied<'creates'> : never)
  | (Row extends { refusals: readonly (infer Own extends ErrorName)[] } ? Own : never);

/** The errors that a call can answer: those of `ErrorsOfRow`, in the order of the table. */
export function errorsOf(row: RouteRow): readonly ErrorName[] {
  const has: { readonly [Feature in keyof typeof IMPLIED]: boolean } = {
    always: true,
    session: row.auth === 'session',
    admin: row.role === 'admin',
    ofUser: row.ofUser === true,
    lock: row.lock,
    command: row.command !== undefined,
    body: row.body !== undefined,
    package: row.carries === 'package',
    query: row.query !== undefined,
    parameters: row.path.includes('{'),
    creates: row.creates === true,
  };
  const features = (Object.keys(IMPLIED) as (keyof typeof IMPLIED)[]).filter((name) => has[name]);
  const names = new Set<ErrorName>([
    ...features.flatMap((feature): readonly ErrorName[] => IMPLIED[feature]),
    ...(row.refusals ?? []),
  ]);
  return (Object.keys(ERROR_ROWS) as ErrorName[]).filter((name) => names.has(name));
}

/** All error statuses that a call can answer, ascending. */
export function errorStatusesOf(row: RouteRow): readonly number[] {
  return [...new Set(errorsOf(row).map((name) => ERROR_ROWS[name].status))].sort();
}
