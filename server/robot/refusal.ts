/** Why a command was not done: a row of the error table with its details. A value, not a throw. */
import type { ErrorDetails, ErrorName } from '../../contract/errors.ts';

export interface Refusal {
  readonly refused: ErrorName;
  readonly details: ErrorDetails;
  /** Number for titles that state how many things failed. */
  readonly count: number;
}

/** Names the row of the error table that a refusal belongs to. */
export function refuse(refused: ErrorName, details: ErrorDetails = null, count = 0): Refusal {
  return { refused, details, count };
}

/** Says that there is no room for one more. */
export function refuseMore(what: string, most: number): Refusal {
  return refuse('invalid_arguments', `There are ${most} ${what} already, the most there may be`);
}
