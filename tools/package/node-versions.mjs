/**
 * Downloads Node binaries of other versions from their npm packages, cached in node_modules/.cache.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The supported major versions of Node. */
export const NODE_VERSIONS = [20, 22, 24, 26];
const CACHE = 'node_modules/.cache/armtwin/nodes';

/** The npm package with the binary for this platform. */
function packageName() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${system}-${process.arch}`;
}

/**
 * The binary of the latest Node of a major version, or the reason why there is none.
 * @param {number} major
 * @returns {{ path: string, version: string } | { reason: string }}
 */
export function nodeOf(major) {
  const folder = resolve(CACHE, String(major));
  const path = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  try {
    if (!existsSync(path)) fetchNode(major, folder);
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
    return { path, version };
  } catch (error) {
    const [first] = String(error instanceof Error ? error.message : error).split('\n');
    return { reason: `no Node ${major} from npm: ${first}` };
  }
}

/** @param {number} major @param {string} folder */
function fetchNode(major, folder) {
  mkdirSync(CACHE, { recursive: true });
  const wanted = `${packageName()}@${major}`;
  const args = ['pack', wanted, '--silent', '--pack-destination', resolve(CACHE)];
  const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe']);
  const output = execFileSync('npm', args, { encoding: 'utf8', stdio });
  const tarball = resolve(CACHE, output.trim().split('\n').at(-1) ?? '');
  const unpacked = `${folder}.new`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  rmSync(tarball);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacked, folder);
}
