/** Ten thousand damages of journals. */
import { expect, it } from 'vitest';
import { damageProblems } from './damage.cases.ts';

const DAMAGES = 10_000;

it('loses nothing in silence', async () => {
  const problems = await damageProblems(1, DAMAGES);
  expect(problems.slice(0, 5)).toEqual([]);
}, 3_600_000);
