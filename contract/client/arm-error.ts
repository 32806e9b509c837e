/**
 * What a client's call throws when the service refuses: the error of spec §7 with the status it
 * came with. A file of its own because caller, stream and users all test for it.
 */
import type { ErrorDetails } from '../errors.ts';
import type { RouteId } from '../routes.ts';

/** A refusal as it came over the wire. */
export interface Refusal {
  readonly route: RouteId;
  readonly status: number;
  /** Parsed reply, or the text of one that is no JSON. */
  readonly body: unknown;
}

interface WireError {
  readonly error_code: number;
  readonly title: string;
  readonly details: ErrorDetails;
}

function wireError(body: unknown): WireError | null {
  if (body === null || typeof body !== 'object' || !('error' in body)) return null;
  const error = body.error;
  return error !== null && typeof error === 'object' && 'title' in error
    ? (error as WireError)
    : null;
}

/** A refused call. `error_code` is null when the reply had no body in the error format. */
export class ArmError extends Error {
  readonly route: RouteId;
  readonly status: number;
  readonly error_code: number | null;
  readonly title: string;
  readonly details: ErrorDetails;

  constructor(refusal: Refusal) {
    const error = wireError(refusal.body);
    const title = error?.title ?? 'reply without an error body';
    const details = error?.details ?? null;
    const said = details === null ? '' : `: ${JSON.stringify(details)}`;
    super(`${refusal.route} answered ${refusal.status} ${title}${said}`);
    this.name = 'ArmError';
    this.route = refusal.route;
    this.status = refusal.status;
    this.error_code = error?.error_code ?? null;
    this.title = title;
    this.details = details;
  }
}
