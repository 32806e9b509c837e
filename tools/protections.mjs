/**
 * `npm run check protections`: removes each protection from a scratch copy of the committed
 * sources, one at a time, and verifies that its check fails. Names of checks select some; `--json
 * FILE` saves the results for docs/reliability.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PROTECTIONS } from './protections/rows.mjs';

/** @typedef {{ name: string, check: string, noticed: boolean, figure: string }} Result */

const LIMIT_MS = 240_000;
/** Rounds of a slow test that must find the removal of a protection. */
const SLOW_ROUNDS = '400';

/** A copy of the committed sources that uses the packages of this tree. */
function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-protections-'));
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Runs a unit test. @param {string} folder @param {string} path */
function runTest(folder, path) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', path, '--reporter=dot'];
  if (path.endsWith('.slow.test.ts')) vitest.push('--config', 'vitest.slow.config.ts');
  const env = { ...process.env, NO_COLOR: '1', ARMTWIN_ROUNDS: SLOW_ROUNDS };
  const options = { cwd: folder, env, encoding: /** @type {const} */ ('utf8'), timeout: LIMIT_MS };
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, options);
  const sum = /^\s*Tests +(.*)$/m.exec(stdout)?.[1] ?? 'no test was run';
  const [, why = ''] = /^\s*\w*Error: (.*)$/m.exec(stdout + stderr) ?? [];
  return { failed: status === 1 && / failed/.test(sum), line: `${sum}; ${why.slice(0, 120)}` };
}

/** @param {string} folder @param {string} check */
function runCheck(folder, check) {
  if (check.endsWith('.test.ts')) return runTest(folder, check);
  const done = spawnSync(process.execPath, ['--import', 'tsx', 'e2e/robustness/main.ts', check], {
    cwd: folder,
    env: { ...process.env, ARMTWIN_MAIN: 'server/main.ts' },
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const line = /^(ok|FAIL) .*$/m.exec(done.stdout)?.[0] ?? `no end: ${done.stderr.slice(-300)}`;
  // A check that ends by an error of its own has noticed nothing.
  const isNoticed = line.startsWith('FAIL') && !line.includes('the check failed');
  return { failed: done.status === 1 && isNoticed, line };
}

/** @param {string} folder @param {import('./protections/rows.mjs').Protection} protection */
function without(folder, { name, check, path, find, put }) {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  if (text.split(find).length !== 2) {
    return {
      name,
      check,
      noticed: false,
      figure: `${path} does not contain exactly once: ${find}`,
    };
  }
  writeFileSync(
    file,
    text.replace(find, () => put),
  );
  try {
    const { failed, line } = runCheck(folder, check);
    return { name, check, noticed: failed, figure: line };
  } finally {
    writeFileSync(file, text);
  }
}

/**
 * Saves a result among those of earlier runs, in the order of the rows.
 * @param {string} path
 * @param {Result} result
 */
function keep(path, result) {
  /** @type {Result[]} */
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  const fresh = new Map([...known, result].map((one) => [one.name, one]));
  const all = PROTECTIONS.flatMap(({ name }) => fresh.get(name) ?? []);
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
}

function main() {
  const flags = process.argv.slice(2);
  const at = flags.indexOf('--json');
  const path = at < 0 ? undefined : flags.splice(at, 2)[1];
  const chosen = PROTECTIONS.filter(({ check }) => flags.length === 0 || flags.includes(check));
  const folder = scratchCopy();
  const results = [];
  for (const protection of chosen) {
    const result = without(folder, protection);
    results.push(result);
    console.log(
      `${result.noticed ? 'noticed' : 'MISSED '} ${result.name}\n        ${result.figure}`,
    );
    if (path) keep(path, result);
  }
  rmSync(folder, { recursive: true });
  const noticed = results.filter((one) => one.noticed).length;
  console.log(`${noticed} of ${results.length} removed protections noticed`);
  return noticed === results.length ? 0 : 1;
}

process.exitCode = main();
