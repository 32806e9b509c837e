/** What the judge of the tarball must find. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { deadLinks, tarballProblems } from './tarball.mjs';

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

it('requires the data that exports name', () => {
  const exports = { './data/*': './data/*' };
  const missing = 'exports ./data/*: ./data/* is not in the tarball';
  expect(judged({ exports })).toEqual([missing]);
  expect(judged({ exports }, [...FILES, 'data/c.json'])).toEqual([]);
});

it('requires what each page links to', () => {
  /** @type {Record<string, string>} */
  const pages = {
    'README.md': '[a](docs/a.md#part) [b](deploy) [c](https://example.org) [d](#here)',
    'docs/b/c.md': '',
    'docs/a.md': '[e](../README.md) [f](b/c.md) [g](../server/d.test.ts)',
  };
  const read = (/** @type {string} */ path) => String(pages[path]);
  expect(deadLinks(['README.md'], read)).toEqual([
    expect.stringMatching(/^README\.md links to docs\/a\.md, which is not in the tarball: name it/),
    expect.stringMatching(/^README\.md links to deploy, /),
  ]);
  const packed = ['README.md', 'docs/a.md', 'docs/b/c.md', 'deploy/b.yml'];
  expect(deadLinks(packed, read)).toEqual([
    expect.stringMatching(/^docs\/a\.md links to server\/d\.test\.ts, /),
  ]);
});

it('finds no dead link in the documents of this package', () => {
  const flags = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const [packed] = JSON.parse(execFileSync('npm', flags, { encoding: 'utf8', stdio: 'pipe' }));
  const files = packed.files.map((/** @type {{ path: string }} */ { path }) => path);
  expect(files).toContain('docs/index.md');
  expect(files.filter((/** @type {string} */ path) => path.startsWith('docs/evidence'))).toEqual(
    [],
  );
  expect(deadLinks(files, (path) => readFileSync(path, 'utf8'))).toEqual([]);
}, 60_000);

it('lets npm run prepack, without which a fresh clone packs no dist', () => {
  // Installations of this repository leave out the scripts of packages by their own flag.
  expect(readFileSync('.npmrc', 'utf8')).not.toContain('ignore-scripts');
});
