/**
 * What a core function answers when it can fail: failures are values, never exceptions. It lies
 * on the ground floor so that every room of the house speaks of failure in one way.
 */

/** Either a value or the reason why there is none. */
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

/** One thing wrong with a request body, in words its sender can act on. */
export interface Problem {
  /** JSON pointer into the body: '' is the body itself, '/joints/3' the fourth joint. */
  readonly path: string;
  /** A sentence that says what is wrong and what would be right. */
  readonly problem: string;
}
