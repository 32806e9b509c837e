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
 * The ways to install, best first. `npm ci` refuses a lock that was made where a registry did not
 * have every optional package of every machine; `npm install` keeps to all the lock does say,
 * integrity included, and looks up the rest.
 */
const WAYS = [
  ['ci', '--include=dev'],
  ['install', '--include=dev', '--no-save'],
];

/** @param {string[]} args */
async function installBy(args) {
  const label = `npm ${args.join(' ')}`;
  process.stderr.write(`installing packages: ${label}\n`);
  const done = await runToEnd('npm', args, { label });
  if (done.code === 0) process.stderr.write(`installed in ${done.seconds.toFixed(1)} s\n`);
  return done;
}

/**
 * Installs when node_modules differs from the lock. Returns false when no way of installing
 * worked, after showing what the last one said.
 */
export async function ensureInstalled() {
  const lock = readFileSync(LOCK, 'utf8');
  const stamp = stampOf(lock);
  if (readOrEmpty(STAMP) === stamp) return true;
  if (!recordMatchesLock(lock, readOrEmpty(NPM_RECORD)) && !(await installSomehow())) return false;
  writeFileSync(STAMP, stamp);
  return true;
}

async function installSomehow() {
  let output = '';
  for (const way of WAYS) {
    const done = await installBy(way);
    if (done.code === 0) return true;
    output = done.output;
    process.stderr.write(`npm ${way[0]} ended with exit code ${done.code}\n`);
  }
  process.stderr.write(`${output}\n`);
  return false;
}

/** The verb alone: a container builds its layers from it. */
export async function install() {
  return (await ensureInstalled()) ? 0 : 1;
}
