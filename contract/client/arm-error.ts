/** The error of spec §7 that a refused call throws. */

import { type ErrorCode, type ErrorDetails, type ErrorName, errorNamed } from '../errors.ts';
import type { RouteId } from '../routes.ts';

/** A refusal as received. */
export interface ErrorResponse {
  readonly route: RouteId;
  readonly status: number;
  /** The parsed reply, or its text when it is not JSON. */
  readonly body: unknown;
}

interface ErrorFields {
  readonly error_code: ErrorCode;
  readonly title: string;
  readonly details: ErrorDetails;
}

function parseErrorBody(body: unknown): ErrorFields | null {
  if (body === null || typeof body !== 'object' || !('error' in body)) return null;
  const error = body.error;
  return error !== null && typeof error === 'object' && 'title' in error
    ? (error as ErrorFields)
    : null;
}

/** A refused call. `error_code` is null when the reply had no body in the error format. */
export class ArmError extends Error {
  readonly route: RouteId;
  readonly status: number;
  readonly error_code: ErrorCode | null;
  /** The row of the error table, such as `wrong_state`; null where the reply fits none. */
  readonly error_name: ErrorName | null;
  readonly title: string;
  readonly details: ErrorDetails;

  constructor(refusal: ErrorResponse) {
    const error = parseErrorBody(refusal.body);
    const title = error?.title ?? 'reply without an error body';
    const details = error?.details ?? null;
    const said = details === null ? '' : `: ${JSON.stringify(details)}`;
    super(`${refusal.route} answered ${refusal.status} ${title}${said}`);
    this.name = 'ArmError';
    this.route = refusal.route;
    this.status = refusal.status;
    this.error_code = error?.error_code ?? null;
    this.error_name = error && errorNamed(refusal.status, error);
    this.title = title;
    this.details = details;
  }
}
