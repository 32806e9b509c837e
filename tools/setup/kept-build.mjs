/**
 * The program of an earlier commit, built by its own tools in a folder of its own and kept for the
 * next comparison. Packages that are installed here are linked; where they do not match the lock of
 * that commit, its own tools install what it names.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { recordMatchesLock } from './install.mjs';
import { runToEnd } from './process.mjs';

const RECORD = 'node_modules/.package-lock.json';

/** @param {string} commit */
function hashOf(commit) {
  const args = ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`];
  return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @param {string} hash @param {string} folder */
function unpack(hash, folder) {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'sources.tar');
  execFileSync('git', ['archive', '--format=tar', '-o', archive, hash]);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
}

/**
 * Links each package instead of the folder, which npm would empty if it were to install there.
 * @param {string} folder
 */
function linkPackages(folder) {
  const record = existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : '';
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (!recordMatchesLock(lock, record)) return;
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    if (name.startsWith('.') && name !== '.bin') continue;
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  copyFileSync(RECORD, join(folder, RECORD));
}

/**
 * The folder with the built program of `commit`. Throws with the output of the tools when the
 * commit does not exist or does not build.
 * @param {string} commit
 */
export async function keptBuild(commit) {
  const hash = hashOf(commit);
  const kept = join(tmpdir(), 'armtwin-builds', hash);
  if (existsSync(kept)) return kept;
  const folder = `${kept}.next`;
  rmSync(folder, { recursive: true, force: true });
  unpack(hash, folder);
  linkPackages(folder);
  const label = `building ${commit}`;
  process.stderr.write(`${label}\n`);
  const done = await runToEnd(process.execPath, ['tools/setup.mjs', 'build'], {
    label,
    cwd: folder,
  });
  if (done.code !== 0) throw new Error(`${commit} does not build:\n${done.output}`);
  renameSync(folder, kept);
  return kept;
}
