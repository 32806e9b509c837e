/** The declaration files that a user's compiler reads, and the packages whose types they need. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const SOURCE = /\bfrom ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/g;

/** @param {string} path @returns {string[]} what a declaration file imports */
function importsOf(path) {
  const found = readFileSync(path, 'utf8').matchAll(SOURCE);
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}

/** @param {unknown} exports the `exports` of a package.json @returns {string[]} */
export function declaredEntries(exports) {
  if (typeof exports === 'string') return exports.endsWith('.d.ts') ? [exports] : [];
  return Object.values(exports ?? {}).flatMap(declaredEntries);
}

/**
 * Imports of packages that ship no types of their own, by the declaration files that the entries
 * lead to: users do not have the development packages that declare them.
 * @param {readonly string[]} entries
 * @param {Readonly<Record<string, string>>} devDependencies
 */
export function undeclaredImports(entries, devDependencies) {
  const queue = entries.map((entry) => normalize(entry));
  const seen = new Set(queue);
  const problems = [];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const source of importsOf(path)) {
      if (!source.startsWith('.')) {
        if (`@types/${source}` in devDependencies) problems.push(`${path} imports ${source}`);
        continue;
      }
      const next = join(dirname(path), source.replace(/\.(d\.)?[jt]s$/, '')).concat('.d.ts');
      if (seen.has(next) || !existsSync(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return problems;
}
