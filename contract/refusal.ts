/**
 * Failures as values: the result type of functions that can fail, and refused commands, each a row
 * of the error table with its details. Core code returns failures and does not throw them.
 */
import type { DetailsOf, ErrorDetails, ErrorName } from './errors.ts';
import { limits } from './limits.ts';

/**
 * The result type of functions that can fail: core code returns failures as values and does not
 * throw them.
 */

/** Either a value or an error. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** The success side of a Result. */
export function success<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** The failure side of a Result. */
export function failure<Failure>(error: Failure): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error };
}

/** One problem of a request body, for the sender to fix. */
export interface Problem {
  /** JSON pointer into the body: '' is the body itself, '/joints/3' the fourth joint. */
  readonly path: string;
  /** A sentence: what is wrong and what is expected. */
  readonly problem: string;
}

/** A refusal by one of the named errors. */
export interface Refusal<Name extends ErrorName = ErrorName> {
  readonly refused: Name;
  readonly details: ErrorDetails;
  /** Number for titles that state how many things failed. */
  readonly count: number;
  /** Time after which the call may succeed (s), for the Retry-After header. */
  readonly retry_after_s?: number;
}

type DetailsArguments<Name extends ErrorName> =
  null extends DetailsOf<Name>
    ? [details?: DetailsOf<Name>, count?: number]
    : [details: DetailsOf<Name>, count?: number];

/** Creates a refusal from a row of the error table; the row gives the type of the details. */
export function refuse<const Name extends ErrorName>(
  refused: Name,
  ...given: DetailsArguments<Name>
): Refusal<Name> {
  const [details, count = 0] = given;
  return { refused, details: (details ?? null) as ErrorDetails, count };
}

/** Refuses a call that may succeed later; the reply carries Retry-After. */
export function refuseUntil<const Name extends 'log_ins_busy' | 'too_many_log_ins'>(
  refused: Name,
  retry_after_s: number,
): Refusal<Name> {
  const details = `Try again after ${retry_after_s} s`;
  return { refused, details, count: 0, retry_after_s };
}

/** Refuses an addition beyond a limit. */
export function refuseLimitReached(what: string, most: number): Refusal<'invalid_arguments'> {
  const problem = `There are already ${most} ${what}, the limit; delete one first`;
  return refuse('invalid_arguments', [{ path: '', problem }]);
}

/** The only version of WebSockets that is spoken (RFC 6455). */
const WEBSOCKET_VERSION = '13';

/** Refuses a handshake for another version of WebSockets, or null. */
export function versionRefusal(version: string | undefined): Refusal<'upgrade_required'> | null {
  if (version === WEBSOCKET_VERSION) return null;
  const details = `Sec-WebSocket-Version must be ${WEBSOCKET_VERSION}`;
  return refuse('upgrade_required', details);
}

/**
 * Refuses a user another stream beyond a fair share, or null; `owners` has the user of each open
 * stream of the kind. A user without one always gets it: others cannot lock anyone out.
 */
export function streamRefusal(
  user_id: number,
  owners: readonly number[],
): Refusal<'too_many_streams'> | null {
  const own = owners.filter((owner) => owner === user_id).length;
  if (own === 0) return null;
  if (own >= limits.stream_subscribers_per_user) {
    return refuse('too_many_streams', `You have ${own} of them, the limit; close one first`);
  }
  if (owners.length < limits.stream_subscribers) return null;
  return refuse('too_many_streams', `All ${owners.length} are in use; close one of yours first`);
}
