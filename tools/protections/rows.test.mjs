/** Every row refers to existing code and to an existing check. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKS } from '../../e2e/robustness/checks.ts';
import { PROTECTIONS } from './rows.mjs';

it.each(PROTECTIONS)('$name occurs once in $path', ({ path, find, put }) => {
  expect(readFileSync(path, 'utf8').split(find)).toHaveLength(2);
  expect(put).not.toBe(find);
});

it('each name an existing check or test', () => {
  const ids = CHECKS.map(({ id }) => id);
  const lost = PROTECTIONS.filter(({ check }) => !ids.includes(check) && !existsSync(check));
  expect(lost).toEqual([]);
});
