/** Rules for file names, interface names, head comments and docstrings (docs/style.md). */
import { functionsOf } from './functions.mjs';
import { walk } from './source.mjs';
import { isGenerated, isTest } from './tree.mjs';

const VAGUE_NAMES = /(^|\/|-)(utils?|helpers?|manager|misc)(\.|\/|-)/;

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {import('./sizes.mjs').Places} Places
 */

/** @param {Tree} tree */
export function names(tree) {
  const problems = [];
  for (const { path, program, lineAt } of tree.files.values()) {
    if (VAGUE_NAMES.test(path))
      problems.push(`${path}: the name is too vague; name the file after its content`);
    walk(program, (node) => {
      if (node.type !== 'TSInterfaceDeclaration' || !/^I[A-Z][a-z]/.test(node['id'].name)) return;
      problems.push(`${path}:${lineAt(node.start)}: ${node['id'].name}; remove the prefix I`);
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
    const say =
      'no head comment; state what the file is, its role, units or frames, and its requirement';
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
    const say = `no docstring on ${bare.join(', ')}; describe result, units, frames and errors`;
    if (bare.length > 0) places.set(path, { value: bare.length, say });
  }
  return { checked, places };
}
