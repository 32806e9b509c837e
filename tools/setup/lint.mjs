/**
 * `npm run arch-lint`, `npm run lint` and `npm run unit`: single stages of `npm test`, installed
 * first.
 */
import { ensureInstalled } from './install.mjs';
import { packageCommand, runInForeground } from './process.mjs';

/** @param {string[]} flags */
export async function archLint(flags) {
  if (!(await ensureInstalled())) return 1;
  return runInForeground(['tools/arch-lint.mjs', ...flags]);
}

/** Runs tsc, biome and knip; the exit code is that of the first failure. */
export async function lint() {
  if (!(await ensureInstalled())) return 1;
  const tsc = packageCommand('typescript/bin/tsc');
  const commands = [
    [tsc, '-p', 'tsconfig.json', '--noEmit'],
    [tsc, '-p', 'tools/tsconfig.json'],
    [packageCommand('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
    [packageCommand('knip/bin/knip.js'), '--no-progress'],
  ];
  let failure = 0;
  for (const command of commands) failure ||= await runInForeground(command);
  return failure;
}

/** Leaves out tests that `npm run check slow-tests` runs. */
export const ALL_TESTS = '--tags-filter=!slow';
/** Leaves out also those that only `npm test -- --all` runs, as CI does. */
export const QUICK_TESTS = '--tags-filter=!slow && !ci';

/** @param {string[]} flags */
export async function unit(flags) {
  if (!(await ensureInstalled())) return 1;
  return runInForeground([packageCommand('vitest/vitest.mjs'), 'run', ALL_TESTS, ...flags]);
}

/**
 * The slow test files, then the tests of other files that are tagged slow.
 * @param {string[]} flags
 */
export async function slowTests(flags) {
  const vitest = [packageCommand('vitest/vitest.mjs'), 'run', ...flags];
  const files = await runInForeground([...vitest, '--config', 'vitest.slow.config.ts']);
  const tagged = await runInForeground([...vitest, '--tags-filter=slow', '--passWithNoTests']);
  return files || tagged;
}
