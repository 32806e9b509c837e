/**
 * `npm run build:wheel`: the wheel of the pytest plugin with the built server inside, so that pip alone
 * installs a twin where Node is there. Packages come from node_modules as the lock has them; those with
 * machine code (the serial port) are left out, so that one wheel serves every machine.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ensureProgram } from './start.mjs';

const SERVER = 'python/armtwin/server';
/** Neither runs: types are for compilers, maps for debuggers. */
const NOT_RUN = /\.(map|d\.[cm]?ts|tsbuildinfo)$/;

/** The folders of the packages that the server runs, from the lock. @returns {string[]} */
function runtimePackages(/** @type {string} */ lock) {
  /** @type {Record<string, { dev?: boolean, devOptional?: boolean, optional?: boolean }>} */
  const packages = JSON.parse(lock).packages;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path && !dev && !devOptional && !optional)
    .map(([path]) => path);
}

/** Copies a folder without what does not run, and without the packages inside it. */
function copyRunning(/** @type {string} */ from, /** @type {string} */ to) {
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => !NOT_RUN.test(path) && (path === from || basename(path) !== 'node_modules'),
  });
}

/** Puts the built server beside the modules of the plugin. */
function stageServer() {
  rmSync(SERVER, { recursive: true, force: true });
  mkdirSync(SERVER, { recursive: true });
  for (const file of ['package.json', 'LICENSE']) cpSync(file, join(SERVER, file));
  for (const folder of ['dist', 'fixtures']) copyRunning(folder, join(SERVER, folder));
  for (const path of runtimePackages(readFileSync('package-lock.json', 'utf8'))) {
    mkdirSync(dirname(join(SERVER, path)), { recursive: true });
    copyRunning(path, join(SERVER, path));
  }
}

/**
 * Makes the wheel in a folder; returns its path, or null after printing why not.
 * @param {string} folder
 */
export function makeWheel(folder) {
  try {
    stageServer();
    const args = ['python/wheel_backend.py', folder];
    const done = spawnSync('python3', args, { encoding: 'utf8' });
    if (done.status === 0) return join(folder, done.stdout.trim());
    const reason = done.error ? 'python3 was not found: install Python 3.8 or later' : done.stderr;
    process.stderr.write(`The wheel cannot be made: ${reason}\n`);
    return null;
  } finally {
    rmSync(SERVER, { recursive: true, force: true });
  }
}

/** `npm run build:wheel [-- FOLDER]` */
export async function wheel(/** @type {string[]} */ [folder = '.']) {
  if (!(await ensureProgram('start'))) return 1;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const path = makeWheel(folder);
  if (path === null) return 1;
  console.log(`${path}  ${(statSync(path).size / 2 ** 20).toFixed(1)} MB`);
  return 0;
}
