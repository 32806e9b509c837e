/** The assertions of rules. They do not depend on a test runner, so rules run in any program. */

import type { Problem } from '../contract/problem.ts';
import type { SchemaId } from '../contract/schemas.ts';
import type { SchemaTypes } from '../contract/types.generated.ts';
import { validate } from '../contract/validator.ts';
import { RuleBroken } from './rule-broken.ts';

export interface Expectation {
  ok(holds: boolean, what: string): void;
  /** Equality of JSON values; the order of keys is irrelevant. */
  equal(seen: unknown, wanted: unknown, what: string): void;
  /** Numbers, one by one, within a tolerance. */
  close(seen: readonly number[], wanted: readonly number[], tolerance: number): void;
  /** Validates a value by a schema and returns it with its type. */
  fits<Id extends SchemaId>(id: Id, value: unknown): SchemaTypes[Id];
  fail(reason: string): never;
}

/** JSON text with sorted keys: equal values have equal texts. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function fail(reason: string): never {
  throw new RuleBroken(reason);
}

function formatProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, problem }) => `${path || 'the body'} ${problem}`).join('; ');
}

export const EXPECTATION: Expectation = {
  fail,
  ok(holds, what) {
    if (!holds) fail(`expected: ${what}`);
  },
  equal(seen, wanted, what) {
    const [left, right] = [sortedText(seen), sortedText(wanted)];
    if (left !== right) fail(`${what}: got ${left}, expected ${right}`);
  },
  close(seen, wanted, tolerance) {
    const fits = wanted.every((value, i) => Math.abs((seen[i] ?? Number.NaN) - value) <= tolerance);
    const same = seen.length === wanted.length && fits;
    if (!same) fail(`${sortedText(seen)} is not within ${tolerance} of ${sortedText(wanted)}`);
  },
  fits(id, value) {
    const result = validate(id, value, { dialect: 'documented' });
    if (!result.ok) fail(`not a ${id}: ${formatProblems(result.error)}`);
    return result.value.value;
  },
};
