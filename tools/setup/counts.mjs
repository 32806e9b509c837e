/**
 * Reads how much passed and failed out of what the tools leave behind. A tool that ended badly
 * without naming a failure counts as one failure, and one that checked nothing does too: silence
 * is never success.
 */

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * One item: the tool as a whole.
 * @param {number} code exit code
 * @returns {Counts}
 */
export function countWhole(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * Holds counts against the exit code they came with.
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
export function heldAgainst(counts, code) {
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
  return heldAgainst({ passed: failed === 0 && code === 0 ? 1 : 0, failed, skipped: 0 }, code);
}

/**
 * The sum that tools/tidy.mjs prints last.
 * @param {string} output
 * @param {number} code
 */
export function countTidy(output, code) {
  const sum = /(\d+) passed, (\d+) failed\s*$/.exec(output);
  const counts = { passed: Number(sum?.[1] ?? 0), failed: Number(sum?.[2] ?? 0), skipped: 0 };
  return heldAgainst(counts, code);
}

/**
 * The JSON report of vitest; a file that could not be loaded is a failure with no test in it.
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
  return heldAgainst({ passed: numPassedTests, failed, skipped: numPendingTests }, code);
}

/**
 * The JSON report of Playwright; a test that passed only on a second try has failed.
 * @param {string} report
 * @param {number} code
 */
export function countPlaywright(report, code) {
  const { stats } = JSON.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return heldAgainst({ passed: stats.expected, failed, skipped: stats.skipped }, code);
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
