/**
 * Installs the packages of package-lock.json if needed. A stamp file makes the usual check one
 * hash; npm's record of installed packages covers a manual `npm ci`.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { runToEnd } from './process.mjs';

const LOCK = 'package-lock.json';
const STAMP = 'node_modules/.armtwin-installed';
const NPM_RECORD = 'node_modules/.package-lock.json';

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the folder of packages is a link: it belongs to another tree, and npm ci empties it. */
export function isLinked(path = 'node_modules') {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} Entry */

/**
 * Whether npm's record has every non-optional package of the lock with the same version and
 * integrity. Optional packages may be missing on other platforms.
 * @param {string} lock text of package-lock.json
 * @param {string} record text of node_modules/.package-lock.json
 */
export function recordMatchesLock(lock, record) {
  if (record === '') return false;
  /** @type {Record<string, Entry>} */
  const wanted = JSON.parse(lock).packages;
  /** @type {Record<string, Entry>} */
  const present = JSON.parse(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional === true || entry.link === true) return true;
    const found = present[path];
    return found?.version === entry.version && found?.integrity === entry.integrity;
  });
}

/** @param {string} lock */
function stampOf(lock) {
  return `${createHash('sha256').update(lock).digest('hex')}\n`;
}

/**
 * Installs the packages when node_modules differs from the lock; a linked node_modules is used as
 * it is. Returns false, after printing the
 * output of npm, when that fails.
 */
export async function ensureInstalled() {
  if (isLinked()) return true;
  const lock = readFileSync(LOCK, 'utf8');
  const stamp = stampOf(lock);
  if (readOrEmpty(STAMP) === stamp) return true;
  if (!recordMatchesLock(lock, readOrEmpty(NPM_RECORD)) && !(await installPackages())) return false;
  writeFileSync(STAMP, stamp);
  return true;
}

async function installPackages() {
  const label = 'npm ci --include=dev';
  process.stderr.write(`installing packages: ${label}\n`);
  const done = await runToEnd('npm', ['ci', '--include=dev'], { label });
  if (done.code === 0) {
    process.stderr.write(`installed in ${done.seconds.toFixed(1)} s\n`);
    return true;
  }
  process.stderr.write(`${done.output}
npm ci failed with exit code ${done.code}. Check the network; if the lock misses a package, run
npm run generate lockfile.\n`);
  return false;
}

/** The command `install`, which the Dockerfile uses for its package layer. */
export async function install() {
  return (await ensureInstalled()) ? 0 : 1;
}
