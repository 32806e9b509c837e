/**
 * Runs the examples of docs/testing.md as a user of the tarball does: with Vitest, with Jest, and
 * with the test runner of Node, in a project that has the package and the runner installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLES = 'testing/examples';
/** The major version of Jest that docs/testing.md is about. */
const JEST = 'jest@30';
/** Time of one test on a busy machine (ms). */
const LIMIT_MS = 60_000;

/** @param {string} name */
function example(name) {
  return readFileSync(`${EXAMPLES}/${name}`, 'utf8').replaceAll(
    "'../index.ts'",
    "'armtwin/testing'",
  );
}

/** @param {string} folder @param {string[]} command @param {Record<string, string>} [env] */
function passes(folder, [program = '', ...args], env = {}) {
  const done = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env, NO_COLOR: '1' },
  });
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`.trim().slice(-1500);
}

/**
 * Prints a line per runner; returns the problems.
 * @param {string} parent @param {string} tarball
 */
export function runTestRunners(parent, tarball) {
  const folder = join(parent, 'runners');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const runners = [`vitest@${devDependencies.vitest}`, JEST];
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', ['install', ...flags, tarball, ...runners], { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'arm.vitest.test.ts'), example('vitest.test.ts'));
  writeFileSync(join(folder, 'arm.jest.test.mjs'), example('jest.example.mjs'));
  const modules = { NODE_OPTIONS: '--experimental-vm-modules' };
  const found = {
    Vitest: passes(folder, ['npx', 'vitest', 'run', 'arm.vitest', `--testTimeout=${LIMIT_MS}`]),
    Jest: passes(folder, ['npx', 'jest', 'arm.jest', `--testTimeout=${LIMIT_MS}`], modules),
  };
  for (const [name, output] of Object.entries(found)) {
    console.log(
      output === ''
        ? `ok   ${name}: the example of docs/testing.md passes`
        : `FAIL ${name}\n${output}`,
    );
  }
  return Object.entries(found)
    .filter(([, output]) => output !== '')
    .map(([name]) => `the example for ${name} fails in a project with the tarball`);
}
