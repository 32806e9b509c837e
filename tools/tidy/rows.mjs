/** Every row of the route table is named by a rule that proves it over the wire. */
import { walk } from './source.mjs';
import { isTest } from './tree.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {import('./tree.mjs').Tree} Tree
 */

/** @param {Node} node @param {string} name @returns {Node | undefined} */
function property(node, name) {
  const found = node['properties'].find(
    (/** @type {Node} */ one) => one['key']?.name === name || one['key']?.value === name,
  );
  return found?.value;
}

/**
 * The ids of route rows: object literals with an id, a method and a path.
 * @param {Tree} tree
 */
function routeIds(tree) {
  const ids = new Set();
  for (const { path, program } of tree.files.values()) {
    if (!/^contract\/routes[./]/.test(path) || isTest(path)) continue;
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression') return;
      const id = property(node, 'id')?.['value'];
      if (typeof id === 'string' && property(node, 'method') && property(node, 'path')) ids.add(id);
    });
  }
  return ids;
}

/** @param {Node | undefined} list @returns {string[]} */
function strings(list) {
  if (list?.type !== 'ArrayExpression') return [];
  return list['elements'].map((/** @type {Node} */ one) => one?.['value']);
}

/** @param {Tree} tree */
function provenIds(tree) {
  const ids = new Set();
  for (const { path, program } of tree.files.values()) {
    if (!path.startsWith('contract/rules/') || isTest(path)) continue;
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression') return;
      for (const id of strings(property(node, 'routes'))) ids.add(id);
    });
  }
  return ids;
}

/** @param {Tree} tree */
export function routesHaveRules(tree) {
  const ids = routeIds(tree);
  const proven = provenIds(tree);
  /** @type {import('./sizes.mjs').Places} */
  const places = new Map();
  for (const id of ids) {
    const say = 'no rule names this route; write one in contract/rules';
    if (!proven.has(id)) places.set(id, { value: 1, say });
  }
  return { checked: ids.size, places };
}
