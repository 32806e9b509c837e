import type { Dialect, RouteRow } from '../../../contract/routes.ts';
import type { Caller } from '../../robot/caller.ts';
import type { Guard } from '../../store/guard.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Deadline } from './deadline.ts';
import type { RecordOutcome } from './idempotency.ts';
import type { CallOrigin } from './trusted-proxies.ts';

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
  /** Where it comes from, for counting failed log-ins and for the audit log. */
  readonly origin: CallOrigin;
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
