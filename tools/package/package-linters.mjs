/**
 * Runs publint on the manifest and arethetypeswrong on the types. Both are installed only for this
 * check, because they bring their own compiler.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package supports only import, not require. */
const LINTERS = [
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
 * @returns {{ name: string, skipped: string, problems: string }[]} `problems` is empty on success
 */
export function runLinters(folder, tarball) {
  const place = join(folder, 'linters');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const wanted = LINTERS.map(({ name, version }) => `${name}@${version}`);
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wanted];
  let skipped = '';
  try {
    execFileSync('npm', args, { cwd: place, stdio: 'pipe' });
  } catch {
    skipped = 'npm could not install it';
  }
  return LINTERS.map(({ name, file, flags }) => {
    if (skipped) return { name, skipped, problems: '' };
    const command = [join(place, 'node_modules', file), tarball, ...flags];
    const done = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: place });
    return {
      name,
      skipped,
      problems: done.status === 0 ? '' : `${done.stdout}${done.stderr}`.trim(),
    };
  });
}
