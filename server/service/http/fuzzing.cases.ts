/**
 * Checks of replies to arbitrary bodies: never a 5xx, no change after a refusal, and a JSON pointer
 * in every refusal. Test code for the arm's API and for /sim/v1.
 */

import fc from 'fast-check';
import { expect } from 'vitest';
import { errorStatusesOf, type RouteRow } from '../../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import { validate } from '../../../contract/validator.ts';
import { type ApiFixture, expectError, type HttpReply } from './api-fixture.cases.ts';
import { invalidBodies, validBodies } from './schema-arbitrary.cases.ts';

/** Bodies for a route: valid, with one error, and arbitrary JSON. */
export function arbitraryBody(row: RouteRow): fc.Arbitrary<unknown> {
  const schema = schemaOf(row.body as SchemaId);
  return fc.oneof(validBodies(schema), invalidBodies(schema), fc.jsonValue({ maxDepth: 3 }));
}

export interface FuzzCase {
  readonly row: RouteRow;
  readonly path: string;
  readonly body: unknown;
  /** Everything that the call could change, as text. */
  readonly state: () => Promise<string>;
}

/** Every status that the documents list for a call. */
export function declaredStatuses(row: RouteRow): readonly number[] {
  return [row.status.documented, ...errorStatusesOf(row)];
}

/** Status for a fault that this driver cannot inject. */
const NOT_IMPLEMENTED = 501;

/** Sends a body as the admin and checks the reply. */
export async function checkReply(
  fixture: ApiFixture,
  { row, path, body, state }: FuzzCase,
): Promise<HttpReply> {
  const before = await state();
  const got = await fixture.send(row.method, path, { as: fixture.admin, body });
  const seen = `${row.id} ${JSON.stringify(body)?.slice(0, 2000)}: ${got.status} ${got.text}`;
  expect(got.status < 500 || got.status === NOT_IMPLEMENTED, seen).toBe(true);
  expect(declaredStatuses(row), seen).toContain(got.status);
  if (got.status < 400) return got;
  const { error_code, details } = expectError(got);
  expect(await state(), seen).toBe(before);
  const verdict = validate(row.body as SchemaId, body, { dialect: 'documented' });
  if (verdict.ok) return got;
  expect([got.status, error_code], seen).toEqual([400, 8]);
  const list = details as { path: string; problem: string }[];
  expect(list.length, seen).toBeGreaterThan(0);
  for (const { path: pointer, problem } of list) {
    expect(pointer, seen).toMatch(/^(\/|$)/);
    expect(problem.length, seen).toBeGreaterThan(5);
  }
  return got;
}
