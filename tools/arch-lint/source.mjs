/**
 * Parses a source file: imports, comments and syntax tree, with a tree walk. Uses the parser of
 * vite, which reads TypeScript in under 1 ms a file.
 */
import { posix } from 'node:path';
import { parseSync } from 'vite';

const SOURCE = /^\.{1,2}\/.*\.(ts|tsx|mjs)$/;

/**
 * @typedef {Record<string, any> & { type: string, start: number, end: number }} Node
 * @typedef {{ value: string, start: number, end: number, type: 'Line' | 'Block' }} Comment
 * @typedef {{ target: string, ours: boolean, types: boolean, line: number }} Import
 * @typedef {{
 *   path: string, text: string, imports: Import[],
 *   comments: Comment[], program: Node, lineAt: (offset: number) => number,
 * }} Source
 */

/**
 * Calls `visit` on each node below `top`, parents before children, with the line of ancestors.
 * Returning false skips the children of a node.
 * @param {Node} top
 * @param {(node: Node, parents: Node[]) => boolean | void} visit
 */
export function walk(top, visit) {
  /** @type {Node[]} */
  const parents = [];
  const enter = (/** @type {Node} */ node) => {
    if (visit(node, parents) === false) return;
    parents.push(node);
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (Array.isArray(value)) for (const item of value) isNode(item) && enter(item);
      else if (isNode(value)) enter(value);
    }
    parents.pop();
  };
  enter(top);
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/**
 * Offset → line, counted from 1.
 * @param {string} text
 */
function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (/** @type {number} */ offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/**
 * A relative specifier becomes a path from the root; a package or `node:` one stays.
 * @param {string} from path of the importing file
 * @param {string} specifier
 */
function targetOf(from, specifier) {
  if (!specifier.startsWith('.')) return specifier;
  return posix.normalize(posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')));
}

/**
 * The module specifier of a node, if any: import, export from, import(), import type, and
 * `new URL('./x', import.meta.url)`, which starts a worker.
 * @param {Node} node
 * @returns {{ specifier: string, types: boolean } | undefined}
 */
function importOf(node) {
  const types = node['importKind'] === 'type' || node['exportKind'] === 'type' || onlyTypes(node);
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node['source'] ? { specifier: node['source'].value, types } : undefined;
    case 'ImportExpression':
      return literal(node['source'], false);
    case 'TSImportType':
      return literal(node['source'] ?? node['argument'], true);
    case 'NewExpression':
      return node['callee'].name === 'URL' && SOURCE.test(node['arguments'][0]?.value)
        ? literal(node['arguments'][0], false)
        : undefined;
    default:
      return undefined;
  }
}

/** @param {Node} node */
function onlyTypes(node) {
  const names = node['specifiers'] ?? [];
  return (
    names.length > 0 &&
    names.every((/** @type {Node} */ name) => (name['importKind'] ?? name['exportKind']) === 'type')
  );
}

/**
 * @param {Node | undefined} node
 * @param {boolean} types
 */
function literal(node, types) {
  const value = node?.type === 'TSLiteralType' ? node['literal'].value : node?.['value'];
  return typeof value === 'string' ? { specifier: value, types } : undefined;
}

/**
 * Parses a file. Throws with the path of a file that does not parse.
 * @param {string} path
 * @param {string} text
 * @returns {Source}
 */
export function readSource(path, text) {
  const { program, comments, errors } = parseSync(path, text);
  const first = errors[0];
  if (first !== undefined) throw new Error(`${path} does not parse: ${first.message}`);
  const top = /** @type {Node} */ (/** @type {unknown} */ (program));
  const lineAt = lineFinder(text);
  /** @type {Import[]} */
  const imports = [];
  walk(top, (node) => {
    const found = importOf(node);
    if (found === undefined) return;
    const target = targetOf(path, found.specifier);
    const ours = found.specifier.startsWith('.');
    imports.push({ target, ours, types: found.types, line: lineAt(node.start) });
  });
  return { path, text, imports, comments, program: top, lineAt };
}
