/**
 * The stages of `npm test`: what each runs and how its outcome is counted. Groups run in sequence,
 * the lanes of a group in parallel, the stages of a lane in sequence; sized for two cores.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBrowser } from './browser.mjs';
import { buildNow, isBuilt } from './build.mjs';
import { ALL_TESTS, QUICK_TESTS } from './lint.mjs';
import { runPackage, runToEnd } from './process.mjs';
import { checkRules } from './rules.mjs';
import {
  countPlaywright,
  countSummary,
  countTypes,
  countVitest,
  countWhole,
} from './test-counts.mjs';

const REPORTS = 'node_modules/.cache/armtwin';
const ROBUSTNESS = ['--import', 'tsx', 'e2e/robustness/main.ts'];

/**
 * @typedef {import('./test-counts.mjs').Counts} Counts
 * @typedef {{ counts: Counts, output: string, seconds: number }} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Stage
 */

/**
 * @param {import('./process.mjs').Finished} done
 * @param {(code: number) => Counts} count
 * @returns {Outcome}
 */
function outcome(done, count) {
  return { counts: count(done.code), output: done.output, seconds: done.seconds };
}

/**
 * The path of a report, after deleting an old one.
 * @param {string} name
 */
function freshReport(name) {
  const path = `${REPORTS}/${name}.json`;
  mkdirSync(REPORTS, { recursive: true });
  rmSync(path, { force: true });
  return path;
}

/**
 * @param {string} path of the report
 * @param {(report: string, code: number) => Counts} count
 * @returns {(code: number) => Counts}
 */
function fromReport(path, count) {
  return (code) => {
    try {
      return count(readFileSync(path, 'utf8'), code);
    } catch {
      return { passed: 0, failed: 1, skipped: 0 };
    }
  };
}

async function archLint() {
  const done = await runToEnd(process.execPath, ['tools/arch-lint.mjs'], { label: 'arch-lint' });
  return outcome(done, (code) => countSummary(done.output, code));
}

/** @param {string} project */
async function types(project) {
  const args = ['-p', project, '--noEmit'];
  const done = await runPackage('typescript/bin/tsc', args, { label: 'types' });
  return outcome(done, (code) => countTypes(done.output, code));
}

async function biome() {
  const args = ['check', '--error-on-warnings', '.'];
  const options = { label: 'biome', lowPriority: true };
  const done = await runPackage('@biomejs/biome/bin/biome', args, options);
  return outcome(done, countWhole);
}

async function knip() {
  const options = { label: 'knip', lowPriority: true };
  const done = await runPackage('knip/bin/knip.js', ['--no-progress'], options);
  return outcome(done, countWhole);
}

/** @param {boolean} isAll */
async function unit(isAll) {
  const report = freshReport('unit');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', isAll ? ALL_TESTS : QUICK_TESTS, ...reporters];
  const env = { ARMTWIN_BUILT_THREADS: isBuilt() ? '1' : '0' };
  const done = await runPackage('vitest/vitest.mjs', args, { label: 'unit', env });
  return outcome(done, fromReport(report, countVitest));
}

async function build() {
  return outcome(await buildNow(), countWhole);
}

/** @param {boolean} isAll */
async function robustness(isAll) {
  const args = [...ROBUSTNESS, isAll ? '--ci' : '--quick'];
  const done = await runToEnd(process.execPath, args, { label: 'robustness' });
  return outcome(done, (code) => countSummary(done.output, code));
}

/**
 * @param {boolean} isAll
 * @returns {Promise<Outcome>}
 */
async function endToEnd(isAll) {
  const browser = await ensureBrowser();
  if ('reasons' in browser) {
    const output = `No browser for the end-to-end tests:\n  ${browser.reasons.join('\n  ')}\n`;
    return { counts: countWhole(1), output, seconds: 0 };
  }
  const report = freshReport('e2e');
  const env = { ARMTWIN_BROWSER: browser.path, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const projects = isAll ? ['--project=quick', '--project=ci'] : ['--project=quick'];
  const args = ['test', ...projects, '--reporter=list,json'];
  const options = { label: 'e2e', env };
  const done = await runPackage('@playwright/test/cli.js', args, options);
  return outcome(done, fromReport(report, countPlaywright));
}

/**
 * @param {boolean} isAll whether the tests run too that only CI runs
 * @returns {Stage[][][]}
 */
export function stages(isAll) {
  /** @type {Stage} */
  const units = { name: 'unit', run: () => unit(isAll) };
  return [
    [
      [{ name: 'arch-lint', run: archLint }],
      [{ name: 'types', run: () => types('tsconfig.json') }],
      [
        { name: 'types of tools', run: () => types('tools/tsconfig.json') },
        { name: 'build', run: build },
      ],
    ],
    // Rules and browser mostly wait, so the linters run beside them, with lower priority. The last
    // of few browser tests leave a core free.
    [
      [{ name: 'rules', run: checkRules }, ...(isAll ? [] : [units])],
      [{ name: 'e2e', run: () => endToEnd(isAll) }],
      [{ name: 'lint (biome)', run: biome }],
      isAll ? [{ name: 'lint (knip)', run: knip }] : [],
    ],
    isAll ? [[units]] : [],
    // Measures the lateness of the control loop, so this stage runs alone.
    [[{ name: 'robustness', run: () => robustness(isAll) }]],
  ];
}
