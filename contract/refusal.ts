/** Refused calls and commands as values: each is a row of the error table with its details. */
import type { DetailsOf, ErrorDetails, ErrorName } from './errors.ts';

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

/** Refuses what stands at one place of a body, a JSON pointer. */
export function refuseAt(path: string, problem: string): Refusal<'invalid_arguments'> {
  return refuse('invalid_arguments', [{ path, problem }]);
}

/** Refuses an addition beyond a limit. */
export function refuseLimitReached(what: string, most: number): Refusal<'invalid_arguments'> {
  const problem = `There are already ${most} ${what}, the limit; delete one first`;
  return refuseAt('', problem);
}

/** True for a refusal. */
export function isRefusal<Value extends object>(value: Value): value is Extract<Value, Refusal> {
  return 'refused' in value;
}
