/** Rules 11 and 12 of the house: names, head comments and docstrings. */
import { functionsOf } from './functions.mjs';
import { walk } from './source.mjs';
import { isGenerated, isTest } from './tree.mjs';

const DRAWERS = /(^|\/|-)(utils?|helpers?|manager|misc)(\.|\/|-)/;

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {import('./sizes.mjs').Places} Places
 */

/** @param {Tree} tree */
export function names(tree) {
  const problems = [];
  for (const { path, program, lineAt } of tree.files.values()) {
    if (DRAWERS.test(path)) problems.push(`${path}: a drawer; name the file after what it holds`);
    walk(program, (node) => {
      if (node.type !== 'TSInterfaceDeclaration' || !/^I[A-Z][a-z]/.test(node['id'].name)) return;
      problems.push(`${path}:${lineAt(node.start)}: ${node['id'].name}; leave out the I`);
    });
  }
  return { checked: tree.files.size, problems };
}

/** @param {Tree} tree */
export function headComments(tree) {
  /** @type {Places} */
  const places = new Map();
  const files = [...tree.files.values()].filter(({ path }) => !isGenerated(path) && !isTest(path));
  for (const { path, text, comments } of files) {
    const start = comments[0]?.start ?? text.length;
    const headed = text.slice(0, start).replace(/^#!.*/, '').trim() === '';
    const say = 'no head comment; say what the file is, why it stands apart, its spec section';
    if (!headed) places.set(path, { value: 1, say });
  }
  return { checked: files.length, places };
}

/** @param {Tree} tree */
export function docstrings(tree) {
  /** @type {Places} */
  const places = new Map();
  let checked = 0;
  for (const source of tree.files.values()) {
    const { path } = source;
    if (isGenerated(path) || isTest(path) || path.startsWith('tools/')) continue;
    const exported = functionsOf(source).filter((one) => one.exported);
    checked += exported.length;
    const bare = exported.filter((one) => !one.documented).map((one) => one.name);
    const say = `no docstring on ${bare.join(', ')}; say what it promises, units, frames, errors`;
    if (bare.length > 0) places.set(path, { value: bare.length, say });
  }
  return { checked, places };
}
