/**
 * The tree to check: every source file, read and parsed once. Rules depend only on the tree, so
 * tests can pass small artificial ones.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from './source.mjs';

export const SOURCE_FOLDERS = [
  'arms',
  'contract',
  'conformance',
  'physics',
  'bridge',
  'server',
  'scheduler',
  'viewer',
  'testing',
  'fixtures',
  'e2e',
  'bench',
  'tools',
];
const ROOT_CONFIGS = ['vitest.config.ts', 'vitest.slow.config.ts', 'playwright.config.ts'];
const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const NOT_OURS = new Set(['node_modules', 'dist', 'test-results']);

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {{ root: string, files: Map<string, Source> }} Tree
 */

/**
 * A tree made of texts, for tests and for `readTree`.
 * @param {Record<string, string>} texts path → text
 * @param {string} [root]
 * @returns {Tree}
 */
export function treeOf(texts, root = '') {
  const files = new Map();
  for (const [path, text] of Object.entries(texts)) files.set(path, readSource(path, text));
  return { root, files };
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(root, folder) {
  const found = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (SOURCE.test(entry.name)) found.push(path);
    }
  }
  return found;
}

/**
 * Reads every source file below `root`, sorted by path.
 * @param {string} root
 */
export function readTree(root) {
  const exists = (/** @type {string} */ path) =>
    statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const paths = SOURCE_FOLDERS.filter(exists).flatMap((folder) => sourcesBelow(root, folder));
  paths.push(...ROOT_CONFIGS.filter(exists));
  /** @type {Record<string, string>} */
  const texts = {};
  for (const path of paths.sort()) texts[path] = readFileSync(join(root, path), 'utf8');
  return treeOf(texts, root);
}

/** @param {string} path */
export function isTest(path) {
  return (
    /\.(test|spec|cases|setup)\.(ts|tsx|mjs)$/.test(path) || /^(e2e|bench|fixtures)\//.test(path)
  );
}

/** @param {string} path */
export function isGenerated(path) {
  return path.endsWith('.generated.ts');
}

/**
 * True when `path` is `place`, lies below it, or is the file of that name (`a/b` → `a/b.ts`).
 * @param {string} path
 * @param {string} place
 */
export function liesIn(path, place) {
  return path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);
}
