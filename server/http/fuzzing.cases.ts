/**
 * How a reply to any body is judged: never a 5xx, never a change after a refusal, and every refusal
 * names its place (facts of reliability). Test code, for the doors of the arm and of the twin.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { RouteRow } from '../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../contract/schemas.ts';
import { validate } from '../../contract/validator.ts';
import { errorOf, type Got, type Household } from './household.cases.ts';
import { bodies, spoiltBodies } from './schema-arbitrary.cases.ts';

/** Bodies for a row: fitting, with one fault, and anything at all. */
export function anyBody(row: RouteRow): fc.Arbitrary<unknown> {
  const schema = schemaOf(row.body as SchemaId);
  return fc.oneof(bodies(schema), spoiltBodies(schema), fc.jsonValue({ maxDepth: 3 }));
}

export interface Trial {
  readonly row: RouteRow;
  readonly path: string;
  readonly body: unknown;
  /** Everything that the call could change, as text. */
  readonly state: () => Promise<string>;
}

/** Answers a fault that the arm behind this twin cannot have: not implemented, and said so. */
const UNABLE = 501;

/** Sends a body as the admin and judges what comes back. */
export async function judged(house: Household, { row, path, body, state }: Trial): Promise<Got> {
  const before = await state();
  const got = await house.send(row.method, path, { as: house.admin, body });
  const seen = `${row.id} ${JSON.stringify(body)?.slice(0, 2000)}: ${got.status} ${got.text}`;
  expect(got.status < 500 || got.status === UNABLE, seen).toBe(true);
  if (got.status < 400) return got;
  const { error_code, details } = errorOf(got);
  expect(await state(), seen).toBe(before);
  const verdict = validate(row.body as SchemaId, body, { dialect: 'documented' });
  if (verdict.ok) return got;
  expect([got.status, error_code], seen).toEqual([400, 8]);
  const list = details as { path: string; problem: string }[];
  expect(list.length, seen).toBeGreaterThan(0);
  for (const { path: place, problem } of list) {
    expect(place, seen).toMatch(/^(\/|$)/);
    expect(problem.length, seen).toBeGreaterThan(5);
  }
  return got;
}
