/** A refusal as a rule expects it, and the check of its format and code. */
import {
  detailsSchemaOf,
  ERROR_ROWS,
  type ErrorDetails,
  type ErrorRow,
  errorNamed,
} from '../contract/errors.ts';
import { EXPECTATION as expect } from './expectation.ts';
import type { RawReply } from './raw-request.ts';

/** The expected refusal. Absent fields are not checked. */
export interface ExpectedRefusal {
  readonly status: number;
  readonly error_code?: number;
  readonly title?: string;
}

/** The refusal of a request whose content is not as described (§7). */
export const INVALID: ExpectedRefusal = { status: 400, error_code: 8 };

/** The error of an expected refusal. */
export interface SeenRefusal {
  readonly error_code: number;
  readonly title: string;
  readonly details: ErrorDetails;
}

const statusesOf = new Map<number, Set<number>>();
for (const row of Object.values<ErrorRow>(ERROR_ROWS)) {
  const statuses = statusesOf.get(row.error_code) ?? new Set();
  statusesOf.set(row.error_code, statuses.add(row.status));
}

/** Checks the error format and that status and error_code belong together. */
export function checkRefusal(reply: RawReply, expected: ExpectedRefusal): SeenRefusal {
  const seen = reply.text.slice(0, 500);
  expect.equal(reply.status, expected.status, `status of the refusal ${seen}`);
  const { error } = expect.fits('ErrorBody', reply.body);
  const matches = statusesOf.get(error.error_code)?.has(reply.status) === true;
  expect.ok(matches, `error_code ${error.error_code} belongs to status ${reply.status}`);
  const code = expected.error_code ?? error.error_code;
  expect.equal(error.error_code, code, `error_code of ${seen}`);
  expect.equal(error.title, expected.title ?? error.title, 'title');
  const name = errorNamed(reply.status, error);
  if (name) expect.fits(detailsSchemaOf(name), error.details);
  return error;
}
