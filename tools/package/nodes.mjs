/**
 * Nodes of other versions, as their packages on npm bring them: a binary a version, kept among the
 * caches of node_modules. Apart because it is the one step that fetches.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Lines of Node that the package promises to run on. */
export const LINES = [20, 22, 24, 26];
const CACHE = 'node_modules/.cache/armtwin/nodes';

/** The package that holds a binary for this machine. */
function packageName() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${system}-${process.arch}`;
}

/**
 * The latest Node of a line as a binary, or why there is none.
 * @param {number} line
 * @returns {{ path: string, version: string } | { reason: string }}
 */
export function nodeOf(line) {
  const folder = resolve(CACHE, String(line));
  const path = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  try {
    if (!existsSync(path)) fetchNode(line, folder);
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
    return { path, version };
  } catch (error) {
    const [first] = String(error instanceof Error ? error.message : error).split('\n');
    return { reason: `no Node ${line} from npm: ${first}` };
  }
}

/** @param {number} line @param {string} folder */
function fetchNode(line, folder) {
  mkdirSync(CACHE, { recursive: true });
  const wanted = `${packageName()}@${line}`;
  const args = ['pack', wanted, '--silent', '--pack-destination', resolve(CACHE)];
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
  const said = execFileSync('npm', args, { encoding: 'utf8', stdio });
  const tarball = resolve(CACHE, said.trim().split('\n').at(-1) ?? '');
  const unpacked = `${folder}.new`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  rmSync(tarball);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacked, folder);
}
