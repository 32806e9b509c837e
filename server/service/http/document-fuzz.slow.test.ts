/** 10,000 calls drawn from the OpenAPI document: every status and body is declared. */
import { expect, it } from 'vitest';
import { startApiFixture } from './api-fixture.cases.ts';
import { fuzzDocument } from './document-fuzz.cases.ts';

const CALLS = 2_500;
const OPERATIONS_LEAST = 100;

it.each([1, 2, 3, 4])('has no undeclared reply in 2,500 calls with seed %d', async (seed) => {
  const fixture = await startApiFixture({ dialect: 'documented' });
  const { calls, statuses, problems } = await fuzzDocument(fixture, { seed, calls: CALLS });
  await fixture.close();
  const operations = new Set([...statuses.keys()].map((key) => key.split(' ')[0]));
  process.stdout.write(
    `seed ${seed}: ${calls} calls of ${operations.size} operations, ${statuses.size} replies by ` +
      `operation and status, ${problems.length} undeclared\n`,
  );
  expect(operations.size).toBeGreaterThan(OPERATIONS_LEAST);
  expect(problems).toEqual([]);
});
