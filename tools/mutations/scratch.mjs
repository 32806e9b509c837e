/**
 * The copy of the committed sources in which StrykerJS runs, and its configuration. StrykerJS is
 * installed there alone: it needs a newer Node than the product.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from './score.mjs';

const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
/**
 * Folder of the copy. It is outside node_modules: vitest takes files there as packages, and runs
 * the code that records coverage for the first test file alone.
 */
export const SCRATCH = join(tmpdir(), `armtwin-mutations-${digestOf(process.cwd())}`);
const PLUGIN = 'stryker-plugin.mjs';
/** How long a test may take (ms), and where a mutant meets the quickest tests alone. */
const TEST_MS = 120_000;
const QUICK_TEST_MS = 15_000;
/**
 * A mutant without end is stopped after this share of the time of its tests. Where it meets the
 * quickest tests alone, that time says little.
 */
const TIMEOUT_SHARE = 1.5;
const QUICK_TIMEOUT_SHARE = 0.2;

/**
 * The tests of the server in one vitest project: StrykerJS runs them in one process. They share
 * its modules, which makes a mutant ten times cheaper, so tests that mock modules are left out.
 * So are tests of processes that they start: coverage is of this process.
 */
const vitestConfig = (
  /** @type {readonly string[]} */ tests,
  /** @type {number} */ test_ms,
) => `import { defineConfig } from 'vitest/config';
import main from './vitest.config.ts';
import { keptThread } from './tools/mutations/kept-thread.mjs';
import { CheapestFirst } from './tools/mutations/test-order.mjs';
const { test: tests } = main;
export default defineConfig({
  plugins: [keptThread],
  test: {
    isolate: false,
    // All conformance rules, as tests of the code behind them.
    env: { ARMTWIN_RULES: 'all' },
    tags: tests.tags,
    sequence: { sequencer: CheapestFirst },
    testTimeout: ${test_ms},
    hookTimeout: 120_000,
    setupFiles: [
      ...tests.setupFiles,
      './server/planning/planning-threads.setup.ts',
      './tools/mutations/test-limits.setup.mjs',
    ],
    experimental: { fsModuleCache: true, fsModuleCachePath: process.cwd() + "/.modules" },
    include: ${JSON.stringify(tests)},
    exclude: [
      '**/*.slow.test.ts',
      'server/service/http/deadline.test.ts',
      'server/cli/parent-watch.test.ts',
      'server/toolpaths/kill-writer.test.ts',
      'node_modules/**',
      'dist/**',
    ],
  },
});
`;

/**
 * Hard links cost nothing, and exist only within a file system.
 * @param {string} from @param {string} to
 */
function linkOrCopy(from, to) {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  execFileSync('cp', ['-a', from, to]);
}

/**
 * StrykerJS counts what a test runs with every mutant again, though only the run without a mutant
 * needs it: a sixth of the time.
 */
function countOnce() {
  const path = join(
    SCRATCH,
    'node_modules/@stryker-mutator/instrumenter/dist/src/util/syntax-helpers.js',
  );
  const text = readFileSync(path, 'utf8');
  const begin = 'function cover() {';
  if (!text.includes(begin)) throw new Error(`${path} has no "${begin}": adapt countOnce`);
  rmSync(path);
  const skip = '\n    if (ns.activeMutant !== void 0) return;';
  writeFileSync(
    path,
    text.replace(begin, () => begin + skip),
  );
}

/** Hard links to the packages, and StrykerJS; again when the packages change. */
function installPackages() {
  const stamp = join(SCRATCH, 'packages.txt');
  const packages = digestOf(readFileSync('package-lock.json', 'utf8') + STRYKER.join() + countOnce);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === packages) return;
  rmSync(SCRATCH, { recursive: true, force: true });
  const target = join(SCRATCH, 'node_modules');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name !== '.cache') linkOrCopy(join('node_modules', name), target);
  }
  copyFileSync('package.json', join(SCRATCH, 'package.json'));
  const install = ['install', '--no-save', '--no-package-lock', '--no-audit', '--loglevel=error'];
  const stdio = /** @type {const} */ (['ignore', 'ignore', 'inherit']);
  execFileSync('npm', [...install, ...STRYKER], { cwd: SCRATCH, stdio });
  countOnce();
  writeFileSync(stamp, packages);
}

/** Makes the copy of the committed sources. */
export function prepareScratch() {
  installPackages();
  for (const name of readdirSync(SCRATCH)) {
    if (name === 'node_modules' || name === 'packages.txt') continue;
    rmSync(join(SCRATCH, name), { recursive: true, force: true });
  }
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', SCRATCH], { input: archive });
  // Some tests need the built page.
  if (!existsSync('dist')) execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
  execFileSync('cp', ['-a', 'dist', SCRATCH]);
}

/**
 * Writes the configuration of a run.
 * @param {{
 *   mutate: readonly string[], tests: readonly string[], concurrency: number, isQuick: boolean,
 * }} options
 *   `mutate`: paths, or places `path:line:column-line:column`; `tests`: patterns of test files;
 *   `isQuick`: a mutant meets the quickest tests alone
 */
export function configureRun({ mutate, tests, concurrency, isQuick }) {
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', `./tools/mutations/${PLUGIN}`],
    vitest: { configFile: 'vitest.mutations.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // test-limits.setup.mjs leaves out the tests after a failure.
    disableBail: true,
    mutate,
    // A mutant of code that runs once at the start needs all tests and a new process.
    ignoreStatic: true,
    ignorers: ['sentences'],
    concurrency,
    reporters: ['lines', 'progress-append-only'],
    // TypeScript 7 has no JavaScript API, and StrykerJS would rewrite tsconfig.json through it.
    tsconfigFile: 'none.json',
    symlinkNodeModules: true,
    tempDirName: '.stryker',
    dryRunTimeoutMinutes: 60,
    timeoutMS: 10_000,
    timeoutFactor: isQuick ? QUICK_TIMEOUT_SHARE : TIMEOUT_SHARE,
    allowEmpty: true,
  };
  writeFileSync(
    join(SCRATCH, 'vitest.mutations.config.ts'),
    vitestConfig(tests, isQuick ? QUICK_TEST_MS : TEST_MS),
  );
  writeFileSync(join(SCRATCH, 'stryker.json'), JSON.stringify(config));
}
