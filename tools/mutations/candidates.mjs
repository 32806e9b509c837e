/**
 * Generates one-line mutations of a source file: inverted comparisons, removed statements,
 * constants off by one. Works on the syntax tree, so types and comments are not mutated.
 */
import { readSource, walk } from '../arch-lint/source.mjs';

/**
 * @typedef {import('../arch-lint/source.mjs').Node} Node
 * @typedef {{
 *   path: string, line: number, source: string,
 *   start: number, end: number, text: string, kind: string,
 * }} Mutation replaces the characters from start to end by text; `source` is the original line
 */

/** @type {Record<string, string>} */
const TURNED = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

/** Nodes without behaviour. */
const NO_BEHAVIOUR = /^(TS(?!NonNull|As|Satisfies)|Import)/;

/** @param {string} text @param {Node} node */
function operatorAt(text, node) {
  const from = node['left'].end;
  const at = text.slice(from, node['right'].start).indexOf(node['operator']);
  return { start: from + at, end: from + at + node['operator'].length };
}

/** @param {Node} node */
function isText(node) {
  return node.type === 'TemplateLiteral' || typeof node['value'] === 'string';
}

/** Whether a statement is a call or an assignment that can be removed. @param {Node} node */
function isStep(node) {
  if (node.type !== 'ExpressionStatement') return false;
  const inner = node['expression'];
  const awaited = inner.type === 'AwaitExpression' ? inner['argument'] : inner;
  return ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(awaited.type);
}

/**
 * The mutation of one node, or null.
 * @param {string} text of the file
 * @param {Node} node
 * @returns {{ start: number, end: number, text: string, kind: string } | null}
 */
function turn(text, node) {
  const whole = { start: node.start, end: node.end };
  const operator = node['operator'];
  if (node['left'] !== undefined && operator !== undefined && TURNED[operator] !== undefined) {
    const joinsText = operator === '+' && (isText(node['left']) || isText(node['right']));
    if (joinsText) return null;
    return { ...operatorAt(text, node), text: TURNED[operator], kind: `${operator} turned` };
  }
  if (node.type === 'UnaryExpression' && operator === '!') {
    return { start: node.start, end: node.start + 1, text: '', kind: 'negation left out' };
  }
  if (node.type === 'Literal' && typeof node['value'] === 'boolean') {
    return { ...whole, text: String(!node['value']), kind: 'boolean turned' };
  }
  if (node.type === 'Literal' && typeof node['value'] === 'number') {
    return { ...whole, text: String(node['value'] + 1), kind: 'number off by one' };
  }
  if (node.type === 'IfStatement') {
    const { start, end } = node['test'];
    return { start, end, text: 'false', kind: 'condition never true' };
  }
  if (isStep(node)) return { ...whole, text: ';', kind: 'step left out' };
  return null;
}

/**
 * Every one-line mutation of a file.
 * @param {string} path
 * @param {string} text
 * @returns {Mutation[]}
 */
export function mutationsOf(path, text) {
  const source = readSource(path, text);
  const lines = text.split('\n');
  /** @type {Mutation[]} */
  const found = [];
  walk(source.program, (node) => {
    if (NO_BEHAVIOUR.test(node.type)) return false;
    const turned = turn(text, node);
    if (turned === null) return true;
    const line = source.lineAt(turned.start);
    if (line !== source.lineAt(turned.end)) return true;
    found.push({ path, line, source: lines[line - 1]?.trim() ?? '', ...turned });
    return true;
  });
  return found;
}

/** A hash of a text (FNV-1a with a final mix). @param {string} text */
function numberOf(text) {
  let mixed = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Draws at most one mutation per line. The draw depends only on the seed, the file and the text of
 * the line, so that changes elsewhere do not affect it.
 * @param {Mutation[]} all
 * @param {{ seed: number, count: number }} options
 */
export function draw(all, { seed, count }) {
  const lots = all.map((mutation) => {
    const { path, source, kind, start } = mutation;
    return { mutation, lot: numberOf(`${seed} ${path} ${source} ${kind}`), start };
  });
  lots.sort((a, b) => a.lot - b.lot || a.start - b.start);
  const lines = new Set();
  const drawn = [];
  for (const { mutation } of lots) {
    if (drawn.length === count) break;
    const place = `${mutation.path}:${mutation.line}`;
    if (lines.has(place)) continue;
    lines.add(place);
    drawn.push(mutation);
  }
  return drawn;
}

/** @param {string} text @param {Mutation} mutation */
export function mutated(text, { start, end, text: put }) {
  return text.slice(0, start) + put + text.slice(end);
}
