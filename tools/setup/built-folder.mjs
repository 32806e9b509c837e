/**
 * The folder of a build: each build writes into one of its own, named by its process, which then takes the place
 * of what was built before. So two builds in one clone do not disturb each other.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where this process builds what is to stand at a place, beside it. @param {string} place */
export const nextFolder = (place) => `${place}.next-${process.pid}`;

/** What a rename says where there is nothing, and where something is. */
const ABSENT = 'ENOENT';
const TAKEN = ['ENOTEMPTY', 'EEXIST'];

const codeOf = (/** @type {unknown} */ error) =>
  String(/** @type {NodeJS.ErrnoException} */ (error).code);

/** Whether a process is there. @param {number} pid */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Removes what builds have left that were killed, and what this process has begun. @param {string} place */
export function removeUnfinished(place) {
  const begin = `${basename(place)}.next-`;
  for (const name of readdirSync(dirname(place))) {
    if (!name.startsWith(begin)) continue;
    const pid = Number.parseInt(name.slice(begin.length), 10);
    if (pid !== process.pid && isRunning(pid)) continue;
    rmSync(join(dirname(place), name), { recursive: true, force: true });
  }
}

/** Moves a folder away; whether there is one does not matter. @param {string} from @param {string} to */
function moveAway(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== ABSENT) throw error;
  }
}

/**
 * Puts a folder in the place of another one, which is removed. When a second process does the same at this
 * moment, one of the two is there whole, the later one.
 * @param {string} folder @param {string} place
 */
export function takePlace(folder, place) {
  const former = `${folder}.former`;
  for (let isThere = false; !isThere; ) {
    moveAway(place, former);
    try {
      renameSync(folder, place);
      isThere = true;
    } catch (error) {
      if (!TAKEN.includes(codeOf(error))) throw error;
    } finally {
      rmSync(former, { recursive: true, force: true });
    }
  }
}
