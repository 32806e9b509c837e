/**
 * Turns of the processes of one clone: of a first start in one terminal and a command in the other, both
 * install what is missing, into one folder.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from './built-folder.mjs';

const LOOK_MS = 300;

/** The process whose turn it is; null for none, or one that was killed. @param {string} file */
function holderOf(file) {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return !Number.isNaN(pid) && isRunning(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Takes the turn, unless another process has it: by a link, which is there whole or not. @param {string} file */
function isTaken(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Does something while no other process of this clone does it; says so where it has to wait.
 * @template Value
 * @param {string} file names the process whose turn it is
 * @param {string} what what the other one does meanwhile
 * @param {() => Promise<Value>} work
 * @returns {Promise<Value>}
 */
export async function inTurn(file, what, work) {
  for (let told = false; !isTaken(file); ) {
    const holder = holderOf(file);
    if (holder === null) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) process.stderr.write(`another command (process ${holder}) ${what}: waiting\n`);
    told = true;
    await wait(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
