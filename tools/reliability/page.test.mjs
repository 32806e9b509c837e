/** docs/reliability.md matches its figures. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pageOf } from './page.mjs';

const CHECK = { id: 'a', fault: 'b | c', goal: 'd', holds: false, figure: 'e' };
const REMOVED = { name: 'f', check: 'a', noticed: false, figure: 'ok   a (1.0 s): g' };

it('marks goals that were not reached', () => {
  const page = pageOf({ checks: [CHECK], protections: [REMOVED], exists: () => true });
  expect(page).toContain('0 of 1 goals are reached');
  expect(page).toContain('| `a` | b \\| c | d | **not reached**: e |');
  expect(page).toContain('| f | `a` | **no** | g |');
});

it('throws for missing tests', () => {
  const parts = { checks: [], protections: [], exists: () => false };
  expect(() => pageOf(parts)).toThrow('missing tests');
});

it('is the committed page', () => {
  const figures = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));
  const [checks, protections] = [figures('hard'), figures('protections')];
  const page = readFileSync('docs/reliability.md', 'utf8');
  expect(page).toBe(pageOf({ checks, protections, exists: existsSync }));
});
