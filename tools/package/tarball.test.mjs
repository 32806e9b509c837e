/** What the judge of the tarball must find. */
import { expect, it } from 'vitest';
import { tarballProblems } from './tarball.mjs';

const MANIFEST = {
  type: 'module',
  engines: { node: '>=20' },
  bin: { arm: 'dist/main.js' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
};
const FILES = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/main.js',
  'dist/index.js',
  'dist/index.d.ts',
];

/** @param {object} change @param {string[]} [files] @param {string} [main] */
function judged(change, files = FILES, main = '#!/usr/bin/env node\n') {
  const read = (/** @type {string} */ path) =>
    path === 'package.json' ? JSON.stringify({ ...MANIFEST, ...change }) : main;
  return tarballProblems('.', files, read);
}

it('accepts a valid package', () => {
  expect(judged({})).toEqual([]);
});

it('reports missing types, entry points and documents', () => {
  for (const lost of FILES) {
    const found = judged(
      {},
      FILES.filter((file) => file !== lost),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(lost);
  }
});

it('requires types first and default last', () => {
  const turned = { '.': { default: './dist/index.js', types: './dist/index.d.ts' } };
  expect(judged({ exports: turned })).toHaveLength(2);
});

it('requires the shebang line of a command', () => {
  expect(judged({}, FILES, 'import')).toEqual([expect.stringContaining('bin arm')]);
});

it('rejects tests and caches', () => {
  const more = ['dist/a.test.js', 'dist/b.cases.d.ts', 'node_modules/x/index.js'];
  expect(judged({}, [...FILES, ...more])).toHaveLength(3);
});

it('requires what the README links to, and the data that exports name', () => {
  const read = (/** @type {string} */ path) =>
    path === 'package.json'
      ? JSON.stringify({ ...MANIFEST, exports: { './data/*': './data/*' } })
      : '#!/usr/bin/env node\n[a](docs/a.md#part) [b](deploy) [c](https://example.org)';
  expect(tarballProblems('.', FILES, read)).toEqual([
    'exports ./data/*: ./data/* is not in the tarball',
    'README.md links to docs/a.md, which is not in the tarball',
    'README.md links to deploy, which is not in the tarball',
  ]);
  const more = ['docs/a.md', 'deploy/b.yml', 'data/c.json'];
  expect(tarballProblems('.', [...FILES, ...more], read)).toEqual([]);
});
