import { expect, it } from 'vitest';
import { testsTouchedBy } from './changed.mjs';

/** @param {string} path @param {string[]} targets @param {boolean} [types] */
const source = (path, targets, types = false) => ({
  path,
  imports: targets.map((target) => ({ target, types })),
});

it('finds the tests that import a changed file, directly or through others', () => {
  const sources = [
    source('a.test.ts', ['a.ts']),
    source('b.test.ts', ['b.ts']),
    source('a.ts', ['data.json']),
    source('b.ts', ['a.ts']),
    source('c.test.ts', ['c.ts']),
    source('c.ts', []),
  ];
  expect(testsTouchedBy(sources, ['data.json'])).toEqual(['a.test.ts', 'b.test.ts']);
  expect(testsTouchedBy(sources, ['b.ts', 'c.test.ts'])).toEqual(['b.test.ts', 'c.test.ts']);
});

it('stops after as many imports as it may reach', () => {
  const sources = [
    source('near.test.ts', ['b.ts']),
    source('far.test.ts', ['c.ts']),
    source('b.ts', ['a.ts']),
    source('c.ts', ['b.ts']),
  ];
  expect(testsTouchedBy(sources, ['a.ts'], 2)).toEqual(['near.test.ts']);
});

it('ends where files import each other', () => {
  const sources = [
    source('a.test.ts', ['a.ts']),
    source('a.ts', ['b.ts']),
    source('b.ts', ['a.ts']),
  ];
  expect(testsTouchedBy(sources, ['b.ts'])).toEqual(['a.test.ts']);
});

it('leaves types to the compiler, and slow tests to their check', () => {
  const sources = [source('a.test.ts', ['a.ts'], true), source('a.slow.test.ts', ['a.ts'])];
  expect(testsTouchedBy(sources, ['a.ts'])).toEqual([]);
});
