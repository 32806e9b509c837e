/** Lists the functions of a source file: length, parameters, whether exported and documented. */
import { walk } from './source.mjs';

/**
 * @typedef {import('./source.mjs').Node} Node
 * @typedef {{
 *   name: string, line: number, length: number, parameters: number,
 *   exported: boolean, documented: boolean,
 * }} FunctionFacts
 */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Callbacks of these calls only group tests; their length is not limited. */
const GROUPS = new Set(['describe', 'test.describe', 'describe.each', 'test.describe.serial']);

/** @param {Node | undefined} node @returns {string} */
function nameOf(node) {
  if (node === undefined || node === null) return '';
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node['name'];
  if (node.type === 'MemberExpression') {
    return `${nameOf(node['object'])}.${nameOf(node['property'])}`;
  }
  if (node.type === 'CallExpression') return nameOf(node['callee']);
  return node.type === 'Literal' ? String(node['value']) : '';
}

/**
 * @param {Node} node
 * @param {Node | undefined} parent
 */
function functionName(node, parent) {
  if (node['id']) return nameOf(node['id']);
  if (parent === undefined) return 'anonymous';
  const named = nameOf(parent['key'] ?? parent['id'] ?? parent['left']);
  if (named !== '') return named;
  return parent.type === 'CallExpression' ? `in ${nameOf(parent['callee'])}` : 'anonymous';
}

/** @param {Node | undefined} call */
function isGroup(call) {
  return call?.type === 'CallExpression' && GROUPS.has(nameOf(call['callee']));
}

/**
 * True for the callback of a test group and for a function that only contains test groups.
 * @param {Node} node
 * @param {Node | undefined} parent
 */
function groupsTests(node, parent) {
  const { body } = node['body'];
  const statements = Array.isArray(body) ? body : [];
  return (
    isGroup(parent) || statements.some((/** @type {Node} */ one) => isGroup(one['expression']))
  );
}

/**
 * The offset of the statement that exports this function, or -1 when it is not exported.
 * @param {Node[]} parents
 */
function exportStart(parents) {
  const [declarator, declaration, statement] = [parents.at(-1), parents.at(-2), parents.at(-3)];
  if (declarator?.type.startsWith('Export')) return declarator.start;
  const held = declarator?.type === 'VariableDeclarator' && declaration !== undefined;
  return held && statement?.type.startsWith('Export') ? statement.start : -1;
}

/**
 * Every function of the file, in order; test groups are left out.
 * @param {import('./source.mjs').Source} source
 * @returns {FunctionFacts[]}
 */
export function functionsOf(source) {
  const docEnds = source.comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ end }) => end);
  const isDocumented = (/** @type {number} */ start) =>
    docEnds.some((end) => end <= start && source.text.slice(end, start).trim() === '');
  /** @type {FunctionFacts[]} */
  const found = [];
  walk(source.program, (node, parents) => {
    if (!FUNCTIONS.has(node.type) || !node['body'] || groupsTests(node, parents.at(-1))) return;
    const start = exportStart(parents);
    const line = source.lineAt(node.start);
    found.push({
      name: functionName(node, parents.at(-1)),
      line,
      length: source.lineAt(node.end) - line + 1,
      parameters: (node['params']?.items ?? node['params']).length,
      exported: start >= 0,
      documented: start >= 0 && isDocumented(start),
    });
  });
  return found;
}
