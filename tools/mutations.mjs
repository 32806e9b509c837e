/**
 * `npm run check mutations`: mutation testing of the server with StrykerJS. Every mutant of a
 * folder runs against the unit tests that cover it, the conformance rules included
 * (server/rules.test.ts). A folder takes up to hours; its report is kept for the commit, so that a
 * later call continues with the folders that are missing and prints the score over all of them.
 *
 *   --only robot,stream   these folders of server/ instead of all
 *   --shard 2/4           the second quarter of the folders
 *   --concurrency N       test processes at the same time (default: one per core)
 *   --report              only prints the score of the stored reports
 *   --json FILE           writes the score as JSON
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
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { scoreOf, survivorsOf } from './mutations/score.mjs';
import { nodeOf } from './package/node-versions.mjs';

const FOLDERS = [
  'robot',
  'sessions',
  'stream',
  'http',
  'toolpaths',
  'updates',
  'simulation',
  'webhooks',
  'workflow',
  'store',
];
/** StrykerJS needs this major version of Node, which is newer than the oldest supported one. */
const STRYKER_NODE = 22;
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const CACHE = resolve('node_modules/.cache/armtwin/mutations');

const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
  encoding: 'utf8',
}).trim();
const reports = join(CACHE, commit);
const scratch = join(CACHE, `sources-${commit}`);

/** @param {string} name @returns {string | null} */
function flag(name) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
}

function selectedFolders() {
  const only = flag('only')?.split(',') ?? FOLDERS;
  const [index, count] = (flag('shard') ?? '1/1').split('/').map(Number);
  return only.filter((_, i) => i % Number(count) === Number(index) - 1);
}

/** A copy of the committed sources with hard links to the packages, and StrykerJS. */
function prepareScratch() {
  if (existsSync(join(scratch, 'node_modules/@stryker-mutator/vitest-runner'))) return;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', scratch], { input: archive });
  const packages = join(scratch, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync('node_modules')) {
    if (name === '.cache') continue;
    execFileSync('cp', ['-al', join('node_modules', name), packages]);
  }
  const install = ['install', '--no-save', '--no-package-lock', '--no-audit', ...STRYKER];
  execFileSync('npm', install, { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] });
  // Some tests need the built page.
  if (!existsSync('dist')) execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
  execFileSync('cp', ['-a', 'dist', scratch]);
}

/** @param {string} folder */
function configFor(folder) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutations.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: [`server/${folder}/**/*.ts`, '!**/*.test.ts', '!**/*.cases.ts'],
    ignoreStatic: true,
    concurrency: Number(flag('concurrency') ?? availableParallelism()),
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: 'mutation.json' },
    // TypeScript 7 has no JavaScript API, and StrykerJS would rewrite tsconfig.json through it.
    tsconfigFile: 'none.json',
    symlinkNodeModules: true,
    tempDirName: '.stryker',
    dryRunTimeoutMinutes: 60,
    timeoutMS: 30_000,
    allowEmpty: true,
  };
}

/**
 * The tests of the server in one vitest project: StrykerJS runs them in one process. They share
 * its modules, which makes a mutant ten times cheaper, so tests that mock modules are left out.
 */
const VITEST_CONFIG = `import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['./server/robot/invariants.setup.ts'],
    include: ['{contract,server}/**/*.test.ts'],
    exclude: [
      '**/*.slow.test.ts',
      'server/http/deadline.test.ts',
      'server/store/io-error.test.ts',
      'node_modules/**',
      'dist/**',
    ],
  },
});
`;

/** @param {string} node @param {string} folder */
function mutate(node, folder) {
  writeFileSync(join(scratch, 'vitest.mutations.config.ts'), VITEST_CONFIG);
  writeFileSync(join(scratch, 'stryker.json'), JSON.stringify(configFor(folder)));
  const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
  const done = spawnSync(node, [stryker, 'run', 'stryker.json'], {
    cwd: scratch,
    stdio: 'inherit',
  });
  const report = join(scratch, 'mutation.json');
  if (!existsSync(report)) throw new Error(`StrykerJS ended with code ${done.status}: ${folder}`);
  mkdirSync(reports, { recursive: true });
  copyFileSync(report, join(reports, `${folder}.json`));
  rmSync(report);
}

function printScore() {
  const stored = FOLDERS.filter((name) => existsSync(join(reports, `${name}.json`)));
  const all = stored.map((name) => {
    const report = JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8'));
    return { name, ...scoreOf(report), survivors: survivorsOf(report) };
  });
  for (const one of all) {
    for (const line of one.survivors) console.log(line);
    console.log(`${one.name.padEnd(12)} ${one.killed} of ${one.mutants} noticed`);
  }
  const sum = (/** @type {'killed' | 'mutants'} */ key) => all.reduce((n, one) => n + one[key], 0);
  const missing = FOLDERS.filter((name) => !stored.includes(name));
  console.log(`${sum('killed')} of ${sum('mutants')} noticed at ${commit}`);
  if (missing.length > 0) console.log(`not measured: ${missing.join(', ')}`);
  const file = flag('json');
  const figures = { commit, killed: sum('killed'), mutants: sum('mutants'), missing };
  if (file) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

if (!process.argv.includes('--report')) {
  const node = nodeOf(STRYKER_NODE);
  if ('reason' in node) throw new Error(node.reason);
  prepareScratch();
  for (const folder of selectedFolders()) {
    if (existsSync(join(reports, `${folder}.json`))) continue;
    console.log(`mutating server/${folder}`);
    mutate(node.path, folder);
  }
}
printScore();
