import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { olderToolpath } from './open-file.ts';

const file = (name: string) =>
  readFileSync(new URL(`../../../fixtures/toolpaths/${name}.json`, import.meta.url), 'utf8');

it('finds a toolpath of an older format in a file, also one level down', () => {
  const old = file('pick-and-place.format-1');
  expect(olderToolpath(old)).toEqual(JSON.parse(old));
  expect(olderToolpath(`{"name": "x", "toolpath": ${old}}`)).toEqual(JSON.parse(old));
});

it.each([
  ['the latest format', file('sorter')],
  ['no JSON', 'timeline'],
  ['a list', '[]'],
  ['something else', '{"metadata": 1, "timeline": []}'],
])('leaves %s alone', (_, text) => expect(olderToolpath(text)).toBeNull());
