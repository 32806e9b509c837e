/**
 * Rule for error statuses: every status that a handler returns is listed by the row of its route.
 * The check follows functions that a handler calls by name, and their `refuse('…')` calls. It
 * misses refusals from methods of objects; the conformance rules check each status over HTTP.
 */
import { theContract } from './routes.mjs';
import { walk } from './source.mjs';
import { isTest } from './tree.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {import('./routes.mjs').Contract} Contract
 */

/**
 * The functions of a file by name, the functions that it imports, and the handlers: properties of
 * object literals that are named like a route.
 * @param {Source} source
 * @param {Set<string>} ids
 */
function functionsIn({ program, path }, ids) {
  /** @type {Map<string, Node>} */
  const functions = new Map();
  /** @type {Map<string, { name: string, from: string }>} */
  const imported = new Map();
  /** @type {Map<string, Node>} */
  const handlers = new Map();
  walk(program, (node) => {
    if (node.type === 'FunctionDeclaration') functions.set(node['id']?.name, node);
    if (node.type === 'VariableDeclarator' && node['init'])
      functions.set(node['id'].name, node['init']);
    if (node.type === 'ImportDeclaration' && node['source'].value.startsWith('.')) {
      const from = new URL(node['source'].value, `file:///${path}`).pathname.slice(1);
      for (const { type, local, imported: other } of node['specifiers']) {
        if (type === 'ImportSpecifier') imported.set(local.name, { name: other.name, from });
      }
    }
    const isRoute = node.type === 'Property' && ids.has(node['key'].name);
    if (isRoute && /Function/.test(node['value'].type))
      handlers.set(node['key'].name, node['value']);
  });
  return { functions, imported, handlers };
}

/**
 * The errors that a function refuses with, by itself or in functions that it calls by name.
 * @param {{ node: Node, path: string }} start
 * @param {Map<string, ReturnType<typeof functionsIn>>} files
 */
function errorsOf(start, files) {
  const errors = new Set();
  const seen = new Set();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at.node)) continue;
    seen.add(at.node);
    const { path } = at;
    walk(at.node, (node) => {
      if (node.type !== 'CallExpression' || node['callee'].type !== 'Identifier') return;
      const name = node['callee'].name;
      if (name === 'refuse') errors.add(node['arguments'][0]?.value);
      const link = files.get(path)?.imported.get(name);
      const file = link?.from ?? path;
      const called = files.get(file)?.functions.get(link?.name ?? name);
      if (called !== undefined) waiting.push({ node: called, path: file });
    });
  }
  return errors;
}

/**
 * Every error status that a handler returns must be listed by the row of its route.
 * @param {Tree} tree
 * @param {Contract} [given] default: that of the working tree
 */
export async function errorStatuses(tree, given) {
  const { routes, errors } = given ?? (await theContract());
  const ids = new Set(routes.map(({ id }) => id));
  const files = new Map(
    [...tree.files.values()]
      .filter(({ path }) => /^(server|contract)\//.test(path) && !isTest(path))
      .map((source) => [source.path, functionsIn(source, ids)]),
  );
  const problems = [];
  let checked = 0;
  for (const [path, { handlers }] of files) {
    if (!path.startsWith('server/')) continue;
    for (const [id, node] of handlers) {
      checked++;
      const { statuses = [] } = routes.find((route) => route.id === id) ?? {};
      for (const name of errorsOf({ node, path }, files)) {
        const status = errors[/** @type {string} */ (name)];
        if (status === undefined || statuses.includes(status)) continue;
        problems.push(
          `${path}: ${id} refuses with ${name}, status ${status}; add it to \`errors\` of its row`,
        );
      }
    }
  }
  return { checked, problems };
}
