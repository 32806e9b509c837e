import { expect, test } from 'vitest';
import { countedTexts, groupFindings, lineStart, notesByLine } from './definition-notes.ts';

test('says once what many findings and warnings have in common', () => {
  const at = (line: number, message: string) => ({ path: `/${line}`, message, line });
  const findings = [at(2, 'no reader'), at(4, 'no lid'), at(9, 'no reader')];
  expect(groupFindings(findings)).toEqual([[findings[0], findings[2]], [findings[1]]]);
  expect(countedTexts(['late', 'unused', 'late'])).toEqual(['late (2 times)', 'unused']);
});

test('finds lines of a text, and joins the findings of a line', () => {
  const text = 'a\nbc\n\nd';
  expect([1, 2, 3, 4, 9].map((line) => lineStart(text, line))).toEqual([0, 2, 5, 6, 6]);
  const wrong = (line: number, message: string) => ({ line, message, path: '' });
  const notes = notesByLine([wrong(2, 'one'), wrong(3, 'two'), wrong(2, 'three')]);
  expect([...notes]).toEqual([
    [2, 'one; three'],
    [3, 'two'],
  ]);
});

test('names a missing field, which has no line of its own', () => {
  const path = '/workflow/tasks';
  const findings = [
    { line: 1, path, message: 'is missing, and it is required' },
    { line: 2, path, message: 'these wait for each other' },
  ];
  expect([...notesByLine(findings).values()]).toEqual([
    'tasks is missing, and it is required',
    'these wait for each other',
  ]);
});
