import { expect, test } from 'vitest';
import { RUN } from './run.cases.ts';
import { definitionProblem, promptOf, typedResults } from './run-questions.ts';

test('a definition with errors can be neither planned nor run', () => {
  const error = { path: '/workflow', message: 'is missing', line: 1 };
  const problem = (errors: number) => definitionProblem({ errors: Array(errors).fill(error) });
  expect([0, 1, 2].map(problem)).toEqual([
    '',
    'Fix the error of the definition first',
    'Fix the 2 errors of the definition first',
  ]);
});

test('what a person is asked first is shown, and nothing without a run', () => {
  const prompt = {
    task_id: 'look',
    instrument_id: 'bench',
    prompt: 'Look',
    since_s: 3,
    outputs: [],
  };
  const [first, second] = ['look', 'weigh'].map((task_id) => {
    return { ...prompt, task_id, times_out_at_s: null };
  });
  expect(promptOf(null)).toBeNull();
  expect(promptOf(RUN)).toBeNull();
  expect(promptOf({ ...RUN, prompts: [first!, second!] })).toBe(first);
});

test('results that a person types are values where they are JSON, else words', () => {
  const typed = [
    ['passed', 'true'],
    ['confluence', '0.8'],
    ['verdict', 'feed'],
    ['note', undefined],
    ['blank', ' '],
  ] as const;
  expect(typedResults(typed)).toEqual({ passed: true, confluence: 0.8, verdict: 'feed' });
  expect(typedResults([['note', undefined]])).toBeUndefined();
});
