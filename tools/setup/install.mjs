/**
 * Brings node_modules to what package-lock.json says, and does nothing when it is there already.
 * The stamp makes the usual answer cost one hash; npm's own record of what it installed answers
 * when somebody ran npm by hand.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} Entry */

/**
 * True when every package of the lock that is not optional stands in npm's record with the same
 * version and integrity. Optional ones are left out on machines they are not made for.
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
 * Installs when node_modules differs from the lock. Returns false after a failed `npm ci`, whose
 * output has then been shown.
 */
export async function ensureInstalled() {
  const lock = readFileSync(LOCK, 'utf8');
  const stamp = stampOf(lock);
  if (readOrEmpty(STAMP) === stamp) return true;
  if (!recordMatchesLock(lock, readOrEmpty(NPM_RECORD))) {
    process.stderr.write('installing packages (npm ci)\n');
    const done = await runToEnd('npm', ['ci', '--include=dev'], { label: 'npm ci' });
    if (done.code !== 0) {
      process.stderr.write(`${done.output}\nnpm ci failed with exit code ${done.code}\n`);
      return false;
    }
    process.stderr.write(`installed in ${done.seconds.toFixed(1)} s\n`);
  }
  writeFileSync(STAMP, stamp);
  return true;
}
