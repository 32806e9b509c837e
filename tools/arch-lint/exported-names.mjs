/**
 * One meaning a name: an exported name may be declared in only one product file, unless
 * shared-names.json lists it with a reason. A listed name that is no longer shared fails too.
 */
import { readFileSync } from 'node:fs';
import { isTest } from './tree.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {Record<string, string>} SharedNames name → reason
 */

export const SHARED_NAMES_FILE = 'tools/arch-lint/shared-names.json';
const PRODUCT = /^(contract|physics|bridge|server|viewer|testing)\//;

/** The names that a statement exports with its own declaration. @param {Node} statement */
function declaredBy(statement) {
  const declaration = statement['declaration'];
  if (statement.type !== 'ExportNamedDeclaration' || !declaration) return [];
  const nodes = declaration.declarations ?? [declaration];
  return nodes.flatMap((/** @type {Node} */ node) => (node['id']?.name ? [node['id'].name] : []));
}

/** The product files that declare and export each name. @param {Tree} tree */
function declarations(tree) {
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const { path, program } of tree.files.values()) {
    if (!PRODUCT.test(path) || isTest(path)) continue;
    for (const name of program['body'].flatMap(declaredBy)) {
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  return files;
}

/**
 * @param {Tree} tree
 * @param {SharedNames} [shared] default: the list of the tree
 */
export function oneMeaning(tree, shared = readShared(tree)) {
  const files = declarations(tree);
  const problems = [];
  for (const [name, paths] of files) {
    if (paths.size < 2 || shared[name]) continue;
    const where = [...paths].join(', ');
    problems.push(
      `${name} is exported by ${where}; rename one, or give a reason in ${SHARED_NAMES_FILE}`,
    );
  }
  for (const [name, reason] of Object.entries(shared)) {
    if (reason.trim() === '') problems.push(`${SHARED_NAMES_FILE}: ${name} has no reason`);
    if ((files.get(name)?.size ?? 0) > 1) continue;
    problems.push(`${SHARED_NAMES_FILE}: ${name} is not exported by two files; remove it`);
  }
  return { checked: files.size, problems };
}

/** @param {Tree} tree @returns {SharedNames} */
function readShared(tree) {
  return JSON.parse(readFileSync(`${tree.root}/${SHARED_NAMES_FILE}`, 'utf8'));
}
