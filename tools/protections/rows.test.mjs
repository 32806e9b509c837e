/** Every protection stands where its row says, so that a row does not outlive what it is about. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKS } from '../../e2e/hard/checks.ts';
import { PROTECTIONS } from './rows.mjs';

it.each(PROTECTIONS)('$name stands once in $path', ({ path, find, put }) => {
  expect(readFileSync(path, 'utf8').split(find)).toHaveLength(2);
  expect(put).not.toBe(find);
});

it('is proven by a check or a test that there is', () => {
  const ids = CHECKS.map(({ id }) => id);
  const lost = PROTECTIONS.filter(({ check }) => !ids.includes(check) && !existsSync(check));
  expect(lost).toEqual([]);
});
