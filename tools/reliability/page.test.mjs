/** docs/reliability.md matches its figures. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pageOf } from './page.mjs';

const CHECK = { id: 'a', fault: 'b | c', goal: 'd', holds: false, figure: 'e' };
const LIMIT = {
  name: 'users',
  most: 9,
  by: 'admin',
  seen: 'refused',
  calls: 5,
  failed: 1,
  worst_ms: 7,
};
const REMOVED = { name: 'f', check: 'a', noticed: false, figure: 'ok   a (1.0 s): g' };

it('marks goals that were not reached', () => {
  const figures = { limits: [LIMIT], isolation: [] };
  const page = pageOf({ checks: [CHECK], protections: [REMOVED], ...figures, exists: () => true });
  expect(page).toContain('0 of 1 goals are reached');
  expect(page).toContain('| `a` | b \\| c | d | **not reached**: e |');
  expect(page).toContain('| f | `a` | **no** | g |');
  expect(page).toContain('| `users` | 9 | admin | refused | 4 of 5 served, slowest 7 ms |');
});

it('throws for missing tests', () => {
  const parts = { checks: [], protections: [], limits: [], isolation: [], exists: () => false };
  expect(() => pageOf(parts)).toThrow('missing tests');
});

it('is the committed page', () => {
  const figures = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));
  const [checks, protections] = [figures('hard'), figures('protections')];
  const [limits, isolation] = [figures('limits'), figures('tick-isolation')];
  const page = readFileSync('docs/reliability.md', 'utf8');
  expect(page).toBe(pageOf({ checks, protections, limits, isolation, exists: existsSync }));
});
