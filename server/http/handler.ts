/**
 * What a handler is: a function from one checked call to a reply or a refusal. Identity, role,
 * schema, object, lock and state are checked by the mount from the route's row before it runs.
 */
import type { Dialect, RouteId, RouteOf, RouteRow } from '../../contract/routes.ts';
import type { SchemaTypes } from '../../contract/types.ts';
import type { Caller } from '../robot/commands.ts';
import type { Refusal } from '../robot/refusal.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Deadline } from './deadline.ts';
import type { Rooms } from './rooms.ts';

/** One call that passed every check of its row. */
export interface Call<Body = unknown> {
  readonly row: RouteRow;
  readonly body: Body;
  /** Values of the path's parameters. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Whole numbers after the question mark; others are left out. */
  readonly query: Readonly<Record<string, number>>;
  readonly dialect: Dialect;
  /** Address of the client, for counting failed log-ins. */
  readonly address: string;
  readonly deadline: Deadline;
}

/** A call with an identity; rows with auth `none` have no other caller than this null. */
export interface SessionCall<Body = unknown> extends Call<Body> {
  readonly caller: Caller;
  readonly session: Session;
}

/** A successful reply; `{}` stands for bodies that the row leaves empty. */
export interface Reply {
  readonly reply: object;
  /** The body as JSON text, instead of `reply`; in pieces where it was made on another thread. */
  readonly text?: string | readonly (string | Uint8Array)[];
}

export type Answer = Reply | Refusal;

export const EMPTY: Reply = { reply: {} };

/** A reply with this body. */
export function answer(reply: object): Reply {
  return { reply };
}

/** The reply of a command: empty when it was done. */
export function done(refusal: Refusal | null): Answer {
  return refusal ?? EMPTY;
}

type BodyOf<Id extends RouteId> =
  RouteOf<Id> extends { body: infer Name extends keyof SchemaTypes } ? SchemaTypes[Name] : unknown;

type CallOf<Id extends RouteId> =
  RouteOf<Id> extends { auth: 'none' } ? Call<BodyOf<Id>> : SessionCall<BodyOf<Id>>;

export type Handler<Id extends RouteId = RouteId> = (
  call: CallOf<Id>,
  rooms: Rooms,
) => Answer | Promise<Answer>;

/** Handlers by the id of their row; rows without one answer 404. */
export type Handlers = { readonly [Id in RouteId]?: Handler<Id> };
