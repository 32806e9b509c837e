import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { quickestFirst } from './quickest-first.mjs';

it('runs the quickest test files first, and those without a time last', () => {
  const files = ['new', 'slow', 'quick'].map((name) => ({ moduleId: resolve(`${name}.test.ts`) }));
  const sorted = quickestFirst(files, { 'slow.test.ts': 900, 'quick.test.ts': 3 });
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    ['quick', 'slow', 'new'].map((name) => resolve(`${name}.test.ts`)),
  );
});
