/** Why a call of the API failed. */
import { ArmError } from '../../contract/client.ts';

/** Why a call failed. */
export type CallFailure =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed-out' }
  | {
      readonly kind: 'refused';
      /** Of HTTP. */
      readonly status: number;
      readonly code: number;
      /** Empty where the reply gives no reason, such as one of a proxy before the server. */
      readonly title: string;
      readonly details: unknown;
    };
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
export const SERVER_ERROR = 500;
const NOT_SUPPORTED = 501;

/** Whether a call was refused because what it names does not exist. */
export function isMissing(error: CallFailure): boolean {
  return error.kind === 'refused' && error.status === NOT_FOUND;
}

/** Whether a call failed for a reason that passes: the same call may succeed later. */
export function isPassing(error: CallFailure): boolean {
  if (error.kind !== 'refused') return error.kind === 'unreachable';
  const { status } = error;
  return status === TOO_MANY_REQUESTS || (status >= SERVER_ERROR && status !== NOT_SUPPORTED);
}

export function toFailure(error: unknown): CallFailure {
  if (!(error instanceof ArmError)) return { kind: 'unreachable' };
  if (error.status === UNAUTHORIZED) return { kind: 'signed-out' };
  const { status, error_code, details } = error;
  const title = error_code === null ? '' : error.title;
  return { kind: 'refused', status, code: error_code ?? 0, title, details };
}
