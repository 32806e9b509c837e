/** A refused command: a row of the error table with its details. Returned, never thrown. */
import type { ErrorDetails, ErrorName } from './errors.ts';

export interface Refusal {
  readonly refused: ErrorName;
  readonly details: ErrorDetails;
  /** Number for titles that state how many things failed. */
  readonly count: number;
  /** Time after which the call may succeed (s), for the Retry-After header. */
  readonly retry_after_s?: number;
}

/** Creates a refusal from a row of the error table. */
export function refuse(refused: ErrorName, details: ErrorDetails = null, count = 0): Refusal {
  return { refused, details, count };
}

/** Refuses a call that may succeed later; the reply carries Retry-After. */
export function refuseUntil(refused: ErrorName, retry_after_s: number): Refusal {
  return { ...refuse(refused, `Try again after ${retry_after_s} s`), retry_after_s };
}

/** Refuses an addition beyond a limit. */
export function refuseLimitReached(what: string, most: number): Refusal {
  const details = `There are already ${most} ${what}, the limit; delete one first`;
  return refuse('invalid_arguments', details);
}
