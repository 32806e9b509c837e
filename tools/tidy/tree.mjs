/**
 * The tree under check: every source file of the rooms with its text, read once. Rules get this
 * and nothing else, so they can be shown small made-up trees in their tests.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from './source.mjs';

export const ROOMS = [
  'contract',
  'physics',
  'bridge',
  'server',
  'viewer',
  'testing',
  'fixtures',
  'e2e',
  'bench',
  'tools',
];
const ROOT_CONFIGS = ['vitest.config.ts', 'vitest.slow.config.ts', 'playwright.config.ts'];
const SOURCE = /\.(ts|mts|mjs)$/;
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
 * Every source file of the house below `root`, in the order of their paths.
 * @param {string} root
 */
export function readTree(root) {
  const exists = (/** @type {string} */ path) =>
    statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const paths = ROOMS.filter(exists).flatMap((room) => sourcesBelow(root, room));
  paths.push(...ROOT_CONFIGS.filter(exists));
  /** @type {Record<string, string>} */
  const texts = {};
  for (const path of paths.sort()) texts[path] = readFileSync(join(root, path), 'utf8');
  return treeOf(texts, root);
}

/** @param {string} path */
export function isTest(path) {
  return /\.(test|spec|cases)\.(ts|mjs)$/.test(path) || /^(e2e|bench|fixtures)\//.test(path);
}

/** @param {string} path */
export function isGenerated(path) {
  return path.endsWith('.generated.ts') || path === 'contract/types.ts';
}

/**
 * True when `path` is `place`, lies below it, or is the file of that name (`a/b` → `a/b.ts`).
 * @param {string} path
 * @param {string} place
 */
export function liesIn(path, place) {
  return path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);
}
