/** The type of a row of the endpoint table. */

import type { ErrorName } from '../errors.ts';
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
  readonly media?: 'text/csv' | 'text/event-stream';
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
