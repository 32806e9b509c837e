/**
 * Every numbered claim of docs/architecture.md and docs/style.md names the checks that hold it, and
 * each check exists. The forms after `Held by:` are
 * `arch-lint "rule"` (with a describe block of that name among the linter's own tests),
 * `test PATH "title"`, `type PATH#Name`, `compiler "option"` and `biome "rule"`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {import('./tree.mjs').Tree} Tree
 * @typedef {{ rules: readonly string[], read: (path: string) => string | null,
 *   linterTests: string, compilerOptions: Record<string, unknown>,
 *   biomeRules: Record<string, unknown> }} Checks
 */

export const PAGES = ['docs/architecture.md', 'docs/style.md'];
const LINTER_TESTS = 'tools/arch-lint';
const CLAIM = /^(\d+)\. ([^\n]*(?:\n {2,}[^\n]*)*)/gm;
const HOLDER =
  /(arch-lint|test|type|compiler|biome)(?: (?:`([^`]+)`|([\w./#-]+)))?(?: "([^"]+)")?/g;
const FORMS =
  'arch-lint "rule", test PATH "title", type PATH#Name, compiler "option", biome "rule"';

/** @param {string} text @param {string} title */
function hasTitle(text, title) {
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
}

/** @param {string} target `path#Name` @param {Checks} checks */
function typeProblem(target, { read }) {
  const [path = '', name = ''] = target.split('#');
  const text = read(path);
  if (text === null) return `there is no ${path}`;
  const kinds = 'interface|type|const|class|function|async function';
  const declared = new RegExp(`export (?:${kinds}) ${name}\\b`).test(text);
  return declared ? null : `${path} does not export ${name}`;
}

/** @param {string} path @param {string} title @param {Checks} checks */
function testProblem(path, title, { read }) {
  const text = read(path);
  if (text === null) return `there is no ${path}`;
  return hasTitle(text, title) ? null : `${path} has no test "${title}"`;
}

/** @param {string} rule @param {Checks} checks */
function linterProblem(rule, { rules, linterTests }) {
  if (!rules.includes(rule)) return `arch-lint has no rule "${rule}"`;
  if (linterTests.includes(`describe('${rule}'`)) return null;
  return `no test in ${LINTER_TESTS} has describe('${rule}'); write one that sees the rule fail`;
}

/** @param {RegExpMatchArray} match @param {Checks} checks */
function holderProblem([, kind, quoted, bare, title = ''], checks) {
  const target = quoted ?? bare ?? '';
  if (kind === 'arch-lint') return linterProblem(title, checks);
  if (kind === 'test') return testProblem(target, title, checks);
  if (kind === 'type') return typeProblem(target, checks);
  if (kind === 'biome')
    return checks.biomeRules[title] === 'error' ? null : `biome.json has no rule "${title}"`;
  return checks.compilerOptions[title] === true ? null : `tsconfig.json does not set "${title}"`;
}

/**
 * The problems of the numbered claims of a page.
 * @param {string} page
 * @param {Checks} checks
 */
export function claimsIn(page, checks) {
  /** @type {{ offset: number, problem: string }[]} */
  const found = [];
  const claims = [...page.matchAll(CLAIM)];
  for (const { 1: number, 2: text = '', index } of claims) {
    const holders = text.replace(/\s+/g, ' ').split('Held by:')[1];
    const add = (/** @type {string} */ problem) =>
      found.push({ offset: index, problem: `claim ${number}: ${problem}` });
    const named = [...(holders ?? '').matchAll(HOLDER)];
    if (named.length === 0) add(`names no check; write Held by: ${FORMS}, or drop the claim`);
    for (const match of named) {
      const problem = holderProblem(match, checks);
      if (problem !== null) add(`${problem}; name a check that exists, or drop the claim`);
    }
  }
  return { checked: claims.length, found };
}

/** @param {Tree} tree @param {readonly string[]} rules */
function checksOf({ root }, rules) {
  const read = (/** @type {string} */ path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
  const tests = readdirSync(join(root, LINTER_TESTS)).filter((name) => name.endsWith('.test.mjs'));
  const linterTests = tests.map((name) => read(`${LINTER_TESTS}/${name}`)).join('\n');
  const { compilerOptions } = JSON.parse(read('tsconfig.json') ?? '{}');
  const { linter } = JSON.parse(read('biome.json') ?? '{}');
  const biomeRules = Object.assign({}, ...Object.values(linter.rules));
  return { rules, read, linterTests, compilerOptions, biomeRules };
}

/** @param {Tree} tree @param {readonly string[]} rules names of all rules */
export function claims(tree, rules) {
  const checks = checksOf(tree, rules);
  /** @type {string[]} */
  const problems = [];
  let checked = 0;
  for (const path of PAGES) {
    const page = checks.read(path) ?? '';
    const result = claimsIn(page, checks);
    checked += result.checked;
    for (const { offset, problem } of result.found)
      problems.push(`${path}:${page.slice(0, offset).split('\n').length}: ${problem}`);
  }
  return { checked, problems };
}
