/**
 * What one row of the endpoint table says, and what can be read from a row without a server: its
 * path parameters and the status of its success. The tables themselves are plain data beside it.
 */
import { limits } from '../limits.ts';
import type { RobotCommand } from '../robot-states.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The two ways of answering: by the letter of the spec, or as arms in the field do. */
export type Dialect = 'documented' | 'fielded';

/** A number after the question mark: what it asks for, and its bounds. */
export interface QueryNumber {
  readonly about: string;
  readonly minimum: number;
  readonly maximum?: number;
}

/** One endpoint. */
export interface RouteRow {
  /** The name of the call in client, handlers, rules and documents. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path with its parameters in braces; every parameter is a positive integer. */
  readonly path: string;
  /** Whether a session token is needed. */
  readonly auth: 'none' | 'session';
  /** The least role that may call; what depends on the object is the handler's to check. */
  readonly role: 'user' | 'admin';
  /** Whether the caller must hold the robot lock. */
  readonly lock: boolean;
  /** Whole numbers that may stand after the question mark. */
  readonly query?: { readonly [name: string]: QueryNumber };
  /** Type of the JSON body; absent: no body. */
  readonly body?: string;
  /** Type of the JSON reply; absent: no body, or `{}` where the status says 200. */
  readonly reply?: string;
  /** What travels when it is not a JSON call. */
  readonly carries?: 'package' | 'stream';
  /** The command whose allowed states (robot-states.ts) decide whether the call is possible. */
  readonly command?: RobotCommand;
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

/** A call that answers 200 with JSON. */
export const REPLIES = {
  ...common,
  auth: 'session',
  status: { documented: 200, fielded: 200 },
} as const;

/** A call that answers 204 without a body. */
export const SILENT = {
  ...common,
  auth: 'session',
  status: { documented: 204, fielded: 204 },
} as const;

/** A motion call: the spec's 204, the field's 200 with an empty object. */
export const MOVES = {
  ...common,
  auth: 'session',
  lock: true,
  status: { documented: 204, fielded: 200 },
} as const;

/** Bounds of a call that plans a whole toolpath. */
export const PLANS = {
  bodyLimit_bytes: limits.body_toolpath_bytes,
  timeout_s: limits.call_plan_s,
} as const;

/** How many entries a page of a long list holds at most. */
export const PAGE_LIMIT = {
  about: `At most so many entries; ${limits.page_entries} where nothing is said`,
  minimum: 1,
  maximum: limits.page_entries,
} as const;

/** The names in braces of a path, in order. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;

/** Puts values into the braces of a path. A missing value is a programmer error. */
export function fillPath(
  path: string,
  values: { readonly [name: string]: number | string },
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`path ${path} needs a value for ${name}`);
    return encodeURIComponent(String(value));
  });
}
