/** docs/fleets.md matches its figures, and its sums are correct. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { twinsOnMachine, withTables } from './page.mjs';

const page = readFileSync('docs/fleets.md', 'utf8');
const costs = JSON.parse(readFileSync('docs/figures/fleet.json', 'utf8'));
const rehearsal = JSON.parse(readFileSync('docs/figures/rehearse.json', 'utf8'));
const cost = (/** @type {number} */ processor, /** @type {number} */ memory_mb) => ({
  plant: 'fast',
  doing: 'running',
  processor,
  memory_mb,
  lateness_p99_ms: 1,
});

it('matches its figures', () => {
  expect(page).toBe(withTables(page, costs, rehearsal));
});

it('limits twins by processor, memory or pods', () => {
  expect(twinsOnMachine(cost(0.48, 100))).toBe(10);
  expect(twinsOnMachine(cost(0.01, 2720))).toBe(10);
  expect(twinsOnMachine(cost(0.001, 1))).toBe(110);
});

it('multiplies', () => {
  const made = withTables(page, [cost(0.1, 200), { ...cost(0.2, 400), plant: 'rapier' }], {
    toolpaths: 10,
    variations: 200,
    worked: 199,
    processor_s: 36,
    wall_s: 20,
    cores: 2,
    date: 'd',
  });
  expect(made).toContain('| 10 | 1.0 cores, 2.0 GB, 1 | 2.0 cores, 4.0 GB, 1 |');
  expect(made).toContain('| 1,000 | 100 cores, 200 GB, 21 | 200 cores, 400 GB, 42 |');
  expect(made).toContain(
    '| 10 × 20, measured on d: 199 of 200 variations worked | 36 s | 18 s | – |',
  );
  expect(made).toContain('| 1,000 × 20, in proportion | 60 min | 30 min | 36 s |');
});

it('has no broken links', () => {
  for (const [, path] of page.matchAll(/\]\(([^)#:]+)\)/g)) {
    expect(existsSync(`docs/${path}`), path).toBe(true);
  }
});
