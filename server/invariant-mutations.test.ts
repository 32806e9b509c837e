/** The mutations of the invariant monitor's slow test fit the code as it is. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTATIONS } from './invariant-mutations.cases.ts';
import { STATEMENTS } from './robot/invariant-statements.ts';

it('each statement of the invariant monitor has a mutation', () => {
  const named = new Set(MUTATIONS.map(({ statement }) => statement));
  expect([...named].sort()).toEqual(Object.keys(STATEMENTS).sort());
});

it.each(MUTATIONS)('$path contains once: $find', ({ path, find }) => {
  expect(readFileSync(path, 'utf8').split(find)).toHaveLength(2);
});
