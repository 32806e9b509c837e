/**
 * Counts passes and failures from the output or the report of each tool. A tool that fails without
 * naming a failure, or that checks nothing, counts as one failure.
 */
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Counts the whole tool as one item.
 * @param {number} code exit code
 * @returns {Counts}
 */
export function countWhole(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * Adds a failure when counts and exit code disagree.
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
export function reconciled(counts, code) {
  const silent = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}

/**
 * One failure for each line with a compiler error; one pass when there is none.
 * @param {string} output
 * @param {number} code
 */
export function countTypes(output, code) {
  const failed = output.split('\n').filter((line) => /error TS\d+/.test(line)).length;
  return reconciled({ passed: failed === 0 && code === 0 ? 1 : 0, failed, skipped: 0 }, code);
}

/**
 * Reads the last line `n passed, m failed` of tools/arch-lint.mjs and of the robustness checks.
 * @param {string} output
 * @param {number} code
 */
export function countSummary(output, code) {
  const sum = /(\d+) passed, (\d+) failed\s*$/.exec(output);
  const counts = { passed: Number(sum?.[1] ?? 0), failed: Number(sum?.[2] ?? 0), skipped: 0 };
  return reconciled(counts, code);
}

/**
 * Reads the JSON report of vitest; a test file that does not load counts as a failure.
 * @param {string} report
 * @param {number} code
 */
export function countVitest(report, code) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(report);
  const broken = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + broken;
  return reconciled({ passed: numPassedTests, failed, skipped: numPendingTests }, code);
}

/**
 * Reads the JSON report of Playwright; a flaky test counts as failed.
 * @param {string} report
 * @param {number} code
 */
export function countPlaywright(report, code) {
  const { stats } = JSON.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return reconciled({ passed: stats.expected, failed, skipped: stats.skipped }, code);
}

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export function sumOf(all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** Lines with which the tools name what failed: vitest, Playwright, rules and lint, tsc. */
const NAMES_A_FAILURE = /^\s*(FAIL\b|✘|✗|\d+\) )|error TS\d+/;
const NAMED_MAX = 20;

/**
 * The lines of the output of a stage that name a failure, each once and without colours.
 * @param {string} output
 */
export function failuresIn(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const named = lines.filter((line) => NAMES_A_FAILURE.test(line)).map((line) => line.trim());
  return [...new Set(named)].slice(0, NAMED_MAX);
}
