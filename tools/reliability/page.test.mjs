/** docs/reliability.md matches its figures. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutationFigure, pageOf } from './page.mjs';

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
const FOLDER = { name: 'robot', accepted: 2, sentences: 3, static: 4, near: 0 };
const MUTATIONS = {
  date: '2026-01-02',
  folders: [
    { ...FOLDER, files: 5, measured: 2, mutants: 40, noticed: 37, near: 1 },
    { ...FOLDER, name: 'store', files: 6, measured: 0, mutants: 0, noticed: 0, accepted: 0 },
  ],
};
const REMOVED = { name: 'f', check: 'a', noticed: false, figure: 'ok   a (1.0 s): g' };

it('marks goals that were not reached', () => {
  const figures = { limits: [LIMIT], isolation: [], mutations: MUTATIONS };
  const page = pageOf({ checks: [CHECK], protections: [REMOVED], ...figures, exists: () => true });
  expect(page).toContain('0 of 1 goals are reached');
  expect(page).toContain('| `a` | b \\| c | d | **not reached**: e |');
  expect(page).toContain('| f | `a` | **no** | g |');
  expect(page).toContain('| `users` | 9 | admin | refused | 4 of 5 served, slowest 7 ms |');
});

it('has the mutation score of the measured files, and what it covers', () => {
  const figures = { limits: [], isolation: [], mutations: MUTATIONS };
  const page = pageOf({ checks: [], protections: [], ...figures, exists: () => true });
  const covered = 'in 2 of 11 files';
  expect(page).toContain(`37 of 42 mutants (88.1 %), a reason for 2, none for 3, ${covered}.`);
  expect(page).toContain('| `server/robot` | 2 of 5 | 37 of 42 | 88.1 % | 2 | 3 | 4 |');
  const [robot] = MUTATIONS.folders;
  const all = { ...MUTATIONS, folders: [{ ...robot, noticed: 40 }] };
  expect(mutationFigure(all)).toBe(
    '40 of 42 mutants (95.2 %), a reason for the other 2, in 2 of 5 files',
  );
  expect(page).toContain('| `server/store` | 0 of 6 |');
});

it('throws for missing tests', () => {
  const figures = { limits: [], isolation: [], mutations: MUTATIONS };
  const parts = { checks: [], protections: [], ...figures, exists: () => false };
  expect(() => pageOf(parts)).toThrow('missing tests');
});

it('is the committed page', () => {
  const figures = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(`docs/figures/${name}.json`, 'utf8'));
  const [checks, protections] = [figures('hard'), figures('protections')];
  const [limits, isolation] = [figures('limits'), figures('tick-isolation')];
  const parts = { checks, protections, limits, isolation, mutations: figures('mutations') };
  const page = readFileSync('docs/reliability.md', 'utf8');
  expect(page).toBe(pageOf({ ...parts, exists: existsSync }));
});
