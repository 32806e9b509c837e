/**
 * Request handlers: functions from a checked call to a reply or a refusal. The pipeline checks
 * identity, role, schema, object, lock and state from the route's row before a handler runs. Also:
 * the services that handlers use.
 */
import type { ErrorName } from '../../contract/errors.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Dialect, ErrorOf, RouteId, RouteOf, RouteRow } from '../../contract/routes.ts';
import type { SchemaTypes } from '../../contract/types.ts';
import type { Clock, WallClock } from '../clock/clock.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { DocumentBodies, DocumentReader } from '../documents/document-tasks.ts';
import type { AuditLog } from '../metrics/metrics.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller } from '../robot/commands.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { PasswordChecks } from '../sessions/password-checks.ts';
import type { Session, Sessions, Users } from '../sessions/users.ts';
import type { Database, Guard } from '../store/database.ts';
import type { Hub } from '../stream/hub.ts';
import type { ToolpathLibrary } from '../toolpaths/toolpath-library.ts';
import type { Updates } from '../updates/updates.ts';
import type { IdempotencyKeys, RecordOutcome } from './idempotency.ts';

/** The services that request handlers use; the composition root creates them. */

export interface Services {
  /** For reads; commands go through `loop.apply`. */
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly planner: Planner;
  readonly documents: DocumentReader;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly library: ToolpathLibrary;
  readonly database: Database;
  readonly hub: Hub;
  /** For calls that wait for standstill while the clock is stepped or paused. */
  readonly clock: Clock;
  readonly time: TwinTime;
  readonly wall: WallClock;
  readonly passwords: PasswordChecks;
  readonly audit: AuditLog;
  readonly updates: Updates;
  readonly idempotency: IdempotencyKeys;
}

/** The time limit of a call. Once it has passed the call is refused and must have no effect. */
export interface Deadline {
  readonly passed: boolean;
  /** The effect has begun: the call is answered by its outcome, not by the time limit. */
  isCommitted: boolean;
}

interface TimeoutOptions {
  readonly limit_s: number;
  readonly wall: WallClock;
  readonly deadline: { passed: boolean; readonly isCommitted: boolean };
}

/** The result of the work, or a refusal when it takes longer than the limit. */
export function withTimeout(
  work: Promise<Answer>,
  { limit_s, wall, deadline }: TimeoutOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = wall.afterUnreferenced(limit_s * 1000, () => {
      if (deadline.isCommitted) return;
      deadline.passed = true;
      resolve(refuse('timed_out', `Not done within ${limit_s} s`));
    });
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        cancel();
        end(value);
      };
    work.then(settle(resolve), settle(reject));
  });
}

/** A call that passed every check of its route. */
export interface Call<Body = unknown> {
  readonly row: RouteRow;
  readonly body: Body;
  /** Ids in the path. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Names in the path. */
  readonly names: Readonly<Record<string, string>>;
  /** Query parameters that the route defines; all are whole numbers. */
  readonly query: Readonly<Record<string, number>>;
  /** Query parameters that are texts. */
  readonly filters: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  /** Address of the client, for counting failed log-ins. */
  readonly address: string;
  readonly deadline: Deadline;
}

/** A call with an authenticated caller; routes with auth `none` have none. */
export interface SessionCall<Body = unknown> extends Call<Body> {
  readonly caller: Caller;
  readonly session: Session;
  /**
   * The refusal when the session has ended or the time limit has passed since the call began. A
   * handler that waits for something asks it before every effect that follows.
   */
  readonly recheck: Guard;
  /**
   * Stores the outcome under the idempotency key of the call, in the transaction that creates its
   * object; without a key nothing is stored.
   */
  readonly record: RecordOutcome;
  /** The header Last-Event-ID: the last event that a client of a feed has seen. */
  readonly lastEventId: number | null;
}

/** Where server-sent events go (WHATWG HTML, server-sent events). */
export interface EventSink {
  /** Writes text; false while the client does not read: `onDrain` follows. */
  write(text: string): boolean;
  /** Ends the reply. */
  end(): void;
}

/** A source of server-sent events. */
export interface EventFeed {
  /** True if nothing will ever come: the client must not connect again. */
  readonly isOver: boolean;
  /** Begins to send; called once. */
  open(sink: EventSink): void;
  onDrain(): void;
  /** The connection is closed. */
  close(): void;
}

/** A successful reply; `{}` where the route has no reply body. */
export interface Reply {
  readonly reply: object;
  /** The body as JSON text, in place of `reply`; in pieces if a worker thread built it. */
  readonly text?: string | readonly (string | Uint8Array)[];
  /** A file of another media type, in place of JSON. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Events that are sent as they happen, in place of JSON. */
  readonly feed?: EventFeed;
  /** The reply of an earlier call with the same idempotency key. */
  readonly isRepeated?: true;
}

export type Answer<Name extends ErrorName = ErrorName> = Reply | Refusal<Name>;

export const EMPTY: Reply = { reply: {} };

/** Creates a reply with this body. */
export function answer(reply: object): Reply {
  return { reply };
}

/** The answer to a command: an empty reply, or the refusal. */
export function done<Name extends ErrorName>(refusal: Refusal<Name> | null): Answer<Name> {
  return refusal ?? EMPTY;
}

type BodyOf<Id extends RouteId> = Id extends keyof DocumentBodies
  ? DocumentBodies[Id]
  : SchemaBodyOf<Id>;

type SchemaBodyOf<Id extends RouteId> =
  RouteOf<Id> extends { body: infer Name extends keyof SchemaTypes } ? SchemaTypes[Name] : unknown;

type CallOf<Id extends RouteId> =
  RouteOf<Id> extends { auth: 'none' } ? Call<BodyOf<Id>> : SessionCall<BodyOf<Id>>;

export type Handler<Id extends RouteId = RouteId> = (
  call: CallOf<Id>,
  services: Services,
) => Answer<ErrorOf<Id>> | Promise<Answer<ErrorOf<Id>>>;

/** Handlers by route id; routes without one answer 404. */
export type Handlers = { readonly [Id in RouteId]?: Handler<Id> };
