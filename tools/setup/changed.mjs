/**
 * `npm run changed [COMMIT] [--all]`: checks what a change touches, in the time that an edit can
 * wait for. The change is what is not committed, or all since a commit. Biome looks at its files,
 * tsc at all types, and vitest at the tests that import one of its files or an importer of one;
 * `--all` adds those farther away, which set up a whole twin. What a test only reads, such as a page
 * of docs, no import shows: `npm test` covers that.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { ALL_TESTS } from './lint.mjs';
import { packageCommand, runInForeground, runPackage } from './process.mjs';

const TEST = /\.test\.(ts|tsx|mjs)$/;
/** A test this many imports away from a file is about it, most often; beyond are whole twins. */
const NEAR = 2;
const SLOW = /\.slow\.test\.(ts|mjs)$/;

/**
 * @typedef {{ path: string, imports: readonly { target: string, types: boolean }[] }} Importer
 */

/**
 * The test files that a change can make fail: those of it, and those that import one of its files
 * at run time, over at most `reach` imports. Types are left to the compiler. Slow files are left
 * out.
 * @param {Iterable<Importer>} sources
 * @param {Iterable<string>} changed
 * @param {number} [reach]
 */
export function testsTouchedBy(sources, changed, reach = Number.POSITIVE_INFINITY) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const { path, imports } of sources) {
    for (const { target } of imports.filter(({ types }) => !types)) {
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const touched = new Set(changed);
  let last = [...touched];
  for (let steps = 0; steps < reach && last.length > 0; steps++) {
    const next = new Set(last.flatMap((path) => importers.get(path) ?? []));
    last = [...next].filter((path) => !touched.has(path));
    for (const path of last) touched.add(path);
  }
  return [...touched].filter((path) => TEST.test(path) && !SLOW.test(path)).sort();
}

/** @param {string[]} args @returns {string[]} */
function gitPaths(args) {
  const text = execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
  return text.split('\0').filter((path) => path !== '');
}

/** The files that differ from a commit, deleted and new ones included. @param {string} commit */
function filesSince(commit) {
  return [
    ...gitPaths(['diff', '-z', '--name-only', '--no-renames', commit, '--']),
    ...gitPaths(['ls-files', '-z', '--others', '--exclude-standard']),
  ];
}

/** The outcome of tsc over the product, and over the tools where they changed. @param {string[]} files */
async function checkTypes(files) {
  const isTool = (/** @type {string} */ file) => file.startsWith('tools/');
  const projects = files.some(isTool)
    ? ['tsconfig.json', 'tools/tsconfig.json']
    : ['tsconfig.json'];
  for (const project of projects) {
    const args = ['-p', project, '--noEmit'];
    const done = await runPackage('typescript/bin/tsc', args, { label: 'types' });
    if (done.code !== 0) return done;
  }
  return { code: 0, output: '' };
}

/** @param {string[]} files */
async function checkFormat(files) {
  // Without a name Biome would check the whole tree.
  if (files.length === 0) return 0;
  const flags = ['--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  const biome = packageCommand('@biomejs/biome/bin/biome');
  return runInForeground([biome, 'check', ...flags, ...files]);
}

/** @param {string[]} files @param {boolean} isAll */
async function runTests(files, isAll) {
  const { readTree } = await import('../arch-lint/tree.mjs');
  const sources = [...readTree('.').files.values()];
  const touched = testsTouchedBy(sources, files).filter((path) => existsSync(path));
  const near = new Set(testsTouchedBy(sources, files, NEAR));
  const tests = isAll ? touched : touched.filter((path) => near.has(path));
  const far = touched.length - tests.length;
  console.log(`${tests.length} test files${far > 0 ? `; --all runs ${far} more` : ''}`);
  if (tests.length === 0) return 0;
  return runInForeground([packageCommand('vitest/vitest.mjs'), 'run', ALL_TESTS, ...tests]);
}

/** Exit code 1 when a check fails, 2 for an unknown commit. @param {string[]} flags */
export async function changed(flags) {
  const isAll = flags.includes('--all');
  const [commit = 'HEAD'] = flags.filter((flag) => flag !== '--all');
  if (!(await ensureInstalled())) return 1;
  let files;
  try {
    files = filesSince(commit);
  } catch {
    console.error(`git knows no commit '${commit}'; name one, such as main, or none`);
    return 2;
  }
  if (files.length === 0) {
    console.log(`nothing differs from ${commit}; npm run changed HEAD~1 checks the last commit`);
    return 0;
  }
  const format = await checkFormat(files.filter((path) => existsSync(path)));
  const types = checkTypes(files);
  const tests = await runTests(files, isAll);
  const { code, output } = await types;
  if (code !== 0) console.error(output);
  return format || tests || code;
}
