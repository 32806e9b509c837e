/**
 * `npm run check mutations -- FILE…`: changes one expression of the files at a time (StrykerJS, with
 * tools/stryker.json); a test beside them must then fail. `--tests A,B` uses these tests instead.
 * Lists the changes that no test notices, and fails when more than a fifth are among them. StrykerJS
 * is no dependency, because it needs a newer Node than the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { nodeOf } from './package/node-versions.mjs';

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const PACKAGES = '@stryker-mutator/core@10.1.1 @stryker-mutator/vitest-runner@10.1.1';
const STRYKER_NODE = 22;

/** @param {string[]} flags */
function main(flags) {
  const at = flags.indexOf('--tests');
  const chosen = at < 0 ? undefined : flags.splice(at, 2)[1];
  const tests = chosen ?? [...new Set(flags.map((path) => `${dirname(path)}/*.test.ts`))].join();
  if (flags.length === 0 || tests === '') {
    console.error('usage: npm run check mutations -- FILE… [--tests A,B]');
    return 2;
  }
  const missing = flags.find((path) => !existsSync(path));
  if (missing !== undefined) {
    console.error(`There is no ${missing}.`);
    return 2;
  }
  if (!existsSync(STRYKER)) {
    console.error(`StrykerJS is not installed: npm install --no-save ${PACKAGES}`);
    return 1;
  }
  const node = nodeOf(STRYKER_NODE);
  if ('reason' in node) {
    console.error(node.reason);
    return 1;
  }
  const args = ['run', 'tools/stryker.json', '--mutate', flags.join(), '--testFiles', tests];
  // All conformance rules, where --tests names server/rules.test.ts.
  const env = { ...process.env, ARMTWIN_RULES: 'all' };
  return spawnSync(node.path, [STRYKER, ...args], { env, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
