import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { cheapestFirst } from './test-order.mjs';

const TIMES = { 'slow.test.ts': 900, 'quick.test.ts': 3 };
const files = ['new', 'slow', 'quick'].map((name) => ({ moduleId: resolve(`${name}.test.ts`) }));
const orderOf = (/** @type {string[]} */ latest) =>
  cheapestFirst(files, TIMES, latest).map(({ moduleId }) => moduleId);
const paths = (/** @type {string[]} */ ...names) => names.map((name) => resolve(`${name}.test.ts`));

it('runs the quickest test files first, and those without a time last', () => {
  expect(orderOf([])).toEqual(paths('quick', 'slow', 'new'));
});

it('prefers a slow file that noticed most of the mutants before', () => {
  expect(orderOf(Array(30).fill('slow.test.ts'))).toEqual(paths('slow', 'quick', 'new'));
  expect(orderOf(['slow.test.ts'])).toEqual(paths('quick', 'slow', 'new'));
});
