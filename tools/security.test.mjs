/** Each promise of SECURITY.md names a test that exists. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const TEST = /\.test\.ts$|^e2e\/|^conformance\/rules\//;

const text = readFileSync('SECURITY.md', 'utf8');
const section = text.slice(text.indexOf('## What it promises'));
const promises = section.match(/^- .*(?:\n {2}.*)*/gm) ?? [];

it('has promises', () => {
  expect(promises.length).toBeGreaterThan(10);
});

it.each(promises)('%s', (promise) => {
  const named = [...promise.matchAll(/`([\w./-]+)`/g)].map(([, path]) => String(path));
  const tests = named.filter((path) => TEST.test(path));
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});
