import { expect, test } from 'vitest';
import { definitionProblem } from './run-header.ts';

test('a definition with errors can be neither planned nor run', () => {
  const error = { path: '/workflow', message: 'is missing', line: 1 };
  const problem = (errors: number) =>
    definitionProblem({
      checks: { checked: true, warnings: ['late'], errors: Array(errors).fill(error) },
    });
  expect([0, 1, 2].map(problem)).toEqual([
    '',
    'Fix the error of the definition first',
    'Fix the 2 errors of the definition first',
  ]);
});
