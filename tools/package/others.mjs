/**
 * What the usual judges of packages say: publint of the manifest, arethetypeswrong of the types.
 * They are fetched for the test alone, so that nobody installs a compiler more for them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package is for import alone: a require of it is no promise. */
const JUDGES = [
  { name: 'publint', version: '0.3.25', file: 'publint/src/cli.js', flags: ['--strict'] },
  {
    name: '@arethetypeswrong/cli',
    version: '0.18.5',
    file: '@arethetypeswrong/cli/dist/index.js',
    flags: ['--profile', 'esm-only', '--no-emoji', '--no-color'],
  },
];

/**
 * @param {string} folder to install them in
 * @param {string} tarball
 * @returns {{ name: string, skipped: string, said: string }[]} `said` is empty when all is well
 */
export function othersSay(folder, tarball) {
  const place = join(folder, 'judges');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const wanted = JUDGES.map(({ name, version }) => `${name}@${version}`);
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wanted];
  let skipped = '';
  try {
    execFileSync('npm', args, { cwd: place, stdio: 'pipe' });
  } catch {
    skipped = 'npm does not bring it here';
  }
  return JUDGES.map(({ name, file, flags }) => {
    if (skipped) return { name, skipped, said: '' };
    const command = [join(place, 'node_modules', file), tarball, ...flags];
    const done = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: place });
    return { name, skipped, said: done.status === 0 ? '' : `${done.stdout}${done.stderr}`.trim() };
  });
}
