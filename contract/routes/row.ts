/**
 * The type of a row of the endpoint table, shared defaults of rows, and path parameters.
 */
import { ERROR_ROWS, type ErrorName } from '../errors.ts';
import { limits } from '../limits.ts';
import type { RobotCommand } from '../robot-states.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The response dialect: as documented in the spec, or as arms in the field respond. */
export type Dialect = 'documented' | 'fielded';

/** An integer query parameter with its bounds. */
export interface QueryParameter {
  readonly description: string;
  readonly minimum: number;
  readonly maximum?: number;
}

/** A query parameter that selects entries of a list by a text. */
export interface FilterParameter {
  readonly description: string;
  readonly maxLength: number;
  /** The values that it may have; absent: any text. */
  readonly enum?: readonly string[];
}

/** One endpoint. */
export interface RouteRow {
  /** The name of the call in client, handlers, rules and documents. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path with its parameters in braces: a positive integer, or a name where it ends in `_name`. */
  readonly path: string;
  /** Whether a session token is needed. */
  readonly auth: 'none' | 'session';
  /** The minimum role of the caller; handlers check permissions on single objects. */
  readonly role: 'user' | 'admin';
  /** The path names a user; the caller must be that user, or an admin. */
  readonly ofUser?: true;
  /** Whether the caller must hold the robot lock. */
  readonly lock: boolean;
  /** The query parameters. */
  readonly query?: { readonly [name: string]: QueryParameter };
  /** The query parameters that are texts; a row with them has others. */
  readonly filters?: { readonly [name: string]: FilterParameter };
  /** Schema name of the JSON body; absent: no body. */
  readonly body?: string;
  /** The call may be sent without its body. */
  readonly bodyOptional?: true;
  /** Schema name of the JSON reply; absent: no body, or `{}` with status 200. */
  readonly reply?: string;
  /** The media type of a reply that is no JSON; `text/event-stream` stays open. */
  readonly media?: 'text/csv' | 'text/calendar' | 'text/event-stream';
  /** The payload of calls that are not JSON. */
  readonly carries?: 'package' | 'stream';
  /** The call creates a stored object and takes an Idempotency-Key. */
  readonly creates?: true;
  /** The command whose allowed states (robot-states.ts) apply to the call. */
  readonly command?: RobotCommand;
  /** The errors of the handler beyond those that `ErrorsOfRow` derives from the other fields. */
  readonly refusals?: readonly ErrorName[];
  /** HTTP status of success in each dialect. */
  readonly status: { readonly [dialect in Dialect]: number };
  readonly bodyLimit_bytes: number;
  readonly timeout_s: number;
  /** One line for documents. */
  readonly summary: string;
}

const common = {
  role: 'user',
  lock: false,
  bodyLimit_bytes: limits.body_default_bytes,
  timeout_s: limits.call_default_s,
} as const;

/** Defaults of a call that returns 200 with JSON. */
export const JSON_REPLY = {
  ...common,
  auth: 'session',
  status: { documented: 200, fielded: 200 },
} as const;

/** Defaults of a call that returns 204 without a body. */
export const NO_CONTENT = {
  ...common,
  auth: 'session',
  status: { documented: 204, fielded: 204 },
} as const;

/** Defaults of a motion call: 204 as documented, 200 with `{}` in the field. */
export const MOTION_CALL = {
  ...common,
  auth: 'session',
  lock: true,
  status: { documented: 204, fielded: 200 },
} as const;

/** Body size and timeout of a call that plans a whole toolpath. */
export const PLANNING_BOUNDS = {
  bodyLimit_bytes: limits.body_toolpath_bytes,
  timeout_s: limits.call_plan_s,
} as const;

/** The query parameter for the page size of a long list. */
export const PAGE_SIZE = {
  description: `Maximum number of entries; default ${limits.page_entries}`,
  minimum: 1,
  maximum: limits.page_entries,
} as const;

/** The errors that the fields of a row imply: those of the checks that its calls pass. */
const IMPLIED = {
  always: ['not_ready', 'timed_out', 'storage_failed', 'internal'],
  session: ['not_authenticated', 'malformed_authorization'],
  admin: ['role_too_low'],
  ofUser: ['role_too_low'],
  lock: ['lock_not_held'],
  command: ['wrong_state'],
  body: ['wrong_content_type', 'body_too_large', 'malformed_body', 'invalid_arguments'],
  package: ['wrong_content_type', 'body_too_large', 'malformed_body'],
  query: ['invalid_arguments'],
  parameters: ['unknown_path', 'not_found'],
  creates: ['invalid_arguments', 'idempotency_key_used'],
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

/** The names in braces of a path, in order. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

/** Fills the parameters of a path. Throws TypeError when a value is missing. */
export function fillPath(
  path: string,
  values: { readonly [name: string]: number | string },
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for ${name} in the path ${path}`);
    return encodeURIComponent(String(value));
  });
}
